//! Games to learn from: a player against itself, from many openings and not always at its best, so
//! that positions differ.

use std::ops::Range;
use std::sync::Arc;

use game::{Move, Position, Rules};
use player::mcts::Params;
use player::model::Model;
use player::playout::Playout;
use player::{MctsPlayer, Options, Player, SearchLimits};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use arena::openings::{Opening, OpeningError};

/// What games are played.
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

/// Number of random first moves, all of the largest pieces.
const DRAWN: Range<usize> = 0..8;

/// [`Plan::play`] draws one move in this many at random.
const DEVIATION: u32 = 15;

/// Turn of the first exploration move in [`Plan::play_to_end`], and the number of random plies.
const STRAY_TURN: Range<u16> = 4..46;
const STRAY_PLIES: Range<usize> = 0..9;

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

    /// Plays the games, of all rules in turn, to their ends. Each strays at one turn, for some plies of a playout;
    /// all moves after that are the player's own. Shows the positions before these, and the final one; `done` is
    /// called after each game.
    ///
    /// ```
    /// # use trainer::games::Plan;
    /// # use player::mcts::Params;
    /// # use player::model::Model;
    /// let plan = Plan { games: 1, nodes: 2, params: Params::default(), seed: 1, model: Model::built_in() };
    /// plan.play_to_end(|positions, end| assert!(!positions.is_empty() && end.is_over()), &mut || ())?;
    /// # Ok::<(), arena::openings::OpeningError>(())
    /// ```
    ///
    /// # Errors
    /// [`OpeningError`] if an opening cannot be drawn.
    pub fn play_to_end(
        &self,
        mut visit: impl FnMut(&[Position], &Position),
        done: &mut dyn FnMut(),
    ) -> Result<(), OpeningError> {
        let policy = self.params.policy();
        let mut positions = Vec::new();
        for game in 0..self.games {
            let (mut position, mut player, mut rng) = self.begin(game, usize::MAX)?;
            let stray_turn = rng.random_range(STRAY_TURN);
            while !position.is_over() && position.turn() < stray_turn {
                position.play(player.choose(&position, &SearchLimits::nodes(self.nodes)).mv);
            }
            let mut playout = Playout::new(&position);
            playout.run(&policy, rng.random_range(STRAY_PLIES), &mut rng);
            playout.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
            positions.clear();
            while !position.is_over() {
                positions.push(position);
                position.play(player.choose(&position, &SearchLimits::nodes(self.nodes)).mv);
            }
            visit(&positions, &position);
            done();
        }
        Ok(())
    }

    /// The position after the opening of a game (at most this many plies), its player, and its random numbers.
    fn begin(&self, game: u32, plies: usize) -> Result<(Position, MctsPlayer, Xoshiro256PlusPlus), OpeningError> {
        let seed = self.seed.wrapping_add(u64::from(game) << 32);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let rules = Rules::ALL[game as usize % Rules::ALL.len()];
        let drawn = rng.random_range(DRAWN.start..DRAWN.end.min(plies));
        let (mut position, moves) = Opening::Large(drawn).draw(rules, None, seed)?;
        moves.into_iter().for_each(|mv| position.play(mv));
        let options = Options { seed, memory: 64 << 20, model: self.model.clone(), ..Options::default() };
        let player = MctsPlayer::with_params(&options, self.params);
        Ok((position, player, rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_begin_at_exploration_move() {
        let plan = Plan { games: 12, nodes: 5, params: Params::default(), seed: 3, model: Model::built_in() };
        let (mut games, mut firsts) = (0, Vec::new());
        plan.play_to_end(
            |positions, end| {
                firsts.push(positions[0].turn());
                assert!(positions.iter().all(|position| !position.is_over()) && end.is_over());
                assert!(positions.windows(2).all(|pair| pair[0].turn() < pair[1].turn()));
                // One of the legal moves leads from each to the next, so that none is missing.
                for (position, next) in positions.iter().zip(positions[1..].iter().chain([end])) {
                    let placements = position.board().placements(position.color());
                    let moves = placements.into_iter().map(Move::Place).chain([Move::Pass]);
                    let leads = |mv: Move| {
                        let mut after = *position;
                        after.try_play(mv).is_ok() && after == *next
                    };
                    assert!(moves.into_iter().any(leads));
                }
            },
            &mut || games += 1,
        )
        .unwrap();
        assert_eq!((games, firsts.len()), (12, 12));
        firsts.dedup();
        assert!(firsts.len() > 6 && firsts.iter().all(|&turn| turn >= STRAY_TURN.start), "{firsts:?}");
    }
}
