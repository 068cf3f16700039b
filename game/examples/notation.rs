//! Reads a position and moves, plays the moves, and writes and draws the position that follows.
//!
//! ```text
//! cargo run --release -p blokus-game --example notation -- [POSITION [MOVE...]]
//! ```

use game::{BOARD_SIZE, Cell, Color, Position};

fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let start = "2027 PENTO_W 0 BYRG - 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20";
    let mut position: Position = arguments.next().as_deref().unwrap_or(start).parse()?;
    let moves: Vec<String> = arguments.collect();
    for text in if moves.is_empty() { vec!["PENTO_W@0,7".to_owned()] } else { moves } {
        // Parsing and playing fail with different errors; both name the offending text.
        position.try_play(text.parse()?)?;
    }
    println!("{position}");
    for y in 0..BOARD_SIZE as i32 {
        let cells = (0..BOARD_SIZE as i32).filter_map(|x| Cell::new(x, y));
        let letters = cells.map(|cell| position.board().color_at(cell).map_or('.', Color::letter));
        println!("{}", letters.collect::<String>());
    }

    for wrong in ["PENTO_Q@0,0", "PENTO_W@18,0", "PENTO_W@10,10"] {
        match wrong.parse() {
            Ok(mv) => match position.check(mv) {
                Ok(()) => println!("{wrong} is legal"),
                Err(refusal) => println!("{wrong} is not legal: {refusal}"),
            },
            Err(error) => println!("{wrong} is not a move: {error}"),
        }
    }
    Ok(())
}
