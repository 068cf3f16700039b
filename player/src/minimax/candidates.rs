//! Which moves are searched.
//!
//! A colour has hundreds of placements in the middle of the game, most of them pointless. In the time for a move a
//! search of all of them gets only two plies deep, one of a few well chosen ones six or more (forward pruning). So at
//! every position only the candidates are searched, those that score best by what can be seen of a placement without
//! playing it. They depend on nothing but the position and how deep it is searched.

use arrayvec::ArrayVec;
use game::{Move, Placement, Position};

use crate::api::Limit;
use crate::model::Model;
use crate::model::prior::{keep_likeliest, likelier};
use crate::pass::may_choose;
use crate::transposition_table::Key;

/// With more placements than this, passing is not a candidate: to wait, one of them will do as well.
const PLACEMENTS_TO_PASS: usize = 6;

/// By what candidates are chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choice<'a> {
    /// What is known of moves.
    pub model: &'a Model,
    /// At most this many placements are candidates.
    pub width: usize,
    /// Whether the [convolutional network](crate::model::policy_net) looks at the position, which takes as long as
    /// some twenty nodes, or the [prior](crate::model::prior) alone decides.
    pub look: bool,
}

/// The candidate moves of the colour on turn, the likeliest first. There is always at least one.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::minimax::{Choice, candidates};
/// use player::model::Model;
///
/// let choice = Choice { model: &Model::built_in(), width: 5, look: false };
/// assert_eq!(candidates(&position, choice).len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn candidates(position: &Position, choice: Choice<'_>) -> Vec<Move> {
    candidates_among(position, choice, &Limit::UNLIMITED)
}

/// The [`candidates`] of the position that is asked about, where the limit may leave a choice among some moves only. If
/// none of them is legal there is no candidate.
pub fn candidates_among(position: &Position, choice: Choice<'_>, limit: &Limit) -> Vec<Move> {
    let mut placements = limit.placements(position);
    if limit.is_restricted() {
        return likeliest(position, placements, choice).into_iter().map(Move::Place).collect();
    }
    let is_tight = placements.len() <= PLACEMENTS_TO_PASS;
    let pass = placements.is_empty() || is_tight && position.may_pass() && may_choose(position, Move::Pass);
    if placements.len() > 1 {
        placements = likeliest(position, placements, choice);
    }
    let moves = placements.into_iter().map(Move::Place);
    moves.chain(pass.then_some(Move::Pass)).collect()
}

fn likeliest(position: &Position, placements: Vec<Placement>, choice: Choice<'_>) -> Vec<Placement> {
    let Choice { model, width, look } = choice;
    let (board, color) = (position.board(), position.color());
    let scorer = match look {
        true => model.policy_scorer(board, position.in_play(), color, position.turn()),
        false => model.prior_scorer(board, color),
    };
    let mut scored: Vec<_> = placements.into_iter().map(|placement| (scorer.score(placement), placement)).collect();
    keep_likeliest(&mut scored, width, |&scored| scored);
    scored.sort_unstable_by(likelier);
    scored.into_iter().map(|(_, placement)| placement).collect()
}

/// Remembers the candidates of positions, since scoring placements is a large part of the work at a position, and the
/// next iteration comes back to nearly all positions of the one before.
///
/// Each position has one place, where the latest stays. Positions with more than
/// [`MOST`](Self::MOST) candidates are not remembered.
pub struct Cache {
    places: Vec<Place>,
}

#[derive(Clone)]
struct Place {
    check: u64,
    moves: ArrayVec<Move, { Cache::MOST }>,
}

impl Cache {
    const MOST: usize = 24;
    /// More than a search of two seconds fills.
    const MOST_PLACES: usize = 1 << 15;

    /// An empty cache of at most this many bytes, but at least one place.
    pub fn new(bytes: usize) -> Self {
        let places = (bytes / size_of::<Place>()).clamp(1, Self::MOST_PLACES);
        Self { places: vec![Place { check: 0, moves: ArrayVec::new() }; places] }
    }

    /// Its size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.places)
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        let bytes = self.bytes();
        // Given back first, for there may be no room for both.
        self.places = Default::default();
        *self = Self::new(bytes);
    }

    /// The [`candidates`] of the position that has this key. Model and width must be the same every time.
    pub fn candidates(&mut self, position: &Position, key: Key, choice: Choice<'_>) -> Vec<Move> {
        // What was chosen with a look is not what is chosen without, and both will be asked for again.
        let Key { place, check } = if choice.look { Key { place: !key.place, check: !key.check } } else { key };
        let at = place as usize % self.places.len();
        let place = &mut self.places[at];
        if place.check == check && !place.moves.is_empty() {
            return place.moves.to_vec();
        }
        let moves = candidates(position, choice);
        if moves.len() <= Self::MOST {
            *place = Place { check, moves: moves.iter().copied().collect() };
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;
    use game::{Piece, Rules};

    #[test]
    fn positions_with_the_same_place_are_told_apart() {
        let positions = [Rules::Season2021, Rules::Season2027]
            .map(|rules| Position::new(rules, Some(Piece::PentoW)).expect("a start piece of both seasons"));
        let (mut cache, model) = (Cache::new(0), Model::built_in());
        assert_eq!(cache.places.len(), 1);
        for _ in 0..2 {
            for (check, position) in (0..).zip(&positions) {
                for look in [false, false, true, true] {
                    let choice = Choice { model: &model, width: 5, look };
                    let cached = cache.candidates(position, Key { place: check, check }, choice);
                    assert_eq!(cached, candidates(position, choice));
                }
            }
        }
    }
}
