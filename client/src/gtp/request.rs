//! Parses lines and formats answers.

use std::borrow::Cow;

use anyhow::{Context, Result, anyhow, ensure};

/// A command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number before the command, repeated in the answer; empty if there is none.
    id: String,
    /// The name of the command; empty if there is none.
    pub name: String,
    arguments: String,
}

impl Request {
    /// Parses a line without its comment and control characters; `None` if nothing remains.
    pub fn parse(line: &str) -> Option<Self> {
        let line = without_comment(line).replace('\t', " ");
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        let mut words = Arguments(&line);
        let mut name = words.plain()?;
        let mut id = "";
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            id = name;
            name = words.plain().unwrap_or_default();
        }
        Some(Self { id: id.to_owned(), name: name.to_owned(), arguments: words.0.to_owned() })
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> Arguments<'_> {
        Arguments(&self.arguments)
    }

    /// Returns the answer with this result. It ends with its only empty line; no line but the first ends with spaces.
    pub fn respond(&self, result: Result<String>) -> String {
        let (status, text) = match result {
            Ok(text) => ('=', text),
            Err(error) => ('?', error.to_string()),
        };
        let mut lines = text.lines();
        let first = lines.next().unwrap_or_default();
        let mut answer = format!("{status}{} {first}\n", self.id);
        for line in lines.map(str::trim_end).filter(|line| !line.is_empty()) {
            answer += line;
            answer.push('\n');
        }
        answer.push('\n');
        answer
    }
}

/// The unread arguments of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arguments<'a>(&'a str);

impl<'a> Arguments<'a> {
    /// Returns the next word up to a space; quotes have no meaning.
    fn plain(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Returns the next word. In quotes it may contain spaces and `#`, and `\"` and `\\` stand for `"` and `\`.
    fn word(&mut self) -> Result<Option<Cow<'a, str>>> {
        let Some(quoted) = self.0.trim_start().strip_prefix('"') else { return Ok(self.plain().map(Cow::Borrowed)) };
        let mut word = String::new();
        let mut letters = quoted.chars();
        loop {
            let open = || format!("`\"{}`: the closing quote is missing", quoted.trim_end());
            match letters.next().with_context(open)? {
                '"' => break,
                '\\' if letters.as_str().starts_with(['"', '\\']) => word.extend(letters.next()),
                letter => word.push(letter),
            }
        }
        self.0 = letters.as_str();
        Ok(Some(Cow::Owned(word)))
    }

    /// Returns `true` if nothing is left.
    pub fn is_empty(self) -> bool {
        self.0.trim().is_empty()
    }

    /// Parses the next word.
    ///
    /// # Errors
    /// If it is missing or not as `expected`.
    pub fn next<T>(&mut self, expected: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let word = self.word()?.ok_or_else(|| missing(expected))?;
        read(&word).with_context(|| format!("`{word}`: expected {expected}"))
    }

    /// Parses the next word, which must be the last.
    ///
    /// # Errors
    /// If it is missing or not as `expected`, or another follows.
    pub fn last<T>(mut self, expected: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let value = self.next(expected, read)?;
        self.end()?;
        Ok(value)
    }

    /// Parses the rest, in quotes or not.
    ///
    /// # Errors
    /// If it is missing or not as `expected`.
    pub fn rest<T>(self, expected: &str, read: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        match self.0.trim() {
            text if text.starts_with('"') => self.last(expected, read),
            "" => Err(missing(expected)),
            text => read(text).with_context(|| format!("`{text}`: expected {expected}")),
        }
    }

    /// Checks that nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn end(self) -> Result<()> {
        ensure!(self.is_empty(), "`{}`: expected no further argument", self.0.trim());
        Ok(())
    }
}

fn missing(expected: &str) -> anyhow::Error {
    anyhow!("expected {expected}, found nothing")
}

/// Returns the part of a line before a `#` that is not in quotes.
fn without_comment(line: &str) -> &str {
    let (mut is_quoted, mut is_escaped) = (false, false);
    let comment = line.find(|letter| {
        is_quoted ^= letter == '"' && !is_escaped;
        is_escaped = letter == '\\' && !is_escaped;
        letter == '#' && !is_quoted
    });
    &line[..comment.unwrap_or(line.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_unclean_lines() {
        for (line, id, name, arguments) in [
            ("name\n", "", "name", ""),
            ("  12\tplay  1 a1 \r\n", "12", "play", "  1 a1 "),
            ("7", "7", "", ""),
            ("99999999999999999999 name", "99999999999999999999", "name", ""),
            ("name # 5", "", "name", " "),
            ("na\u{7}me", "", "name", ""),
        ] {
            let request = Request::parse(line).unwrap();
            assert_eq!((&*request.id, &*request.name, &*request.arguments), (id, name, arguments), "{line:?}");
        }
        for line in ["", "\r\n", " \t", "# comment", "\u{1}"] {
            assert_eq!(Request::parse(line), None, "{line:?}");
        }
    }

    #[test]
    fn reads_quoted_words() {
        let words = |arguments: &str| -> Result<Vec<String>> {
            let request = Request::parse(&format!("name {arguments}")).unwrap();
            let mut words = request.arguments();
            std::iter::from_fn(|| words.word().map(|word| word.map(Cow::into_owned)).transpose()).collect()
        };
        for (arguments, expected) in [
            (r##"a "b c"  d"##, &["a", "b c", "d"][..]),
            (r##""" x"##, &["", "x"]),
            (r##""a""b" c"##, &["a", "b", "c"]),
            (r##""a # b" c # d "e""##, &["a # b", "c"]),
            (r##""say \"#1\"" "C:\my games\a\\" z"##, &[r##"say "#1""##, r"C:\my games\a\", "z"]),
            (r##"C:\games\a it"s"##, &[r"C:\games\a", r##"it"s"##]),
        ] {
            assert_eq!(words(arguments).unwrap(), expected, "{arguments}");
        }
        for arguments in [r#""a b"#, r#"a "b c # d"#, r#"""#, r#""a\""#] {
            let error = words(arguments).unwrap_err().to_string();
            assert!(error.ends_with("`: the closing quote is missing"), "{arguments}: {error}");
        }
    }

    #[test]
    fn reads_quoted_rest() {
        let rest = |arguments: &str| Arguments(arguments).rest("a name", |text| Some(text.to_owned()));
        assert_eq!(rest(r#" "Blokus Two-Player" "#).unwrap(), "Blokus Two-Player");
        assert_eq!(rest(" Blokus Two-Player ").unwrap(), "Blokus Two-Player");
        for (arguments, error) in [(r#""a" b"#, "`b`: expected no further"), (r#""a b"#, "`\"a b`: the closing quote")]
        {
            assert!(rest(arguments).unwrap_err().to_string().starts_with(error), "{arguments}");
        }
    }

    #[test]
    fn answer_has_no_empty_line_inside() {
        let request = Request::parse("3 showboard").unwrap();
        assert_eq!(request.respond(Ok(String::new())), "=3 \n\n");
        assert_eq!(request.respond(Ok("\na\n  \nb\n".to_owned())), "=3 \na\nb\n\n");
        assert_eq!(request.respond(Err(anyhow!("no move"))), "?3 no move\n\n");
    }
}
