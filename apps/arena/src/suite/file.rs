//! The file of a suite: a line of JSON per position, added as soon as the position is judged.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use game::{Move, excerpt};
use serde::{Deserialize, Serialize};

use super::judge::Simulations;
use super::positions;
use crate::files::{open_to_continue, read_text};
use crate::openings::book::OpeningLine;
use crate::openings::{join, placements};

/// Beginning of every line.
const START: &str = r#"{"line":"#;

/// A position with the values of its best moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct JudgedPosition {
    /// The placements that lead to the position.
    pub line: OpeningLine,
    /// The win probability of the team to move after each judged move, best first.
    pub values: Vec<(Move, f64)>,
    /// Simulations behind the values.
    pub effort: Simulations,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Written {
    line: String,
    values: Vec<(Move, f64)>,
    #[serde(flatten)]
    effort: Simulations,
}

impl From<JudgedPosition> for Written {
    fn from(JudgedPosition { line, values, effort }: JudgedPosition) -> Self {
        // More digits would be noise.
        let rounded = |win: f64| (win * 1e4).round() / 1e4;
        let values = values.into_iter().map(|(mv, win)| (mv, rounded(win))).collect();
        Self { line: join(line.placements()), values, effort }
    }
}

impl TryFrom<Written> for JudgedPosition {
    type Error = String;

    fn try_from(Written { line, values, effort }: Written) -> Result<Self, String> {
        let line = positions::line(placements(&line).map_err(|error| error.to_string())?)?;
        for (mv, win) in &values {
            line.position().check(*mv).map_err(|reason| format!("`{mv}`: {reason}"))?;
            if !(0.0..=1.0).contains(win) {
                return Err(format!("win probability {win} is not between 0 and 1"));
            }
        }
        if values.is_empty() { Err("no move has a value".to_owned()) } else { Ok(Self { line, values, effort }) }
    }
}

/// A suite and its open file.
#[derive(Debug)]
pub struct Suite {
    positions: Vec<JudgedPosition>,
    file: File,
}

impl Suite {
    /// Opens or creates a file for more positions. Removes an incomplete last line.
    pub fn open(path: &Path) -> io::Result<Self> {
        let (text, mut file) = open_to_continue(path)?;
        let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
        let (positions, rest) = (read(complete)?, &text[complete.len()..]);
        if !rest.starts_with(START) && !START.starts_with(rest) {
            return Err(io::Error::other(format!("the last line, `{}`, is not a position of a suite", excerpt(rest))));
        }
        file.set_len(complete.len() as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { positions, file })
    }

    /// Reads the positions of a file.
    pub fn load(path: &Path) -> io::Result<Vec<JudgedPosition>> {
        read(&read_text(path)?)
    }

    /// Adds a position to the file.
    pub fn add(&mut self, judged: JudgedPosition) -> io::Result<()> {
        let line = serde_json::to_string(&judged).expect("a position has only texts and numbers");
        self.file.write_all((line + "\n").as_bytes())?;
        self.positions.push(judged);
        Ok(())
    }

    /// Returns the positions.
    pub fn positions(&self) -> &[JudgedPosition] {
        &self.positions
    }
}

fn read(text: &str) -> io::Result<Vec<JudgedPosition>> {
    let judged = |(number, line): (usize, &str)| {
        let error = |error| io::Error::other(format!("line {number} is not a position of a suite: {error}"));
        serde_json::from_str(line).map_err(error)
    };
    (1..).zip(text.lines()).map(judged).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(placement: &str) -> JudgedPosition {
        let value = format!(r#"{{"line":"PENTO_X@8,0","values":[["{placement}",0.5125]],"root":9,"reply":5}}"#);
        serde_json::from_str(&value).unwrap()
    }

    #[test]
    fn names_wrong_lines() {
        let right = serde_json::to_string(&judged("PENTO_X@8,17")).unwrap();
        for (from, to) in
            [("@8,17", "@8,0"), ("0.5125", "1.5"), ("X@8,0", "X@9,9"), ("[[\"PENTO_X@8,17\",0.5125]]", "[]")]
        {
            let text = format!("{right}\n{}\n", right.replace(from, to));
            assert!(read(&text).unwrap_err().to_string().starts_with("line 2 is not"), "{text}");
        }
    }

    #[test]
    fn other_files_stay_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("suite.jsonl");
        let open_error = || Suite::open(&path).unwrap_err().to_string();
        std::fs::write(&path, "a letter").unwrap();
        assert_eq!(open_error(), "the last line, `a letter`, is not a position of a suite");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a letter");
        for incomplete in ["", "{\"li", "{\"line\":\"PENTO_X@8,0"] {
            std::fs::write(&path, incomplete).unwrap();
            let _suite = Suite::open(&path).unwrap();
            assert_eq!(std::fs::metadata(&path).unwrap().len(), 0);
            assert_eq!(open_error(), "the file is open in another process");
        }
    }
}
