//! Games to learn from: a player against itself, from many openings and not always at its best, so
//! that positions differ.

use game::{Move, Position, Rules};
use player::mcts::params::Params;
use player::{Limit, MctsPlayer, Options, Player};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::opening::{Opening, OpeningError};

/// What games are played.
///
/// ```
/// use arena::learning::games::Plan;
/// use player::mcts::params::Params;
///
/// let plan = Plan { games: 1, nodes: 2, plies: 3, params: Params::default(), seed: 1 };
/// let mut positions = 0;
/// plan.play(|_, _| positions += 1, &mut || ())?;
/// assert!(positions <= 3);
/// # Ok::<(), arena::opening::OpeningError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// How many games.
    pub games: u32,
    /// Simulations per move.
    pub nodes: u64,
    /// Only so many first plies of each game are played.
    pub plies: usize,
    /// The parameters of the player.
    pub params: Params,
    /// Seed of openings, deviations and players.
    pub seed: u64,
}

/// One move in so many is drawn at random.
const DEVIATION: u32 = 15;

/// At most so many first moves are drawn at random, all of the largest pieces.
const MOST_DRAWN: usize = 8;

impl Plan {
    /// Plays the games, of all rules in turn, and shows every position with the player that has just
    /// searched it; `done` is called after each game.
    ///
    /// # Errors
    /// [`OpeningError`] if an opening cannot be drawn.
    pub fn play(
        &self,
        mut visit: impl FnMut(&Position, &MctsPlayer),
        done: &mut dyn FnMut(),
    ) -> Result<(), OpeningError> {
        for game in 0..self.games {
            let seed = self.seed.wrapping_add(u64::from(game) << 32);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let rules = Rules::ALL[game as usize % Rules::ALL.len()];
            let drawn = rng.random_range(0..MOST_DRAWN.min(self.plies));
            let (mut position, moves) = Opening::Large(drawn).draw(rules, None, seed)?;
            moves.into_iter().for_each(|mv| position.play(mv));
            let mut player =
                MctsPlayer::with_params(&Options { seed, memory: 64 << 20, ..Options::default() }, self.params);
            let mut placements = Vec::new();
            while !position.is_over() && usize::from(position.turn()) < self.plies {
                let report = player.choose(&position, &Limit::nodes(self.nodes));
                if report.depth > 0 {
                    visit(&position, &player);
                }
                let deviates = rng.random_ratio(1, DEVIATION);
                placements.clear();
                position.board().list_placements(position.color(), &mut placements);
                match placements.choose(&mut rng) {
                    Some(&placement) if deviates => position.play(Move::Place(placement)),
                    _ => position.play(report.mv),
                }
            }
            done();
        }
        Ok(())
    }
}
