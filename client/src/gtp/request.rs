//! Parses lines and formats answers.

use std::borrow::Cow;

use anyhow::{Context, Result, anyhow, ensure};

/// A command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GtpRequest {
    /// The number before the command, repeated in the answer; empty if there is none.
    id: String,
    /// The name of the command; empty if there is none.
    pub name: String,
    arguments: String,
}

impl GtpRequest {
    /// Parses a line without its comment and control characters; `None` if nothing remains.
    pub fn parse(line: &str) -> Option<Self> {
        let line = without_comment(line).replace('\t', " ");
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        let mut words = UnreadArguments(&line);
        let mut name = words.plain()?;
        let mut id = "";
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            id = name;
            name = words.plain().unwrap_or_default();
        }
        Some(Self { id: id.to_owned(), name: name.to_owned(), arguments: words.0.to_owned() })
    }

    /// Returns the arguments.
    pub fn arguments(&self) -> UnreadArguments<'_> {
        UnreadArguments(&self.arguments)
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
pub struct UnreadArguments<'a>(&'a str);

impl<'a> UnreadArguments<'a> {
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
