//! Placements that can still be made.

use std::ops::Index;

use game::{Move, Piece, Placement};

use super::cells::Cells;

/// A placement that may become legal.
pub struct Candidate {
    /// The cells it covers.
    pub cells: Cells,
    /// The cells along its sides, which its colour may not cover then.
    pub sides: Cells,
    /// The cells at its corners, from which its colour may go on.
    pub corners: Cells,
    pub piece: Piece,
    /// A number that no other candidate is likely to have.
    pub signature: u64,
    pub placement: Placement,
}

/// All placements that may become legal for any colour, by their [`Id`]s.
pub struct Candidates(Vec<Candidate>);

/// The number of a candidate.
pub type Id = u16;

/// Some candidates.
pub type List = Vec<Id>;

impl Candidates {
    /// The candidates in the order of their ids, or `None` if they are too many.
    pub fn new(candidates: Vec<Candidate>) -> Option<Self> {
        (candidates.len() <= usize::from(Id::MAX)).then_some(Self(candidates))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The move that makes the placement of a candidate.
    pub fn mv(&self, id: Id) -> Move {
        Move::Place(self[id].placement)
    }
}

impl Index<Id> for Candidates {
    type Output = Candidate;
    #[inline(always)]
    fn index(&self, id: Id) -> &Candidate {
        &self.0[usize::from(id)]
    }
}
