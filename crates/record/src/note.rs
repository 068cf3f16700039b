//! Notes about moves.

use std::time::Duration;

/// A note about a move, or about the start of a game.
///
/// ```
/// use record::Note;
///
/// let note = Note { win: Some(0.53), depth: Some(4), ..Note::default() };
/// assert!(!note.is_empty() && Note::default().is_empty());
/// ```
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Note {
    /// Free text with any number of lines.
    pub comment: String,
    /// The player's win probability for the team that moved, or at the start for team one, 0 to 1; a draw counts half.
    pub win: Option<f32>,
    /// The expected margin of that team in points.
    pub margin: Option<f32>,
    /// The thinking time.
    pub time: Option<Duration>,
    /// The visited nodes.
    pub nodes: Option<u64>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// Other properties of a file of Pentobi, for example `TE[1]`. Such files and lines of JSON keep them.
    pub properties: Vec<Property>,
}

/// A property of a file of Pentobi without a meaning here.
///
/// ```
/// use record::{NodeId, sgf};
///
/// let games = sgf::read("(;GM[Blokus Two-Player]TE[1])")?;
/// assert_eq!(games[0].node(NodeId::START).note.properties[0].id, "TE");
/// # Ok::<(), record::ParseError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    /// Name: capital letters and digits.
    pub id: String,
    /// Values, at least one.
    pub values: Vec<String>,
}

impl Note {
    /// Returns `true` if the note is empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the figures as text, for example `win 0.53  margin +3.2  ms 12.3`.
    pub(crate) fn figures(&self) -> String {
        let Self { win, margin, time, nodes, depth, .. } = self;
        let figures = [
            win.map(|win| format!("win {win}")),
            margin.map(|margin| format!("margin {margin:+}")),
            time.map(|time| format!("ms {}", millis(time))),
            nodes.map(|nodes| format!("nodes {nodes}")),
            depth.map(|depth| format!("depth {depth}")),
        ];
        figures.into_iter().flatten().collect::<Vec<_>>().join("  ")
    }

    /// Reads a figure that [`figures`](Self::figures) wrote. The error is the expected value, or the expected names.
    pub(crate) fn read_figure(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "win" => self.win = Some(share(value).ok_or("a number from 0 to 1")?),
            "margin" => self.margin = Some(number(value).ok_or("a number")?),
            "ms" => self.time = Some(value.parse().ok().and_then(time_of_millis).ok_or("milliseconds")?),
            "nodes" => self.nodes = Some(value.parse().map_err(|_| "a whole number")?),
            "depth" => self.depth = Some(value.parse().map_err(|_| "a whole number")?),
            _ => return Err("win, margin, ms, nodes or depth"),
        }
        Ok(())
    }
}

fn number(text: &str) -> Option<f32> {
    text.parse().ok().filter(|number: &f32| number.is_finite())
}

fn share(text: &str) -> Option<f32> {
    number(text).filter(|share| (0.0..=1.0).contains(share))
}

/// Returns a time in milliseconds, exact to the nanosecond for three months.
pub(crate) fn millis(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e6
}

/// Returns the time of this many milliseconds, if it is valid.
pub(crate) fn time_of_millis(ms: f64) -> Option<Duration> {
    let nanos = (ms * 1e6).round();
    // More than a game can last, and still exact.
    (0.0..9e15).contains(&nanos).then(|| Duration::from_nanos(nanos as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_impossible_figures() {
        for (name, value) in [
            ("win", "1.1"),
            ("win", "NaN"),
            ("win", "-0.1"),
            ("margin", "inf"),
            ("margin", ""),
            ("ms", "-1"),
            ("ms", "1e300"),
            ("ms", "NaN"),
            ("nodes", "1.5"),
            ("depth", "-3"),
            ("wins", "1"),
        ] {
            assert!(Note::default().read_figure(name, value).is_err(), "{name} {value}");
        }
    }
}
