//! Games of a game server, watched while they are played.
//!
//! The service is an administrator of the server and observes every announced game. Each becomes a game of the board
//! with the server's moves.

use std::collections::HashMap;
use std::io::{ErrorKind, Read, Write};
use std::mem;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use arena::lock::lock;
use game::{Color, Piece, Position, Team};
use protocol::{ClientMessage, Frame, Framer, OPENING, Replay, RoomData, Season, ServerMessage, State};
use record::replay;
use serde::Serialize;

use super::actor::GameHandle;
use super::registry::GameRegistry;
use crate::session::{Action, By};

/// Delay before connecting again.
const RETRY: Duration = Duration::from_secs(2);

/// Interval at which the thread checks whether the service ends.
const POLL: Duration = Duration::from_millis(200);

/// A server of season 2021 does not say that the password is wrong.
const CLOSED: &str = "it has closed the connection (is the password right?)";

/// The reason why a server or a game is no longer watched, for the log.
type Reason = Box<dyn std::error::Error>;

/// A watched game in a list.
#[derive(Serialize)]
pub(crate) struct ServerGame {
    /// The host's token.
    token: String,
    /// The room at the server.
    room: String,
    /// The names of the teams; empty if the server has not sent them.
    names: [String; 2],
    /// Number of played moves.
    moves: usize,
}

/// A game of the board that follows one of the server.
#[derive(Clone)]
struct RunningGame {
    /// The host's token.
    token: String,
    /// The room at the server.
    room: String,
    handle: Arc<GameHandle>,
}

/// The watched games of a server, or why it cannot be watched.
#[derive(Serialize)]
pub(super) struct ServerState {
    games: Vec<ServerGame>,
    /// Empty while the server is watched.
    error: String,
}

/// The watched games of a server.
#[derive(Clone, Default)]
pub(super) struct ServerGames {
    games: Arc<Mutex<Vec<RunningGame>>>,
    /// Why the server cannot be watched; empty while it is.
    error: Arc<Mutex<String>>,
}

impl ServerGames {
    pub fn state(&self) -> ServerState {
        ServerState { games: self.list(), error: lock(&self.error).clone() }
    }

    fn list(&self) -> Vec<ServerGame> {
        let of_session = |RunningGame { token, room, handle }: RunningGame| {
            let game = handle.game();
            let session = game.session();
            let names = Team::ALL.map(|team| session.player_name(team));
            ServerGame { token, room, names, moves: placed(session.start()) + session.moves().len() }
        };
        let listed = lock(&self.games).clone();
        listed.into_iter().filter(|game| !game.handle.is_dead()).map(of_session).collect()
    }
}

/// Returns the number of pieces on the board.
fn placed(position: &Position) -> usize {
    Color::ALL.into_iter().map(|color| Piece::COUNT - position.board().remaining_pieces(color).len()).sum()
}

