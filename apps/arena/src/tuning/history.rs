//! The course of a tuning in a file that can resume it.
//!
//! The first line describes the tuning, the second names the columns, and each further line is an iteration: its
//! number, the first candidate's score and the resulting values, separated by tabs. A tuning depends only on its seed
//! and the scores, so the scores suffice to repeat it.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use super::Spsa;
use crate::files::open_to_continue;

/// An open file of iterations.
#[derive(Debug)]
pub struct History {
    file: File,
}

impl History {
    /// Opens or makes the file of a tuning that has just begun, described by `title`, and repeats the
    /// iterations in it. An incomplete last iteration is played again.
    pub fn open(path: &Path, title: &str, spsa: &mut Spsa) -> io::Result<Self> {
        let (text, mut file) = open_to_continue(path)?;
        let complete = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = complete.lines();
        // A tuning killed at once leaves a part of the title.
        if lines.next().map_or(!title.starts_with(&text), |first| first != title) {
            let found = text.lines().next().unwrap_or_default();
            return Err(io::Error::other(format!("the file is of another tuning, `{found}`, not `{title}`")));
        }
        for (n, text) in lines.skip(1).enumerate() {
            let (line, iteration) = (n + 3, spsa.iteration());
            repeat(spsa, text).ok_or_else(|| {
                let expected = format!("does not match iteration {iteration} of this tuning");
                io::Error::other(format!("line {line}, `{text}`, {expected}"))
            })?;
        }
        if spsa.iteration() == 1 {
            file.set_len(0)?;
            file.rewind()?;
            write!(file, "{title}\n{}\n", header(spsa))?;
        } else {
            file.set_len(complete.len() as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        Ok(Self { file })
    }

    /// Adds the iteration that has just ended, by this score.
    pub fn add(&mut self, score: f64, spsa: &Spsa) -> io::Result<()> {
        self.file.write_all((row(score, spsa) + "\n").as_bytes())
    }
}

fn header(spsa: &Spsa) -> String {
    let names = spsa.axes.iter().map(|axis| format!("\t{}", axis.name));
    "iteration\tscore".to_owned() + &names.collect::<String>()
}

/// Returns the line of the iteration before the current one.
fn row(score: f64, spsa: &Spsa) -> String {
    let values = spsa.values().into_iter().map(|value| format!("\t{value}"));
    format!("{}\t{score}{}", spsa.iteration() - 1, values.collect::<String>())
}

/// Repeats the iteration of a line; `None` if the result differs.
fn repeat(spsa: &mut Spsa, line: &str) -> Option<()> {
    let score = line.split('\t').nth(1)?.parse().ok().filter(|score| (-1.0..=1.0).contains(score))?;
    if spsa.is_done() {
        return None;
    }
    spsa.update(score);
    (row(score, spsa) == line).then_some(())
}
