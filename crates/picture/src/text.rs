//! Pictures made of text, for terminals and pipes.

use std::fmt;

use anstyle::Style;
use game::{BOARD_SIZE, Bitboard, Cell, Color, Move, Position, Team};

use crate::layout::{self, BoardLayout, GAP, Trays};
use crate::line::Line;
use crate::palette::{ColorDepth, Paint};
use crate::{Labels, remaining};

/// A position drawn as text: the board, every colour's points and remaining pieces, the players' evaluations, and the
/// last move.
///
/// As [`Display`](fmt::Display) it is plain text of 80 columns and 24 rows at most, the letters of the colours on the
/// board.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use picture::{Canvas, ColorDepth, Picture};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let picture = Picture::new(&position);
/// assert!(picture.to_string().contains("YELLOW    0 points"));
///
/// let canvas = Canvas { columns: 120, rows: 40, depth: ColorDepth::Ansi256 };
/// assert!(picture.lines(canvas).iter().any(|line| line.contains("\x1b[")));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// The position to draw.
    pub position: &'a Position,
    /// The move that led to the position, and the colour that made it.
    pub last: Option<(Color, Move)>,
    /// Labels of rows and columns.
    pub labels: Labels,
    /// `true` to draw the letters of colours on covered cells even where colours suffice.
    pub letters: bool,
    /// The players, team one first.
    pub sides: Option<[ShownPlayer<'a>; 2]>,
    /// Text below the board; empty for none.
    pub note: &'a str,
}

/// A player, as it is shown.
///
/// ```
/// use game::{Position, Rules};
/// use picture::{Picture, ShownEvaluation, ShownPlayer};
///
/// let evaluation = Some(ShownEvaluation { win: 0.63, margin: 12.3 });
/// let sides = Some([ShownPlayer { name: "mcts", evaluation }, ShownPlayer { name: "random", evaluation: None }]);
/// let position = Position::new(Rules::Classic, None)?;
/// assert!(Picture { sides, ..Picture::new(&position) }.to_string().contains("63 % to win"));
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShownPlayer<'a> {
    /// Name of the player.
    pub name: &'a str,
    /// The player's evaluation, if any.
    pub evaluation: Option<ShownEvaluation>,
}

/// A player's evaluation for its own team.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShownEvaluation {
    /// Win probability, 0 to 1; a draw counts half.
    pub win: f32,
    /// Expected lead in points at the end.
    pub margin: f32,
}

/// Size and colours of the output.
///
/// ```
/// use picture::{Canvas, ColorDepth};
///
/// assert_eq!(Canvas::PLAIN, Canvas { columns: 80, rows: 24, depth: ColorDepth::None });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Canvas {
    /// Maximum width in columns.
    pub columns: usize,
    /// Maximum number of lines.
    pub rows: usize,
    /// The colours.
    pub depth: ColorDepth,
}

impl Canvas {
    /// Plain text for the smallest terminal that is common.
    pub const PLAIN: Self = Self { columns: 80, rows: 24, depth: ColorDepth::None };

    /// Wraps a text at the canvas width; longer words stay whole.
    ///
    /// ```
    /// use picture::Canvas;
    ///
    /// let canvas = Canvas { columns: 9, ..Canvas::PLAIN };
    /// assert_eq!(canvas.wrap("won by 12 points"), ["won by 12", "points"]);
    /// ```
    pub fn wrap(&self, text: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= self.columns => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(word.to_owned()),
            }
        }
        lines
    }
}

impl<'a> Picture<'a> {
    /// Draws only a position.
    pub fn new(position: &'a Position) -> Self {
        Self { position, last: None, labels: Labels::Coordinates, letters: false, sides: None, note: "" }
    }

    /// Returns the lines of the picture: as large as there is room for, and never more or longer lines than
    /// the canvas has. Colours end with their line.
    pub fn lines(&self, canvas: Canvas) -> Vec<String> {
        let Canvas { columns, rows, depth } = canvas;
        let (board, trays) = layout::choose(columns, rows, depth);
        let (width, height) = board.size(depth);
        let mut lines = self.board(board, depth);
        // Trays that reach below the board leave room there.
        let is_beside = trays.size().1 > height;
        if is_beside {
            lines.push(Line::default());
            lines.extend(self.below(width, rows - lines.len(), trays, depth));
        }
        if trays != Trays::None {
            for (i, tray) in self.trays(trays, depth).iter().enumerate() {
                if lines.len() == i {
                    lines.push(Line::default());
                }
                lines[i].pad(width + GAP);
                lines[i].append(tray);
            }
        }
        if !is_beside {
            lines.extend(self.below(columns, rows - lines.len(), trays, depth));
        }
        lines.iter_mut().for_each(|line| line.clip(columns));
        lines.iter().map(Line::render).collect()
    }

