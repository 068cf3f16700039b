//! Minimax: principal variation search with iterative deepening.
//!
//! The search ([`Minimax::search`]) is alpha-beta in the form of principal variation search (T.
//! Marsland and M. Campbell, Parallel search of strongly ordered game trees, 1982) in the window
//! around the value of an iteration before, with a table of positions that its threads share. Every
//! [`Config`] gives the value of plain negamax over the same [`candidates`]; they differ in how
//! fast they find it.

mod candidates;
mod config;
mod deepening;
mod evaluate;
mod ordering;
mod params;
mod search;
mod statistics;

use game::Position;

pub use candidates::{Width, candidates};
pub use config::Config;
pub use deepening::{Minimax, Outcome};
pub use evaluate::{Evaluate, Features, Material};
pub use params::Params;
pub use search::INFINITY;
pub use statistics::Statistics;

use crate::endgame::Solver;
use crate::{Evaluation, Limit, Options, Param, ParamError, Player, Report};

/// Searches with the features of the heuristic player, and solves endgames.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{Limit, MinimaxPlayer, Options, Player};
///
/// let mut player = MinimaxPlayer::new(&Options { memory: 1 << 20, ..Options::default() });
/// assert!(position.check(player.choose(&position, &Limit::nodes(100)).mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MinimaxPlayer {
    params: Params,
    minimax: Minimax,
    solver: Solver,
}

impl MinimaxPlayer {
    /// The most memory that the search and the solver take each. A search of two seconds stores some
    /// hundred thousand positions of 16 bytes; spread over more memory they only cost more page
    /// faults.
    const MOST_MEMORY: usize = 32 << 20;
}

impl Player for MinimaxPlayer {
    fn new(options: &Options) -> Self {
        let params = Params::default();
        let memory = (options.memory / 2).min(Self::MOST_MEMORY);
        Self {
            params,
            minimax: Minimax::new(params.config(), params.evaluate(), memory, options.threads),
            solver: Solver::new(memory),
        }
    }

    fn name(&self) -> &'static str {
        "minimax"
    }

    fn new_game(&mut self) {
        self.minimax.clear();
        self.solver.clear();
    }

    fn params(&self) -> Vec<Param> {
        self.params.list()
    }

    fn set_param(&mut self, name: &str, value: f32) -> Result<(), ParamError> {
        self.params.set(name, value)?;
        self.minimax.set(self.params.config(), self.params.evaluate());
        Ok(())
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        if let [only] = candidates(position, Width::FULL.root)[..] {
            return Report::without_thought(only);
        }
        let mut spent = 0;
        if self.params.endgame >= 0.5 {
            match self.solver.attempt(position, limit, self.params.solver_parts as u32) {
                Ok(report) => return report,
                Err(nodes) => spent = nodes,
            }
        }
        let outcome = self.minimax.search(position, &limit.after(spent), Minimax::MAX_DEPTH);
        log::info!("{}", outcome.statistics);
        Report {
            mv: outcome.mv,
            evaluation: Some(Evaluation::of_margin(outcome.value as f32 / evaluate::POINT as f32)),
            line: self.minimax.line(position, outcome.mv, outcome.depth),
            nodes: spent + outcome.nodes,
            depth: outcome.depth,
        }
    }
}
