//! Games for training the prior: a player against itself, from many openings and with random moves, so that positions
//! differ.

use std::sync::Arc;

use game::{Move, Position, Rules};
use player::mcts::Params;
use player::model::Model;
use player::{MctsPlayer, Options, Player, SearchLimits};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use arena::openings::{Opening, OpeningError};

/// Settings of the games.
///
/// ```
/// use trainer::games::Plan;
/// use player::mcts::Params;
/// use player::model::Model;
///
/// let plan = Plan { games: 1, nodes: 2, params: Params::default(), seed: 1, model: Model::built_in() };
/// let mut positions = 0;
/// plan.play(3, |_, _| positions += 1, &mut || ())?;
/// assert!(positions <= 3);
/// # Ok::<(), arena::openings::OpeningError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plan {
    /// Number of games.
    pub games: u32,
    /// Simulations per move.
    pub nodes: u64,
    /// The parameters of the player.
    pub params: Params,
    /// Seed of openings, deviations and players.
    pub seed: u64,
    /// Model of the player.
    pub model: Arc<Model>,
}

/// Fewer first moves than this are random, all of the largest pieces.
const MOST_DRAWN: usize = 8;

/// [`Plan::play`] draws one move in this many at random.
const DEVIATION: u32 = 15;

impl Plan {
    /// Plays the first `plies` plies of the games, of all rules in turn, and shows every position with the player that
    /// has just searched it; `done` is called after each game.
    ///
    /// # Errors
    /// [`OpeningError`] if an opening cannot be drawn.
    pub fn play(
        &self,
        plies: usize,
        mut visit: impl FnMut(&Position, &MctsPlayer),
        done: &mut dyn FnMut(),
    ) -> Result<(), OpeningError> {
        for game in 0..self.games {
            let (mut position, mut player, mut rng) = self.begin(game, plies)?;
            while !position.is_over() && usize::from(position.turn()) < plies {
                let report = player.choose(&position, &SearchLimits::nodes(self.nodes));
                if player.candidates().next().is_some() {
                    visit(&position, &player);
                }
                let deviates = rng.random_ratio(1, DEVIATION);
                let placements = position.board().placements(position.color());
                match placements.choose(&mut rng) {
                    Some(&placement) if deviates => position.play(Move::Place(placement)),
                    _ => position.play(report.mv),
                }
            }
            done();
        }
        Ok(())
    }

    /// The position after the opening of a game (at most this many plies), its player, and its random numbers.
    fn begin(&self, game: u32, plies: usize) -> Result<(Position, MctsPlayer, Xoshiro256PlusPlus), OpeningError> {
        let seed = self.seed.wrapping_add(u64::from(game) << 32);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = Rules::ALL[game as usize % Rules::ALL.len()];
        let drawn = rng.random_range(0..MOST_DRAWN.min(plies));
        let (mut position, moves) = Opening::Large(drawn).draw(rules, None, seed)?;
        moves.into_iter().for_each(|mv| position.play(mv));
        let options = Options { seed, memory: 64 << 20, model: self.model.clone(), ..Options::default() };
        let player = MctsPlayer::with_params(&options, self.params);
        Ok((position, player, rng))
    }
}
