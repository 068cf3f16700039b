//! Counts the leaves of the game tree and compares the counts with those of the library.
//!
//! ```text
//! cargo run --release -p blokus-game --example perft -- [DEPTH]
//! ```

use game::{Piece, Position, Rules, SetupError};

/// Counts the leaves `depth` turns below a position. A colour that cannot place anything uses up its turn.
fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    let leaves = position.placements().into_iter().map(|placement| {
        let next = position.after(placement.into());
        perft(&next, depth.saturating_sub(next.turn().wrapping_sub(position.turn()).into()))
    });
    leaves.sum()
}

fn main() -> Result<(), SetupError> {
    let depth = std::env::args().nth(1).and_then(|depth| depth.parse().ok()).unwrap_or(5);
    let start = Position::new(Rules::Season2021, Some(Piece::PentoL))?;
    for depth in 1..=depth {
        let leaves = perft(&start, depth);
        println!("depth {depth}: {leaves} leaves");
        assert_eq!(leaves, game::perft::perft(&start, depth));
    }
    Ok(())
}
