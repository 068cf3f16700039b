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

    /// Returns an upper bound of the width in columns.
    pub fn width(&self) -> usize {
        self.0.iter().flat_map(|(text, _)| text.chars()).map(columns).sum()
    }

    /// Cuts off what does not fit.
    pub fn clip(&mut self, width: usize) {
        let mut end = 0;
        for (text, _) in &mut self.0 {
            text.retain(|letter| {
                end += columns(letter);
                end <= width
            });
        }
    }

    /// Returns the line with escape codes: each style is closed, trailing plain spaces are dropped.
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

/// Returns the maximum width of a character in terminal columns; scripts with wide characters count twice.
fn columns(letter: char) -> usize {
    match letter {
        '\u{1100}'..='\u{1fff}' | '\u{2e80}'.. => 2,
        _ => 1,
    }
}
