//! The syntax of the Smart Game Format: trees of nodes of properties, and the names of these.
//!
//! The crate `sgf-parse` does not fit: it refuses Pentobi's names of games, which are words, and it is recursive, so
//! that a file of brackets overflows the stack.

use std::fmt::{self, Write};

use crate::error::{ParseError, Problem};
use crate::note::Property;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SgfToken {
    /// A tree begins.
    Open,
    /// A tree ends.
    Close,
    /// A node with its properties.
    Node(Vec<Property>),
}

/// Cuts a text into tokens.
pub(super) struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text, line: 1 }
    }

    /// Returns the line of the next token.
    pub(super) fn line(&mut self) -> usize {
        self.skip_blanks();
        self.line
    }

    /// Returns an error about the next token.
    pub(super) fn expected(&mut self, expected: &'static str) -> ParseError {
        let line = self.line();
        Problem::expected(expected, self.rest).at(line)
    }

    /// Skips to the next `(` that is followed by a `;`. Returns `false` if there is none.
    pub(super) fn skip_to_tree(&mut self) -> bool {
        let is_tree = |at: &usize| self.rest[at + 1..].trim_ascii_start().starts_with(';');
        let tree = self.rest.match_indices('(').map(|(at, _)| at).find(is_tree);
        self.advance(tree.unwrap_or(0));
        tree.is_some()
    }

    /// Returns the next token; `None` at the end of the text.
    pub(super) fn token(&mut self) -> Result<Option<SgfToken>, ParseError> {
        self.skip_blanks();
        let Some(letter) = self.rest.chars().next() else { return Ok(None) };
        if !matches!(letter, '(' | ')' | ';') {
            return Err(self.expected("(, ) or ;"));
        }
        self.advance(1);
        Ok(Some(match letter {
            '(' => SgfToken::Open,
            ')' => SgfToken::Close,
            _ => SgfToken::Node(self.properties()?),
        }))
    }

    fn properties(&mut self) -> Result<Vec<Property>, ParseError> {
        let mut properties: Vec<Property> = Vec::new();
        loop {
            self.skip_blanks();
            let end = self.rest.find(|letter: char| !letter.is_ascii_alphanumeric()).unwrap_or(self.rest.len());
            let (id, _) = self.rest.split_at(end);
            if id.is_empty() {
                return Ok(properties);
            }
            self.advance(end);
            self.skip_blanks();
            let mut values = Vec::new();
            while self.rest.starts_with('[') {
                self.advance(1);
                values.push(self.value(id)?);
                self.skip_blanks();
            }
            if values.is_empty() {
                return Err(self.expected("[ and the value of a property"));
            }
            properties.push(Property { id: id.to_owned(), values });
        }
    }

    /// Reads a value and its closing bracket. A backslash escapes the next letter.
    fn value(&mut self, id: &str) -> Result<String, ParseError> {
        let begin = self.line;
        let mut value = String::new();
        let mut letters = self.rest.char_indices().peekable();
        while let Some((at, letter)) = letters.next() {
            match letter {
                ']' => {
                    self.advance(at + 1);
                    return Ok(value);
                }
                '\r' => {
                    letters.next_if(|(_, next)| *next == '\n');
                    value.push('\n');
                }
                '\\' => match letters.next() {
                    // An escaped line break is ignored.
                    Some((_, '\r')) => _ = letters.next_if(|(_, next)| *next == '\n'),
                    Some((_, '\n')) | None => {}
                    Some((_, letter)) => value.push(letter),
                },
                letter => value.push(letter),
            }
        }
        Err(Problem::value(format!("{id}[{value}"), "a ] at the end of the value").at(begin))
    }

    fn skip_blanks(&mut self) {
        let blanks = self.rest.len() - self.rest.trim_ascii_start().len();
        self.advance(blanks);
    }

    fn advance(&mut self, bytes: usize) {
        let (done, rest) = self.rest.split_at(bytes);
        self.line += done.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
    }
}

/// Known properties of the root.
const OF_ROOT: &[&str] = &["GM", "CA", "RU", "BP", "PB", "PW", "GN", "RE", "FAULT"];

/// Known properties of all nodes, including old names of moves.
const OF_NODE: &[&str] = &["1", "2", "3", "4", "BLUE", "YELLOW", "RED", "GREEN", "PASS", "C", "ENG"];

/// Setup properties.
pub(super) const SETUP: &[&str] = &["A1", "A2", "A3", "A4", "AE", "AB", "AW", "PL"];

/// Returns `true` if a property with this name has no meaning here.
pub(crate) fn is_foreign(id: &str, at_start: bool) -> bool {
    let known = OF_NODE.contains(&id) || SETUP.contains(&id) || at_start && OF_ROOT.contains(&id);
    !known && !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns the first value of a property.
pub(super) fn value<'a>(properties: &'a [Property], id: &str) -> Option<&'a str> {
    let property = properties.iter().find(|property| property.id == id)?;
    property.values.first().map(String::as_str)
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)?;
        for value in &self.values {
            f.write_char('[')?;
            // Only line feeds are allowed.
            for letter in value.replace("\r\n", "\n").replace('\r', "\n").chars() {
                if matches!(letter, ']' | '\\') {
                    f.write_char('\\')?;
                }
                f.write_char(letter)?;
            }
            f.write_char(']')?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<SgfToken>, ParseError> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| lexer.token().transpose()).collect()
    }

    fn node(properties: &[(&str, &[&str])]) -> SgfToken {
        let owned = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        SgfToken::Node(
            properties.iter().map(|(id, values)| Property { id: (*id).to_owned(), values: owned(values) }).collect(),
        )
    }

    #[test]
    fn splits_file_into_tokens() {
        let text = "( ;GM [x]\n AB[a][b]\t[c] (;)\r\n ;C[a\\]b\\\\c(;\\\nd\r\ne\\:])";
        let expected = [
            SgfToken::Open,
            node(&[("GM", &["x"]), ("AB", &["a", "b", "c"])]),
            SgfToken::Open,
            node(&[]),
            SgfToken::Close,
            node(&[("C", &["a]b\\c(;d\ne:"])]),
            SgfToken::Close,
        ];
        assert_eq!(tokens(text).unwrap(), expected);
        assert_eq!(tokens(" \n").unwrap(), []);
    }

    #[test]
    fn errors_name_line_and_text() {
        for (text, error) in [
            ("(;GM[a]\nfoo)", "line 2: expected [ and the value of a property, found `)`"),
            ("(;C[a\n\nb", "line 1: C[a\\n\\nb: expected a ] at the end of the value"),
            ("(;\n\n é)", "line 3: expected (, ) or ;, found `é)`"),
            ("(;C[a\\", "line 1: C[a: expected a ] at the end of the value"),
            ("(;AB", "line 1: expected [ and the value of a property, found the end of the file"),
        ] {
            assert_eq!(tokens(text).unwrap_err().to_string(), error);
        }
    }
}
