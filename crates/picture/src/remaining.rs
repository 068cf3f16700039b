//! The remaining pieces of a colour as text.

use anstyle::Style;
use game::{Color, PieceSet};

use crate::layout::Trays;
use crate::line::Line;
use crate::palette::{ColorDepth, Paint};
use crate::tray;

/// Draws the remaining pieces of a colour.
pub(crate) fn lines(pieces: PieceSet, color: Color, size: Trays, depth: ColorDepth) -> Vec<Line> {
    let style =
        |foreground, is_covered| depth.style(foreground, if is_covered { Paint::Piece(color) } else { Paint::Board });
    let cells = tray::cells(pieces);
    match size {
        Trays::Large => cells
            .iter()
            .map(|row| {
                let mut line = Line::default();
                row.iter().for_each(|&is_covered| line.push("  ", style(Paint::Dots, is_covered)));
                line
            })
            .collect(),
        // Two rows of cells in a line of text.
        Trays::Small => cells
            .chunks_exact(2)
            .map(|rows| {
                let halves = rows[0].iter().zip(rows[1]).map(|halves| match halves {
                    (false, false) => ' ',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (true, true) => '█',
                });
                Line::of(&halves.collect::<String>(), style(Paint::Piece(color), false))
            })
            .collect(),
        Trays::Named => names(pieces).map(|text| Line::of(&text, Style::new())).into(),
        Trays::None => Vec::new(),
    }
}

/// Returns the names in four lines: the pentominoes, the smaller pieces, and nothing.
fn names(pieces: PieceSet) -> [String; 4] {
    let names = |size: usize| {
        let of_size = pieces.iter().filter(|piece| piece.size() == size);
        let names: Vec<&str> = of_size.filter_map(|piece| Some(piece.name().split_once('_')?.1)).collect();
        match pieces.iter().any(|piece| piece.size() == size) {
            false => String::new(),
            // Domino and monomino have no letter and need none.
            true if names.is_empty() => format!("{size}  "),
            true => format!("{size}: {}  ", names.join(" ")),
        }
    };
    [names(5), (1..5).rev().map(names).collect(), String::new(), String::new()]
}
