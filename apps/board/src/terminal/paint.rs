//! Colours and click targets.

use game::{Color, Piece};
use picture::{ColorDepth, Paint};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color as Shade, Modifier, Style};

use super::command::Command;

/// The colours of a terminal.
#[derive(Clone, Copy)]
pub(super) struct Painter {
    pub depth: ColorDepth,
}

impl Painter {
    /// A paint on another.
    pub fn style(self, foreground: Paint, background: Paint) -> Style {
        Style { fg: self.shade(foreground), bg: self.shade(background), ..Style::new() }
    }

    /// Text in a paint on the terminal's background.
    pub fn text(self, paint: Paint) -> Style {
        Style { fg: self.shade(paint), ..Style::new() }
    }

    /// Dimmed text.
    pub fn faint(self) -> Style {
        self.text(Paint::Dots)
    }

    /// Bold text.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// The selected item.
    pub fn chosen(self) -> Style {
        Style::new().add_modifier(Modifier::REVERSED)
    }

    fn shade(self, paint: Paint) -> Option<Shade> {
        paint.color(self.depth).map(|color| match color {
            anstyle::Color::Ansi(color) => Shade::Indexed(anstyle::Ansi256Color::from(color).0),
            anstyle::Color::Ansi256(color) => Shade::Indexed(color.0),
            anstyle::Color::Rgb(anstyle::RgbColor(red, green, blue)) => Shade::Rgb(red, green, blue),
        })
    }

    /// Returns `true` if the terminal has too few colours, so that pieces need letters.
    pub fn needs_letters(self) -> bool {
        self.depth <= ColorDepth::Ansi16
    }

    /// Text in a colour of the game.
    pub fn of(self, color: Color) -> Style {
        self.text(Paint::Piece(color))
    }
}

/// A click target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// The board with the size of its cells.
    Board {
        width: u16,
        height: u16,
    },
    Piece(Piece),
    /// A node of the game.
    Node(usize),
    Command(Command),
    /// A line of the dialogue.
    Line(usize),
}

/// The click targets of a screen; later ones lie on top.
#[derive(Default)]
pub(super) struct Targets(Vec<(Rect, Target)>);

impl Targets {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn add(&mut self, area: Rect, target: Target) {
        self.0.push((area, target));
    }

    /// Returns the topmost target at a position.
    pub fn at(&self, column: u16, row: u16) -> Option<(Rect, Target)> {
        self.0.iter().rev().find(|(area, _)| area.contains(Position::new(column, row))).copied()
    }
}

/// Writes text into a line of an area and clips it. Returns the column after it.
pub(super) fn write(buffer: &mut Buffer, area: Rect, (column, row): (u16, u16), text: &str, style: Style) -> u16 {
    if row >= area.height || column >= area.width {
        return column;
    }
    let (end, _) = buffer.set_stringn(area.x + column, area.y + row, text, usize::from(area.width - column), style);
    end - area.x
}