    fn board(&self, size: BoardLayout, depth: ColorDepth) -> Vec<Line> {
        match size {
            BoardLayout::Large => self.labelled_board(depth, 4, 2),
            BoardLayout::Medium => self.labelled_board(depth, 2, 1),
            BoardLayout::Small if depth == ColorDepth::None => {
                (0..BOARD_SIZE).map(|y| self.letters_of_row(y)).collect()
            }
            BoardLayout::Small => (0..BOARD_SIZE / 2).map(|y| self.two_rows(2 * y, depth)).collect(),
            BoardLayout::None => Vec::new(),
        }
    }

    fn labelled_board(&self, depth: ColorDepth, width: usize, height: usize) -> Vec<Line> {
        let mut head = Line::of("   ", Style::new());
        for x in 0..BOARD_SIZE {
            let label = self.labels.column(x);
            // Two-digit numbers need more room between them.
            let label = if width > 2 { &label } else { &label[label.len() - 1..] };
            let label = if width > 2 { format!(" {label:<3}") } else { format!("{label} ") };
            head.push(&label, depth.faint());
        }
        let mut lines = vec![head];
        for y in 0..BOARD_SIZE {
            for part in 0..height {
                let label = if part == 0 { self.labels.row(y) } else { String::new() };
                let mut line = Line::of(&format!("{label:>2} "), depth.faint());
                for cell in row(y) {
                    self.push_cell(&mut line, cell, depth, width, part);
                }
                lines.push(line);
            }
        }
        lines
    }

    /// Part of a cell: the upper one has number 0.
    fn push_cell(&self, line: &mut Line, cell: Cell, depth: ColorDepth, width: usize, part: usize) {
        let is_last = self.last_cells().contains(cell);
        let Some(color) = self.position.board().color_at(cell) else {
            let text = match (depth, width) {
                (ColorDepth::None, _) => ". ",
                (_, 2) => "· ",
                _ if part == 0 => " ·  ",
                _ => "    ",
            };
            return line.push(text, depth.style(Paint::Dots, Paint::Board));
        };
        let letter = if self.letters || depth <= ColorDepth::Ansi16 { color.letter() } else { ' ' };
        let text = match (letter, is_last, width) {
            (' ', true, 2) => "[]".to_owned(),
            (' ', true, _) => "[  ]".to_owned(),
            (_, true, 2) => format!("{letter}*"),
            (_, false, 2) => format!("{letter} "),
            (_, true, _) if part == 0 => format!("[{letter} ]"),
            (_, true, _) => "[  ]".to_owned(),
            (_, false, _) if part == 0 => format!(" {letter}  "),
            (_, false, _) => "    ".to_owned(),
        };
        line.push(&text, depth.block(color));
    }

    fn letters_of_row(&self, y: usize) -> Line {
        let mut line = Line::default();
        for cell in row(y) {
            let letter = self.position.board().color_at(cell).map_or('.', Color::letter);
            let letter = if self.last_cells().contains(cell) { letter.to_ascii_lowercase() } else { letter };
            line.push_plain(&letter.to_string());
        }
        line
    }

    /// Returns two rows of the board in one line, the upper halves of its letters and the lower ones.
    fn two_rows(&self, y: usize, depth: ColorDepth) -> Line {
        let mut line = Line::default();
        for (upper, lower) in row(y).zip(row(y + 1)) {
            let paint = |cell| self.position.board().color_at(cell).map_or(Paint::Board, Paint::Piece);
            line.push("▀", depth.style(paint(upper), paint(lower)));
        }
        line
    }

    fn last_cells(&self) -> Bitboard {
        match self.last {
            Some((_, Move::Place(placement))) => placement.cells(),
            _ => Bitboard::EMPTY,
        }
    }

    fn trays(&self, size: Trays, depth: ColorDepth) -> Vec<Line> {
        let mut lines = vec![Line::of(&self.progress(), Style::new())];
        for color in Color::ALL {
            lines.push(self.head_of_tray(color, size.size().0, depth));
            lines.extend(remaining::lines(self.position.board().remaining_pieces(color), color, size, depth));
        }
        lines
    }

    /// Returns the progress of the game.
    fn progress(&self) -> String {
        let (position, rules) = (self.position, self.position.rules());
        if position.is_over() {
            return format!("the game is over, rules {rules}");
        }
        format!("turn {}, round {}, rules {rules}", position.turn(), position.round())
    }

