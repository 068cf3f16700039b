//! Candidate moves (forward pruning).
//!
//! A colour has hundreds of placements in the middle of the game, most of them pointless. A search of all gets two
//! plies deep, a search of the likeliest six or more. The candidates depend only on the position and the depth.

use arrayvec::ArrayVec;
use game::{Move, Placement, Position};

use crate::model::Model;
use crate::model::prior::{keep_likeliest, rank};
use crate::root_moves::may_pass_by_choice;
use crate::transposition_table::Key;

/// Maximum number of placements at which a pass is a candidate. With more, a placement can wait as well.
const MAX_PLACEMENTS_TO_PASS: usize = 6;

/// The choice of candidates.
#[derive(Clone, Copy, Debug)]
pub struct CandidateFilter<'a> {
    /// The model that scores placements.
    pub model: &'a Model,
    /// Maximum number of placements.
    pub width: usize,
    /// `true` if the [policy network](crate::model::policy_net) scores the placements, which takes the time of about
    /// twenty nodes, or only the [prior](crate::model::prior).
    pub uses_policy_net: bool,
}

/// Lists the candidates of the colour to move, the likeliest first; at least one.
pub fn candidates(position: &Position, filter: CandidateFilter<'_>) -> Vec<Move> {
    let mut placements = position.placements();
    let pass = placements.is_empty() || placements.len() <= MAX_PLACEMENTS_TO_PASS && may_pass_by_choice(position);
    if placements.len() > 1 {
        placements = likeliest(position, placements, filter);
    }
    placements.into_iter().map(Move::Place).chain(pass.then_some(Move::Pass)).collect()
}

fn likeliest(position: &Position, placements: Vec<Placement>, filter: CandidateFilter<'_>) -> Vec<Placement> {
    let CandidateFilter { model, width, uses_policy_net } = filter;
    let (board, color) = (position.board(), position.color());
    let scorer = match uses_policy_net {
        true => model.policy_scorer(board, position.in_play(), color, position.turn()),
        false => model.prior_scorer(board, color),
    };
    let mut scored: Vec<_> = placements.into_iter().map(|placement| (scorer.score(placement), placement)).collect();
    keep_likeliest(&mut scored, width, |&scored| scored);
    scored.sort_unstable_by_key(rank);
    scored.into_iter().map(|(_, placement)| placement).collect()
}

/// Cache of candidates. Scoring placements is a large part of the work at a position, and an iteration visits most
/// positions of the one before again.
///
/// Each position has one slot, which keeps the latest. Positions with more than [`MAX_MOVES`](Self::MAX_MOVES)
/// candidates are not cached.
pub struct CandidateCache {
    slots: Vec<CacheEntry>,
}

#[derive(Clone)]
struct CacheEntry {
    check: u64,
    moves: ArrayVec<Move, { CandidateCache::MAX_MOVES }>,
}

impl CandidateCache {
    const MAX_MOVES: usize = 24;
    /// More than a search of two seconds fills.
    const MAX_SLOTS: usize = 1 << 15;

    /// Creates an empty cache of at most `bytes` bytes, but at least one slot.
    pub fn new(bytes: usize) -> Self {
        let slots = (bytes / size_of::<CacheEntry>()).clamp(1, Self::MAX_SLOTS);
        Self { slots: vec![CacheEntry { check: 0, moves: ArrayVec::new() }; slots] }
    }

    /// Returns the size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.slots)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        let bytes = self.bytes();
        // Freed first, because there may not be enough memory for both.
        self.slots = Default::default();
        *self = Self::new(bytes);
    }

    /// Returns the [`candidates`] of the position with this key. Model and width must never change.
    pub fn candidates(&mut self, position: &Position, key: Key, filter: CandidateFilter<'_>) -> Vec<Move> {
        // The policy network chooses other candidates, and both lists are needed again.
        let key = if filter.uses_policy_net { Key { slot: !key.slot, check: !key.check } } else { key };
        let at = key.slot as usize % self.slots.len();
        let slot = &mut self.slots[at];
        if slot.check == key.check && !slot.moves.is_empty() {
            return slot.moves.to_vec();
        }
        let moves = candidates(position, filter);
        if moves.len() <= Self::MAX_MOVES {
            *slot = CacheEntry { check: key.check, moves: moves.iter().copied().collect() };
        }
        moves
    }
}
