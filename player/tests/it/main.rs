//! Integration tests.

mod endgame;
mod experience;
mod mcts;
mod players;
mod strength;

use game::{Position, Rules};
use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits};

/// Returns the first position of a game. The number selects the start piece.
fn start_of(rules: Rules, number: u64) -> Position {
    let pieces: Vec<_> = rules.start_pieces().iter().collect();
    let piece = (!pieces.is_empty()).then(|| pieces[number as usize % pieces.len()]);
    Position::new(rules, piece).unwrap()
}

/// Plays random moves until `is_wanted` returns `true`.
fn random_moves(mut position: Position, seed: u64, is_wanted: impl Fn(&Position) -> bool) -> Position {
    let mut random = RandomPlayer::new(&Options { seed, ..Options::default() });
    while !is_wanted(&position) {
        position.play(random.choose(&position, &SearchLimits::nodes(1)).mv);
    }
    position
}