    /// Returns the line above a tray, as wide as the tray.
    fn head_of_tray(&self, color: Color, width: usize, depth: ColorDepth) -> Line {
        let position = self.position;
        let text = depth.style(Paint::Text, Paint::Board);
        let mut line = Line::of(&format!("{color:<6}"), depth.style(Paint::Piece(color), Paint::Board));
        line.push(&format!("{:>5} points", position.points(color)), text);
        if !position.is_over() && position.color() == color {
            line.push("  to move", if depth == ColorDepth::None { text } else { text.bold() });
        } else if !position.is_over() && !position.in_play().contains(color) {
            line.push("  out", depth.style(Paint::Dots, Paint::Board));
        }
        line.push(&" ".repeat(width.saturating_sub(line.width())), text);
        line
    }

    /// Returns the lines below the board that fit, most important first.
    fn below(&self, width: usize, room: usize, trays: Trays, depth: ColorDepth) -> Vec<Line> {
        let mut lines = Vec::new();
        if trays == Trays::None {
            lines.push(self.points(depth));
        }
        let canvas = Canvas { columns: width, rows: room, depth };
        lines.extend(canvas.wrap(self.note).iter().map(|text| Line::of(text, depth.strong())));
        if let Some(sides) = self.sides {
            let sides = Team::ALL.into_iter().zip(sides).flat_map(|(team, side)| self.side(team, side, width, depth));
            let sides: Vec<Line> = sides.collect();
            // One evaluation without the other says too little.
            if lines.len() + sides.len() <= room {
                lines.extend(sides);
            }
        }
        lines.extend(self.last_move(depth));
        lines.truncate(room);
        lines.iter_mut().for_each(|line| line.clip(width));
        lines
    }

    /// Returns the points of all colours in short.
    fn points(&self, depth: ColorDepth) -> Line {
        let mut line = Line::default();
        for color in Color::ALL {
            push_letter(&mut line, color, depth);
            line.push_plain(&format!("{:>3}  ", self.position.points(color)));
        }
        line.push_plain(&self.progress());
        line
    }

    /// Returns a player in one line, or in two if one is too narrow.
    fn side(&self, team: Team, side: ShownPlayer<'_>, width: usize, depth: ColorDepth) -> Vec<Line> {
        let mut line = Line::default();
        let [first, second] = team.colors();
        push_letter(&mut line, first, depth);
        push_letter(&mut line, second, depth);
        let mut name = Line::of(side.name, Style::new());
        name.clip(NAME_WIDTH);
        name.pad(NAME_WIDTH);
        line.push_plain(" ");
        line.append(&name);
        line.push_plain(&format!("{:>5} points", self.position.team_points(team)));
        let Some(ShownEvaluation { win, margin }) = side.evaluation else { return vec![line] };
        let mut evaluation = Line::default();
        if depth != ColorDepth::None {
            evaluation.push(&bar(win, BAR_WIDTH), depth.style(Paint::Piece(first), Paint::Board));
        }
        evaluation.push_plain(&format!("{:>4.0} % to win, expects {:+}", 100.0 * win, margin.round() as i32));
        if line.width() + GAP + evaluation.width() > width {
            return vec![line, evaluation];
        }
        line.pad(line.width() + GAP);
        line.append(&evaluation);
        vec![line]
    }

    fn last_move(&self, depth: ColorDepth) -> Option<Line> {
        let (color, mv) = self.last?;
        let mut line = Line::of("last move ", Style::new());
        push_letter(&mut line, color, depth);
        let text = match (mv, self.labels) {
            (Move::Pass, _) => "pass".to_owned(),
            (Move::Place(placement), Labels::Coordinates) => placement.to_string(),
            (Move::Place(placement), Labels::Points) => placement.piece().to_string(),
        };
        line.push_plain(&format!(" {text}"));
        Some(line)
    }
}

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.lines(Canvas::PLAIN).join("\n"))
    }
}

/// Width of a name next to points and evaluation, in columns.
const NAME_WIDTH: usize = 12;

/// Width of a bar that shows the win probability, in columns.
const BAR_WIDTH: usize = 16;

fn row(y: usize) -> impl Iterator<Item = Cell> {
    (0..BOARD_SIZE).filter_map(move |x| Cell::new(x as i32, y as i32))
}

fn push_letter(line: &mut Line, color: Color, depth: ColorDepth) {
    let text = if depth == ColorDepth::None { format!("{} ", color.letter()) } else { format!(" {} ", color.letter()) };
    line.push(&text, depth.block(color));
}

/// Draws a bar that is filled up to `share`.
fn bar(share: f32, width: usize) -> String {
    let eighths = (share.clamp(0.0, 1.0) * (8 * width) as f32).round() as usize;
    let part = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'][eighths % 8];
    let full = std::iter::repeat_n('█', eighths / 8);
    full.chain([part]).chain(std::iter::repeat(' ')).take(width).collect()
}
