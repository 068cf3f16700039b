//! Lines to commands, results to answers.

use super::failure::Failure;

/// A command as it was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The number before the command, repeated in the answer; empty if there is none.
    id: String,
    /// The name of the command; empty if there is none.
    pub name: String,
    arguments: String,
}

impl Request {
    /// The command of a line: without comment and control characters, tabs taken as spaces.
    /// `None` if nothing remains.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.split('#').next()?.replace('\t', " ");
        let line: String = line.chars().filter(|letter| !letter.is_control()).collect();
        let mut words = Words(&line);
        let mut name = words.word()?;
        let mut id = "";
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            id = name;
            name = words.word().unwrap_or_default();
        }
        Some(Self { id: id.to_owned(), name: name.to_owned(), arguments: words.0.to_owned() })
    }

    /// What stands behind the command.
    pub fn arguments(&self) -> Words<'_> {
        Words(&self.arguments)
    }

    /// The answer with this result. Its end is an empty line; there is none before, and no line after
    /// the first ends with spaces.
    pub fn respond(&self, result: Result<String, Failure>) -> String {
        let (status, text) = match result {
            Ok(text) => ('=', text),
            Err(failure) => ('?', failure.to_string()),
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

/// The arguments of a command that have not been read yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    fn word(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let end = text.find(char::is_whitespace).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Whether nothing is left.
    pub fn is_empty(self) -> bool {
        self.0.trim().is_empty()
    }

    /// The next word as `read` understands it.
    ///
    /// # Errors
    /// If there is none or it is not as `expected`.
    pub fn next<T>(&mut self, expected: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Failure> {
        let word = self.word().ok_or(Failure::Missing(expected))?;
        read(word).ok_or_else(|| Failure::Argument { text: word.to_owned(), expected })
    }

    /// All that is left as `read` understands it.
    ///
    /// # Errors
    /// If that is nothing or not as `expected`.
    pub fn rest<T>(self, expected: &'static str, read: impl FnOnce(&str) -> Option<T>) -> Result<T, Failure> {
        match self.0.trim() {
            "" => Err(Failure::Missing(expected)),
            text => read(text).ok_or_else(|| Failure::Argument { text: text.to_owned(), expected }),
        }
    }

    /// Makes sure that nothing is left.
    ///
    /// # Errors
    /// If something is.
    pub fn end(self) -> Result<(), Failure> {
        if self.is_empty() { Ok(()) } else { Err(Failure::Surplus(self.0.trim().to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cleaned() {
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
    fn answers_have_no_empty_line_inside() {
        let request = Request::parse("3 showboard").unwrap();
        assert_eq!(request.respond(Ok(String::new())), "=3 \n\n");
        assert_eq!(request.respond(Ok("\na\n  \nb\n".to_owned())), "=3 \na\nb\n\n");
        assert_eq!(request.respond(Err(Failure::NoSearch)), "?3 no move has been searched in this game\n\n");
    }
}
