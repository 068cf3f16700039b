//! The board as Pentobi draws it without colours, for programs that read it.
//!
//! Each row starts with its number, the letters of the columns stand below. A cell is `X`, `O`, `#` or `@` for the
//! colours in turn order, `+` if it is a start cell, else `.`. Blanks separate the cells; instead of one of them, `>`
//! stands before the last piece or `<` behind it. To the right stand points and remaining pieces of each colour.

use std::fmt::Write;

use game::{BOARD_SIZE, Cell, Color, Move, Piece, Position};

use super::game::PlayedGame;

/// The letter of each colour in turn order.
const LETTERS: [char; 4] = ['X', 'O', '#', '@'];

/// Pentobi's names of the pieces, sorted.
const PIECES: [(&str, Piece); Piece::COUNT] = [
    ("1", Piece::Mono),
    ("2", Piece::Domino),
    ("F", Piece::PentoR),
    ("I3", Piece::TrioI),
    ("I4", Piece::TetroI),
    ("I5", Piece::PentoI),
    ("L4", Piece::TetroL),
    ("L5", Piece::PentoL),
    ("N", Piece::PentoS),
    ("O", Piece::TetroO),
    ("P", Piece::PentoP),
    ("T4", Piece::TetroT),
    ("T5", Piece::PentoT),
    ("U", Piece::PentoU),
    ("V3", Piece::TrioL),
    ("V5", Piece::PentoV),
    ("W", Piece::PentoW),
    ("X", Piece::PentoX),
    ("Y", Piece::PentoY),
    ("Z4", Piece::TetroZ),
    ("Z5", Piece::PentoZ),
];

/// The number of pieces on the first line of a colour.
const PIECES_PER_LINE: usize = 10;

/// Draws the board with the last move marked.
pub fn draw(game: &PlayedGame) -> String {
    let position = game.position();
    let mut mark = last_placement_mark(game);
    let mut text = String::new();
    for y in 0..BOARD_SIZE {
        _ = write!(text, "{:2}", BOARD_SIZE - y);
        for x in 0..BOARD_SIZE {
            let separator = mark.take_if(|(_, place)| *place == (x, y)).map_or(' ', |(letter, _)| letter);
            text.push(separator);
            text.push(cell_letter(position, x, y));
        }
        let info = info_line(game, y);
        text += if info.is_empty() { "" } else { "  " };
        text += &info;
        text.push('\n');
    }
    text += "  ";
    (0..BOARD_SIZE).for_each(|x| text.extend([' ', (b'A' + x as u8) as char]));
    text
}

fn color_at(position: &Position, x: usize, y: usize) -> Option<Color> {
    position.board().color_at(Cell::new(x as i32, y as i32)?)
}

fn cell_letter(position: &Position, x: usize, y: usize) -> char {
    let Some(cell) = Cell::new(x as i32, y as i32) else { return ' ' };
    let waits_for =
        |&color: &Color| position.board().is_first(color) && position.rules().start_cells(color).contains(cell);
    match position.board().color_at(cell) {
        Some(color) => LETTERS[color as usize],
        None if Color::ALL.iter().any(waits_for) => '+',
        None => '.',
    }
}

/// The mark of the last placement and the cell behind it: the first cell in reading order at which the piece begins, or
/// at which it has just ended.
fn last_placement_mark(game: &PlayedGame) -> Option<(char, (usize, usize))> {
    let Some((color, Move::Place(placement))) = game.last_move() else { return None };
    let covers =
        |x: usize, y: usize| Cell::new(x as i32, y as i32).is_some_and(|cell| placement.cells().contains(cell));
    let is_own = |x, y| color_at(game.position(), x, y) == Some(color);
    let mut places = (0..BOARD_SIZE).flat_map(|y| (1..BOARD_SIZE).map(move |x| (x, y)));
    places.find_map(|(x, y)| {
        if covers(x, y) && !is_own(x - 1, y) {
            Some(('>', (x, y)))
        } else if covers(x - 1, y) && !is_own(x, y) {
            Some(('<', (x, y)))
        } else {
            None
        }
    })
}

/// The text to the right of a row: three of four lines for each colour.
fn info_line(game: &PlayedGame, y: usize) -> String {
    let position = game.position();
    let Some(&color) = Color::ALL.get(y / 4) else { return String::new() };
    let left = position.board().left(color);
    let names = PIECES.iter().filter(|(_, piece)| left.contains(*piece)).map(|(name, _)| *name);
    let names: Vec<&str> = names.collect();
    let (first, second) = names.split_at(names.len().min(PIECES_PER_LINE));
    match y % 4 {
        0 => headline(game, color),
        1 => first.join(" "),
        2 => second.join(" "),
        _ => String::new(),
    }
}

/// Name, letter and points of a colour, with the number of the next move if it is to move, and `!` if it has no placement.
fn headline(game: &PlayedGame, color: Color) -> String {
    let position = game.position();
    let is_on_turn = !position.is_over() && position.color() == color;
    let number = if is_on_turn { format!("({}) ", game.move_number()) } else { String::new() };
    let is_out = if position.board().placements(color).is_empty() { "!" } else { "" };
    let (first, rest) = color.name().split_at(1);
    let letter = LETTERS[color as usize];
    format!("{number}{first}{}({letter}): {}{is_out}", rest.to_lowercase(), position.points(color))
}
