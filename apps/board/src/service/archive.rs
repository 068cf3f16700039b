//! A database of the arena, opened read-only: its matches and games.
//!
//! A match may be writing to it, so each request reads the current content.

use std::path::Path;
use std::sync::Mutex;

use arena::database::{self, ListedGame, StoreError, StoredMatch};
use arena::lock::lock;
use record::Game;

use super::error::ServiceError;
use super::failure::RequestError;

/// Maximum number of listed games of a match.
const MAX_GAMES: u32 = 200;

pub(crate) struct Archive {
    store: Mutex<database::Store>,
}

impl Archive {
    /// Opens an existing database.
    pub fn open(path: &Path) -> Result<Self, ServiceError> {
        Ok(Self { store: Mutex::new(database::Store::open_to_read(path)?) })
    }

    pub(super) fn with<T>(
        &self,
        read: impl FnOnce(&database::Store) -> Result<T, StoreError>,
    ) -> Result<T, RequestError> {
        Ok(read(&lock(&self.store))?)
    }

    /// Returns all matches, the newest first.
    pub fn matches(&self) -> Result<Vec<StoredMatch>, RequestError> {
        self.with(|store| Ok(store.matches()?.into_iter().rev().collect()))
    }

    /// Returns the newest games of a match, the last first.
    pub fn games(&self, match_id: i64) -> Result<Vec<ListedGame>, RequestError> {
        self.with(|store| store.newest_games(match_id, MAX_GAMES))
    }

    /// Returns a game.
    pub fn game(&self, id: i64) -> Result<Game, RequestError> {
        self.with(|store| {
            let found = store.game(id)?;
            Ok(found.to_game(&store.find_match(found.match_id)?))
        })
    }
}
