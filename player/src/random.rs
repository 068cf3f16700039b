//! A player that plays at random.

use game::{Move, Position};
use rand::SeedableRng;
use rand::seq::IteratorRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{FromOptions, Options, Player, Report, SearchLimits};

/// Plays a uniformly random placement: the weakest opponent, and the shortest example of a player.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits};
///
/// let player = |seed| RandomPlayer::new(&Options { seed, ..Options::default() });
/// let choose = |seed| player(seed).choose(&position, &SearchLimits::UNLIMITED).mv;
/// assert_eq!(choose(1), choose(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RandomPlayer {
    rng: Xoshiro256PlusPlus,
}

impl FromOptions for RandomPlayer {
    fn new(options: &Options) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(options.seed) }
    }
}

impl Player for RandomPlayer {
    fn name(&self) -> &'static str {
        "random"
    }

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        let placement = if limits.is_restricted() {
            limits.placements(position).into_iter().choose(&mut self.rng)
        } else {
            position.board().random_placement(position.color(), &mut self.rng)
        };
        Report::without_search(placement.map_or(Move::Pass, Move::Place))
    }
}
