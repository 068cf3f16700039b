//! What a search for a move is limited to: a budget, and the limit that it becomes when a move is asked for.

use std::sync::Arc;
use web_time::{Duration, Instant};

use game::{Move, Placement, Position};

use super::handle::SearchHandle;

/// What a move may cost: time, nodes, or both, of which the one that is used up first counts. Without either, a player
/// thinks until it knows everything, which a Monte Carlo search never does.
///
/// A budget is the same for every move. [`starting`](Self::starting) makes of it the [`Limit`] of one move.
///
/// ```
/// use std::time::{Duration, Instant};
/// use player::{Budget, Limit};
///
/// let asked = Instant::now();
/// let budget = Budget { nodes: Some(500), ..Budget::time(Duration::from_millis(20)) };
/// let limit = budget.starting(asked);
/// assert_eq!((limit.deadline, limit.nodes), (Some(asked + Duration::from_millis(20)), Some(500)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Budget {
    /// Time from the request for a move to the answer.
    pub time: Option<Duration>,
    /// Nodes visited for a move: positions of a tree search, simulations of a Monte Carlo search.
    pub nodes: Option<u64>,
}

impl Budget {
    /// Neither time nor nodes are limited.
    pub const UNLIMITED: Self = Self { time: None, nodes: None };

    /// So much time for a move, whatever the number of nodes.
    pub const fn time(time: Duration) -> Self {
        Self { time: Some(time), nodes: None }
    }

    /// This many nodes for a move, however long that takes.
    pub const fn nodes(nodes: u64) -> Self {
        Self { time: None, nodes: Some(nodes) }
    }

    /// This budget, or `default` if it limits nothing.
    ///
    /// ```
    /// use player::Budget;
    ///
    /// let default = Budget::nodes(9);
    /// assert_eq!(Budget::nodes(5).or(default), Budget::nodes(5));
    /// assert_eq!(Budget::UNLIMITED.or(default), default);
    /// ```
    pub fn or(self, default: Self) -> Self {
        if self == Self::UNLIMITED { default } else { self }
    }

    /// The limit of a move that was asked for at `asked`.
    pub fn starting(self, asked: Instant) -> Limit {
        // A time so long that no clock shows its end is no limit.
        let deadline = self.time.and_then(|time| asked.checked_add(time));
        Limit { deadline, nodes: self.nodes, ..Limit::UNLIMITED }
    }
}

/// What one search is limited to: when the player must have chosen (at a moment, after a number of nodes, or whichever
/// comes first), and among which moves.
///
/// ```
/// use std::time::Duration;
/// use player::Limit;
///
/// assert!(Limit::nodes(100).is_reached(100) && !Limit::nodes(100).is_reached(99));
/// assert_eq!(Limit::nodes(100).after(30).part(2), Limit::nodes(35));
/// assert!(Limit::time(Duration::ZERO).is_reached(0));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The moment at which the answer must be there.
    pub deadline: Option<Instant>,
    /// How many nodes (positions of a tree search, simulations of a Monte Carlo search) it may visit. Minimax and the
    /// solver of endgames look at it only now and then, and may visit some dozens more.
    pub nodes: Option<u64>,
    /// See [`Limit::among`]. In ascending order.
    pub(crate) root_moves: Option<Arc<[Placement]>>,
    /// See [`Limit::with_handle`].
    pub(crate) handle: Option<Arc<SearchHandle>>,
}

impl Limit {
    /// No limit at all.
    pub const UNLIMITED: Self = Self { deadline: None, nodes: None, root_moves: None, handle: None };

    /// The answer must be there after `duration` from now.
    pub fn time(duration: Duration) -> Self {
        Budget::time(duration).starting(Instant::now())
    }

