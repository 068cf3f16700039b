//! The players of this workspace, in this process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use game::{Move, Position, excerpt};
use player::{Options, Player, SearchLimits, by_name};
use record::{Fault, FaultKind};

use super::{Answer, Budget, Contestant, GameStart, StartError};

/// A built-in player. Every game gets a new one, so that a game depends on its seed alone.
pub struct Builtin {
    name: String,
    options: Options,
    params: Vec<(String, String)>,
    budget: Budget,
    /// Number of nodes searched in the opponent's time; 0 for none.
    ponder: u64,
    player: Option<Box<dyn Player>>,
}

impl Builtin {
    /// The player of this name; the seed of the options is replaced in every game.
    pub fn new(name: &str, options: Options, params: Vec<(String, String)>, budget: Budget) -> Self {
        Self { name: name.to_owned(), options, params, budget, ponder: 0, player: None }
    }

    /// The same, but after each of its moves it thinks this many nodes ahead while the opponent is on turn, as if it
    /// had a machine of its own: that takes nothing from the time of either.
    pub fn with_ponder(self, ponder: u64) -> Self {
        Self { ponder, ..self }
    }

    /// Runs `action` on the player. A player that panics loses the game and is not asked again; the match continues.
    fn with_player<T>(&mut self, action: impl FnOnce(&mut dyn Player) -> T) -> Result<T, Fault> {
        let gone = |why: &str| Fault::new(FaultKind::Left, format!("the player has panicked{why}"));
        let mut player = self.player.take().ok_or_else(|| gone(""))?;
        let value = catch_unwind(AssertUnwindSafe(|| action(&mut *player))).map_err(|panic| {
            let message = panic.downcast_ref::<String>().map(String::as_str);
            let message = message.or_else(|| panic.downcast_ref().copied());
            gone(&message.map(|message| format!(": {}", excerpt(message))).unwrap_or_default())
        })?;
        self.player = Some(player);
        Ok(value)
    }

    /// Makes the player.
    pub(super) fn player(&self, seed: u64) -> Result<Box<dyn Player>, String> {
        let options = Options { seed, ..self.options.clone() };
        let mut player = by_name(&self.name, &options).map_err(|error| error.to_string())?;
        for (name, value) in &self.params {
            player.set_param(name, value).map_err(|error| format!("{}: {error}", self.name))?;
        }
        Ok(player)
    }
}

impl Contestant for Builtin {
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
        // The memory of the last player comes free before the next one takes its own.
        self.player = None;
        let player = self.player(game.seed);
        self.player = Some(player.map_err(|reason| StartError { contestant: self.name.clone(), reason })?);
        Ok(())
    }

    fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
        if !own || self.ponder == 0 {
            return Ok(());
        }
        let (position, limit) = (before.after(mv), SearchLimits::nodes(self.ponder));
        if position.is_over() || position.color().team() == before.color().team() {
            return Ok(());
        }
        self.with_player(|player| player.ponder(&position, &limit, &AtomicBool::new(false)))
    }

    fn is_timed(&self) -> bool {
        self.budget.time.is_some()
    }

    fn choose(&mut self, position: &Position, _patience: Duration) -> Result<Answer, Fault> {
        let limit = self.budget.starting(Instant::now());
        let report = self.with_player(|player| player.choose(position, &limit))?;
        Ok(Answer {
            evaluation: report.evaluation,
            nodes: report.nodes,
            depth: report.depth,
            ..Answer::bare(report.mv)
        })
    }
}
