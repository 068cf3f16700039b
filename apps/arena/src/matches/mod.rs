//! Matches: many games between the same two engines.

mod pairs;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use game::{Piece, Rules, Team};
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use server::Clock;
use thiserror::Error;

use crate::database::StoreError;
use crate::defaults::clock;
use crate::engines::{Budget, Contestant, Spec, StartError};
use crate::games::contest::Pairing;
use crate::games::played::{GameId, PlayedGame, Side};
use crate::openings::{Opening, OpeningError};
use crate::ratings::Sprt;

pub use pairs::{Job, PairRunner, play_jobs};

/// Settings of a match. They decide every game.
#[derive(Clone, PartialEq, Debug)]
pub struct MatchPlan {
    /// The contestants with their limits per move, A first.
    pub sides: [Spec; 2],
    /// When a contestant loses for being slow.
    pub clock: Clock,
    /// The rules.
    pub rules: Rules,
    /// The start piece of all games; `None` to draw one for every pair.
    pub start_piece: Option<Piece>,
    /// The opening.
    pub opening: Opening,
    /// Maximum number of pairs of games.
    pub pairs: u32,
    /// Seed of everything that is drawn.
    pub seed: u64,
    /// The test that ends the match when it is decided.
    pub sprt: Option<Sprt>,
}

/// Reason why a match cannot continue.
#[derive(Debug, Error)]
pub enum MatchError {
    /// A contestant cannot play at all.
    #[error(transparent)]
    Start(#[from] StartError),
    /// Games cannot begin as they should.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// Games cannot be read or stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl MatchPlan {
    /// Default number of pairs of games.
    pub const DEFAULT_PAIRS: u32 = 50;

    /// Creates the match of two contestants with the default settings.
    pub fn new(sides: [Spec; 2]) -> Self {
        Self {
            clock: clock(None, sides.each_ref().map(Spec::budget)),
            sides,
            rules: Rules::Season2027,
            start_piece: None,
            opening: Opening::default(),
            pairs: Self::DEFAULT_PAIRS,
            seed: 1,
            sprt: None,
        }
    }

    /// Returns the pairing of a game.
    pub fn pairing(&self, (pair, swapped): GameId) -> Result<Pairing, OpeningError> {
        let opening = self.opening.of_pair(self.seed, pair);
        let (start, opening) = opening.draw(self.rules, self.start_piece, mix([self.seed, pair.into()]))?;
        let seeds = Side::ALL.map(|side| {
            let seed = self.sides[side as usize].built_in().and_then(|player| player.seed).unwrap_or(self.seed);
            mix([seed, pair.into(), swapped.into(), side as u64])
        });
        let team_of_a = if swapped { Team::Two } else { Team::One };
        let tolerant = self.sides.each_ref().map(Spec::is_tolerant);
        Ok(Pairing { pair, team_of_a, start, opening, seeds, tolerant })
    }

    /// Plays all games, `concurrency` at the same time, and calls `on_game` with each as soon as it ends, in no
    /// particular order. Returns early when `stop` is set; games in progress are lost then.
    ///
    /// # Errors
    /// [`MatchError`]; no game is started after one.
    pub fn play(
        &self,
        concurrency: usize,
        stop: &AtomicBool,
        mut on_game: impl FnMut(PlayedGame),
    ) -> Result<(), MatchError> {
        let jobs: Vec<Job> = (0..self.pairs).map(|pair| Job { number: 0, pair }).collect();
        play_jobs(&|_| self.clone(), &jobs, &|_, _| false, None, concurrency, stop, |_, game| {
            on_game(game);
            Ok(ControlFlow::Continue(()))
        })
    }

    fn contestants(&self) -> [Box<dyn Contestant>; 2] {
        self.sides.each_ref().map(|spec| spec.contestant(Budget::UNLIMITED))
    }
}

/// A seed that depends on all numbers.
fn mix<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0, |seed, number| SplitMix64::seed_from_u64(seed ^ number).next_u64())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> MatchPlan {
        let sides = ["random:nodes=1", "random:nodes=1,seed=9"].map(|text| text.parse().unwrap());
        MatchPlan { pairs: 6, seed: 5, ..MatchPlan::new(sides) }
    }

    fn play(plan: &MatchPlan, concurrency: usize) -> Vec<PlayedGame> {
        let mut games = Vec::new();
        plan.play(concurrency, &AtomicBool::new(false), |game| games.push(game)).unwrap();
        games.sort_by_key(|game| (game.pair, game.team_of_a));
        games
    }

    /// Games without the times, which vary.
    fn moves(games: &[PlayedGame]) -> Vec<(u32, Team, Vec<game::Move>)> {
        games.iter().map(|game| (game.pair, game.team_of_a, game.plies.iter().map(|ply| ply.mv).collect())).collect()
    }

    #[test]
    fn games_depend_on_seed_not_concurrency() {
        let games = play(&plan(), 1);
        assert_eq!(games.len(), 12);
        assert_eq!(moves(&games), moves(&play(&plan(), 3)));
        assert_ne!(moves(&games), moves(&play(&MatchPlan { seed: 6, ..plan() }, 1)));
    }

    #[test]
    fn games_of_a_pair_share_opening() {
        let games = play(&plan(), 2);
        for pair in games.chunks(2) {
            let [first, second] = pair else { panic!() };
            assert_eq!((first.pair, first.start, first.team_of_a), (second.pair, second.start, Team::One));
            assert_eq!(second.team_of_a, Team::Two);
            assert_eq!(first.plies[..4], second.plies[..4]);
            assert!(first.plies[3].choice.is_none() && first.plies[4].choice.is_some());
            assert_ne!(first.plies, second.plies);
        }
        assert_ne!(games[0].plies[..4], games[2].plies[..4]);
    }
}
