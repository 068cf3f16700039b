//! Which moves are looked at.
//!
//! A colour has hundreds of placements in the middle of the game, most of them pointless. In the time for a move a
//! search of all of them gets only two plies deep, one of a few well chosen ones six or more (forward pruning). So at
//! every position only the candidates are looked at, those that score best by what can be seen of a placement without
//! playing it. They depend on nothing but the position, so that a search has a well-defined result.

use arrayvec::ArrayVec;
use game::{Move, Placement, Position};

use crate::Limit;
use crate::model::Prior;
use crate::model::prior::{keep_likeliest, likelier};
use crate::pass::may_choose;
use crate::table::Key;

/// With more placements than this, passing is not a candidate: to wait, one of them will do as well.
const PLACEMENTS_TO_PASS: usize = 6;

/// The candidate moves of the colour on turn, at most `width` placements, the likeliest first by the
/// [prior](crate::model::prior). There is always at least one.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::minimax::candidates;
/// use player::model::Model;
///
/// assert_eq!(candidates(&position, 5, &Model::built_in().prior).len(), 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn candidates(position: &Position, width: usize, prior: &Prior) -> Vec<Move> {
    candidates_among(position, width, prior, &Limit::UNLIMITED)
}

/// The [`candidates`] of the position that is asked about, where the limit may leave a choice among some moves only. If
/// none of them is legal there is no candidate.
pub fn candidates_among(position: &Position, width: usize, prior: &Prior, limit: &Limit) -> Vec<Move> {
    let mut placements = limit.placements(position);
    if limit.is_restricted() {
        return likeliest(position, placements, width, prior).into_iter().map(Move::Place).collect();
    }
    let is_tight = placements.len() <= PLACEMENTS_TO_PASS;
    let pass = placements.is_empty() || is_tight && position.may_pass() && may_choose(position, Move::Pass);
    if placements.len() > 1 {
        placements = likeliest(position, placements, width, prior);
    }
    let moves = placements.into_iter().map(Move::Place);
    moves.chain(pass.then_some(Move::Pass)).collect()
}

fn likeliest(position: &Position, placements: Vec<Placement>, width: usize, prior: &Prior) -> Vec<Placement> {
    let (board, color) = (position.board(), position.color());
    let scorer = prior.scorer(board, color);
    let mut scored: Vec<_> = placements.into_iter().map(|placement| (scorer.score(placement), placement)).collect();
    keep_likeliest(&mut scored, width, |&scored| scored);
    scored.sort_unstable_by(likelier);
    scored.into_iter().map(|(_, placement)| placement).collect()
}

/// Remembers the candidates of positions, since scoring placements is most of the work at a
/// position, and the next iteration comes back to nearly all positions of the one before.
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

    /// The [`candidates`] of the position that has this key. Width and prior must be the same every time.
    pub fn candidates(&mut self, position: &Position, key: Key, width: usize, prior: &Prior) -> Vec<Move> {
        let at = key.place as usize % self.places.len();
        let place = &mut self.places[at];
        if place.check == key.check && !place.moves.is_empty() {
            return place.moves.to_vec();
        }
        let moves = candidates(position, width, prior);
        if moves.len() <= Self::MOST {
            *place = Place { check: key.check, moves: moves.iter().copied().collect() };
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
                for _ in 0..2 {
                    let cached = cache.candidates(position, Key { place: check, check }, 5, &model.prior);
                    assert_eq!(cached, candidates(position, 5, &model.prior));
                }
            }
        }
    }
}
