//! The minimax player.

use std::fmt;
use std::sync::atomic::AtomicBool;

use game::Position;

use super::evaluation::ValueNetEvaluation;
use super::iterative_deepening::Minimax;
use super::params::Params;
use crate::api::{Evaluation, Param, ParamError, Player, Report, SearchLimits};
use crate::endgame::Solver;
use crate::model::handcrafted::POINT;
use crate::model::value_net::win_of_margin;
use crate::options::{FromOptions, Options};
use crate::root_moves::RootMoves;

/// The minimax player: searches with the value network and solves endgames.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, MinimaxPlayer, Options, Player, SearchLimits};
///
/// let mut player = MinimaxPlayer::new(&Options { memory: 1 << 20, ..Options::default() });
/// assert!(position.check(player.choose(&position, &SearchLimits::nodes(100)).mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MinimaxPlayer {
    minimax: Minimax,
    solver: Solver,
}

/// Maximum memory of the search and of the solver in bytes. A search of two seconds stores a few hundred thousand
/// positions of 16 bytes; more memory only costs page faults.
const MAX_MEMORY: usize = 32 << 20;

impl fmt::Debug for MinimaxPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MinimaxPlayer").field("params", &self.minimax.params).finish_non_exhaustive()
    }
}

impl FromOptions for MinimaxPlayer {
    fn new(options: &Options) -> Self {
        let memory = (options.memory / 2).min(MAX_MEMORY);
        let (model, evaluation) = (options.model.clone(), Box::new(ValueNetEvaluation(options.model.clone())));
        let minimax = Minimax::new(Params::default(), evaluation, model, memory, options.threads);
        Self { minimax, solver: Solver::new(memory) }
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
        self.minimax.params.list()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.minimax.params.set(name, value)?;
        self.minimax.clear();
        Ok(())
    }

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        let moves = RootMoves::list(position);
        if let Some(mv) = moves.forced() {
            return Report::without_search(mv);
        }
        let solved = if self.minimax.params.endgame { self.solver.try_to_solve(&moves, limits) } else { Err(0) };
        let nodes = match solved {
            Ok(report) => return report,
            Err(nodes) => nodes,
        };
        let result = self.minimax.search(position, &limits.after(nodes), Minimax::MAX_DEPTH);
        let margin = result.value as f32 / POINT as f32;
        // The value is a win probability at the end of the line.
        let win = win_of_margin(margin, position.turn().saturating_add(result.depth as u16));
        Report {
            mv: result.mv,
            evaluation: Some(Evaluation { win, margin }),
            line: self.minimax.line(position, result.mv, result.depth),
            nodes: nodes + result.nodes,
            depth: result.depth,
        }
    }
}
