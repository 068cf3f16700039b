//! Positions of a book by the placements that lead to them.

use game::{IllegalMove, Move, Placement, Position};
use serde::{Deserialize, Serialize};

use crate::files::sha256;

/// An empty board, and placements that are legal one after the other.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Unchecked")]
pub struct OpeningLine {
    start: Position,
    placements: Vec<Placement>,
}

/// A line whose placements may be illegal.
#[derive(Deserialize)]
struct Unchecked {
    start: Position,
    placements: Vec<Placement>,
}

impl OpeningLine {
    /// Returns the line without a placement.
    pub fn of(start: Position) -> Self {
        Self { start, placements: Vec::new() }
    }

    /// Returns the line with one more placement.
    pub fn and(&self, placement: Placement) -> Result<Self, IllegalMove> {
        self.position().check(Move::Place(placement))?;
        Ok(Self { start: self.start, placements: [&self.placements[..], &[placement]].concat() })
    }

    /// Returns the board before the first placement.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the placements.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// Returns the position after the moves.
    pub fn position(&self) -> Position {
        self.placements.iter().fold(self.start, |position, &placement| position.after(Move::Place(placement)))
    }

    /// Returns a name for files: a hash of the line.
    pub fn name(&self) -> String {
        let placements: String = self.placements.iter().map(|placement| format!(" {placement}")).collect();
        sha256(format!("{}{placements}", self.start))[..16].to_owned()
    }
}

impl TryFrom<Unchecked> for OpeningLine {
    type Error = String;

    fn try_from(Unchecked { start, placements }: Unchecked) -> Result<Self, String> {
        placements.into_iter().try_fold(Self::of(start), |line, placement| {
            line.and(placement).map_err(|reason| format!("`{placement}`: {reason}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use game::{Piece, Rules};

    use super::*;

    #[test]
    fn lines_round_trip_and_reject_illegal_moves() {
        let line = OpeningLine::of(Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap());
        let placement = "PENTO_X@8,0".parse().unwrap();
        let longer = line.and(placement).unwrap();
        assert!(longer.and(placement).is_err());
        assert_ne!(line.name(), longer.name());
        let text = serde_json::to_string(&longer).unwrap();
        assert_eq!(serde_json::from_str::<OpeningLine>(&text).unwrap(), longer);
        for (right, wrong) in [("PENTO_X@8,0", "PENTO_X@8,8"), ("PENTO_X@8,0", "PENTO_X"), ("2027", "2028")] {
            let error = serde_json::from_str::<OpeningLine>(&text.replace(right, wrong)).unwrap_err().to_string();
            assert!(error.contains(wrong), "{error}");
        }
    }
}
