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
    /// A colour of the game. These are the colours of Okabe and Ito, which people with any kind of
    /// colour vision can tell apart, blue made brighter for the dark board.
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
    const fn rgb(self) -> RgbColor {
        match self {
            Self::Piece(Color::Blue) => RgbColor(0x2f, 0x8f, 0xd5),
            Self::Piece(Color::Yellow) => RgbColor(0xf0, 0xe4, 0x42),
            Self::Piece(Color::Red) => RgbColor(0xd5, 0x5e, 0x00),
            Self::Piece(Color::Green) => RgbColor(0x00, 0x9e, 0x73),
            Self::Board => RgbColor(0x20, 0x26, 0x2d),
            Self::Dots => RgbColor(0x5c, 0x68, 0x75),
            Self::Text => RgbColor(0xd5, 0xdb, 0xe1),
            Self::Ink => RgbColor(0x10, 0x14, 0x18),
        }
    }

    const fn ansi256(self) -> Ansi256Color {
        Ansi256Color(match self {
            Self::Piece(Color::Blue) => 32,
            Self::Piece(Color::Yellow) => 227,
            Self::Piece(Color::Red) => 166,
            Self::Piece(Color::Green) => 36,
            Self::Board => 235,
            Self::Dots => 241,
            Self::Text => 253,
            Self::Ink => 233,
        })
    }

    const fn ansi16(self) -> AnsiColor {
        match self {
            Self::Piece(Color::Blue) => AnsiColor::BrightBlue,
            Self::Piece(Color::Yellow) => AnsiColor::BrightYellow,
            Self::Piece(Color::Red) => AnsiColor::BrightRed,
            Self::Piece(Color::Green) => AnsiColor::BrightGreen,
            Self::Board | Self::Ink => AnsiColor::Black,
            Self::Dots => AnsiColor::BrightBlack,
            Self::Text => AnsiColor::White,
        }
    }

    /// Its colour on a terminal; `None` where there are no colours.
    pub fn color(self, depth: ColorDepth) -> Option<anstyle::Color> {
        match depth {
            ColorDepth::None => None,
            ColorDepth::Ansi16 => Some(self.ansi16().into()),
            ColorDepth::Ansi256 => Some(self.ansi256().into()),
            ColorDepth::TrueColor => Some(self.rgb().into()),
        }
    }
}

impl ColorDepth {
    /// One paint on another.
    pub(crate) fn style(self, foreground: Paint, background: Paint) -> Style {
        Style::new().fg_color(foreground.color(self)).bg_color(background.color(self))
    }

    /// Letters on a colour of the game.
    pub(crate) fn block(self, color: Color) -> Style {
        self.style(Paint::Ink, Paint::Piece(color))
    }

    /// What stands out in text.
    pub(crate) fn strong(self) -> Style {
        if self == Self::None { Style::new() } else { Style::new().bold() }
    }

    /// What stands back in text.
    pub(crate) fn faint(self) -> Style {
        if self == Self::None { Style::new() } else { Style::new().dimmed() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear red, green and blue as somebody sees them who lacks one kind of cone, after Viénot, Brettel and Mollon,
    /// "Digital video colourmaps for checking the legibility of displays by dichromats" (1999).
    const VISIONS: [[[f64; 3]; 3]; 3] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.112_38, 0.887_62, 0.0], [0.112_38, 0.887_62, 0.0], [0.004_01, -0.004_01, 1.0]],
        [[0.292_75, 0.707_25, 0.0], [0.292_75, 0.707_25, 0.0], [-0.022_34, 0.022_34, 1.0]],
    ];

    /// Lightness and opponent colours in CIELAB.
    fn seen(color: [u8; 3], vision: [[f64; 3]; 3]) -> [f64; 3] {
        let linear = color.map(|value| match f64::from(value) / 255.0 {
            value if value <= 0.040_45 => value / 12.92,
            value => ((value + 0.055) / 1.055).powf(2.4),
        });
        let times = |row: [f64; 3], of: [f64; 3]| row.into_iter().zip(of).map(|(a, b)| a * b).sum::<f64>();
        let rgb = vision.map(|row| times(row, linear).clamp(0.0, 1.0));
        let [x, y, z] = [
            times([0.4124, 0.3576, 0.1805], rgb) / 0.9505,
            times([0.2126, 0.7152, 0.0722], rgb),
            times([0.0193, 0.1192, 0.9505], rgb) / 1.089,
        ]
        .map(|t| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 });
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn rgb_of_256(Ansi256Color(index): Ansi256Color) -> [u8; 3] {
        let level = |value: u8| if value == 0 { 0 } else { 55 + 40 * value };
        match index.checked_sub(16) {
            Some(cube @ ..216) => [cube / 36, cube / 6 % 6, cube % 6].map(level),
            _ => [8 + 10 * (index - 232); 3],
        }
    }

    #[test]
    fn colours_differ_for_every_colour_vision() {
        let all: Vec<Paint> = Color::ALL.into_iter().map(Paint::Piece).chain([Paint::Board]).collect();
        let true_color = |paint: &Paint| {
            let RgbColor(red, green, blue) = paint.rgb();
            [red, green, blue]
        };
        let palettes: [Vec<[u8; 3]>; 2] =
            [all.iter().map(true_color).collect(), all.iter().map(|paint| rgb_of_256(paint.ansi256())).collect()];
        for palette in palettes {
            for vision in VISIONS {
                let seen: Vec<_> = palette.iter().map(|&color| seen(color, vision)).collect();
                for (i, a) in seen.iter().enumerate() {
                    for b in &seen[..i] {
                        let difference = a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        // A difference of two is just noticeable side by side.
                        assert!(difference > 30.0, "{difference:.1} between {a:?} and {b:?}");
                    }
                }
            }
        }
    }
}
