//! A match whose games are kept in a database as they end, so that it goes on where it was stopped.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use game::Team;
use thiserror::Error;

use crate::matches::{MatchError, MatchPlan};
use crate::played::PlayedGame;
use crate::statistics::Tally;
use crate::store::{Store, StoreError, StoredGame};

/// Where the games of a match go.
///
/// ```
/// use arena::records::Records;
///
/// let records = Records::new(None, None);
/// assert_eq!(records.id(), None);
/// ```
pub struct Records {
    /// None if no games are kept.
    store: Option<Store>,
    /// The number of the match, which is added with its first game: one of which no game is played,
    /// because a contestant cannot be started, is none.
    id: Option<i64>,
}

/// Why a match has ended before its time.
#[derive(Debug, Error)]
pub enum RecordsError {
    /// It cannot be played.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// Its games cannot be read or kept. There is no sense in games that are lost.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Records {
    /// For a match of this number of a database, for a new one if there is no number, or for games that are not kept.
    pub fn new(store: Option<Store>, id: Option<i64>) -> Self {
        Self { store, id }
    }

    /// The number of the match, if it has one yet.
    pub fn id(&self) -> Option<i64> {
        self.id
    }

    /// Adds what is kept already to the tally and [plays](MatchPlan::play) the rest. `on_game` is called after every
    /// game, when it is safe. What has been played counts in the tally whatever is returned.
    ///
    /// # Errors
    /// [`RecordsError`]
    pub fn play(
        &mut self,
        plan: &MatchPlan,
        tally: &mut Tally,
        concurrency: usize,
        stop: &AtomicBool,
        mut on_game: impl FnMut(&Tally),
    ) -> Result<(), RecordsError> {
        let mut finished = HashSet::new();
        if let (Some(store), Some(id)) = (&self.store, self.id) {
            for StoredGame { record, .. } in store.games(id)? {
                tally.add(&record);
                finished.insert((record.pair, record.team_of_a == Team::Two));
            }
        }
        let mut unsaved = Ok(());
        let played = plan.play(&finished, tally, concurrency, stop, |game, tally| {
            if let Err(error) = self.save(plan, game) {
                unsaved = Err(error);
                stop.store(true, Ordering::Relaxed);
            }
            on_game(tally);
        });
        unsaved?;
        Ok(played?)
    }

    fn save(&mut self, plan: &MatchPlan, game: &PlayedGame) -> Result<(), StoreError> {
        let Some(store) = &mut self.store else { return Ok(()) };
        let id = match self.id {
            Some(id) => id,
            None => *self.id.insert(store.add_match(plan)?),
        };
        store.add_game(id, game, None).map(|_| ())
    }
}
