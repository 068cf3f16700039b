//! A player that plays at random.

use game::{Board, Color, Move, Placement, Position};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::api::{Player, Report, SearchLimits};
use crate::options::{FromOptions, Options};

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

    fn choose(&mut self, position: &Position, _: &SearchLimits) -> Report {
        let placement = random_placement(position.board(), position.color(), &mut self.rng);
        Report::without_search(placement.map_or(Move::Pass, Move::Place))
    }
}

/// Draws a legal placement of a colour uniformly. Returns `None` if there is none.
pub(crate) fn random_placement(board: &Board, color: Color, rng: &mut impl Rng) -> Option<Placement> {
    match board.count_placements(color) {
        0 => None,
        count => board.nth_placement(color, rng.random_range(0..count)),
    }
}
