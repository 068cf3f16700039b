//! Games of a game server that are watched while they are played.
//!
//! The service is an administrator of the server, who is told when somebody joins a game, and observes every game of
//! which it is told. Each becomes a game of the board, in which the server makes the moves.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use game::{ByColor, Team};
use protocol::{ClientMessage, Frame, Framer, OPENING, Replay, RoomData, Season, ServerMessage, State};
use record::{Game, replay};
use thiserror::Error;

use super::config::GameServer;
use super::lobby::{Live, Lobby, LobbyError};
use super::room::{Room, RoomError};
use crate::session::{Action, By, Seat, Session, TimeControl};

/// How long until the server is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// How often it is looked whether the service ends.
const PATIENCE: Duration = Duration::from_millis(200);

/// Why the server is not watched any more.
#[derive(Debug, Error)]
enum WatchError {
    #[error(transparent)]
    Network(#[from] std::io::Error),
    #[error(transparent)]
    Protocol(#[from] protocol::FrameError),
    #[error("it has ended")]
    Ended,
    #[error("it refuses: {0}")]
    Refused(String),
}

/// Why a game is not watched any more.
#[derive(Debug, Error)]
enum GameError {
    #[error(transparent)]
    Lobby(#[from] LobbyError),
    #[error(transparent)]
    Room(#[from] RoomError),
    #[error("the state of turn {0} does not follow from the one before")]
    Unclear(u16),
    #[error("somebody has gone on with the game here")]
    Elsewhere,
}

/// Watches a server on a thread of its own until `stop` is set.
pub(super) fn watch(server: GameServer, lobby: Arc<Lobby>, stop: Arc<AtomicBool>) -> std::io::Result<()> {
    let work = move || {
        let mut last = String::new();
        while !stop.load(Ordering::Relaxed) {
            let error =
                Watcher::new(&lobby).follow(&server, &stop).map_or_else(|error| error.to_string(), |()| String::new());
            lobby.live().clear();
            // Said once, for it may be long until somebody starts the server.
            if !stop.load(Ordering::Relaxed) && error != last {
                log::warn!("the game server {} cannot be watched: {error}", server.address);
            }
            last = error;
            thread::sleep(RETRY);
        }
    };
    thread::Builder::new().name("watch".to_owned()).spawn(work).map(drop)
}

struct Watcher<'a> {
    lobby: &'a Lobby,
    season: Season,
    /// By the server's room.
    games: HashMap<String, Observed>,
}

/// A game of the server.
enum Observed {
    /// Nothing is known of it yet.
    Joined,
    /// It is on the board.
    Watched(Box<Watched>),
    /// It is over, or what the server says cannot be followed any more.
    GivenUp,
}

/// A game that is watched.
struct Watched {
    room: Arc<Room>,
    token: String,
    /// What an observer has been told of it.
    replay: Replay,
}

impl<'a> Watcher<'a> {
    fn new(lobby: &'a Lobby) -> Self {
        Self { lobby, season: Season::default(), games: HashMap::new() }
    }

    fn follow(&mut self, server: &GameServer, stop: &AtomicBool) -> Result<(), WatchError> {
        let mut stream = TcpStream::connect(&server.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(OPENING.as_bytes())?;
        self.say(&mut stream, &ClientMessage::Authenticate { password: server.password.clone() })?;
        let (mut framer, mut bytes) = (Framer::new(Framer::DEFAULT_LIMIT), [0; 16 << 10]);
        while !stop.load(Ordering::Relaxed) {
            let count = match stream.read(&mut bytes) {
                Ok(0) => return Err(WatchError::Ended),
                Ok(count) => count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => continue,
                Err(error) => return Err(error.into()),
            };
            framer.push(&bytes[..count]);
            while let Some(frame) = framer.next_frame()? {
                let Frame::Element(element) = frame else { return Err(WatchError::Ended) };
                self.season = Season::of_message(&element).unwrap_or(self.season);
                match ServerMessage::parse(&element, self.season) {
                    Ok(message) => self.hear(message, &mut stream)?,
                    Err(error) => log::warn!("a message of {} cannot be read: {error}", server.address),
                }
            }
        }
        Ok(())
    }

    fn say(&self, stream: &mut TcpStream, message: &ClientMessage) -> std::io::Result<()> {
        stream.write_all(message.to_element(self.season).to_xml(1).as_bytes())
    }

    fn hear(&mut self, message: ServerMessage, stream: &mut TcpStream) -> Result<(), WatchError> {
        match message {
            ServerMessage::JoinedGameRoom { room, .. } if !self.games.contains_key(&room) => {
                self.games.insert(room.clone(), Observed::Joined);
                self.say(stream, &ClientMessage::Observe { room })?;
            }
            ServerMessage::Room { room, data } => {
                if let Err(error) = self.hear_of_game(&room, data) {
                    log::warn!("room {room} is not watched any more: {error}");
                    self.forget(&room);
                }
            }
            ServerMessage::Left { room } => self.forget(&room),
            ServerMessage::Error { message, .. } => return Err(WatchError::Refused(message)),
            _ => {}
        }
        Ok(())
    }

    fn forget(&mut self, room: &str) {
        if let Some(Observed::Watched(game)) = self.games.insert(room.to_owned(), Observed::GivenUp) {
            self.lobby.live().retain(|live| live.token != game.token);
        }
    }

    fn hear_of_game(&mut self, room: &str, data: RoomData) -> Result<(), GameError> {
        match (self.games.get_mut(room), data) {
            (Some(Observed::Watched(game)), RoomData::Memento(state)) => game.go_on(*state),
            (Some(Observed::Watched(game)), RoomData::Result(result)) => {
                game.replay.result = Some(result);
                game.end()
            }
            // Whoever is told of a game only in its middle watches it from there.
            (Some(game @ Observed::Joined), RoomData::Memento(state)) if !state.position.is_over() => {
                *game = Observed::Watched(Box::new(Watched::begin(self.lobby, room, *state)?));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Watched {
    fn begin(lobby: &Lobby, room: &str, state: State) -> Result<Self, GameError> {
        let replay =
            Replay { room: room.to_owned(), season: state.season, states: vec![state], error: None, result: None };
        let mut game = Game::new(replay.states[0].position);
        game.id.clone_from(&replay.room);
        let seats = ByColor([(); 4].map(|()| Seat::Guest));
        let token = lobby.begin(&Session::with(game, seats, TimeControl::None))?;
        lobby.live().push(Live { token: token.clone(), room: room.to_owned() });
        Ok(Self { room: lobby.room(&token)?.0, token, replay })
    }

    /// Makes the move that led to a state.
    fn go_on(&mut self, state: State) -> Result<(), GameError> {
        let before = self.replay.states.last().map_or(state.position, |state| state.position);
        if state.position.turn() <= before.turn() {
            return Ok(());
        }
        let unclear = GameError::Unclear(state.position.turn());
        let Some(mv) = state.last_move.and_then(|mv| mv.check(&before).ok()) else { return Err(unclear) };
        if before.after(mv) != state.position {
            return Err(unclear);
        }
        let (position, version) = self.room.look(|session| (*session.position(), session.version()));
        if position != before {
            return Err(GameError::Elsewhere);
        }
        self.room.act(&Action::Play { mv }, By::Server, Some(version))?;
        self.replay.states.push(state);
        Ok(())
    }

    /// Says who played and who lost by a fault.
    fn end(&self) -> Result<(), GameError> {
        // What was played is legal: it has been checked move by move.
        let Ok(game) = replay::read(&self.replay) else { return Ok(()) };
        for team in Team::ALL {
            let name = game.names[team as usize].clone();
            if !name.is_empty() {
                self.room.act(&Action::Name { team, name }, By::Server, None)?;
            }
        }
        if let Some((team, fault)) = game.fault {
            let end = Action::Forfeit { team, kind: fault.kind, detail: fault.detail };
            self.room.act(&end, By::Server, None)?;
        }
        Ok(())
    }
}
