//! Counts the leaves of the game tree, the standard check of a move generator. (The program `perft`
//! does more of this, and on several threads.)
//!
//! ```text
//! cargo run --release -p blokus-game --example perft -- [DEPTH]
//! ```

use game::perft::perft;
use game::{Piece, Position, Rules};

fn main() -> anyhow::Result<()> {
    let depth = std::env::args().nth(1).map_or(Ok(5), |depth| depth.parse())?;
    let start = Position::new(Rules::Season2021, Some(Piece::PentoL))?;
    for depth in 1..=depth {
        println!("depth {depth}: {} leaves", perft(&start, depth));
    }
    Ok(())
}
