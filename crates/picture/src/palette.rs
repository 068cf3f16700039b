//! Colours in terminals.

use anstyle::{Ansi256Color, AnsiColor, RgbColor, Style};
use game::Color;

/// Number of colours that a terminal supports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ColorDepth {
    /// None: plain text without escape codes.
    None,
    /// Sixteen, which users may have changed. Letters tell the colours of the game apart.
    Ansi16,
    /// The 256 colours of xterm.
    Ansi256,
    /// 24 bits.
    TrueColor,
}

/// A painted element.
///
/// ```
/// use game::Color;
/// use picture::{ColorDepth, Paint};
///
/// let blue = Paint::Piece(Color::Blue);
/// assert_eq!(blue.color(ColorDepth::None), None);
/// assert_ne!(blue.color(ColorDepth::Ansi256), Paint::Board.color(ColorDepth::Ansi256));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paint {
    /// A colour of the game. These are the colours of Okabe and Ito, which people with any kind of colour vision can
    /// tell apart, blue made brighter for the dark board.
    Piece(Color),
    /// The board where it is empty.
    Board,
    /// Marks on the empty board.
    Dots,
    /// Text on the empty board.
    Text,
    /// Letters and marks on any colour of the game.
    Ink,
}

impl Paint {
    /// Returns the colour in the palettes of 16 and of 256 colours, and as RGB.
    const fn shades(self) -> (AnsiColor, u8, [u8; 3]) {
        match self {
            Self::Piece(Color::Blue) => (AnsiColor::BrightBlue, 32, [0x2f, 0x8f, 0xd5]),
            Self::Piece(Color::Yellow) => (AnsiColor::BrightYellow, 227, [0xf0, 0xe4, 0x42]),
            Self::Piece(Color::Red) => (AnsiColor::BrightRed, 166, [0xd5, 0x5e, 0x00]),
            Self::Piece(Color::Green) => (AnsiColor::BrightGreen, 36, [0x00, 0x9e, 0x73]),
            Self::Board => (AnsiColor::Black, 235, [0x20, 0x26, 0x2d]),
            Self::Dots => (AnsiColor::BrightBlack, 241, [0x5c, 0x68, 0x75]),
            Self::Text => (AnsiColor::White, 253, [0xd5, 0xdb, 0xe1]),
            Self::Ink => (AnsiColor::Black, 233, [0x10, 0x14, 0x18]),
        }
    }

    /// Its colour on a terminal; `None` where there are no colours.
    pub fn color(self, depth: ColorDepth) -> Option<anstyle::Color> {
        let (of_16, of_256, [red, green, blue]) = self.shades();
        match depth {
            ColorDepth::None => None,
            ColorDepth::Ansi16 => Some(of_16.into()),
            ColorDepth::Ansi256 => Some(Ansi256Color(of_256).into()),
            ColorDepth::TrueColor => Some(RgbColor(red, green, blue).into()),
        }
    }
}

impl ColorDepth {
    /// Returns the style of one paint on another.
    pub(crate) fn style(self, foreground: Paint, background: Paint) -> Style {
        Style::new().fg_color(foreground.color(self)).bg_color(background.color(self))
    }

    /// Letters on a colour of the game.
    pub(crate) fn block(self, color: Color) -> Style {
        self.style(Paint::Ink, Paint::Piece(color))
    }

    /// Style of emphasised text.
    pub(crate) fn strong(self) -> Style {
        if self == Self::None { Style::new() } else { Style::new().bold() }
    }

    /// Style of faint text.
    pub(crate) fn faint(self) -> Style {
        if self == Self::None { Style::new() } else { Style::new().dimmed() }
    }
}
