//! All rooms: making, importing and finding games.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use game::{ByColor, Position, Rules};
use rand::seq::IteratorRandom;
use record::Game;
use record::file::{self, FileError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::house::House;
use super::links::new_links;
use super::room::{Room, RoomError, check_seat};
use super::store::{Listed, StoreError};
use crate::session::{By, Seat, Session, TimeControl};

/// What a new game is to be, in JSON for example
/// `{"rules":"2027","seats":[{"kind":"person"},{"kind":"level","level":3},{"kind":"person"},{"kind":"level","level":3}]}`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewGame {
    /// `2021`, `2027` or `classic`; not needed with a position.
    pub rules: Option<String>,
    /// The piece that every colour places first; drawn if none is given and the rules know one.
    pub start_piece: Option<String>,
    /// A position in our notation to begin with.
    pub position: Option<String>,
    /// Blue first.
    pub seats: [Seat; 4],
    #[serde(default)]
    pub control: TimeControl,
}

/// A link to a game.
#[derive(Serialize)]
pub(crate) struct Link {
    /// `host`, `watch` or the letter of a colour.
    pub role: String,
    pub token: String,
}

/// Why there is no such game.
#[derive(Debug, Error)]
pub(crate) enum LobbyError {
    #[error("{what} `{text}`: expected {expected}")]
    Value { what: &'static str, text: String, expected: &'static str },
    #[error(transparent)]
    Notation(#[from] game::NotationError),
    #[error(transparent)]
    Setup(#[from] game::SetupError),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the file has no game")]
    NoGame,
    #[error("the file has a game with more than {MOST_NODES} moves and variations, which is too many for the board")]
    TooLarge,
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("there is no game with this link")]
    NoLink,
}

/// How many games of a file become games of the board.
const MOST_GAMES: usize = 20;

/// How many places a game of the board may have when it comes from a file.
const MOST_NODES: usize = 5_000;

pub(crate) struct Lobby {
    house: House,
    rooms: Mutex<HashMap<i64, Arc<Room>>>,
}

impl Lobby {
    pub fn new(house: House) -> Self {
        Self { house, rooms: Mutex::default() }
    }

    /// The names of the programs of others that may play.
    pub fn programs(&self) -> Vec<String> {
        self.house.programs.keys().cloned().collect()
    }

    /// Makes a game and its links.
    pub fn create(&self, new: &NewGame) -> Result<Vec<Link>, LobbyError> {
        new.seats.iter().try_for_each(|seat| check_seat(seat, &self.house.programs))?;
        let game = Game::new(new.start()?);
        self.keep(&Session::with(game, ByColor(new.seats.clone()), new.control))
    }

    /// Makes games of those in a file: everybody here, nobody on the clock.
    pub fn import(&self, bytes: &[u8]) -> Result<Vec<Vec<Link>>, LobbyError> {
        let games = file::read(bytes)?.take(MOST_GAMES).collect::<Result<Vec<Game>, _>>()?;
        if games.is_empty() {
            return Err(LobbyError::NoGame);
        }
        if games.iter().any(|game| game.node_count() > MOST_NODES) {
            return Err(LobbyError::TooLarge);
        }
        let sessions = games.into_iter().map(|game| Session::with(game, ByColor::default(), TimeControl::None));
        sessions.map(|session| self.keep(&session)).collect()
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

impl NewGame {
    fn start(&self) -> Result<Position, LobbyError> {
        if let Some(position) = &self.position {
            return Ok(position.trim().parse()?);
        }
        let name = self.rules.as_deref().unwrap_or("2027");
        let value = |what, text: &str, expected| LobbyError::Value { what, text: game::excerpt(text), expected };
        let rules: Rules = name.parse().map_err(|_| value("rules", name, "2021, 2027 or classic"))?;
        let piece = match self.start_piece.as_deref() {
            None => rules.start_pieces().iter().choose(&mut rand::rng()),
            Some(name) => Some(name.parse().map_err(|_| value("start piece", name, "a piece such as PENTO_W"))?),
        };
        Ok(Position::new(rules, piece)?)
    }
}
