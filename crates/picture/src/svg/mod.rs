//! A board as SVG: one component for pages, notebooks and files.
//!
//! [`Svg`] draws a position. The drawing is self-contained in a page, in a notebook (as a cell's `image/svg+xml`) and
//! in a file.
//!
//! **Colours** are variables of CSS with fallbacks: `--blokus-blue`, `-yellow`, `-red` and `-green`,
//! each with `-letter` behind it for the letter on that colour, `--blokus-board` (empty cells), `-grid`, `-label`,
//! `-last` and `-last-edge` (the two lines around the last move). The fallbacks follow the `color-scheme` of the page,
//! or the reader's preference where the picture is a file of its own. Programs that do not know such variables, such as
//! most converters, draw the light colours, which stand in the elements.
//!
//! **Pages** that step through games change a drawn board in place by [`SCRIPT`]. Pages that forbid
//! inline styles or show many boards set [`Svg::style`] to `false` and serve [`STYLE`] themselves. Draw the board on
//! the server
//!
//! ```
//! use game::{Position, Rules};
//! use picture::svg::{SCRIPT, STYLE, Svg};
//!
//! let start = Position::new(Rules::Classic, None)?;
//! let board = Svg { style: false, ..Svg::new(&start) };
//! let page = format!("<style>{STYLE}</style>{board}<script>{SCRIPT}</script>");
//! assert_eq!(page.matches("<svg").count(), 1);
//! # Ok::<(), game::SetupError>(())
//! ```
//!
//! and then call, in the page,
//!
//! ```js
//! paintBoard(document.querySelector("svg.blokus"), { covered: [[0, 1], [19], [], []], last: [0, 1] });
//! ```
//!
//! The drawing uses board coordinates: cell (x, y) is the unit square at (x, y), whatever surrounds the board. So pages
//! can find the cell under a pointer and add their own elements.

use std::fmt::{self, Display};

use game::{BOARD_SIZE, Bitboard, Cell, Color, Placement, Position};

use crate::Labels;

/// The style sheet of boards; [`Svg`] contains it unless told otherwise.
pub const STYLE: &str = include_str!("board.css");

/// The function `paintBoard(svg, shown)` in JavaScript, which changes the position that a board in a page shows; its
/// comment says how. A plain function, for a `<script>`.
pub const SCRIPT: &str = include_str!("board.js");

/// [`SCRIPT`] as a module that exports the function.
pub const MODULE: &str = concat!(include_str!("board.js"), "export { paintBoard };\n");

/// A board as SVG element.
///
/// ```
/// use game::{Move, Piece, Position, Rules};
/// use picture::Labels;
/// use picture::svg::Svg;
///
/// let mut position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let mv: Move = "PENTO_W@0,0".parse()?;
/// position.play(mv);
/// let svg = Svg { last: mv.placement(), labels: Some(Labels::Coordinates), ..Svg::new(&position) };
/// assert!(svg.to_string().contains("<title>Blokus, turn 1: YELLOW to move</title>"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Svg<'a> {
    /// The position to draw.
    pub position: &'a Position,
    /// The placement to mark as the last move.
    pub last: Option<Placement>,
    /// Labels of rows and columns, if any.
    pub labels: Option<Labels>,
    /// `true` if each covered cell bears the letter of its colour.
    pub letters: bool,
    /// Width and height in CSS pixels; without, the picture takes the width that it is given.
    pub size: Option<u32>,
    /// `true` if the element contains [`STYLE`].
    pub style: bool,
}

impl<'a> Svg<'a> {
    /// Creates a picture with nothing but the cells.
    pub fn new(position: &'a Position) -> Self {
        Self { position, last: None, labels: None, letters: false, size: None, style: true }
    }

    fn write_title(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = self.position;
        if position.is_over() {
            return f.write_str("<title>Blokus, the game is over</title>");
        }
        write!(f, "<title>Blokus, turn {}: {} to move</title>", position.turn(), position.color())
    }

    fn write_description(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<desc>")?;
        if let Some(last) = self.last {
            match last.cells().first().and_then(|cell| self.position.board().color_at(cell)) {
                Some(color) => write!(f, "The last move is {last} of {color}. ")?,
                None => write!(f, "The last move is {last}. ")?,
            }
        }
        for (i, color) in Color::ALL.into_iter().enumerate() {
            let count = self.position.board().remaining_pieces(color).len();
            let (points, separator) = (self.position.points(color), if i == 0 { "" } else { "; " });
            write!(f, "{separator}{color}: {points} points, {count} pieces left")?;
        }
        f.write_str(".</desc>")
    }

