//! Prints the best move of a position.
//!
//! ```text
//! cargo run --release -p blokus-player --example best_move -- [POSITION [MILLISECONDS]]
//! ```

use std::time::Duration;

use game::{Piece, Position, Rules};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let position = match arguments.next() {
        Some(text) => text.parse()?,
        None => Position::new(Rules::Season2027, Some(Piece::PentoW))?,
    };
    let milliseconds = arguments.next().map_or(Ok(500), |text| text.parse())?;
    match player::best_move(&position, Duration::from_millis(milliseconds)) {
        Some(mv) => println!("{} plays {mv}", position.color()),
        None => println!("the game is over"),
    }
    Ok(())
}
