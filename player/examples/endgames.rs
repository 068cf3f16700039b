//! From how many plies before the end on does the solver prove the result?
//!
//! ```text
//! cargo run --release -p blokus-player --example endgames -- [GAMES [MILLISECONDS]]
//! ```
//!
//! The heuristic player plays games against itself (season 2027, four random moves first). Each game
//! is then solved from the end backwards until a position cannot be solved within the time on one
//! thread, every position afresh. Printed are also the positions in which a pass is better than every
//! placement.

use std::time::Duration;

use game::{Move, Piece, Position, Rules};
use player::endgame::{Solution, Solver};
use player::{FromOptions, HeuristicPlayer, Limit, Options, Player, RandomPlayer};

fn main() {
    let mut arguments = std::env::args().skip(1).map(|argument| argument.parse().expect("a number"));
    let games: u64 = arguments.next().unwrap_or(200);
    let time = Duration::from_millis(arguments.next().unwrap_or(1000));

    let limit = || Limit::time(time);
    let mut proven = Vec::new();
    let (mut solved, mut passes) = (0, 0);
    for number in 0..games {
        let mut plies = 0;
        for position in self_play(number).iter().rev() {
            let mut solver = Solver::new(64 << 20);
            let Some(Solution { mv, margin: Some(margin) }) = solver.solve(position, &limit()) else { break };
            plies += 1;
            solved += 1;
            if mv == Move::Pass && only_a_pass_leads_to(margin, position, &mut solver, limit) {
                passes += 1;
                println!("a pass is best: {position}");
            }
        }
        proven.push(plies);
    }
    proven.sort_unstable();
    let quantile = |percent: usize| proven.get(proven.len() * percent / 100).copied().unwrap_or(0);
    println!("{games} games, {} ms: plies before the end that are proven", time.as_millis());
    println!("10 %: {}, median: {}, 90 %: {}", quantile(10), quantile(50), quantile(90));
    println!("{solved} positions solved; in {passes} of them a pass is better than every placement");
}

/// Whether all placements are worse than a margin that a pass leads to.
fn only_a_pass_leads_to(margin: i32, position: &Position, solver: &mut Solver, limit: impl Fn() -> Limit) -> bool {
    let (color, team) = (position.color(), position.color().team());
    let placements = position.board().placements(color);
    let is_worse = |placement| {
        let next = position.after(Move::Place(placement));
        if next.is_over() {
            return next.margin(team) < margin;
        }
        let solution = solver.solve(&next, &limit()).and_then(|solution| solution.margin);
        let sign = if next.color().team() == team { 1 } else { -1 };
        solution.is_some_and(|found| sign * found < margin)
    };
    !placements.is_empty() && placements.into_iter().all(is_worse)
}

/// The positions of a game in which somebody was to move.
fn self_play(number: u64) -> Vec<Position> {
    let start_pieces: Vec<Piece> = Rules::Season2027.start_pieces().iter().collect();
    let start = start_pieces[number as usize % start_pieces.len()];
    let mut position = Position::new(Rules::Season2027, Some(start)).expect("a start piece of the season");
    let options = Options { seed: number, ..Options::default() };
    let (mut random, mut heuristic) = (RandomPlayer::new(&options), HeuristicPlayer::new(&options));
    let mut positions = Vec::new();
    while !position.is_over() {
        let player: &mut dyn Player = if positions.len() < 4 { &mut random } else { &mut heuristic };
        positions.push(position);
        position.play(player.choose(&position, &Limit::nodes(1)).mv);
    }
    positions
}
