//! Lines of styled text that know how wide they are.

use anstyle::Style;

/// A line of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Line(Vec<(String, Style)>);

impl Line {
    /// Creates a line with text.
    pub fn of(text: &str, style: Style) -> Self {
        let mut line = Self::default();
        line.push(text, style);
        line
    }

    /// Adds text at the end. Control characters are left out, so that no text can move the cursor.
    pub fn push(&mut self, text: &str, style: Style) {
        if text.is_empty() {
            return;
        }
        let text = text.chars().filter(|letter| !letter.is_control());
        match self.0.last_mut() {
            Some((last, of_last)) if *of_last == style => last.extend(text),
            _ => self.0.push((text.collect(), style)),
        }
    }

    /// Adds text without a style.
    pub fn push_plain(&mut self, text: &str) {
        self.push(text, Style::new());
    }

    /// Adds spaces without a style up to a width.
    pub fn pad(&mut self, columns: usize) {
        self.push_plain(&" ".repeat(columns.saturating_sub(self.width())));
    }

    /// Adds another line at the end.
    pub fn append(&mut self, other: &Self) {
        other.0.iter().for_each(|(text, style)| self.push(text, *style));
    }

    /// The columns that the line takes at most.
    pub fn width(&self) -> usize {
        self.0.iter().flat_map(|(text, _)| text.chars()).map(columns).sum()
    }

    /// Cuts off what does not fit.
    pub fn clip(&mut self, width: usize) {
        let mut room = width;
        for (text, _) in &mut self.0 {
            let end = text.char_indices().find(|&(_, letter)| match room.checked_sub(columns(letter)) {
                Some(rest) => {
                    room = rest;
                    false
                }
                None => {
                    room = 0;
                    true
                }
            });
            if let Some((end, _)) = end {
                text.truncate(end);
            }
        }
    }

    /// The line as it is written: every style ends where it is over, and no plain spaces stand at the end.
    pub fn render(&self) -> String {
        let mut text: String = self
            .0
            .iter()
            .filter(|(text, _)| !text.is_empty())
            .map(|(text, style)| format!("{style}{text}{style:#}"))
            .collect();
        text.truncate(text.trim_end_matches(' ').len());
        text
    }
}

/// Maximum width of a character in terminal columns; scripts with wide characters count twice.
fn columns(letter: char) -> usize {
    match letter {
        '\u{1100}'..='\u{1fff}' | '\u{2e80}'.. => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(texts: &[&str]) -> Line {
        let mut line = Line::default();
        for (i, text) in texts.iter().enumerate() {
            let style = if i % 2 == 0 { Style::new() } else { Style::new().bold() };
            line.push(text, style);
        }
        line
    }

    #[test]
    fn lines_are_cut_to_their_width() {
        for (texts, width, expected) in [
            (&["abc", "def"][..], 4, "abc\x1b[1md\x1b[0m"),
            (&["abc", "def"], 3, "abc"),
            (&["abc", "def"], 0, ""),
            (&["a語b", "c"], 2, "a"),
            (&["a語b", "c"], 3, "a語"),
            (&["ab  ", "", "  "], 9, "ab"),
        ] {
            let mut line = line(texts);
            line.clip(width);
            assert!(line.width() <= width);
            assert_eq!(line.render(), expected);
        }
    }

    #[test]
    fn control_characters_do_not_move_cursor() {
        assert_eq!(line(&["a\x1b[2Jb\r\n\t\u{9b}1m"]).render(), "a[2Jb1m");
    }

    #[test]
    fn equal_styles_are_written_once() {
        let mut whole = line(&["", "ab"]);
        whole.append(&line(&["", "cd"]));
        assert_eq!(whole.render(), "\x1b[1mabcd\x1b[0m");
        whole.pad(6);
        assert_eq!((whole.width(), whole.render().as_str()), (6, "\x1b[1mabcd\x1b[0m"));
    }
}
