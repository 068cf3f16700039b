//! The remaining pieces of a colour as text.

use anstyle::Style;
use game::{Color, PieceSet};

use crate::layout::Hands;
use crate::line::Line;
use crate::palette::{ColorDepth, Paint};
use crate::tray;

/// Draws the remaining pieces of a colour.
pub(crate) fn lines(hand: PieceSet, color: Color, size: Hands, depth: ColorDepth) -> Vec<Line> {
    let style =
        |foreground, is_covered| depth.style(foreground, if is_covered { Paint::Piece(color) } else { Paint::Board });
    let cells = tray::cells(hand);
    match size {
        Hands::Large => cells
            .iter()
            .map(|row| {
                let mut line = Line::default();
                row.iter().for_each(|&is_covered| line.push("  ", style(Paint::Dots, is_covered)));
                line
            })
            .collect(),
        // Two rows of cells in a line of text.
        Hands::Small => cells
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
        Hands::Named => names(hand).map(|text| Line::of(&text, Style::new())).into(),
        Hands::None => Vec::new(),
    }
}

/// The names in four lines: the pentominoes, the smaller pieces, and nothing.
fn names(hand: PieceSet) -> [String; 4] {
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
    [names(5), (1..5).rev().map(names).collect(), String::new(), String::new()]
}
