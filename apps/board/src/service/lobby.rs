//! All rooms: making, importing and finding games.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::Serialize;
use thiserror::Error;
use tokio::runtime::Handle;

use super::archive::{Archive, Opening};
use super::house::House;
use super::links::new_links;
use super::room::{Room, RoomError, check_seat};
use super::store::{Listed, StoreError};
use crate::begin::{self, BeginError, NewGame};
use crate::session::{By, Seats, Session, Summary, TimeControl};
use crate::talk;

/// A link to a game.
#[derive(Serialize)]
pub(crate) struct Link {
    /// `host`, `watch` or the letter of a colour.
    pub role: String,
    pub token: String,
}

/// A game in a list, with what the list says of it; nothing if it cannot be read.
#[derive(Serialize)]
pub(crate) struct Summarized {
    #[serde(flatten)]
    listed: Listed,
    #[serde(flatten)]
    summary: Option<Summary>,
}

/// A game that is watched while it is played elsewhere.
#[derive(Clone, Serialize)]
pub(crate) struct Live {
    /// The host's link.
    pub token: String,
    /// The room at the server where it is played.
    pub room: String,
}

/// Why there is no such game.
#[derive(Debug, Error)]
pub(crate) enum LobbyError {
    #[error(transparent)]
    Begin(#[from] BeginError),
    #[error(transparent)]
    Room(#[from] RoomError),
    /// The database of the arena cannot be read, or has no such match or game.
    #[error("{}", with_source(.0))]
    Archive(#[from] arena::database::StoreError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no game with this link")]
    NoLink,
}

/// An error with what is behind it.
fn with_source(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", with_source(source)),
        None => error.to_string(),
    }
}

pub(crate) struct Lobby {
    house: House,
    /// The games that are watched while they are played elsewhere.
    live: Mutex<Vec<Live>>,
    rooms: Mutex<HashMap<i64, Arc<Room>>>,
}

impl Lobby {
    pub fn new(house: House) -> Self {
        Self { house, live: Mutex::default(), rooms: Mutex::default() }
    }

    /// The names of the programs of others that may play.
    pub fn programs(&self) -> Vec<String> {
        self.house.programs.keys().cloned().collect()
    }

    /// Makes a game and its links.
    pub fn create(&self, new: &NewGame) -> Result<Vec<Link>, LobbyError> {
        new.seats.iter().try_for_each(|seat| check_seat(seat, &self.house.programs))?;
        self.keep(&new.session()?)
    }

    /// Makes games of those in a file.
    pub fn import(&self, bytes: &[u8]) -> Result<Vec<Vec<Link>>, LobbyError> {
        begin::import(bytes)?.iter().map(|session| self.keep(session)).collect()
    }

    fn keep(&self, session: &Session) -> Result<Vec<Link>, LobbyError> {
        let links = new_links();
        let game = self.house.store.create(session, &links)?;
        self.links(game)
    }

    fn links(&self, game: i64) -> Result<Vec<Link>, LobbyError> {
        let links = self.house.store.links(game)?;
        Ok(links.into_iter().map(|(role, token)| Link { role, token }).collect())
    }

    /// Whether games are watched that are played elsewhere.
    pub fn watches(&self) -> bool {
        self.house.watches
    }

    /// The games that are watched while they are played elsewhere.
    pub fn live(&self) -> MutexGuard<'_, Vec<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a new game; its host's link.
    pub fn begin(&self, session: &Session) -> Result<String, LobbyError> {
        let links = self.keep(session)?.into_iter();
        links.filter(|link| link.role == "host").map(|link| link.token).next().ok_or(LobbyError::NoLink)
    }

    /// Where what takes time is done.
    pub fn runtime(&self) -> &Handle {
        &self.house.runtime
    }

    /// The database of the arena, if the service was told of one.
    pub fn archive(&self) -> Option<&Archive> {
        self.house.archive.as_deref()
    }

    /// Makes a game of one of the database of the arena.
    pub fn open_archived(&self, id: i64) -> Result<Vec<Link>, LobbyError> {
        let archive = self.archive().ok_or(LobbyError::NoLink)?;
        self.keep(&Session::with(archive.game(id)?, Seats::default(), TimeControl::None))
    }

    /// What was played in the games of the database of the arena from a place of the game behind a link, or from where
    /// it stands if there is no such place; nothing if there is no such database.
    pub fn opening(&self, token: &str, place: Option<usize>) -> Result<Option<Opening>, LobbyError> {
        let (room, _) = self.room(token)?;
        let position = room.look(|session| talk::position(session, place));
        Ok(self.archive().map(|archive| archive.opening(&position)).transpose()?)
    }

    /// The links of the game of a host's link.
    pub fn links_of(&self, token: &str) -> Result<Vec<Link>, LobbyError> {
        match self.house.store.find(token)? {
            Some((game, By::Host)) => self.links(game),
            _ => Err(LobbyError::NoLink),
        }
    }

    /// The games that were changed last.
    pub fn recent(&self) -> Result<Vec<Listed>, LobbyError> {
        Ok(self.house.store.recent(50)?)
    }

    /// The same with what a list says of them.
    pub fn summaries(&self) -> Result<Vec<Summarized>, LobbyError> {
        let summary = |listed: &Listed| self.peek(&listed.token).ok().map(|session| Summary::of(&session));
        Ok(self.recent()?.into_iter().map(|listed| Summarized { summary: summary(&listed), listed }).collect())
    }

    /// A game as it is kept, without going on with it.
    pub fn peek(&self, token: &str) -> Result<Session, LobbyError> {
        let (game, _) = self.house.store.find(token)?.ok_or(LobbyError::NoLink)?;
        Ok(self.house.store.load(game)?)
    }

    /// The room of a link, and what the link is for.
    pub fn room(&self, token: &str) -> Result<(Arc<Room>, By), LobbyError> {
        let (game, by) = self.house.store.find(token)?.ok_or(LobbyError::NoLink)?;
        let mut rooms = self.rooms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(room) = rooms.get(&game) {
            return Ok((Arc::clone(room), by));
        }
        // Whoever comes tidies up; the database has everything.
        rooms.retain(|_, room| Arc::strong_count(room) > 1 || !room.is_idle());
        let session = self.house.store.load(game)?;
        let room = Room::new(game, session, self.house.clone());
        rooms.insert(game, Arc::clone(&room));
        drop(rooms);
        room.wake();
        Ok((room, by))
    }
}
