//! Positions of a book by the placements that lead to them.

use game::{Move, Placement, Position, Refusal};
use serde::{Deserialize, Serialize};

use crate::files::sha256;

/// An empty board, and placements that are legal one after the other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Line {
    start: Position,
    placements: Vec<Placement>,
}

/// The same in our notation.
#[derive(Serialize, Deserialize)]
struct Written {
    start: String,
    placements: Vec<String>,
}

impl Line {
    /// The line without a placement.
    pub fn of(start: Position) -> Self {
        Self { start, placements: Vec::new() }
    }

    /// The line with one more placement.
    ///
    /// # Errors
    /// Why that is not legal.
    pub fn and(&self, placement: Placement) -> Result<Self, Refusal> {
        self.position().check(Move::Place(placement))?;
        Ok(Self { start: self.start, placements: [&self.placements[..], &[placement]].concat() })
    }

    /// The board before the first placement.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The placements.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Returns the position after the moves.
    pub fn position(&self) -> Position {
        self.placements.iter().fold(self.start, |position, &placement| position.after(Move::Place(placement)))
    }

    /// A number that hardly any other line has.
    pub fn number(&self) -> u64 {
        let Written { start, placements } = self.clone().into();
        let digits = sha256([&[start], &*placements].concat().join(" "));
        u64::from_str_radix(&digits[..16], 16).expect("sums are hexadecimal digits")
    }

    /// The number as a name for files.
    pub fn name(&self) -> String {
        format!("{:016x}", self.number())
    }
}

impl From<Line> for Written {
    fn from(line: Line) -> Self {
        let placements = line.placements.iter().map(Placement::to_string).collect();
        Self { start: line.start.to_string(), placements }
    }
}

impl TryFrom<Written> for Line {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let start = written.start.parse().map_err(|error| format!("`{}`: {error}", game::excerpt(&written.start)))?;
        written.placements.iter().try_fold(Self::of(start), |line, text| {
            let wrong = |reason: String| format!("`{}`: {reason}", game::excerpt(text));
            let placement = text.parse::<Placement>().map_err(|error| wrong(error.to_string()))?;
            line.and(placement).map_err(|refusal| wrong(refusal.to_string()))
        })
    }
}

#[cfg(test)]
mod tests {
    use game::{Piece, Rules};

    use super::*;

    #[test]
    fn lines_round_trip_and_reject_illegal_moves() {
        let line = Line::of(Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap());
        let placement = "PENTO_X@8,0".parse().unwrap();
        let longer = line.and(placement).unwrap();
        assert!(longer.and(placement).is_err());
        assert_ne!(line.name(), longer.name());
        let text = serde_json::to_string(&longer).unwrap();
        assert_eq!(serde_json::from_str::<Line>(&text).unwrap(), longer);
        for (right, wrong) in [("PENTO_X@8,0", "PENTO_X@8,8"), ("PENTO_X@8,0", "PENTO_X"), ("2027", "2028")] {
            let error = serde_json::from_str::<Line>(&text.replace(right, wrong)).unwrap_err().to_string();
            assert!(error.contains(wrong), "{error}");
        }
    }
}
