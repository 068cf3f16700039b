//! The board with its marks.

use game::{BOARD_SIZE, Bitboard, Cell, Color};
use picture::{Labels, Paint};
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::open_game::OpenGame;
use super::paint::{Canvas, ClickTarget, Painter};
use super::snapshot::{Snapshot, cell};
use super::words::Words;

/// Columns and rows of a cell of the larger and the smaller board.
pub(super) const CELLS: [(u16, u16); 2] = [(4, 2), (2, 1)];

/// Returns the columns and rows of a board with its labels.
pub(super) const fn size((width, height): (u16, u16)) -> (u16, u16) {
    (3 + width * BOARD_SIZE as u16, 1 + height * BOARD_SIZE as u16)
}

/// The appearance of a cell.
struct Look {
    /// Two letters.
    text: String,
    style: Style,
    /// `true` if the letters also fill a larger cell.
    fills: bool,
}

/// Marks on the board.
struct Marks {
    last: Bitboard,
    held: Bitboard,
    is_legal: bool,
    goals: Bitboard,
    candidates: Vec<Bitboard>,
    corners: [Bitboard; 4],
    reach: Bitboard,
    sealed: Bitboard,
    words: &'static Words,
}

impl Marks {
    fn of(game: &OpenGame, words: &'static Words) -> Self {
        let (snapshot, hand) = (&game.snapshot, &game.hand);
        let is_holding = hand.piece().is_some();
        let numbers = |numbers: &[u16]| -> Bitboard { numbers.iter().filter_map(|&number| cell(number)).collect() };
        let place = hand.place();
        let fits = |(shape, x, y)| snapshot.position.check_piece(snapshot.position.color(), shape, x, y).is_ok();
        let reach = snapshot.reach.as_ref().filter(|_| game.display.reach && !is_holding);
        let corners = |color: Color| {
            let is_start = color == snapshot.position.color() && snapshot.is_first_piece();
            if game.display.corners || is_start {
                numbers(&snapshot.view.colors[color as usize].anchors)
            } else {
                Bitboard::EMPTY
            }
        };
        Self {
            last: snapshot.last_cells(),
            held: hand.cells().into_iter().collect(),
            is_legal: place.is_some_and(fits),
            goals: hand.legal_cells(&snapshot.legal).into_iter().collect(),
            candidates: if is_holding {
                Vec::new()
            } else {
                snapshot.candidates().map(|placement| placement.cells()).collect()
            },
            corners: Color::ALL.map(corners),
            reach: reach.map_or(Bitboard::EMPTY, |reach| numbers(&reach.reach)),
            sealed: reach.map_or(Bitboard::EMPTY, |reach| numbers(&reach.sealed)),
            words,
        }
    }

    fn look(&self, cell: Cell, snapshot: &Snapshot, painter: Painter, letters: bool) -> Look {
        let own = snapshot.position.color();
        let mark =
            |text: &str, paint, fills| Look { text: text.to_owned(), style: painter.style(paint, Paint::Board), fills };
        let covered = snapshot.position.board().color_at(cell);
        if self.held.contains(cell) {
            let style = match covered {
                _ if self.is_legal => painter.style(Paint::Ink, Paint::Piece(own)),
                Some(color) => painter.style(Paint::Ink, Paint::Piece(color)),
                None => painter.style(Paint::Piece(own), Paint::Board),
            };
            let text = if self.is_legal { "<>" } else { "××" };
            return Look { text: text.to_owned(), style: style.patch(painter.strong()), fills: true };
        }
        if let Some(color) = covered {
            let letter = if letters || painter.needs_letters() { self.words.letter(color) } else { "" };
            let text = match (letter, self.last.contains(cell)) {
                ("", true) => "[]".to_owned(),
                (letter, true) if letter.len() < 2 => format!("{letter}*"),
                (letter, true) => letter.to_uppercase(),
                (letter, _) => format!("{letter:<2}"),
            };
            return Look { text, style: painter.style(Paint::Ink, Paint::Piece(color)), fills: false };
        }
        if self.goals.contains(cell) {
            return mark("• ", Paint::Piece(own), false);
        }
        if let Some(rank) = self.candidates.iter().position(|cells| cells.contains(cell)) {
            return mark(&format!("{} ", rank + 1), Paint::Piece(own), false);
        }
        if let Some(color) = Color::ALL.into_iter().find(|&color| self.corners[color as usize].contains(cell)) {
            return mark("◆ ", Paint::Piece(color), false);
        }
        if self.sealed.contains(cell) {
            return mark("▓▓", Paint::Piece(own), true);
        }
        if self.reach.contains(cell) {
            return mark("░░", Paint::Piece(own), true);
        }
        mark("· ", Paint::Dots, false)
    }
}

/// Draws the board with its labels.
pub(super) fn draw(canvas: &mut Canvas, (width, height): (u16, u16), game: &OpenGame) {
    let (area, painter) = (canvas.area, canvas.painter);
    let marks = Marks::of(game, canvas.words);
    let label = |label: String| if width > 2 { label } else { label.chars().next_back().into_iter().collect() };
    for n in 0..BOARD_SIZE {
        let column = 3 + width * n as u16 + if width > 2 { 1 } else { 0 };
        canvas.write((column, 0), &label(Labels::Coordinates.column(n)), painter.faint());
        let row = 1 + height * n as u16;
        canvas.write((0, row), &format!("{:>2}", Labels::Coordinates.row(n)), painter.faint());
    }
    let cells = (0..BOARD_SIZE as i32).flat_map(|y| (0..BOARD_SIZE as i32).filter_map(move |x| Cell::new(x, y)));
    for cell in cells {
        let look = marks.look(cell, &game.snapshot, painter, game.display.letters);
        let (column, row) = (3 + width * cell.x() as u16, 1 + height * cell.y() as u16);
        for part in 0..height {
            let text = match (width, part) {
                (2, _) => look.text.clone(),
                _ if look.fills => look.text.repeat(2),
                _ if look.text == "[]" => "[  ]".to_owned(),
                (_, 0) => format!(" {} ", look.text),
                _ => "    ".to_owned(),
            };
            canvas.write((column, row + part), &text, look.style);
        }
    }
    let size = BOARD_SIZE as u16;
    canvas
        .part(Rect::new(area.x + 3, area.y + 1, width * size, height * size))
        .target(ClickTarget::Board { width, height });
}
