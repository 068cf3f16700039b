//! Limits of a search: the budget of every move, and the limits of one search.

use std::sync::Arc;
use web_time::{Duration, Instant};

use game::Placement;

use super::handle::SearchHandle;

/// Budget of every move: time, nodes, or both. The search ends when either is used up; with neither it never ends.
///
/// [`starting`](Self::starting) turns the budget into the [`SearchLimits`] of one move. Construct it
/// with `..Default::default()`: minor versions may add fields.
///
/// ```
/// use std::time::{Duration, Instant};
/// use player::Budget;
///
/// let requested = Instant::now();
/// let budget = Budget { nodes: Some(500), ..Budget::time(Duration::from_millis(20)) };
/// let limits = budget.starting(requested);
/// assert_eq!((limits.deadline, limits.nodes), (Some(requested + Duration::from_millis(20)), Some(500)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Time from the request for a move to the answer.
    pub time: Option<Duration>,
    /// Number of nodes: positions of a minimax search, simulations of a Monte Carlo search.
    pub nodes: Option<u64>,
}

impl Budget {
    /// No limit of time or nodes.
    pub const UNLIMITED: Self = Self { time: None, nodes: None };

    /// Limits the time only.
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), nodes: None }
    }

    /// Limits the number of nodes only.
    pub const fn nodes(nodes: u64) -> Self {
        Self { time: None, nodes: Some(nodes) }
    }

    /// Returns this budget, or `default` if this one is unlimited.
    ///
    /// ```
    /// use player::Budget;
    ///
    /// let default = Budget::nodes(9);
    /// assert_eq!(Budget::nodes(5).or(default), Budget::nodes(5));
    /// assert_eq!(Budget::UNLIMITED.or(default), default);
    /// ```
    #[must_use]
    pub fn or(self, default: Self) -> Self {
        if self == Self::UNLIMITED { default } else { self }
    }

    /// Returns the limits of a move that was requested at `requested`.
    pub fn starting(self, requested: Instant) -> SearchLimits {
        // A deadline beyond the range of the clock is no limit.
        let deadline = self.time.and_then(|time| requested.checked_add(time));
        SearchLimits { deadline, nodes: self.nodes, ..SearchLimits::UNLIMITED }
    }
}

/// Limits of one search: a deadline and a number of nodes.
///
/// ```
/// use std::time::Duration;
/// use player::SearchLimits;
///
/// assert!(SearchLimits::nodes(100).is_reached(100) && !SearchLimits::nodes(100).is_reached(99));
/// assert_eq!(SearchLimits::nodes(100).after(30).part(2), SearchLimits::nodes(35));
/// assert!(SearchLimits::time(Duration::ZERO).is_reached(0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchLimits {
    /// Time by which the player must answer.
    pub deadline: Option<Instant>,
    /// Maximum number of nodes: positions of a minimax search, simulations of a Monte Carlo search. Minimax and the
    /// endgame solver check it every few dozen nodes and may exceed it.
    pub nodes: Option<u64>,
    /// See [`SearchLimits::with_handle`].
    pub(crate) handle: Option<Arc<SearchHandle>>,
}

impl SearchLimits {
    /// No limit.
    pub const UNLIMITED: Self = Self { deadline: None, nodes: None, handle: None };

    /// Limits the time, counted from now.
    pub fn time(duration: Duration) -> Self {
        Budget::time(duration).starting(Instant::now())
    }

    /// Sets the deadline only.
    pub fn deadline(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..Self::UNLIMITED }
    }

    /// Limits the number of nodes only.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::UNLIMITED }
    }

    /// Adds a handle that lets another thread read the best move so far and stop the search.
    #[must_use]
    pub fn with_handle(self, handle: Arc<SearchHandle>) -> Self {
        Self { handle: Some(handle), ..self }
    }

    /// Publishes the best move so far through the [handle](Self::with_handle). The client sends it if the player misses
    /// the deadline.
    pub fn publish(&self, best: Placement) {
        if let Some(handle) = &self.handle {
            handle.publish(best);
        }
    }

    /// Divides the remaining time and the nodes by `parts`.
    ///
    /// # Panics
    /// If `parts` is 0.
    #[must_use]
    pub fn part(&self, parts: u32) -> Self {
        let now = Instant::now();
        Self {
            deadline: self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / parts),
            nodes: self.nodes.map(|nodes| nodes / u64::from(parts)),
            ..self.clone()
        }
    }

    /// Subtracts the nodes that were already visited.
    #[must_use]
    pub fn after(&self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..self.clone() }
    }

    /// Returns `true` if a search that has visited this many nodes must stop: by its handle, nodes or deadline. Reads
    /// the clock only if there is a deadline.
    pub fn is_reached(&self, nodes: u64) -> bool {
        self.handle.as_ref().is_some_and(|handle| handle.is_stopped())
            || self.nodes.is_some_and(|limit| nodes >= limit)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
