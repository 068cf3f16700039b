//! Matches: many games between the same two engines, which viewers can follow live.

pub mod live;
mod pairs;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use game::Team;
use rand::{Rng, SeedableRng};
use rand_xoshiro::SplitMix64;
use thiserror::Error;

use crate::database::StoreError;
use crate::engines::{Budget, Contestant, StartError};
use crate::games::contest::Pairing;
use crate::games::played::{GameId, PlayedGame, Side};
use crate::openings::OpeningError;
use crate::plan::{Job, Plan};

pub use pairs::{PairRunner, play_jobs};

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

/// Playing the games of one match: the plan must have two contestants, see [`match_plan`](Plan::match_plan).
impl Plan {
    /// Returns the pairing of a game.
    ///
    /// # Panics
    /// If there are fewer than two contestants; with debug assertions, also if there are more.
    pub fn pairing(&self, GameId { pair, is_swapped }: GameId) -> Result<Pairing, OpeningError> {
        debug_assert_eq!(self.contestants.len(), 2, "the plan is not one match");
        let opening = self.opening.of_pair(self.seed, pair);
        let (start, opening) = opening.draw(self.rules, self.start_piece, mix([self.seed, pair.into()]))?;
        let seeds = Side::ALL.map(|side| {
            let seed = self.spec(side).built_in().and_then(|player| player.seed).unwrap_or(self.seed);
            mix([seed, pair.into(), is_swapped.into(), side as u64])
        });
        let team_of_a = if is_swapped { Team::Two } else { Team::One };
        Ok(Pairing { pair, team_of_a, start, opening, seeds, is_tolerant: self.is_tolerant })
    }

    /// Plays all games, `concurrency` at the same time, and calls `on_game` with each as soon as it ends, in no
    /// particular order. Returns early when `stop` is set; games in progress are lost then.
    ///
    /// # Errors
    /// [`MatchError`]; no game is started after one.
    ///
    /// # Panics
    /// Like [`pairing`](Self::pairing).
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

    /// Returns players for both sides. Panics like [`pairing`](Self::pairing).
    pub(crate) fn contestants(&self) -> [Box<dyn Contestant>; 2] {
        debug_assert_eq!(self.contestants.len(), 2, "the plan is not one match");
        Side::ALL.map(|side| self.spec(side).contestant(Budget::UNLIMITED))
    }
}

/// Returns a seed that depends on all numbers.
fn mix<const N: usize>(numbers: [u64; N]) -> u64 {
    numbers.into_iter().fold(0, |seed, number| SplitMix64::seed_from_u64(seed ^ number).next_u64())
}