/// Watches a server on a thread of its own until `stop` is set. Returns its games.
pub(super) fn watch(
    server: String,
    password: String,
    registry: Arc<GameRegistry>,
    stop: Arc<AtomicBool>,
) -> std::io::Result<ServerGames> {
    let listed = ServerGames::default();
    let games = listed.clone();
    let work = move || {
        // Errors since the server was watched. Each is logged once: the server may start much later.
        let mut warned = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let error = ServerWatcher {
                registry: &registry,
                listed: &listed,
                season: Season::default(),
                games: HashMap::new(),
            }
            .follow(&server, &password, &stop)
            .map_or_else(|error| error.to_string(), |()| String::new());
            lock(&listed.games).clear();
            if mem::replace(&mut *lock(&listed.error), error.clone()).is_empty() {
                warned.clear();
            }
            if !stop.load(Ordering::Relaxed) && !warned.contains(&error) {
                log::warn!("the game server {server} cannot be watched: {error}");
                warned.push(error);
            }
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
    followed: RunningGame,
    /// The received states.
    replay: Replay,
}

impl ServerWatcher<'_> {
    fn follow(&mut self, server: &str, password: &str, stop: &AtomicBool) -> Result<(), Reason> {
        let mut stream = TcpStream::connect(server)?;
        stream.set_read_timeout(Some(POLL))?;
        stream.write_all(OPENING.as_bytes())?;
        self.send(&mut stream, &ClientMessage::Authenticate { password: password.to_owned() })?;
        let (mut framer, mut bytes) = (Framer::default(), [0; 16 << 10]);
        while !stop.load(Ordering::Relaxed) {
            let count = match stream.read(&mut bytes) {
                Ok(0) => return Err(CLOSED.into()),
                Ok(count) => count,
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => 0,
                Err(error) => return Err(error.into()),
            };
            framer.push(&bytes[..count]);
            while let Some(frame) = framer.next_frame()? {
                let Frame::Element(element) = frame else { return Err(CLOSED.into()) };
                self.season = Season::from_message(&element).unwrap_or(self.season);
                match ServerMessage::parse(&element, self.season) {
                    Ok(message) => self.receive(message, &mut stream)?,
                    Err(error) => log::warn!("a message of {server} cannot be read: {error}"),
                }
            }
            // It has refused nothing for a while.
            lock(&self.listed.error).clear();
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
            ServerMessage::Error { message, request } => {
                if request.is_some_and(|request| request.attribute("class") == Some("authenticate")) {
                    return Err(format!("it refuses the password: {message}").into());
                }
                log::warn!("the game server refuses a request: {message}");
            }
            _ => {}
        }
        Ok(())
    }

    fn forget(&mut self, room: &str) {
        if let Some(Observed::Watched(game)) = self.games.insert(room.to_owned(), Observed::Done) {
            lock(&self.listed.games).retain(|live| live.token != game.followed.token);
        }
    }

    fn update_game(&mut self, room: &str, data: RoomData) -> Result<(), Reason> {
        match (self.games.get_mut(room), data) {
            (Some(Observed::Watched(game)), data) => game.update(data)?,
            // The game may have begun before.
            (Some(game @ Observed::Joined), RoomData::Memento(state)) if !state.position.is_over() => {
                let watched = WatchedGame::start(self.registry, room, *state)?;
                lock(&self.listed.games).push(watched.followed.clone());
                *game = Observed::Watched(Box::new(watched));
            }
            _ => {}
        }
        Ok(())
    }
}

impl WatchedGame {
    fn start(registry: &GameRegistry, room: &str, state: State) -> Result<Self, Reason> {
        let replay =
            Replay { room: room.to_owned(), season: state.season, states: vec![state], error: None, result: None };
        let (handle, token) = registry.follow(replay::read(&replay)?)?;
        Ok(Self { followed: RunningGame { token, room: room.to_owned(), handle }, replay })
    }

