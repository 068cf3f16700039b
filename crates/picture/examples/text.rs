//! Draws a position, or the one after some moves, as it suits the terminal:
//! `cargo run --release -p blokus-picture --example text -- POSITION [MOVE]...`

use std::env;
use std::error::Error;

use game::{Move, Position};
use picture::{Picture, Terminal};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let position = arguments.next().ok_or("expected a position, its six fields as one argument")?;
    let mut position: Position = position.parse()?;
    let mut last = None;
    for mv in arguments {
        let mv: Move = mv.parse()?;
        last = Some((position.color(), mv));
        position.try_play(mv)?;
    }
    for line in (Picture { last, ..Picture::new(&position) }).lines(Terminal::of_stdout().canvas()) {
        println!("{line}");
    }
    Ok(())
}
