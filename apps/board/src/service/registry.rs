//! All games of a service: creating, importing and finding them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use arena::database::{self, StoreError};
use arena::lock::lock;
use game::ByColor;
use record::Game;
use serde::Serialize;
use tokio::sync::mpsc::unbounded_channel;

use super::actor::GameHandle;
use super::failure::{NO_LINK, RequestError};
use super::links::{self, GameLink};
use super::state::ServiceState;
use super::store::RecentGame;
use crate::new_game::{self, NewGame};
use crate::session::{Action, By, Seat, Seats, Session, Summary, TimeControl};

/// A game in a list with its summary; `None` if it cannot be read.
#[derive(Serialize)]
pub(crate) struct SummarizedGame {
    #[serde(flatten)]
    listed: RecentGame,
    #[serde(flatten)]
    summary: Option<Summary>,
}

/// All games of a service.
pub(crate) struct GameRegistry {
    service: Arc<ServiceState>,
    games: Mutex<HashMap<i64, Arc<GameHandle>>>,
}

impl GameRegistry {
    pub fn new(service: Arc<ServiceState>) -> Self {
        Self { service, games: Mutex::default() }
    }

    /// Returns the names of the external programs.
    pub fn programs(&self) -> Vec<String> {
        self.service.programs.keys().cloned().collect()
    }

    /// Creates a game. Returns its links.
    pub fn create(&self, new: &NewGame) -> Result<Vec<GameLink>, RequestError> {
        new.seats.iter().try_for_each(|seat| self.service.settings.check_seat(seat))?;
        self.store(&new.session()?)
    }

    /// Creates the games of a file.
    pub fn import(&self, bytes: &[u8]) -> Result<Vec<Vec<GameLink>>, RequestError> {
        new_game::import(bytes)?.iter().map(|session| self.store(session)).collect()
    }

    /// Stores a new game. Returns its links, the host's first.
    pub fn store(&self, session: &Session) -> Result<Vec<GameLink>, RequestError> {
        let host = links::secret();
        self.service.store.create(session, &host)?;
        Ok(links::of_host(&host))
    }

    /// Stores a new game that is played elsewhere. Returns its handle and the host's token.
    pub fn follow(&self, game: Game) -> Result<(Arc<GameHandle>, String), RequestError> {
        let (host, seats) = (links::secret(), ByColor([(); 4].map(|()| Seat::Guest)));
        let game = self.service.store.create(&Session::with(game, seats, TimeControl::None), &host)?;
        Ok((self.open(game)?, host))
    }

    /// Reads the database of the arena; returns `None` without one.
    pub fn archived<T>(
        &self,
        read: impl FnOnce(&database::Store) -> Result<T, StoreError>,
    ) -> Result<Option<T>, RequestError> {
        Ok(self.service.archive.as_ref().map(|store| read(&lock(store))).transpose()?)
    }

    /// Creates a game from one of the database of the arena.
    pub fn open_archived(&self, id: i64) -> Result<Vec<GameLink>, RequestError> {
        let game = self.archived(|store| {
            let found = store.game(id)?;
            Ok(found.to_game(&store.find_match(found.match_id)?))
        })?;
        self.store(&Session::with(game.ok_or(NO_LINK)?, Seats::default(), TimeControl::None))
    }

    /// Returns the links of the game of a host's token.
    pub fn links(&self, token: &str) -> Result<Vec<GameLink>, RequestError> {
        Ok(self.service.store.links(self.find_hosted(token)?, token)?)
    }

    /// Names the game of a host's token.
    pub fn rename(&self, token: &str, name: String) -> Result<(), RequestError> {
        let (game, by) = self.find(token)?;
        game.act(Action::Label { node: 0, name }, by, None)
    }

    /// Deletes the game of a host's token.
    pub fn delete(&self, token: &str) -> Result<(), RequestError> {
        let game = self.find_hosted(token)?;
        self.service.store.delete(game)?;
        if let Some(handle) = lock(&self.games).remove(&game) {
            handle.delete();
        }
        Ok(())
    }

    /// Returns the games that were changed last.
    pub fn recent(&self, max_games: u32) -> Result<Vec<RecentGame>, RequestError> {
        Ok(self.service.store.recent(max_games)?)
    }

    /// Returns the games that were changed last with their summaries.
    pub fn summaries(&self, max_games: u32) -> Result<Vec<SummarizedGame>, RequestError> {
        let summary = |listed: &RecentGame| self.load(listed).ok().map(|session| Summary::of(&session));
        let summarized = |listed| SummarizedGame { summary: summary(&listed), listed };
        Ok(self.recent(max_games)?.into_iter().map(summarized).collect())
    }

    /// Loads a game of a list without starting its programs.
    pub fn load(&self, listed: &RecentGame) -> Result<Session, RequestError> {
        Ok(self.service.store.load(listed.game)?.ok_or(NO_LINK)?)
    }

    /// Finds the game of a token, and the role of its holder.
    pub fn find(&self, token: &str) -> Result<(Arc<GameHandle>, By), RequestError> {
        let (game, by) = self.service.store.find(token)?.ok_or(NO_LINK)?;
        Ok((self.open(game)?, by))
    }

    /// Returns the game of a host's token.
    fn find_hosted(&self, token: &str) -> Result<i64, RequestError> {
        match self.service.store.find(token)? {
            Some((game, By::Host)) => Ok(game),
            _ => Err(NO_LINK.into()),
        }
    }

    fn open(&self, game: i64) -> Result<Arc<GameHandle>, RequestError> {
        if let Some(handle) = lock(&self.games).get(&game).filter(|handle| !handle.is_dead()) {
            return Ok(Arc::clone(handle));
        }
        let session = self.service.store.load(game)?.ok_or(NO_LINK)?;
        let mut games = lock(&self.games);
        games.retain(|_, handle| !handle.is_dead() && (Arc::strong_count(handle) > 1 || !handle.is_idle()));
        let start = || Arc::new(GameHandle::start(unbounded_channel(), game, session, Arc::clone(&self.service)));
        // Another thread may have opened it meanwhile.
        Ok(Arc::clone(games.entry(game).or_insert_with(start)))
    }
}