    fn write_labels(&self, f: &mut fmt::Formatter<'_>, labels: Labels) -> fmt::Result {
        let line = match labels {
            Labels::Coordinates => "-.5",
            Labels::Points => "20.55",
        };
        f.write_str(
            r##"<g class="labels" fill="#5c6b7a" font-family="sans-serif" font-size=".55" text-anchor="middle" dominant-baseline="central">"##,
        )?;
        for i in 0..BOARD_SIZE {
            write!(f, r#"<text x="{i}.5" y="{line}">{}</text>"#, labels.column(i))?;
            write!(f, r#"<text x="-.6" y="{i}.5">{}</text>"#, labels.row(i))?;
        }
        f.write_str("</g>")
    }

    fn write_letters(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            r#"<g class="letters" aria-hidden="true" font-family="sans-serif" font-size=".55" font-weight="600" text-anchor="middle" dominant-baseline="central">"#,
        )?;
        for color in Color::ALL {
            let cells = self.position.board().covered(color);
            write!(f, r#"<text class="{}" fill="{}""#, CLASSES[color as usize], LETTER_FILLS[color as usize])?;
            if !cells.is_empty() {
                write!(f, r#" x="{}" y="{}""#, middles(cells, Cell::x), middles(cells, Cell::y))?;
            }
            write!(f, ">{}</text>", color.letter().to_string().repeat(cells.len()))?;
        }
        f.write_str("</g>")
    }
}

impl Display for Svg<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.position.board();
        f.write_str(r#"<svg xmlns="http://www.w3.org/2000/svg" class="blokus" role="img""#)?;
        if let Some(size) = self.size {
            write!(f, r#" width="{size}" height="{size}""#)?;
        }
        let view_box = if self.labels.is_some() { "-1.2 -1.2 22.4 22.4" } else { "-.2 -.2 20.4 20.4" };
        write!(f, r#" viewBox="{view_box}">"#)?;
        self.write_title(f)?;
        self.write_description(f)?;
        if self.style {
            write!(f, "<style>{STYLE}</style>")?;
        }
        f.write_str(r##"<rect class="board" fill="#e9edf1" width="20" height="20"/><g class="cells">"##)?;
        for color in Color::ALL {
            let cells = path(board.covered(color), square);
            write!(f, r#"<path class="{}" fill="{}" d="{cells}"/>"#, CLASSES[color as usize], FILLS[color as usize])?;
        }
        f.write_str(r##"</g><path class="grid" fill="none" stroke="#ffffff" stroke-width=".07" d=""##)?;
        for i in 1..BOARD_SIZE {
            write!(f, "M0 {i}h20M{i} 0v20")?;
        }
        // Pages mark anchors here.
        f.write_str("\"/><g class=\"anchors\">")?;
        for color in Color::ALL {
            write!(f, r#"<path class="{}" fill="{}" d=""/>"#, CLASSES[color as usize], FILLS[color as usize])?;
        }
        f.write_str("</g>")?;
        if self.letters {
            self.write_letters(f)?;
        }
        // Two lines, so that one contrasts with every cell.
        let last = self.last.map_or(Bitboard::EMPTY, Placement::cells);
        for (class, stroke, width) in [("last-edge", "#ffffff", ".3"), ("last", "#1d2733", ".14")] {
            let outline = path(last, |cell| outline(cell, last));
            write!(
                f,
                r#"<path class="{class}" fill="none" stroke="{stroke}" stroke-width="{width}" stroke-linecap="round" d="{outline}"/>"#
            )?;
        }
        if let Some(labels) = self.labels {
            self.write_labels(f, labels)?;
        }
        f.write_str("</svg>")
    }
}

/// Classes of the colours.
const CLASSES: [&str; 4] = ["blue", "yellow", "red", "green"];

/// Fill colours for programs that ignore the style sheet.
const FILLS: [&str; 4] = ["#0072b2", "#f0e442", "#d55e00", "#009e73"];

/// Fill colours of the letters for such programs.
const LETTER_FILLS: [&str; 4] = ["#ffffff", "#1d2733", "#1d2733", "#1d2733"];

/// Returns the data of a path that draws something at each of these cells.
fn path(cells: Bitboard, draw: impl Fn(Cell) -> String) -> String {
    cells.iter().map(draw).collect()
}

fn square(cell: Cell) -> String {
    format!("M{} {}h1v1h-1z", cell.x(), cell.y())
}

/// Returns the sides of a cell that lie between it and the outside of a set that contains it.
fn outline(cell: Cell, set: Bitboard) -> String {
    let (x, y) = (cell.x() as i32, cell.y() as i32);
    let is_outside = |x, y| !Cell::new(x, y).is_some_and(|cell| set.contains(cell));
    [
        (is_outside(x, y - 1), format!("M{x} {y}h1")),
        (is_outside(x, y + 1), format!("M{x} {}h1", y + 1)),
        (is_outside(x - 1, y), format!("M{x} {y}v1")),
        (is_outside(x + 1, y), format!("M{} {y}v1", x + 1)),
    ]
    .into_iter()
    .filter_map(|(is_side, line)| is_side.then_some(line))
    .collect()
}

/// Returns the middles of cells along one axis.
fn middles(cells: Bitboard, along: impl Fn(Cell) -> usize) -> String {
    cells.iter().map(|cell| format!("{}.5", along(cell))).collect::<Vec<_>>().join(" ")
}
