//! Perfect play when the end of the game is near.
//!
//! A position is solved by searching everything that can still happen. Four things keep that small. All
//! placements that can still be made are listed once (`puzzle`), with the few cells that matter
//! renumbered (`cells`), and the search only crosses them out. The cells that each colour may still cover
//! show which colours cannot affect each other any more; those are solved separately (`search`), and a team on its
//! own has no game to play but a packing problem to solve (`packing`). The search is bounded from above by what a
//! colour can gain at most (`bound`), and from below by what nobody can take from it (`side`). And states are
//! recognised only by what their future depends on, so that neither the order of placements nor what
//! happened elsewhere or before matters (`state`).

mod bound;
mod candidate;
mod cells;
mod packing;
mod puzzle;
mod search;
mod side;
mod state;
mod workspace;

use std::sync::atomic::AtomicBool;

use game::{Move, Position};

use crate::pass::may_choose;
use crate::transposition_table::TranspositionTable;
use crate::{Evaluation, Limit, Report};
use puzzle::Puzzle;
use search::{EndgameSearch, INFINITY};
use state::EndgameState;
use workspace::{OutOfTime, Workspace};

/// What perfect play leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// A best move, whatever the score.
    pub mv: Move,
    /// The points of the team on turn less those of the other at the end, bonuses included, if all
    /// play perfectly. `None` if the limit was enough to find the best move, but not to work out what
    /// becomes of colours that it does not affect.
    pub margin: Option<i32>,
}

impl Solution {
    /// The report of a player that plays the solution, which took `nodes` nodes.
    fn report(self, nodes: u64) -> Report {
        let Self { mv, margin } = self;
        let evaluation = margin.map(Evaluation::of_result);
        Report { evaluation, line: vec![mv], nodes, ..Report::without_thought(mv) }
    }
}

/// Solves endgames. Keeps what it has found out for the next move of the same game.
///
/// ```
/// use game::{Move, Position};
/// use player::{Limit, endgame::Solver};
///
/// // Blue could place a piece, but only where its partner red needs the room.
/// let position: Position = "2027 PENTO_V 68 BRG - RBBRBBB1YYYYBBBYGGG1/RRBRB2BBBBBYBBYG1G1/RBBRB3Y3BYYY1G2/\
///     1RRB1BB1YY1YYGGGYG2/1RBB2BBY1YY2GGYGGG/1RB1BB1BY1Y1YGYYGY2/2RBBYYYBBBBYGYGGYYY/2RRB1YB2BYY1GGRRRY/\
///     2BBR1YB1B1Y1G2R1R1/3B1R1YYBBGGGG2R1R/5RRRYYB2R1G1R1R/3RR2RYRBRRR1G1R1R/2RRYYYYRRRB1RGGGR1R/\
///     1R1RBBBY1RBBBGRR1R1G/1RYYYYYBBB1B1G1RRGGR/RRBB2BYBGG1GG1GRGGR/R1B1BBBYB1G1G1GGGRRR/1GB1B1GYY1GG3GRGGG/\
///     GGBGG1GGGG3RRRRGRR/1GG1GG4GGGGG2RRR"
///     .parse()?;
/// assert!(Solver::is_promising(&position));
/// let solution = Solver::new(1 << 20).solve(&position, &Limit::nodes(100_000)).expect("the limit is enough");
/// assert_eq!((solution.mv, solution.margin), (Move::Pass, Some(39)));
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    table: TranspositionTable,
    nodes: u64,
}

/// How many parts players divide the limit of a move into; one of them is for trying to solve the position.
const ATTEMPT_PARTS: u32 = 3;

impl Solver {
    /// A solver that takes about `bytes` bytes of memory.
    pub fn new(bytes: usize) -> Self {
        Self { table: TranspositionTable::new(bytes), nodes: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// Uses the memory of the table, if it has not been used yet, until `stop`.
    pub(crate) fn prepare(&self, stop: &AtomicBool) {
        self.table.prepare(stop);
    }

    /// The number of positions searched by the last [`solve`](Self::solve).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Tries to solve a position within a part of a limit if that is promising. Returns the report of a
    /// player that plays the solution if it may, or else how many nodes were spent for nothing.
    pub(crate) fn attempt(&mut self, position: &Position, limit: &Limit) -> Result<Report, u64> {
        if !Self::is_promising(position) {
            return Err(0);
        }
        // The best move of all is also the best of some that it is among.
        let is_allowed = |solution: &Solution| may_choose(position, solution.mv) && limit.allows(solution.mv);
        let solution = self.solve(position, &limit.part(ATTEMPT_PARTS)).filter(is_allowed);
        solution.map(|solution| solution.report(self.nodes)).ok_or(self.nodes)
    }

    /// Whether solving a position is worth a try: cheap to ask, and false where there are too many
    /// placements to succeed within seconds.
    pub fn is_promising(position: &Position) -> bool {
        const PLACEMENTS: usize = 150;
        let count = |color| position.board().count_placements(color);
        position.in_play().iter().map(count).sum::<usize>() <= PLACEMENTS
    }

    /// The best move in a position that is not over and the result, or `None` if they cannot be
    /// found within the limit.
    pub fn solve(&mut self, position: &Position, limit: &Limit) -> Option<Solution> {
        self.table.next_search();
        self.nodes = 0;
        // Only a position that was set up may have a colour on turn that is out of play.
        if !position.in_play().contains(position.color()) {
            return None;
        }
        let Puzzle { candidates, lists, state } = Puzzle::of(position)?;
        let mut workspace = Workspace::new(&candidates, &self.table, limit);
        let state = state.look_ahead(&candidates, &lists, &mut workspace.list);
        let mut search = EndgameSearch::new(workspace);
        let solution = solve(&mut search, position, &state).ok();
        self.nodes = search.workspace.nodes;
        solution
    }
}

fn solve(search: &mut EndgameSearch, position: &Position, state: &EndgameState) -> Result<Solution, OutOfTime> {
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
