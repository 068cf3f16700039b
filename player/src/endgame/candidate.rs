//! Candidates: placements that may still become legal.

use std::ops::Index;

use game::{Move, Piece, Placement};

use super::cells::CellSet;

pub struct Candidate {
    /// Covered cells.
    pub cells: CellSet,
    /// Cells along its sides, which its colour may not cover afterwards.
    pub sides: CellSet,
    /// Cells at its corners, which become anchors of its colour.
    pub corners: CellSet,
    pub piece: Piece,
    /// Hash of colour and placement.
    pub hash: u64,
    pub placement: Placement,
}

/// All candidates of all colours, by their [`CandidateId`]s.
pub struct Candidates(Vec<Candidate>);

/// Number of a candidate.
pub type CandidateId = u16;

/// A list of candidates.
pub type CandidateList = Vec<CandidateId>;

impl Candidates {
    /// Creates the set in the order of ids. Returns `None` if there are too many.
    pub fn new(candidates: Vec<Candidate>) -> Option<Self> {
        (candidates.len() <= usize::from(CandidateId::MAX)).then_some(Self(candidates))
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns the move of a candidate.
    pub fn mv(&self, id: CandidateId) -> Move {
        Move::Place(self[id].placement)
    }
}

impl Index<CandidateId> for Candidates {
    type Output = Candidate;
    #[inline(always)]
    fn index(&self, id: CandidateId) -> &Candidate {
        &self.0[usize::from(id)]
    }
}
