//! Games of a game server, watched while they are played.
//!
//! The service is an administrator of the server and observes every announced game. Each becomes a game of the board with
//! the server's moves.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use game::Team;
use protocol::{ClientMessage, Frame, Framer, OPENING, Replay, RoomData, Season, ServerMessage, State};
use record::{Game, replay};
use serde::Serialize;

use super::actor::GameHandle;
use super::config::GameServer;
use super::registry::GameRegistry;
use crate::session::{Action, By};

/// Delay before connecting again.
const RETRY: Duration = Duration::from_secs(2);

/// Interval at which the thread checks whether the service ends.
const POLL: Duration = Duration::from_millis(200);

/// The reason why a server or a game is no longer watched, for the log.
type Reason = Box<dyn std::error::Error>;

/// A watched game in a list.
#[derive(Clone, Serialize)]
pub(crate) struct ServerGame {
    /// The host's token.
    token: String,
    /// The room at the server.
    room: String,
}

/// The watched games of a server.
#[derive(Clone, Default)]
pub(super) struct ServerGames(Arc<Mutex<Vec<ServerGame>>>);

impl ServerGames {
    pub fn list(&self) -> Vec<ServerGame> {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<ServerGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches a server on a thread of its own until `stop` is set. Returns its games.
pub(super) fn watch(
    server: GameServer,
    registry: Arc<GameRegistry>,
    stop: Arc<AtomicBool>,
) -> std::io::Result<ServerGames> {
    let listed = ServerGames::default();
    let games = listed.clone();
    let work = move || {
        let mut last = String::new();
        while !stop.load(Ordering::Relaxed) {
            let error = ServerWatcher {
                registry: &registry,
                listed: &listed,
                season: Season::default(),
                games: HashMap::new(),
            }
            .follow(&server, &stop)
            .map_or_else(|error| error.to_string(), |()| String::new());
            listed.lock().clear();
            // Logged once: the server may start much later.
            if !stop.load(Ordering::Relaxed) && error != last {
                log::warn!("the game server {} cannot be watched: {error}", server.address);
            }
            last = error;
            thread::sleep(RETRY);
        }
    };
    thread::Builder::new().name("watch".to_owned()).spawn(work).map(|_| games)
}

struct ServerWatcher<'a> {
    registry: &'a GameRegistry,
    listed: &'a ServerGames,
    season: Season,
    /// Games by the rooms of the server.
    games: HashMap<String, Observed>,
}

/// A game of the server.
enum Observed {
    /// Announced, but without a state yet.
    Joined,
    /// A game of the board.
    Watched(Box<WatchedGame>),
    /// Over, or no longer watched.
    Done,
}

struct WatchedGame {
    handle: Arc<GameHandle>,
    token: String,
    /// The received states.
    replay: Replay,
}

impl ServerWatcher<'_> {
    fn follow(&mut self, server: &GameServer, stop: &AtomicBool) -> Result<(), Reason> {
        let mut stream = TcpStream::connect(&server.address)?;
        stream.set_read_timeout(Some(POLL))?;
        stream.write_all(OPENING.as_bytes())?;
        self.send(&mut stream, &ClientMessage::Authenticate { password: server.password.clone() })?;
        let (mut framer, mut bytes) = (Framer::new(Framer::DEFAULT_LIMIT), [0; 16 << 10]);
        while !stop.load(Ordering::Relaxed) {
            let count = match stream.read(&mut bytes) {
                Ok(0) => return Err("it has closed the connection".into()),
                Ok(count) => count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => continue,
                Err(error) => return Err(error.into()),
            };
            framer.push(&bytes[..count]);
            while let Some(frame) = framer.next_frame()? {
                let Frame::Element(element) = frame else { return Err("it has closed the connection".into()) };
                self.season = Season::of_message(&element).unwrap_or(self.season);
                match ServerMessage::parse(&element, self.season) {
                    Ok(message) => self.receive(message, &mut stream)?,
                    Err(error) => log::warn!("a message of {} cannot be read: {error}", server.address),
                }
            }
        }
        Ok(())
    }

    fn send(&self, stream: &mut TcpStream, message: &ClientMessage) -> std::io::Result<()> {
        stream.write_all(message.to_element(self.season).to_xml(1).as_bytes())
    }

    fn receive(&mut self, message: ServerMessage, stream: &mut TcpStream) -> Result<(), Reason> {
        match message {
            ServerMessage::JoinedGameRoom { room, .. } if !self.games.contains_key(&room) => {
                self.games.insert(room.clone(), Observed::Joined);
                self.send(stream, &ClientMessage::Observe { room })?;
            }
            ServerMessage::Room { room, data } => {
                if let Err(error) = self.update_game(&room, data) {
                    log::warn!("room {room} is no longer watched: {error}");
                    self.forget(&room);
                }
            }
            ServerMessage::Left { room } => self.forget(&room),
            ServerMessage::Error { message, .. } => return Err(format!("it refuses: {message}").into()),
            _ => {}
        }
        Ok(())
    }

    fn forget(&mut self, room: &str) {
        if let Some(Observed::Watched(game)) = self.games.insert(room.to_owned(), Observed::Done) {
            self.listed.lock().retain(|live| live.token != game.token);
        }
    }

    fn update_game(&mut self, room: &str, data: RoomData) -> Result<(), Reason> {
        match (self.games.get_mut(room), data) {
            (Some(Observed::Watched(game)), RoomData::Memento(state)) => game.update(*state),
            (Some(Observed::Watched(game)), RoomData::Result(result)) => {
                game.replay.result = Some(result);
                game.end()
            }
            // The game may have begun before.
            (Some(game @ Observed::Joined), RoomData::Memento(state)) if !state.position.is_over() => {
                let watched = WatchedGame::start(self.registry, room, *state)?;
                self.listed.lock().push(ServerGame { token: watched.token.clone(), room: room.to_owned() });
                *game = Observed::Watched(Box::new(watched));
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl WatchedGame {
    fn start(registry: &GameRegistry, room: &str, state: State) -> Result<Self, Reason> {
        let replay =
            Replay { room: room.to_owned(), season: state.season, states: vec![state], error: None, result: None };
        let mut game = Game::new(replay.states[0].position);
        game.id.clone_from(&replay.room);
        let (handle, token) = registry.follow(game)?;
        Ok(Self { handle, token, replay })
    }

    /// Plays the move that led to a state.
    fn update(&mut self, state: State) -> Result<(), Reason> {
        let before = self.replay.states.last().map_or(state.position, |state| state.position);
        if state.position.turn() <= before.turn() {
            return Ok(());
        }
        let mv = state.last_move.and_then(|mv| mv.check(&before).ok());
        let Some(mv) = mv.filter(|&mv| before.after(mv) == state.position) else {
            let turn = state.position.turn();
            return Err(format!("the state of turn {turn} does not follow from the previous one").into());
        };
        let game = self.handle.game();
        if *game.session().position() != before {
            return Err("somebody has continued the game here".into());
        }
        self.handle.act(Action::Play { mv }, By::Server, Some(game.session().version()))?;
        self.replay.states.push(state);
        Ok(())
    }

    /// Names the players, and ends the game by its fault.
    fn end(&self) -> Result<(), Reason> {
        // The moves have been checked one by one.
        let Ok(game) = replay::read(&self.replay) else { return Ok(()) };
        for team in Team::ALL {
            let name = game.names[team as usize].clone();
            if !name.is_empty() {
                self.handle.act(Action::Name { team, name }, By::Server, None)?;
            }
        }
        Ok(self.handle.end(game.fault.as_ref())?)
    }
}
