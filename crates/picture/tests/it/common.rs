//! Positions to draw.
#![allow(dead_code, reason = "each test uses a part of this")]

use game::{Color, Move, Piece, Placement, Position, Rules};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Returns the position after this many random placements and the last of them; fewer if the game ends before.
pub fn random_position(rules: Rules, seed: u64, plies: usize) -> (Position, Option<Placement>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start_piece = rules.start_pieces().iter().next();
    let mut position = Position::new(rules, start_piece).unwrap();
    let mut last = None;
    for _ in 0..plies {
        if position.is_over() {
            break;
        }
        let count = position.board().count_placements(position.color());
        last = position.board().nth_placement(position.color(), rng.random_range(0..count));
        position.play(last.map_or(Move::Pass, Move::Place));
    }
    (position, last)
}

/// Returns the position after these moves, by the rules of 2027, and the last of them.
pub fn played(moves: &str) -> (Position, Option<(Color, Move)>) {
    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoV)).unwrap();
    let mut last = None;
    for mv in moves.split_whitespace() {
        let mv = mv.parse().unwrap();
        last = Some((position.color(), mv));
        position.try_play(mv).unwrap();
    }
    (position, last)
}
