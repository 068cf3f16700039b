//! Minimax: principal variation search with iterative deepening.
//!
//! The search ([`Minimax::search`]) is alpha-beta in the form of principal variation search (T.
//! Marsland and M. Campbell, Parallel search of strongly ordered game trees, 1982) in the window
//! around the value of an iteration before, with a table of positions that its threads share. With or
//! without table, killers, null windows and aspiration ([`Params`]) it gives the value of plain
//! negamax over the same [`candidates`]; they only help to find it sooner. With late move reductions and futility
//! pruning (`selectivity.rs`) this holds no longer: they give up exactness for depth.

mod candidates;
mod deepening;
mod evaluate;
mod killers;
mod params;
mod search;
mod selectivity;
mod statistics;
mod window;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use game::{Move, Position};

use candidates::candidates_among;
pub use candidates::{Choice, candidates};
pub use deepening::{Minimax, MinimaxResult};
pub use evaluate::{Evaluate, HandCrafted, Learnt};
pub use params::Params;
pub use statistics::Statistics;
pub use window::INFINITY;

use crate::endgame::Solver;
use crate::model::Model;
use crate::model::evaluation::likely_win;
use crate::model::handcrafted::POINT;
use crate::{Evaluation, FromOptions, Limit, Options, Param, ParamError, Player, Report};

/// Searches with the learnt evaluation, and solves endgames.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, Limit, MinimaxPlayer, Options, Player};
///
/// let mut player = MinimaxPlayer::new(&Options { memory: 1 << 20, ..Options::default() });
/// assert!(position.check(player.choose(&position, &Limit::nodes(100)).mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MinimaxPlayer {
    params: Params,
    model: Arc<Model>,
    minimax: Minimax,
    solver: Solver,
}

impl MinimaxPlayer {
    /// The most memory that the search and the solver take each. A search of two seconds stores some
    /// hundred thousand positions of 16 bytes; spread over more memory they only cost more page
    /// faults.
    const MOST_MEMORY: usize = 32 << 20;
}

/// What the search ends in.
fn evaluation(params: Params, model: &Arc<Model>) -> Box<dyn Evaluate> {
    if params.learnt { Box::new(Learnt(model.clone())) } else { Box::new(HandCrafted) }
}

impl FromOptions for MinimaxPlayer {
    fn new(options: &Options) -> Self {
        let params = Params::default();
        let memory = (options.memory / 2).min(Self::MOST_MEMORY);
        Self {
            params,
            model: options.model.clone(),
            minimax: Minimax::new(
                params,
                evaluation(params, &options.model),
                options.model.clone(),
                memory,
                options.threads,
            ),
            solver: Solver::new(memory),
        }
    }
}

impl Player for MinimaxPlayer {
    fn name(&self) -> &'static str {
        "minimax"
    }

    fn new_game(&mut self) {
        self.minimax.clear();
        self.solver.clear();
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.minimax.prepare(stop);
        self.solver.prepare(stop);
    }

    fn params(&self) -> Vec<Param> {
        self.params.list()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.params.set(name, value)?;
        self.minimax.set(self.params, evaluation(self.params, &self.model));
        Ok(())
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        let choice = Choice { model: &self.model, width: usize::MAX, look: false };
        match candidates_among(position, choice, limit)[..] {
            [] => return Report::without_thought(Move::Pass),
            // Whoever asks about one move wants an opinion.
            [only] if !limit.is_restricted() => return Report::without_thought(only),
            _ => {}
        }
        let mut spent = 0;
        if self.params.endgame {
            match self.solver.attempt(position, limit) {
                Ok(report) => return report,
                Err(nodes) => spent = nodes,
            }
        }
        let outcome = self.minimax.search(position, &limit.after(spent), Minimax::MAX_DEPTH);
        log::info!("{}", outcome.statistics);
        let margin = outcome.value as f32 / POINT as f32;
        let evaluation = match self.params.learnt {
            // Its values are made of chances to win at the ends of the lines.
            true => {
                Evaluation { win: likely_win(margin, position.turn().saturating_add(outcome.depth as u16)), margin }
            }
            false => Evaluation::of_margin(margin),
        };
        Report {
            mv: outcome.mv,
            evaluation: Some(evaluation),
            line: self.minimax.line(position, outcome.mv, outcome.depth),
            nodes: spent + outcome.nodes,
            depth: outcome.depth,
        }
    }
}
