//! The endgame solver: exact search of the last moves.

// The solver searches all remaining moves. Four ideas keep that small:
//
// * `puzzle` lists once all placements that may still become legal, with the relevant cells renumbered (`cells`). The
//   search only crosses them out.
// * Colours that cannot affect each other any more are solved separately (`search`). A team on its own has a packing
//   problem instead of a game (`packing`).
// * Bounds: a colour cannot gain more than `bound` allows, and nobody can prevent the points that `color_state` finds.
// * `state` identifies states by their future only, so the order of moves does not matter.

mod bound;
mod candidate;
mod cells;
mod color_state;
mod context;
mod packing;
mod puzzle;
mod search;
mod state;

use std::sync::atomic::AtomicBool;

use game::{Move, Position};

use crate::api::{Evaluation, Report, SearchLimits};
use crate::root_moves::RootMoves;
use crate::transposition_table::TranspositionTable;
use context::{LimitReached, SolverContext};
use puzzle::Puzzle;
use search::{EndgameSearch, INFINITY};
use state::EndgameState;

/// The result of perfect play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Solution {
    /// A best move.
    pub mv: Move,
    /// Final margin of the team to move, including bonuses. `None` if the limits sufficed for the best move, but not
    /// for colours that it does not affect.
    pub margin: Option<i32>,
}

impl Solution {
    /// Creates the report of a player, with the number of nodes.
    fn report(self, nodes: u64) -> Report {
        let Self { mv, margin } = self;
        let evaluation = margin.map(Evaluation::of_result);
        Report { evaluation, line: vec![mv], nodes, ..Report::without_search(mv) }
    }
}

/// Solves endgames. Keeps its table for the next move of the game.
///
/// ```
/// use game::{Move, Position};
/// use player::{SearchLimits, endgame::Solver};
///
/// // Blue has a placement, but its partner red needs the cells.
/// let position: Position = "2027 PENTO_V 68 BRG - RBBRBBB1YYYYBBBYGGG1/RRBRB2BBBBBYBBYG1G1/RBBRB3Y3BYYY1G2/\
///     1RRB1BB1YY1YYGGGYG2/1RBB2BBY1YY2GGYGGG/1RB1BB1BY1Y1YGYYGY2/2RBBYYYBBBBYGYGGYYY/2RRB1YB2BYY1GGRRRY/\
///     2BBR1YB1B1Y1G2R1R1/3B1R1YYBBGGGG2R1R/5RRRYYB2R1G1R1R/3RR2RYRBRRR1G1R1R/2RRYYYYRRRB1RGGGR1R/\
///     1R1RBBBY1RBBBGRR1R1G/1RYYYYYBBB1B1G1RRGGR/RRBB2BYBGG1GG1GRGGR/R1B1BBBYB1G1G1GGGRRR/1GB1B1GYY1GG3GRGGG/\
///     GGBGG1GGGG3RRRRGRR/1GG1GG4GGGGG2RRR"
///     .parse()?;
/// assert!(Solver::is_promising(&position));
/// let solution = Solver::new(1 << 20).solve(&position, &SearchLimits::nodes(100_000)).expect("enough nodes");
/// assert_eq!((solution.mv, solution.margin), (Move::Pass, Some(39)));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    table: TranspositionTable,
    nodes: u64,
}

/// The solver may take 1/`SOLVER_PARTS` of the limits of a move.
const SOLVER_PARTS: u32 = 3;

impl Solver {
    /// Creates a solver with about `bytes` bytes of memory.
    pub fn new(bytes: usize) -> Self {
        Self { table: TranspositionTable::new(bytes), nodes: 0 }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Touches the memory of the table, until `stop`.
    pub(crate) fn prepare(&self, stop: &AtomicBool) {
        self.table.prepare(stop);
    }

    /// Tries to solve a position within a part of the limits. Returns the report, or the number of wasted nodes if the
    /// solver fails or finds a pass that players never choose.
    pub(crate) fn try_to_solve(&mut self, moves: &RootMoves<'_>, limits: &SearchLimits) -> Result<Report, u64> {
        if !Self::is_promising(moves.position) {
            return Err(0);
        }
        let solution = self.solve(moves.position, &limits.part(SOLVER_PARTS));
        let allowed = solution.filter(|solution| moves.may_pass || solution.mv != Move::Pass);
        allowed.map(|solution| solution.report(self.nodes)).ok_or(self.nodes)
    }

    /// Returns `true` if the solver is likely to succeed within seconds, by the number of placements.
    pub fn is_promising(position: &Position) -> bool {
        const MAX_PLACEMENTS: usize = 150;
        let count = |color| position.board().count_placements(color);
        position.in_play().iter().map(count).sum::<usize>() <= MAX_PLACEMENTS
    }

    /// Solves a position that is not over. Returns `None` if the limits do not suffice.
    pub fn solve(&mut self, position: &Position, limits: &SearchLimits) -> Option<Solution> {
        self.table.next_search();
        self.nodes = 0;
        // A colour to move can be set up as out of play.
        if !position.in_play().contains(position.color()) {
            return None;
        }
        let Puzzle { candidates, lists, state } = Puzzle::of(position)?;
        let mut context = SolverContext::new(&candidates, &self.table, limits);
        let state = state.list_candidates(&candidates, &lists, &mut context.list);
        let mut search = EndgameSearch::new(context);
        let solution = solve_groups(&mut search, position, &state).ok();
        self.nodes = search.context.nodes;
        solution
    }
}

fn solve_groups(
    search: &mut EndgameSearch,
    position: &Position,
    state: &EndgameState,
) -> Result<Solution, LimitReached> {
    let team = position.color().team();
    let mut margin = Some(position.margin(team));
    let (own, others): (Vec<_>, Vec<_>) = state.groups().partition(|group| group.contains(position.color()));
    let mut mv = Move::Pass;
    for group in own {
        let gain;
        (gain, mv) = search.best_of_group(&state.with_only(group))?;
        margin = margin.map(|margin| margin + gain);
    }
    for group in others {
        let gain = search.value(&state.with_only(group), team, -INFINITY, INFINITY).ok();
        margin = margin.zip(gain).map(|(margin, gain)| margin + gain);
    }
    Ok(Solution { mv, margin })
}
