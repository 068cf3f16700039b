//! Writes a position, or the one after some moves, as SVG:
//! `cargo run --release -p blokus-picture --example svg -- POSITION [MOVE]... > board.svg`

use std::env;
use std::error::Error;

use game::{ColorSet, Move, Position};
use picture::Labels;
use picture::svg::Svg;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let position = arguments.next().ok_or("expected a position, its six fields as one argument")?;
    let mut position: Position = position.parse()?;
    let mut last = None;
    for mv in arguments {
        let mv: Move = mv.parse()?;
        position.try_play(mv)?;
        last = mv.placement();
    }
    let anchors = [position.color()].into_iter().collect::<ColorSet>();
    println!("{}", Svg { last, labels: Some(Labels::Coordinates), anchors, ..Svg::new(&position) });
    Ok(())
}
