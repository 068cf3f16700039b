//! The remaining pieces of a colour as lines of text, in the three sizes.

use game::{Color, PieceSet};

use crate::line::Line;
use crate::palette::{ColorDepth, Paint};
use crate::tray;

/// A cell of a piece in two columns of text.
pub(crate) fn large(hand: PieceSet, color: Color, depth: ColorDepth) -> Vec<Line> {
    let draw = |row: [bool; tray::WIDTH]| {
        let mut line = Line::default();
        for covered in row {
            let background = if covered { Paint::Piece(color) } else { Paint::Board };
            line.push("  ", depth.style(Paint::Dots, background));
        }
        line
    };
    tray::cells(hand).into_iter().map(draw).collect()
}

/// Two rows of cells in a line of text.
pub(crate) fn small(hand: PieceSet, color: Color, depth: ColorDepth) -> Vec<Line> {
    let draw = |rows: &[[bool; tray::WIDTH]]| {
        let halves = rows[0].iter().zip(rows[1]).map(|halves| match halves {
            (false, false) => ' ',
            (true, false) => '▀',
            (false, true) => '▄',
            (true, true) => '█',
        });
        let mut line = Line::default();
        line.push(&halves.collect::<String>(), depth.style(Paint::Piece(color), Paint::Board));
        line
    };
    tray::cells(hand).chunks_exact(2).map(draw).collect()
}

/// The names in four lines: the pentominoes, the smaller pieces, and nothing.
pub(crate) fn named(hand: PieceSet) -> [Line; 4] {
    let names = |size: usize| {
        let of_size = hand.iter().filter(|piece| piece.size() == size);
        let names: Vec<&str> = of_size.filter_map(|piece| Some(piece.name().split_once('_')?.1)).collect();
        match hand.iter().any(|piece| piece.size() == size) {
            false => String::new(),
            // Domino and monomino have no letter and need none.
            true if names.is_empty() => format!("{size}  "),
            true => format!("{size}: {}  ", names.join(" ")),
        }
    };
    let small: String = (1..5).rev().map(names).collect();
    [names(5), small, String::new(), String::new()].map(|text| {
        let mut line = Line::default();
        line.push_plain(&text);
        line
    })
}
