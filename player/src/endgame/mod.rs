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

use crate::pass::may_choose;
use crate::table::Table;
use crate::{Evaluation, Limit, Report};
use puzzle::Puzzle;
use search::{INFINITY, OutOfTime, Search};
use state::State;

/// What perfect play leads to.
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
    fn report(self, nodes: u64) -> Report {
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

    /// The report of a player that tries to solve a position within one of so many parts of its limit, if that is
    /// promising and the player may choose the move, or else how many nodes were spent in vain.
    pub(crate) fn attempt(&mut self, position: &Position, limit: &Limit, parts: u32) -> Result<Report, u64> {
        if !Self::is_promising(position) {
            return Err(0);
        }
        let solution = self.solve(position, &limit.part(parts)).filter(|solution| may_choose(position, solution.mv));
        solution.map(|solution| solution.report(self.nodes)).ok_or(self.nodes)
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
        // Only a position that was set up may have a colour on turn that is out of play.
        if !position.in_play().contains(position.color()) {
            return None;
        }
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
