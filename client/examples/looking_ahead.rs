//! A player of your own that looks ahead, as far as there is time.

use std::cmp::Reverse;
use std::process::ExitCode;

use game::{Color, Move, Position, Team};
use player::{FromOptions, Options, Player, Report, SearchLimits, boxed};

/// Searches to the depth that the time allows, by the principle that each side plays what is best for it.
pub struct LookingAhead;

/// What a position is worth to a team: points, and room for more.
fn evaluation(position: &Position, team: Team) -> i32 {
    let room = |color| position.board().count_placements(color) as i32;
    let worth = |color| 20 * position.points(color) + if position.in_play().contains(color) { room(color) } else { 0 };
    Color::ALL.into_iter().map(|color| if color.team() == team { worth(color) } else { -worth(color) }).sum()
}

/// The moves worth a look, the most promising first: large pieces that leave many ways to go on.
fn candidates(position: &Position) -> Vec<Move> {
    const MOST: usize = 8;
    let color = position.color();
    let mut placements = position.board().placements(color);
    let room = |placement| position.after(Move::Place(placement)).board().count_placements(color);
    placements.sort_by_cached_key(|&placement| Reverse((placement.piece().size(), room(placement))));
    placements.truncate(MOST);
    if placements.is_empty() { vec![Move::Pass] } else { placements.into_iter().map(Move::Place).collect() }
}

/// A search: its limits and the number of positions.
struct Search<'a> {
    limits: &'a SearchLimits,
    nodes: u64,
}

impl Search<'_> {
    /// The best move of a position and its value for the team on turn when both sides look so many turns ahead, as far
    /// as it lies between `alpha` and `beta`: what lies outside changes nothing (alpha-beta search). None if time is
    /// up.
    fn best(&mut self, position: &Position, depth: u32, mut alpha: i32, beta: i32) -> Option<(Move, i32)> {
        self.nodes += 1;
        if self.limits.is_reached(self.nodes) {
            return None;
        }
        let team = position.color().team();
        let candidates = candidates(position);
        let mut best = candidates[0];
        for mv in candidates {
            let next = position.after(mv);
            let value = if depth == 1 || next.is_over() {
                evaluation(&next, team)
            } else if next.color().team() == team {
                // The other team cannot move any more.
                self.best(&next, depth - 1, alpha, beta)?.1
            } else {
                -self.best(&next, depth - 1, -beta, -alpha)?.1
            };
            if value > alpha {
                (alpha, best) = (value, mv);
            }
            if alpha >= beta {
                break;
            }
        }
        Some((best, alpha))
    }
}

impl FromOptions for LookingAhead {
    fn new(_options: &Options) -> Self {
        Self
    }
}

impl Player for LookingAhead {
    fn name(&self) -> &'static str {
        "ahead"
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        const FAR: i32 = 1_000_000;
        let mut report = Report::without_search(candidates(position)[0]);
        let mut search = Search { limits, nodes: 0 };
        // One turn deeper each time, as long as there is time; no game lasts for more turns.
        for depth in 1..100 {
            let Some((mv, _)) = search.best(position, depth, -FAR, FAR) else { break };
            report = Report { mv, depth, nodes: search.nodes, ..report };
        }
        report
    }
}

fn main() -> ExitCode {
    client::program::run(boxed::<LookingAhead>)
}
