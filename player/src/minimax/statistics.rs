//! What a search tells about its own work.

use std::fmt;
use std::ops::Add;

/// How often the table and the order of moves were of use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Positions looked up in the table.
    pub probes: u64,
    /// Positions found in the table, to whatever depth.
    pub hits: u64,
    /// Positions that did not have to be searched because of what the table knew.
    pub table_cutoffs: u64,
    /// Positions in which a move was so good that the others were not searched.
    pub beta_cutoffs: u64,
    /// Positions in which that was the first move searched.
    pub first_move_beta_cutoffs: u64,
}

impl Add for Statistics {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            probes: self.probes + other.probes,
            hits: self.hits + other.hits,
            table_cutoffs: self.table_cutoffs + other.table_cutoffs,
            beta_cutoffs: self.beta_cutoffs + other.beta_cutoffs,
            first_move_beta_cutoffs: self.first_move_beta_cutoffs + other.first_move_beta_cutoffs,
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let percent = |part: u64, whole: u64| 100.0 * part as f64 / whole.max(1) as f64;
        write!(
            f,
            "table: {} probes, {:.1} % hits, {:.1} % cut-offs; moves: {} positions refuted, {:.1} % by the first move",
            self.probes,
            percent(self.hits, self.probes),
            percent(self.table_cutoffs, self.probes),
            self.beta_cutoffs,
            percent(self.first_move_beta_cutoffs, self.beta_cutoffs),
        )
    }
}
