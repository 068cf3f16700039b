//! What all parts of a search share.

use super::candidate::{Candidates, List};
use crate::api::Limit;
use crate::transposition_table::TranspositionTable;

/// The limit was reached before the result was certain.
pub struct OutOfTime;

/// The candidates of a search, its memory, and how far it may go.
pub struct Workspace<'a> {
    pub candidates: &'a Candidates,
    pub table: &'a TranspositionTable,
    /// The candidates that are still possible in the states from the root to the present one.
    pub list: List,
    /// How many positions have been searched.
    pub nodes: u64,
    limit: &'a Limit,
}

/// How many nodes are searched between two looks at the clock: well under a millisecond.
const NODES_PER_CLOCK: u64 = 64;

impl<'a> Workspace<'a> {
    pub fn new(candidates: &'a Candidates, table: &'a TranspositionTable, limit: &'a Limit) -> Self {
        Self { candidates, table, list: List::new(), nodes: 0, limit }
    }

    /// Counts a position and looks at the clock from time to time.
    pub fn count_node(&mut self) -> Result<(), OutOfTime> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CLOCK) && self.limit.is_reached(self.nodes) {
            return Err(OutOfTime);
        }
        Ok(())
    }
}
