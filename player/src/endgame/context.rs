//! Shared state of a search.

use super::candidate::{CandidateList, Candidates};
use crate::api::SearchLimits;
use crate::transposition_table::TranspositionTable;

/// The limits ended the search.
pub struct LimitReached;

/// The candidates, memory and limits of a search.
pub struct SolverContext<'a> {
    pub candidates: &'a Candidates,
    pub table: &'a TranspositionTable,
    /// Possible candidates of the states from the root to the current one.
    pub list: CandidateList,
    /// Number of positions searched.
    pub nodes: u64,
    limits: &'a SearchLimits,
}

/// Number of nodes between two checks of the limits; well under a millisecond.
const NODES_PER_CHECK: u64 = 64;

impl<'a> SolverContext<'a> {
    pub fn new(candidates: &'a Candidates, table: &'a TranspositionTable, limits: &'a SearchLimits) -> Self {
        Self { candidates, table, list: CandidateList::new(), nodes: 0, limits }
    }

    /// Counts a position and checks the limits now and then.
    pub fn count_node(&mut self) -> Result<(), LimitReached> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CHECK) && self.limits.is_reached(self.nodes) {
            return Err(LimitReached);
        }
        Ok(())
    }
}