    /// The answer must be there at `deadline`.
    pub fn deadline(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..Self::UNLIMITED }
    }

    /// The player may visit this many nodes, however long that takes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::UNLIMITED }
    }

    /// The same with a choice among these moves only, in the position that the player is asked about (`searchmoves` of
    /// the Universal Chess Interface). After them the search is free as ever. Moves that are not legal there do not
    /// count; if none is left the answer is a pass, as where a colour cannot move. A choice that was restricted already is
    /// left with what both allow.
    ///
    /// ```
    /// use game::{Piece, Position, Rules};
    /// use player::{FromOptions, HeuristicPlayer, Limit, Options, Player};
    ///
    /// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
    /// let only = "PENTO_W@0,7".parse()?;
    /// let report = HeuristicPlayer::new(&Options::default()).choose(&position, &Limit::nodes(1).among([only]));
    /// assert_eq!(report.mv, only.into());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn among(self, moves: impl IntoIterator<Item = Placement>) -> Self {
        let mut moves: Vec<Placement> = moves.into_iter().filter(|&placement| self.allows(placement)).collect();
        moves.sort_unstable();
        moves.dedup();
        Self { root_moves: Some(moves.into()), ..self }
    }

    /// The same with a handle, through which another thread can read the best move so far and stop the search.
    pub fn with_handle(self, handle: Arc<SearchHandle>) -> Self {
        Self { handle: Some(handle), ..self }
    }

    /// Publishes the best move so far through the [handle](Self::with_handle). The client sends it if the player does
    /// not answer in time.
    pub fn publish(&self, best: Placement) {
        if let Some(handle) = &self.handle {
            handle.publish(best);
        }
    }

    /// Whether there is a choice among some of the moves only.
    pub fn is_restricted(&self) -> bool {
        self.root_moves.is_some()
    }

    /// Whether more than one move may be left to choose from. A caller that leaves one wants an opinion of it.
    pub(crate) fn leaves_choice(&self) -> bool {
        self.root_moves.as_ref().is_none_or(|moves| moves.len() > 1)
    }

    /// Whether a legal move is among those that there is a choice of. A pass is if they are not restricted.
    ///
    /// ```
    /// use game::Move;
    /// use player::Limit;
    ///
    /// let [one, other] = ["MONO@0,0".parse()?, "MONO@1,0".parse()?];
    /// let limit = Limit::nodes(1).among([one]);
    /// assert!(limit.allows(one) && !limit.allows(other) && !limit.allows(Move::Pass));
    /// assert!(Limit::nodes(1).allows(other) && Limit::nodes(1).allows(Move::Pass));
    /// # Ok::<(), game::NotationError>(())
    /// ```
    pub fn allows(&self, mv: impl Into<Move>) -> bool {
        let placement = mv.into().placement();
        self.root_moves.as_ref().is_none_or(|moves| placement.is_some_and(|mv| moves.binary_search(&mv).is_ok()))
    }

    /// The legal placements that there is a choice of, in no order.
    ///
    /// ```
    /// use game::{Piece, Position, Rules};
    /// use player::Limit;
    ///
    /// let position = Position::new(Rules::Season2027, Some(Piece::PentoX))?;
    /// let [legal, illegal] = ["PENTO_X@0,7".parse()?, "PENTO_X@8,8".parse()?];
    /// assert_eq!(Limit::UNLIMITED.placements(&position).len(), 68);
    /// assert_eq!(Limit::UNLIMITED.among([legal, illegal]).placements(&position), [legal]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn placements(&self, position: &Position) -> Vec<Placement> {
        let mut placements = Vec::with_capacity(256);
        position.board().list_placements(position.color(), &mut placements);
        placements.retain(|&placement| self.allows(placement));
        placements
    }

    /// One of this many equal parts of the time from now to the deadline, and of the nodes, for a first attempt.
    ///
    /// # Panics
    /// For no parts.
    pub fn part(&self, parts: u32) -> Self {
        let now = Instant::now();
        Self {
            deadline: self.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / parts),
            nodes: self.nodes.map(|nodes| nodes / u64::from(parts)),
            ..self.clone()
        }
    }

    /// What is left when this many nodes have been visited.
    pub fn after(&self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..self.clone() }
    }

    /// Whether a search that has visited this many nodes must stop, also because its handle says so. Reads the clock if
    /// there is a deadline.
    pub fn is_reached(&self, nodes: u64) -> bool {
        self.handle.as_ref().is_some_and(|handle| handle.is_stopped())
            || self.nodes.is_some_and(|limit| nodes >= limit)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
