//! Minimax: principal variation search with iterative deepening.
//!
//! The search ([`Minimax::search`]) is alpha-beta in the form of principal variation search (T.
//! Marsland and M. Campbell, Parallel search of strongly ordered game trees, 1982) in the window
//! around the value of an iteration before, with a table of positions that its threads share. Every [`Config`] gives the value of plain negamax over the same
//! [`candidates`]; they differ in how fast they find it.

mod candidates;
mod deepening;
mod evaluate;
mod ordering;
mod search;

use game::Position;

pub use candidates::{Width, candidates};
pub use deepening::{Minimax, Outcome};
pub use evaluate::{Evaluate, Features, Material};
pub use search::{INFINITY, TableStatistics};

use crate::endgame::{Solution, Solver};
use crate::{Evaluation, Limit, Options, Player, Report};

/// Which parts of the search are in use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Remember positions in a table.
    pub table: bool,
    /// Try moves first that cut off positions at the same distance from the root.
    pub killers: bool,
    /// Try moves early that cut off positions anywhere.
    pub history: bool,
    /// Search later moves with an empty window first.
    pub scout: bool,
    /// Begin an iteration with a small window around the value of one before.
    pub aspiration: bool,
    /// How many moves are looked at.
    pub width: Width,
}

impl Config {
    /// Alpha-beta and nothing else.
    pub const PLAIN: Self = Self {
        table: false,
        killers: false,
        history: false,
        scout: false,
        aspiration: false,
        width: Width { root: 40, inner: 12 },
    };
}

impl Default for Config {
    fn default() -> Self {
        Self { table: true, killers: true, history: true, scout: true, aspiration: true, width: Width::default() }
    }
}

/// Searches with the features of the heuristic player, and solves endgames.
pub struct MinimaxPlayer {
    minimax: Minimax,
    solver: Option<Solver>,
}

impl MinimaxPlayer {
    /// Which part of the time and nodes left the endgame solver may use.
    const SOLVER_SHARE: u32 = 3;
    /// Which part of the memory the endgame solver gets.
    const SOLVER_MEMORY: usize = 4;

    /// A player with a search of its own, with or without an endgame solver.
    pub fn with(options: &Options, config: Config, evaluate: Box<dyn Evaluate>, solve_endgames: bool) -> Self {
        let for_solver = if solve_endgames { options.memory / Self::SOLVER_MEMORY } else { 0 };
        Self {
            minimax: Minimax::new(config, evaluate, options.memory - for_solver, options.threads),
            solver: solve_endgames.then(|| Solver::new(for_solver)),
        }
    }

    /// The perfect move, or how many nodes were spent on it in vain.
    fn solve(&mut self, position: &Position, limit: &Limit) -> Result<Report, u64> {
        let Some(solver) = self.solver.as_mut().filter(|_| Solver::is_promising(position)) else {
            return Err(0);
        };
        let solution = solver.solve(position, &limit.part(Self::SOLVER_SHARE));
        let Some(Solution { mv, margin }) = solution else {
            return Err(solver.nodes());
        };
        let evaluation = margin.map(Evaluation::of_result);
        Ok(Report { evaluation, line: vec![mv], nodes: solver.nodes(), ..Report::without_thought(mv) })
    }
}

impl Player for MinimaxPlayer {
    fn new(options: &Options) -> Self {
        Self::with(options, Config::default(), Box::new(Features::default()), true)
    }

    fn name(&self) -> &'static str {
        "minimax"
    }

    fn new_game(&mut self) {
        self.minimax.clear();
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        if let [only] = candidates(position, Width::FULL.root)[..] {
            return Report::without_thought(only);
        }
        let spent = match self.solve(position, limit) {
            Ok(report) => return report,
            Err(spent) => spent,
        };
        let outcome = self.minimax.search(position, &limit.after(spent), Minimax::MAX_DEPTH);
        Report {
            mv: outcome.mv,
            evaluation: Some(Evaluation::of_margin(outcome.value as f32 / evaluate::POINT as f32)),
            line: self.minimax.line(position, outcome.mv, outcome.depth),
            nodes: spent + outcome.nodes,
            depth: outcome.depth,
        }
    }
}
