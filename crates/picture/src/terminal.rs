//! Capabilities of standard output.

use std::env;
use std::io::{self, IsTerminal};

use anstream::{AutoStream, ColorChoice};
use terminal_size::{Height, Width, terminal_size};

use crate::{Canvas, ColorDepth};

/// Capabilities of standard output for pictures.
///
/// ```
/// use game::{Position, Rules};
/// use picture::{Picture, Terminal};
///
/// let position = Position::new(Rules::Classic, None)?;
/// let canvas = Terminal::of_stdout().canvas();
/// let lines = Picture::new(&position).lines(canvas);
/// assert!(lines.len() <= canvas.rows);
/// # Ok::<(), game::SetupError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terminal {
    is_terminal: bool,
    depth: ColorDepth,
}

impl Terminal {
    /// Detects the capabilities from standard output and the environment. A terminal has colours unless it is dumb or
    /// `NO_COLOR` or `CLICOLOR=0` is set; other outputs have colours if `CLICOLOR_FORCE` is set. `COLORTERM` and `TERM`
    /// give the number of colours.
    pub fn of_stdout() -> Self {
        let stdout = io::stdout();
        let is_colored = AutoStream::choice(&stdout) != ColorChoice::Never && can_show_escape_codes();
        let read = |name| env::var(name).unwrap_or_default();
        let depth = if is_colored { depth(&read("TERM"), &read("COLORTERM")) } else { ColorDepth::None };
        Self { is_terminal: stdout.is_terminal(), depth }
    }

    /// Returns `true` if pictures can be drawn in place, one over the other. `false` for plain text, because it needs
    /// escape codes.
    pub fn is_screen(&self) -> bool {
        self.is_terminal && self.depth != ColorDepth::None
    }

    /// Returns the current size (80 x 24 if unknown) and the colours.
    pub fn canvas(&self) -> Canvas {
        let size = if self.is_terminal { terminal_size() } else { None };
        let size = size.filter(|&(Width(columns), Height(rows))| columns > 0 && rows > 0);
        let (columns, rows) = size
            .map_or((Canvas::PLAIN.columns, Canvas::PLAIN.rows), |(Width(columns), Height(rows))| {
                (columns.into(), rows.into())
            });
        Canvas { columns, rows, depth: self.depth }
    }
}

/// Enables escape codes on Windows consoles. Returns `true` if they work.
fn can_show_escape_codes() -> bool {
    anstyle_query::windows::enable_ansi_colors().unwrap_or(true)
}

/// Returns the colours of a terminal that understands escape codes.
fn depth(term: &str, colorterm: &str) -> ColorDepth {
    if term.starts_with("vt") || term.ends_with("-m") || term.ends_with("-mono") {
        return ColorDepth::None;
    }
    let is_true_color = matches!(colorterm, "truecolor" | "24bit") || term.ends_with("-direct");
    if is_true_color || (cfg!(windows) && term.is_empty()) {
        ColorDepth::TrueColor
    } else if term.contains("256color") {
        ColorDepth::Ansi256
    } else {
        ColorDepth::Ansi16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn environment_selects_colours() {
        for (term, colorterm, expected) in [
            ("xterm-256color", "truecolor", ColorDepth::TrueColor),
            ("tmux-256color", "", ColorDepth::Ansi256),
            ("xterm-direct", "", ColorDepth::TrueColor),
            ("xterm", "24bit", ColorDepth::TrueColor),
            ("xterm", "yes", ColorDepth::Ansi16),
            ("linux", "", ColorDepth::Ansi16),
            ("vt220", "", ColorDepth::None),
            ("xterm-mono", "", ColorDepth::None),
        ] {
            assert_eq!(depth(term, colorterm), expected, "{term} {colorterm}");
        }
    }
}
