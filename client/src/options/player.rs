//! The options that say who plays, and with what.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use player::experience::Experience;
use player::model::Model;
use player::{Player, PlayerFactory};

use super::values;
use crate::memory;

/// In MiB. A constant, because making the default [`player::Options`] reads the weights.
const DEFAULT_MEMORY: u16 = (player::Options::DEFAULT_MEMORY >> 20) as u16;

/// Who plays, and with what.
#[derive(Clone, Debug, Args)]
pub struct PlayerArguments {
    /// Player instead of the one that is built in
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(player::PLAYER_NAMES))]
    pub player: Option<String>,

    /// Seed of the player's random numbers [default: another in each run, but the same in each `bench`]
    #[arg(long)]
    pub seed: Option<u64>,

    /// Threads that the player may use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads)]
    pub threads: usize,

    /// MiB that the player's tree or table may take
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_MEMORY, value_parser = clap::value_parser!(u16).range(1..))]
    pub memory: u16,

    /// File of weights that the player uses instead of its own; may be given several times
    #[arg(long, value_name = "FILE")]
    pub weights: Vec<PathBuf>,

    /// File of what earlier games taught, from which the Monte Carlo players learn and to which they add; it is made if
    /// there is none
    #[arg(long, value_name = "FILE")]
    pub experience: Option<PathBuf>,

    /// Parameter of the player; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = values::param)]
    pub param: Vec<(String, String)>,
}

impl Default for PlayerArguments {
    fn default() -> Self {
        Self {
            player: None,
            seed: None,
            threads: 1,
            memory: DEFAULT_MEMORY,
            weights: Vec::new(),
            experience: None,
            param: Vec::new(),
        }
    }
}

impl PlayerArguments {
    /// What the player needs to know.
    ///
    /// # Errors
    /// [`TooLittleMemory`](memory::TooLittleMemory) if no player could work, [`ModelError`](player::model::ModelError)
    /// if a file of weights cannot be used, [`ExperienceError`](player::experience::ExperienceError) if that of
    /// experience cannot.
    pub fn options(&self) -> anyhow::Result<player::Options> {
        let seed = self.seed.unwrap_or_else(rand::random);
        let memory = memory::obtainable(usize::from(self.memory) << 20, self.threads)?;
        let model = if self.weights.is_empty() { Model::built_in() } else { Model::with_files(&self.weights)?.into() };
        let experience = self.experience.as_deref().map(Experience::open).transpose()?;
        Ok(player::Options { seed, threads: self.threads, memory, model, experience })
    }

    /// The player: the one that was asked for by name, else the one that `built_in` makes.
    ///
    /// # Errors
    /// [`UnknownPlayer`](player::UnknownPlayer) if there is no player of that name, [`ParamError`](player::ParamError)
    /// if it has no such parameter.
    ///
    /// ```
    /// use client::options::PlayerArguments;
    ///
    /// let args = PlayerArguments { player: Some("random".to_owned()), memory: 1, ..PlayerArguments::default() };
    /// assert_eq!(args.make(&args.options()?, client::algorithm::built_in)?.name(), "random");
    /// # Ok::<(), anyhow::Error>(())
    /// ```
    pub fn make(&self, options: &player::Options, built_in: PlayerFactory) -> anyhow::Result<Box<dyn Player>> {
        let mut player = match &self.player {
            Some(name) => player::by_name(name, options)?,
            None => built_in(options),
        };
        for (name, value) in &self.param {
            player.set_param(name, value)?;
        }
        Ok(player)
    }
}
