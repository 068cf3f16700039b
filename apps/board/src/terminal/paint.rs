//! Colours and click targets.

use game::{Color, Piece};
use picture::{ColorDepth, Paint};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Shade, Modifier, Style};

use super::command::UserCommand;
use super::words::Words;

/// The colours of a terminal.
#[derive(Clone, Copy)]
pub(super) struct Painter {
    pub depth: ColorDepth,
}

impl Painter {
    /// Returns the style of a paint on another.
    pub fn style(self, foreground: Paint, background: Paint) -> Style {
        Style { fg: self.shade(foreground), bg: self.shade(background), ..Style::new() }
    }

    /// Returns the style of text in a paint on the terminal's background.
    pub fn text(self, paint: Paint) -> Style {
        Style { fg: self.shade(paint), ..Style::new() }
    }

    /// Returns the style of dimmed text.
    pub fn faint(self) -> Style {
        self.text(Paint::Dots)
    }

    /// Returns the style of bold text.
    pub fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Returns the style of the selected item.
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
pub(super) enum ClickTarget {
    /// The board with the size of its cells.
    Board {
        width: u16,
        height: u16,
    },
    Piece(Piece),
    /// A node of the game.
    Node(usize),
    Command(UserCommand),
    /// A line of the dialogue.
    Line(usize),
}

/// The click targets of a screen; later ones lie on top.
pub(super) type ClickTargets = Vec<(Rect, ClickTarget)>;

/// A part of the screen.
pub(super) struct Canvas<'a> {
    pub buffer: &'a mut Buffer,
    pub area: Rect,
    pub painter: Painter,
    pub words: &'static Words,
    pub targets: &'a mut ClickTargets,
}

impl Canvas<'_> {
    /// Returns a part of this one.
    pub fn part(&mut self, area: Rect) -> Canvas<'_> {
        let Self { painter, words, .. } = *self;
        Canvas { buffer: self.buffer, area: area.intersection(self.area), painter, words, targets: self.targets }
    }

    /// Returns a line of it.
    pub fn line(&mut self, row: u16) -> Canvas<'_> {
        self.part(Rect { y: self.area.y + row, height: 1, ..self.area })
    }

    /// Writes text and clips it. Returns the column after it.
    pub fn write(&mut self, (column, row): (u16, u16), text: &str, style: Style) -> u16 {
        let area = self.area;
        if row >= area.height || column >= area.width {
            return column;
        }
        let room = usize::from(area.width - column);
        let (end, _) = self.buffer.set_stringn(area.x + column, area.y + row, text, room, style);
        end - area.x
    }

    /// Writes text at the right end of a line.
    pub fn write_right(&mut self, row: u16, text: &str, style: Style) {
        let width = text.chars().count() as u16;
        self.write((self.area.width.saturating_sub(width), row), text, style);
    }

    /// Makes the whole part a click target.
    pub fn target(&mut self, target: ClickTarget) {
        self.targets.push((self.area, target));
    }
}
