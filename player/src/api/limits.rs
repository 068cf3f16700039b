//! Limits of a search: the budget of every move, and the limits of one search.

use std::sync::Arc;
use web_time::{Duration, Instant};

use game::{Move, Placement, Position};

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

/// Limits of one search: a deadline, a number of nodes, and the root moves to choose from.
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
    /// Root moves in ascending order, see [`SearchLimits::restricted_to`].
    pub(crate) root_moves: Option<Arc<[Placement]>>,
    /// See [`SearchLimits::with_handle`].
    pub(crate) handle: Option<Arc<SearchHandle>>,
}

impl SearchLimits {
    /// No limit.
    pub const UNLIMITED: Self = Self { deadline: None, nodes: None, root_moves: None, handle: None };

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

    /// Restricts the root moves to `moves` (`searchmoves` of the Universal Chess Interface). Illegal moves are ignored;
    /// without a legal one the player passes. A second restriction keeps the moves that both allow.
    ///
    /// ```
    /// use game::{Piece, Position, Rules};
    /// use player::{FromOptions, HeuristicPlayer, Options, Player, SearchLimits};
    ///
    /// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
    /// let only = "PENTO_W@0,7".parse()?;
    /// let limits = SearchLimits::nodes(1).restricted_to([only]);
    /// assert_eq!(HeuristicPlayer::new(&Options::default()).choose(&position, &limits).mv, only.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn restricted_to(self, moves: impl IntoIterator<Item = Placement>) -> Self {
        let mut moves: Vec<Placement> = moves.into_iter().filter(|&placement| self.allows(placement)).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { root_moves: Some(moves.into()), ..self }
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

    /// Returns `true` if the root moves are restricted.
    pub fn is_restricted(&self) -> bool {
        self.root_moves.is_some()
    }

    /// Returns `true` if more than one root move may remain. With only one, the caller wants its evaluation.
    pub(crate) fn leaves_choice(&self) -> bool {
        self.root_moves.as_ref().is_none_or(|moves| moves.len() > 1)
    }

    /// Returns `true` if the restriction allows `mv`, which must be legal. A restriction excludes passes.
    ///
    /// ```
    /// use game::Move;
    /// use player::SearchLimits;
    ///
    /// let [one, other] = ["MONO@0,0".parse()?, "MONO@1,0".parse()?];
    /// let limits = SearchLimits::nodes(1).restricted_to([one]);
    /// assert!(limits.allows(one) && !limits.allows(other) && !limits.allows(Move::Pass));
    /// assert!(SearchLimits::nodes(1).allows(other) && SearchLimits::nodes(1).allows(Move::Pass));
    /// # Ok::<(), game::NotationError>(())
    /// ```
    pub fn allows(&self, mv: impl Into<Move>) -> bool {
        let placement = mv.into().placement();
        self.root_moves.as_ref().is_none_or(|moves| placement.is_some_and(|mv| moves.binary_search(&mv).is_ok()))
    }

    /// Lists the legal placements that the restriction allows, in the order of [`game::Board::list_placements`];
    /// none if the game is over.
    ///
    /// ```
    /// use game::{Piece, Position, Rules};
    /// use player::SearchLimits;
    ///
    /// let position = Position::new(Rules::Season2027, Some(Piece::PentoX))?;
    /// let [legal, illegal] = ["PENTO_X@0,7".parse()?, "PENTO_X@8,8".parse()?];
    /// assert_eq!(SearchLimits::UNLIMITED.placements(&position).len(), 68);
    /// assert_eq!(SearchLimits::UNLIMITED.restricted_to([legal, illegal]).placements(&position), [legal]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placements(&self, position: &Position) -> Vec<Placement> {
        let mut placements = position.placements();
        placements.retain(|&placement| self.allows(placement));
        placements
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
