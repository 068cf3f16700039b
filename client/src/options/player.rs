//! The options of the player.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use player::experience::Experience;
use player::model::Model;
use player::{ParamError, Player};

use super::values;
use crate::gtp::MakePlayer;
use crate::memory;

/// In MiB. A constant, because creating the default [`player::Options`] reads the weights.
const DEFAULT_MEMORY: u16 = (player::Options::DEFAULT_MEMORY >> 20) as u16;

/// The player and its options.
#[derive(Clone, Debug, Args)]
pub struct PlayerArguments {
    /// Player instead of the built-in one
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(player::PLAYER_NAMES))]
    pub player: Option<String>,

    /// Seed of the player's random numbers [default: random, but fixed in `bench`]
    #[arg(long, value_parser = cli::number(0u64..))]
    pub seed: Option<u64>,

    /// Number of threads of the player
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = cli::number(1..=player::Options::MAX_THREADS))]
    pub threads: usize,

    /// Size of the player's tree or table in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY, value_parser = cli::number(1..=u16::MAX))]
    pub memory: u16,

    /// Weights file to use instead of the built-in weights (repeatable)
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,

    /// Experience file that the Monte Carlo players use and extend; created if missing
    #[arg(long, value_name = "FILE")]
    pub experience: Option<PathBuf>,

    /// Parameter of the player (repeatable)
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::param)]
    pub param: Vec<(String, String)>,
}

impl PlayerArguments {
    /// Returns the options for [`make`](Self::make).
    ///
    /// # Errors
    /// If there is too little memory for any player, [`ModelError`](player::model::ModelError) for an unusable weights
    /// file, [`ExperienceError`](player::experience::ExperienceError) for an unusable experience file.
    pub fn options(&self) -> anyhow::Result<player::Options> {
        let seed = self.seed.unwrap_or_else(rand::random);
        let memory = memory::obtainable(usize::from(self.memory) << 20, self.threads)?;
        let model = if self.weights.is_empty() { Model::built_in() } else { Model::with_files(&self.weights)?.into() };
        let experience = self.experience.as_deref().map(Experience::open).transpose()?;
        Ok(player::Options { seed, threads: self.threads, memory, model, experience })
    }

    /// Returns the constructor of the named player, else `default_player`.
    pub fn constructor(&self, default_player: MakePlayer) -> MakePlayer {
        match self.player.clone() {
            Some(name) => Box::new(move |options| player::by_name(&name, options).expect("clap has checked the name")),
            None => default_player,
        }
    }

    /// Creates the player of the [constructor](Self::constructor) and sets its parameters.
    ///
    /// # Errors
    /// [`ParamError`]
    pub fn make(&self, options: &player::Options, default_player: MakePlayer) -> Result<Box<dyn Player>, ParamError> {
        let mut player = self.constructor(default_player)(options);
        for (name, value) in &self.param {
            player.set_param(name, value)?;
        }
        Ok(player)
    }
}
