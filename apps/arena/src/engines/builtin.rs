//! The players of this workspace, in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::{Move, Position, excerpt};
use player::{Options, Player, Report, SearchLimits, by_name};
use record::{Fault, FaultKind};

use super::{Budget, Contestant, GameStart, StartError};

/// A built-in player. Every game gets a new one, so that a game depends on its seed alone.
pub struct Builtin {
    spec: BuiltinSpec,
    budget: Budget,
    player: Option<Box<dyn Player>>,
}

/// Specification of a built-in player.
#[derive(Clone, PartialEq, Debug)]
pub struct BuiltinSpec {
    pub(super) name: String,
    /// Its seed, if it differs from that of the match.
    pub seed: Option<u64>,
    /// Options, with the weights and the experience from files.
    pub options: Options,
    pub(super) params: Vec<(String, String)>,
    /// Nodes to search after each own move, as a substitute for pondering; 0 disables it.
    pub ponder: u64,
}

impl BuiltinSpec {
    /// Creates the player with another seed and number of threads.
    ///
    /// # Errors
    /// The player or a parameter is unknown.
    pub fn player(&self, seed: u64, threads: usize) -> Result<Box<dyn Player>, String> {
        let options = Options { seed, threads, ..self.options.clone() };
        let mut player = by_name(&self.name, &options).map_err(|error| error.to_string())?;
        for (name, value) in &self.params {
            player.set_param(name, value).map_err(|error| format!("{}: {error}", self.name))?;
        }
        Ok(player)
    }
}

impl Builtin {
    pub(super) fn new(spec: BuiltinSpec, budget: Budget) -> Self {
        Self { spec, budget, player: None }
    }

    /// Runs `action` on the player. A player that panics loses the game and is not asked again; the match continues.
    fn with_player<T>(&mut self, action: impl FnOnce(&mut dyn Player) -> T) -> Result<T, Fault> {
        let panicked = |why: &str| Fault::new(FaultKind::Left, format!("the player has panicked{why}"));
        let mut player = self.player.take().ok_or_else(|| panicked(""))?;
        let value = catch_unwind(AssertUnwindSafe(|| action(&mut *player))).map_err(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref().copied());
            panicked(&message.map(|message| format!(": {}", excerpt(message))).unwrap_or_default())
        })?;
        self.player = Some(player);
        Ok(value)
    }
}

impl Contestant for Builtin {
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
        // Frees the last player's memory before the next one allocates.
        self.player = None;
        let player = self.spec.player(game.seed, self.spec.options.threads);
        self.player = Some(player.map_err(|reason| StartError { contestant: self.spec.name.clone(), reason })?);
        Ok(())
    }

    fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
        if !own || self.spec.ponder == 0 {
            return Ok(());
        }
        let (position, limit) = (before.after(mv), SearchLimits::nodes(self.spec.ponder));
        if position.is_over() || position.color().team() == before.color().team() {
            return Ok(());
        }
        self.with_player(|player| player.ponder(&position, &limit, &AtomicBool::new(false)))
    }

    fn is_timed(&self) -> bool {
        self.budget.time.is_some()
    }

    fn choose(&mut self, position: &Position, _timeout: Duration) -> Result<(Report, Option<Duration>), Fault> {
        let limit = self.budget.starting(Instant::now());
        self.with_player(|player| player.choose(position, &limit)).map(|report| (report, None))
    }
}
