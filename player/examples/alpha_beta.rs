//! A player with alpha-beta search plays a game against `heuristic`.
//!
//! ```text
//! cargo run --release -p blokus-player --example alpha_beta
//! ```

use std::cmp::Reverse;

use game::{Color, Move, Piece, Position, Rules, Team};
use player::{FromOptions, HeuristicPlayer, Options, Player, Report, SearchLimits};

struct AlphaBeta;

/// Returns the value of a position for the team to move: points, and room for more.
fn evaluation(position: &Position) -> i32 {
    let value = |color| 20 * position.points(color) + position.board().count_placements(color) as i32;
    let sign = |color: Color| if color.team() == position.color().team() { 1 } else { -1 };
    Color::ALL.into_iter().map(|color| sign(color) * value(color)).sum()
}

/// Returns the best of the eight most promising `moves` and its value, if it lies between `alpha` and `beta`.
fn search(
    position: &Position,
    mut moves: Vec<Move>,
    depth: u32,
    mut alpha: i32,
    beta: i32,
    limits: &SearchLimits,
    nodes: &mut u64,
) -> (Move, i32) {
    *nodes += 1;
    let room = |mv| position.after(mv).board().count_placements(position.color());
    moves.sort_by_cached_key(|&mv| Reverse((mv.placement().map_or(0, |placement| placement.piece().size()), room(mv))));
    // A position that was set up may have no legal move.
    let Some(&(mut best)) = moves.first() else { return (Move::Pass, evaluation(position)) };
    for mv in moves.into_iter().take(8) {
        let next = position.after(mv);
        // The same team moves again if the other one is out.
        let sign = if next.color().team() == position.color().team() { 1 } else { -1 };
        let value = if depth == 1 || next.is_over() || limits.is_reached(*nodes) {
            sign * evaluation(&next)
        } else {
            let (low, high) = if sign == 1 { (alpha, beta) } else { (-beta, -alpha) };
            sign * search(&next, next.legal_moves(), depth - 1, low, high, limits, nodes).1
        };
        if value > alpha {
            (alpha, best) = (value, mv);
        }
        if alpha >= beta {
            break;
        }
    }
    (best, alpha)
}

impl Player for AlphaBeta {
    fn name(&self) -> &str {
        "alpha-beta"
    }

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        let moves: Vec<Move> = position.placements().into_iter().map(Move::Place).collect();
        let (mut nodes, mut best) = (0, Move::Pass);
        // One turn deeper each time; an unfinished search does not count.
        for depth in 1..100 {
            let (mv, _) = search(position, moves.clone(), depth, -i32::MAX, i32::MAX, limits, &mut nodes);
            if depth > 1 && limits.is_reached(nodes) {
                break;
            }
            best = mv;
            if let Move::Place(placement) = best {
                limits.publish(placement);
            }
        }
        Report::without_search(best)
    }
}

fn main() {
    let mut players: [Box<dyn Player>; 2] = [Box::new(AlphaBeta), Box::new(HeuristicPlayer::new(&Options::default()))];
    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW)).expect("a start piece of the season");
    while !position.is_over() {
        let report = players[position.color().team() as usize].choose(&position, &SearchLimits::nodes(200));
        position.try_play(report.mv).expect("players make legal moves");
    }
    for team in Team::ALL {
        println!("{}: {} points", players[team as usize].name(), position.team_points(team));
    }
}