    fn update(&mut self, data: RoomData) -> Result<(), Reason> {
        let handle = &self.followed.handle;
        let last = self.replay.states.last().map(|state| state.position);
        if last.as_ref() != Some(handle.game().session().position()) {
            return Err("somebody has continued the game here".into());
        }
        match data {
            RoomData::Memento(state) if Some(state.position.turn()) > last.map(|last| last.turn()) => {
                self.replay.states.push(*state);
            }
            RoomData::Result(result) => self.replay.result = Some(result),
            _ => return Ok(()),
        }
        let game = replay::read(&self.replay)?;
        // States of season 2027 have no names.
        if self.replay.result.is_some() {
            for (team, name) in Team::ALL.into_iter().zip(&game.names).filter(|(_, name)| !name.is_empty()) {
                handle.act(Action::Name { team, name: name.clone() }, By::Server, None)?;
            }
        }
        Ok(handle.follow(&game)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::ServiceState;
    use super::*;
    use game::Rules;
    use protocol::{Cause, Element, GameResult, Score};
    use std::net::TcpListener;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn only_refused_password_ends_watching() {
        let folder = tempfile::tempdir().unwrap();
        let registry = GameRegistry::new(ServiceState::for_test(folder.path()));
        let listed = ServerGames::default();
        let mut watcher =
            ServerWatcher { registry: &registry, listed: &listed, season: Season::Season2027, games: HashMap::new() };
        let listener = TcpListener::bind("localhost:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        for (class, is_fatal) in [("observe", false), ("authenticate", true)] {
            let request = Some(Element::new("originalRequest").with("class", class));
            let refused = ServerMessage::Error { message: "refused".to_owned(), request };
            assert_eq!(watcher.receive(refused, &mut stream).is_err(), is_fatal);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn state_has_the_error_until_the_server_is_watched() {
        let folder = tempfile::tempdir().unwrap();
        let registry = Arc::new(GameRegistry::new(ServiceState::for_test(folder.path())));
        let stop = Arc::new(AtomicBool::new(false));
        let listener = TcpListener::bind("localhost:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let games = watch(address, "wrong".to_owned(), registry, Arc::clone(&stop)).unwrap();
        let wait_until_watched = |is_watched: bool| {
            while games.state().error.is_empty() != is_watched {
                thread::sleep(Duration::from_millis(10));
            }
        };
        let (mut server, _) = listener.accept().unwrap();
        let refusal = "<protocol><errorpacket message='no'><originalRequest class='authenticate'/></errorpacket>";
        server.write_all(refusal.as_bytes()).unwrap();
        wait_until_watched(false);
        assert_eq!(games.state().error, "it refuses the password: no");
        let (_server, _) = listener.accept().unwrap();
        wait_until_watched(true);
        stop.store(true, Ordering::Relaxed);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn names_survive_undo_that_ends_watching() {
        let folder = tempfile::tempdir().unwrap();
        let registry = GameRegistry::new(ServiceState::for_test(folder.path()));
        let listed = ServerGames::default();
        let mut watcher =
            ServerWatcher { registry: &registry, listed: &listed, season: Season::Season2027, games: HashMap::new() };
        let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
        let (mut position, mut moves) = (start, Vec::new());
        while !position.is_over() {
            moves.push(position.legal_moves()[0]);
            position.play(moves[moves.len() - 1]);
        }
        let count = moves.len();
        assert!(count < position.turn().into(), "turns of removed colours are no moves");
        let states = Replay::from_game("room", &start, moves, ["", ""]).unwrap().states;
        let last: &[State; 3] = states.last_chunk().unwrap();
        let memento = |n: usize| RoomData::Memento(last[n].clone().into());
        let score = |name: &str| Score { name: Some(name.to_owned()), ..Score::new(Cause::Regular, 1, 5) };
        let scores = ["Ada", "Bob"].map(score);
        let result = GameResult { scores, is_lone: false, winners: Vec::new(), regular: true, reason: String::new() };

        // The host names a team while the game is played, or the server names both at its end.
        for (is_over, names) in [(false, ["Eve", ""]), (true, ["Ada", "Bob"])] {
            watcher.games.insert("room".to_owned(), Observed::Joined);
            let mut update = |data| watcher.update_game("room", data);
            update(memento(0)).unwrap();
            update(memento(1)).unwrap();
            let (game, _) = registry.find(&listed.list().last().unwrap().token).unwrap();
            if is_over {
                update(memento(2)).unwrap();
                update(RoomData::Result(result.clone())).unwrap();
            } else {
                game.act(Action::Name { team: Team::One, name: "Eve".to_owned() }, By::Host, None).unwrap();
            }
            let shown = listed.list().pop().unwrap();
            // The first observed state is two moves before the end.
            let played = if is_over { count } else { count - 1 };
            assert_eq!((shown.names, shown.moves), (names.map(str::to_owned), played));
            game.act(Action::Undo, By::Host, None).unwrap();
            let error = update(memento(2)).unwrap_err();
            assert!(error.to_string().contains("somebody has continued"), "{error}");
            let shown = game.game();
            assert_eq!(shown.session().position().turn(), last[usize::from(is_over)].position.turn());
            assert_eq!(Team::ALL.map(|team| shown.session().player_name(team)), names);
        }
    }
}
