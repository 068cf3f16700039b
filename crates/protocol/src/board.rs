//! The board on the wire. Every cell that is not certainly empty counts as covered.

use game::{BOARD_SIZE, Bitboard, ByColor, Cell, Color, PieceSet, Placement, Position, Rules, Setup, excerpt};

use crate::element::Element;
use crate::error::{MessageError, attribute, number, parse_color, readable};

/// The cells of a board as the server sent them.
#[derive(Default)]
pub(crate) struct WireBoard {
    /// The cells of every colour.
    pub covered: ByColor<Bitboard>,
    /// Covered cells of an unreadable colour, or of two colours.
    unclear: Bitboard,
    /// Number of covered cells with unreadable coordinates.
    lost: usize,
}

impl WireBoard {
    /// Reads `<board>`. Adds an error for each unreadable cell.
    pub fn parse(board: &Element, unreadable: &mut Vec<MessageError>) -> Self {
        let mut read = Self::default();
        for field in board.find_all("field") {
            let content = match attribute(field, "content") {
                Ok("EMPTY") => continue,
                content => content.and_then(parse_color),
            };
            let color = readable(content, unreadable);
            match readable(parse_cell(field), unreadable) {
                Some(cell) => read.insert(cell, color, unreadable),
                None => read.lost += 1,
            }
        }
        read
    }

    fn insert(&mut self, cell: Cell, color: Option<Color>, unreadable: &mut Vec<MessageError>) {
        let other = Color::ALL.into_iter().find(|&other| self.covered[other].contains(cell) && Some(other) != color);
        if let Some(other) = other {
            unreadable.push(MessageError::Value { what: "cell of one colour", text: cell.to_string() });
            self.covered[other].remove(cell);
        }
        match color {
            Some(color) if other.is_none() && !self.unclear.contains(cell) => self.covered[color].insert(cell),
            _ => self.unclear.insert(cell),
        }
    }

    /// Returns the cells of every colour, given the remaining pieces. An unclear cell goes to a colour if it completes
    /// a placed piece of that colour and of no other. The remaining unclear cells go to an opponent of `to_move`, so
    /// that `to_move` does not place there.
    pub fn resolve(mut self, remaining: &ByColor<PieceSet>, to_move: Color, rules: Rules) -> ByColor<Bitboard> {
        let mut unclear = Bitboard::EMPTY;
        for cells in self.unclear.groups() {
            let completes_piece =
                |&color: &Color| !fragments(self.covered[color] | cells, remaining[color]).intersects(cells);
            match *Color::ALL.into_iter().filter(completes_piece).collect::<Vec<_>>() {
                [color] => self.covered[color] |= cells,
                _ => unclear |= cells,
            }
        }
        let empty = Color::ALL.into_iter().fold(Bitboard::BOARD, |empty, color| empty.without(self.covered[color]));
        for color in Color::ALL.into_iter().filter(|_| self.lost > 0) {
            let near = near_lost_cells(self.covered[color], remaining[color], rules.start_cells(color));
            unclear |= near.spread(empty, self.lost) & empty;
        }
        if Setup::remaining_after(to_move, self.covered[to_move]) != Ok(remaining[to_move]) {
            // An unclear cell may belong to `to_move`, whose next piece must not touch it at a side.
            unclear |= unclear.sides();
        }
        self.covered[to_move.next()] |= unclear & empty;
        self.covered
    }
}

/// Returns the groups of cells that are not exactly one placed piece.
fn fragments(cells: Bitboard, remaining: PieceSet) -> Bitboard {
    let piece_of = |group| Placement::from_cells(group).map(Placement::piece);
    let is_fragment = |group: &Bitboard| {
        piece_of(*group).is_none_or(|piece| {
            remaining.contains(piece) || cells.groups().filter(|&other| piece_of(other) == Some(piece)).count() > 1
        })
    };
    cells.groups().filter(is_fragment).fold(Bitboard::EMPTY, |all, group| all | group)
}

/// Returns the cells that may have lost neighbours: fragments, and if placed pieces are missing on the board, the cells
/// where they can begin.
fn near_lost_cells(covered: Bitboard, remaining: PieceSet, start_cells: Bitboard) -> Bitboard {
    let fragments = fragments(covered, remaining);
    if covered.groups().count() + remaining.len() >= PieceSet::ALL.len() {
        return fragments;
    }
    fragments | if covered.is_empty() { start_cells } else { covered.corners() }
}

fn parse_cell(field: &Element) -> Result<Cell, MessageError> {
    let (x, y) = (attribute(field, "x")?, attribute(field, "y")?);
    let outside = || MessageError::Value { what: "cell of a 20 x 20 board", text: excerpt(format!("{x},{y}")) };
    Cell::new(number(x)?, number(y)?).ok_or_else(outside)
}

/// Writes `<board>`.
pub(crate) fn to_element(position: &Position) -> Element {
    let cells = Bitboard::BOARD.without(position.board().empty());
    Element::new("board").with_children(cells.iter().filter_map(|cell| {
        let color = position.board().color_at(cell)?;
        Some(Element::new("field").with("x", cell.x()).with("y", cell.y()).with("content", color))
    }))
}

const _: () = assert!(BOARD_SIZE == 20);
