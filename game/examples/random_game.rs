//! Plays a game of random moves and prints the result.
//!
//! ```text
//! cargo run --release -p blokus-game --example random_game -- [SEED]
//! ```

use game::{Color, Piece, Position, Rules};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

fn main() -> anyhow::Result<()> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |seed| seed.parse())?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);

    let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
    println!("{} has {} moves", position.color(), position.legal_moves().len());
    while let Some(&mv) = position.legal_moves().choose(&mut rng) {
        position.play(mv);
    }

    println!("{position}");
    for color in Color::ALL {
        println!("{color}: {} points", position.points(color));
    }
    Ok(())
}
