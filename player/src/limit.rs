//! How long a player may think.

use std::time::{Duration, Instant};

/// When a player must have chosen: at a moment, after a number of nodes, or whichever comes first.
///
/// ```
/// use std::time::Duration;
/// use player::Limit;
///
/// assert!(Limit::nodes(100).is_reached(100) && !Limit::nodes(100).is_reached(99));
/// assert_eq!(Limit::nodes(100).after(30).part(2), Limit::nodes(35));
/// assert!(Limit::time(Duration::ZERO).is_reached(0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The moment at which the answer must be there.
    pub deadline: Option<Instant>,
    /// How many nodes (positions of a tree search, playouts of a Monte Carlo search) it may visit.
    pub nodes: Option<u64>,
}

impl Limit {
    /// The answer must be there after `duration` from now.
    pub fn time(duration: Duration) -> Self {
        Self { deadline: Some(Instant::now() + duration), nodes: None }
    }

    /// The answer must be there at `deadline`.
    pub fn deadline(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), nodes: None }
    }

    /// The player may visit this many nodes, however long that takes.
    pub fn nodes(nodes: u64) -> Self {
        Self { deadline: None, nodes: Some(nodes) }
    }

    /// One of so many equal parts of the time from now to the deadline, and of the nodes, for a first attempt.
    ///
    /// # Panics
    /// For no parts.
    pub fn part(&self, parts: u32) -> Self {
        let now = Instant::now();
        Self {
            deadline: self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / parts),
            nodes: self.nodes.map(|nodes| nodes / u64::from(parts)),
        }
    }

    /// What is left when this many nodes have been visited.
    pub fn after(&self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..*self }
    }

    /// Whether a search that has visited this many nodes must stop. Reads the clock if there is a
    /// deadline.
    pub fn is_reached(&self, nodes: u64) -> bool {
        self.nodes.is_some_and(|limit| nodes >= limit)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
