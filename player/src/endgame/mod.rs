//! Perfect play when the end of the game is near.
//!
//! A position is solved by searching all that can still happen. Four things keep that small. All
//! placements that can still be made are listed once, on cells numbered anew (`puzzle`), and the
//! search does no more than cross them out. The cells that each colour may still cover show which
//! colours do not concern each other any more; those are solved apart, and a team by itself has no game to
//! play but a packing problem to solve (`packing`). What a colour can gain at most bounds the search
//! (`bound`), and what nobody can take from it does so from below. And states are recognised by what
//! their future depends on alone, so that the order of placements and all that happened elsewhere or
//! before do not matter (`state`).

mod bound;
mod cells;
mod packing;
mod puzzle;
mod search;
mod side;
mod state;

use game::{Move, Position};

use crate::table::Table;
use crate::{Evaluation, Limit, Report};
use puzzle::Puzzle;
use search::{INFINITY, OutOfTime, Search};
use state::State;

/// What perfect play leads to.
///
/// ```
/// use game::Move;
/// use player::endgame::Solution;
///
/// let solution = Solution { mv: Move::Pass, margin: Some(3) };
/// assert!(solution.margin.is_some_and(|margin| margin > 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Solution {
    /// A move of which no other is better, whatever the score.
    pub mv: Move,
    /// The points of the team on turn less those of the other at the end, bonuses included, if all
    /// play perfectly. `None` if the limit allowed to find the best move, but not to work out what
    /// becomes of colours that it does not concern.
    pub margin: Option<i32>,
}

impl Solution {
    /// The report of a player that plays the solution, found after so many nodes.
    pub(crate) fn report(self, nodes: u64) -> Report {
        let Self { mv, margin } = self;
        let evaluation = margin.map(Evaluation::of_result);
        Report { evaluation, line: vec![mv], nodes, ..Report::without_thought(mv) }
    }
}

/// Solves endgames. Keeps what it has learnt for the next move of the same game.
///
/// ```
/// use game::{Move, Position};
/// use player::{Limit, endgame::Solver};
///
/// // Blue has its monomino left and a corner to place it; nobody else is in play.
/// let position: Position =
///     "2027 PENTO_W 40 B - B19/BB18/1BB17/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20".parse()?;
/// let mut solver = Solver::new(1 << 20);
/// if Solver::is_promising(&position) {
///     let solution = solver.solve(&position, &Limit::nodes(100_000));
///     assert!(solution.is_none_or(|solution| position.check(solution.mv).is_ok()));
/// }
/// # Ok::<(), game::NotationError>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    table: Table,
    nodes: u64,
}

impl Solver {
    /// A solver that takes about so many bytes of memory.
    pub fn new(bytes: usize) -> Self {
        Self { table: Table::new(bytes), nodes: 0 }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The number of positions searched by the last [`solve`](Self::solve).
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether solving a position is worth a try: cheap to ask, and false where the placements are so
    /// many that it would hardly succeed within seconds.
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
        let (puzzle, state, candidates) = Puzzle::of(position)?;
        let mut search = Search {
            puzzle: &puzzle,
            table: &self.table,
            limit: *limit,
            nodes: 0,
            list: Vec::new(),
            refutations: vec![0; puzzle.candidates.len()],
        };
        let state = state.look_ahead(&puzzle, &candidates, &mut search.list);
        let solution = solve(&mut search, position, &state).ok();
        self.nodes = search.nodes;
        solution
    }
}

fn solve(search: &mut Search, position: &Position, state: &State) -> Result<Solution, OutOfTime> {
    let team = position.color().team();
    let mut margin = Some(position.team_points(team) - position.team_points(team.opponent()));
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
