//! Recorded sessions, played again on our server.
//!
//! A recording does not tell how the messages of several clients interleave. The module searches for an order that makes
//! our lobby answer like the official server. At every moment a client may send its next message, be late, or disconnect,
//! or a deadline may pass. The search undoes a step that does not lead to the recorded answers.

mod ids;
mod search;

use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use game::{Position, Team};
use protocol::{ClientMessage, Framer, OPENING, RoomData, Season, ServerMessage, Slot, State};
use server::{Lobby, Options};

use crate::recordings::{Connection, Recording};

pub use ids::{Followed, Ids};
use ids::{ID, id_at, ids};
use search::{Actor, Search, Stage};

/// Recorded connections that took part in the same games.
#[derive(Clone, Debug)]
pub struct Session {
    /// The season of the server.
    pub season: Season,
    roles: Vec<Role>,
    /// The identifiers that the server gave out.
    known: BTreeSet<String>,
}

/// One connection of a session.
#[derive(Clone, Debug)]
pub struct Role {
    /// The name of the recording.
    pub name: String,
    /// Messages of the client; the beginning of the document belongs to the first.
    pub messages: Vec<Vec<u8>>,
    /// Recorded answers to the client.
    pub answers: String,
    /// Whether the recording ends before a game does, so that more may have come.
    is_cut_off: bool,
}

/// An action in a session. Clients are counted as in [`Session::roles`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// A client sends its next message.
    Send(usize),
    /// A client sends its next message later than a player may.
    SendLate(usize),
    /// A client breaks off.
    BreakOff(usize),
    /// The next deadline passes.
    Deadline,
}

/// An action and the number of bytes that each client has received after it.
pub type Step = (Action, Vec<usize>);

/// Delay of a late client: longer than allowed, and short enough to wait for.
pub const LATE: Duration = Duration::from_millis(2100);

/// Maximum number of obstacles in a report.
const OBSTACLES: usize = 6;

/// More than any session needs.
const ACTION_LIMIT: usize = 20_000;

/// The sessions of some connections. Connections that name a common room or reservation belong together.
pub fn sessions(connections: &[Connection]) -> Vec<Session> {
    let text = |recording: &Recording| String::from_utf8_lossy(&recording.bytes).into_owned();
    let given: BTreeSet<String> =
        connections.iter().flat_map(|connection| given_out(&text(connection.server))).collect();
    let mut groups: Vec<(BTreeSet<String>, Vec<&Connection>)> = Vec::new();
    for connection in connections {
        let season = connection.server.season;
        let texts = [connection.client, connection.server].map(text);
        let mut names: BTreeSet<String> =
            texts.iter().flat_map(|text| ids(text)).filter(|id| given.contains(id)).collect();
        let mut group = vec![connection];
        let is_same = |(others, other): &mut (BTreeSet<String>, Vec<&Connection>)| {
            other[0].server.season == season && !others.is_disjoint(&names)
        };
        for (others, other) in groups.extract_if(.., is_same).collect::<Vec<_>>() {
            names.extend(others);
            group.splice(0..0, other);
        }
        groups.push((names, group));
    }
    groups.into_iter().map(|(_, group)| Session::new(&group)).collect()
}

/// The identifiers that a server gave out, not those that it only repeated.
fn given_out(answers: &str) -> Vec<String> {
    let places = ["joined", "prepared", "observed", "room", "joinedGameRoom"].map(|name| format!("<{name} roomId=\""));
    let places = places.iter().map(String::as_str).chain(["<reservation>"]);
    let after = |place| answers.split(place).skip(1).filter_map(id_at).map(str::to_owned);
    places.flat_map(after).collect()
}

impl Role {
    fn new(connection: &Connection) -> Self {
        let answers = String::from_utf8_lossy(&connection.server.bytes).trim_end_matches('\n').to_owned();
        let count = |part: &str| answers.matches(part).count();
        let games = count("<joined ") + count("<observed ");
        let is_cut_off = !answers.ends_with("</protocol>") && count("<left ") < games;
        let name = connection.server.name.clone();
        Self { name, messages: messages(&connection.client.bytes), answers, is_cut_off }
    }

    /// Somebody of whom nothing was recorded.
    fn unrecorded(name: &str, messages: &[ClientMessage], season: Season) -> Self {
        let mut texts: Vec<String> = messages.iter().map(|message| message.to_element(season).to_xml(1)).collect();
        texts.iter_mut().take(1).for_each(|first| first.insert_str(0, OPENING));
        let messages = texts.into_iter().map(String::into_bytes).collect();
        Self { name: format!("{name} (not recorded)"), messages, answers: String::new(), is_cut_off: true }
    }
}

/// The administrator that ended games, if no recorded client did: such a game has no result, or a result without a
/// fault although it could have continued.
fn unrecorded_end(connections: &[&Connection]) -> Option<Role> {
    let season = connections[0].server.season;
    let mut ended = BTreeSet::new();
    for connection in connections {
        let mut games: HashMap<String, (bool, bool)> = HashMap::new();
        for element in connection.server.elements().0 {
            match ServerMessage::parse(&element, season) {
                Ok(ServerMessage::Room { room, data }) => {
                    let (is_over, is_at_fault) = games.entry(room).or_default();
                    match data {
                        RoomData::Memento(state) => *is_over = state.position.is_over(),
                        RoomData::Result(result) => *is_at_fault = !result.regular,
                        _ => {}
                    }
                }
                Ok(ServerMessage::Left { room }) if games.get(&room) == Some(&(false, false)) => {
                    ended.insert(room);
                }
                _ => {}
            }
        }
    }
    for element in connections.iter().flat_map(|connection| connection.client.elements().0) {
        if let Ok(ClientMessage::Cancel { room }) = ClientMessage::parse(&element, season) {
            ended.remove(&room);
        }
    }
    let cancels = ended.into_iter().map(|room| ClientMessage::Cancel { room });
    let authenticate = ClientMessage::Authenticate { password: Options::default().password };
    let requests: Vec<ClientMessage> = [authenticate].into_iter().chain(cancels).collect();
    (requests.len() > 1).then(|| Role::unrecorded("another administrator", &requests, season))
}

/// The unrecorded clients that must have existed: opponents of the recorded players, and the client that prepared the
/// game.
fn unrecorded(player: &Connection, others: &[&Connection]) -> Vec<Role> {
    let season = player.server.season;
    let requests: Vec<ClientMessage> =
        player.client.elements().0.iter().filter_map(|element| ClientMessage::parse(element, season).ok()).collect();
    let answers: Vec<ServerMessage> =
        player.server.elements().0.iter().filter_map(|element| ServerMessage::parse(element, season).ok()).collect();
    let texts: Vec<String> =
        others.iter().map(|other| String::from_utf8_lossy(&other.server.bytes).into_owned()).collect();
    let mut roles = Vec::new();
    for answer in &answers {
        let ServerMessage::Room { room, data: RoomData::Welcome(team) } = answer else { continue };
        let opponent = team.opponent();
        let welcome = ServerMessage::Room { room: room.clone(), data: RoomData::Welcome(opponent) };
        let welcome = welcome.to_element(season).to_xml(1);
        if texts.iter().any(|text| text.contains(&welcome)) {
            continue;
        }
        let data = answers.iter().filter_map(|answer| match answer {
            ServerMessage::Room { room: other, data } if other == room => Some(data),
            _ => None,
        });
        let code = requests.iter().find_map(|request| match request {
            ClientMessage::JoinPrepared { reservation } => Some(reservation.clone()),
            _ => None,
        });
        let join = match code {
            None => ClientMessage::Join { game_type: Some(season.game_type().to_owned()) },
            Some(code) => {
                let prepared = texts.iter().find(|text| text.contains(&format!("<reservation>{code}<")));
                let codes = prepared.map_or_else(
                    || {
                        // Any other code will do.
                        let other = if code.starts_with('0') { "1" } else { "0" }.to_owned() + &code[1..];
                        let mut codes = [other, code.clone()];
                        codes.rotate_right(usize::from(*team == Team::One));
                        roles.push(preparation(season, room, &codes, data.clone()));
                        codes.to_vec()
                    },
                    |text| text.split("<reservation>").skip(1).map(|rest| rest[..ID].to_owned()).collect(),
                );
                // The codes of a game stand side by side.
                let at = codes.iter().position(|known| *known == code).unwrap_or_default();
                let other = if *team == Team::One { codes.get(at + 1) } else { codes.get(at.wrapping_sub(1)) };
                ClientMessage::JoinPrepared { reservation: other.cloned().unwrap_or_default() }
            }
        };
        let mut turn = 0;
        let moves = data.filter_map(|data| {
            let RoomData::Memento(state) = data else { return None };
            let mv = state.last_move.filter(|mv| mv.color().is_some_and(|color| color.team() == opponent))?;
            let is_new = std::mem::replace(&mut turn, state.position.turn()) != turn;
            is_new.then(|| ClientMessage::Move { room: room.clone(), mv })
        });
        let messages: Vec<ClientMessage> = [join].into_iter().chain(moves).collect();
        roles.push(Role::unrecorded(&format!("the opponent of {}", player.server.name), &messages, season));
    }
    roles
}

/// The administrator who prepared a game with these codes.
fn preparation<'a>(season: Season, room: &str, codes: &[String; 2], data: impl Iterator<Item = &'a RoomData>) -> Role {
    let mut names = [None, None];
    for data in data {
        match data {
            RoomData::Memento(state) => names = state.names.clone().map_or(names, |names| names.map(Some)),
            RoomData::Result(result) if season == Season::Season2027 => {
                names = result.scores.each_ref().map(|score| score.name.clone());
            }
            _ => {}
        }
    }
    let slots = names.map(|display_name| Slot { display_name, can_timeout: true, reserved: true }).to_vec();
    let password = Options::default().password;
    let game_type = Some(season.game_type().to_owned());
    let requests =
        [ClientMessage::Authenticate { password }, ClientMessage::Prepare { game_type, pause: false, slots }];
    let answer = ServerMessage::Prepared { room: room.to_owned(), reservations: codes.to_vec() };
    let answers = OPENING.to_owned() + &answer.to_element(season).to_xml(1);
    Role { answers, ..Role::unrecorded("an administrator", &requests, season) }
}

/// Splits a client's bytes into messages. From an unreadable message on, the rest is one message.
fn messages(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT).as_official_server();
    let mut messages = Vec::new();
    let mut start = 0;
    for (at, byte) in bytes.iter().enumerate() {
        framer.push(&[*byte]);
        match framer.next_frame() {
            Ok(None) => {}
            Ok(Some(_)) => {
                messages.push(bytes[start..=at].to_vec());
                start = at + 1;
            }
            Err(_) => break,
        }
    }
    if !bytes[start..].trim_ascii().is_empty() {
        messages.push(bytes[start..].to_vec());
    }
    messages
}

impl Session {
    fn new(connections: &[&Connection]) -> Self {
        let mut roles: Vec<Role> = connections.iter().map(|connection| Role::new(connection)).collect();
        roles.extend(connections.iter().flat_map(|player| unrecorded(player, connections)));
        roles.extend(unrecorded_end(connections));
        let known = roles.iter().flat_map(|role| given_out(&role.answers)).collect();
        Self { season: connections[0].server.season, roles, known }
    }

    /// The connections.
    pub fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// The names of the recordings.
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.roles.iter().map(|role| role.name.as_str()).collect();
        format!("{} {}", self.season, names.join(" + "))
    }

    /// A recorded message with the identifiers of our server; `None` if one of them was not received yet.
    pub fn translate(&self, ids: &Ids, message: &[u8]) -> Option<Vec<u8>> {
        ids.translate(message, &self.known)
    }

    /// How a server has to be set up for this session: games begin in the recorded positions.
    ///
    /// # Panics
    /// If a recorded start piece is none.
    pub fn options(&self) -> Options {
        let state = |piece: &str| {
            let piece = piece.parse().unwrap_or_else(|_| panic!("{}: `{piece}` is not a piece", self.name()));
            let position = Position::new(self.season.rules(), Some(piece)).expect("it is a start piece");
            State::new(self.season, position, None, [""; 2])
        };
        let start = self.start_pieces().iter().map(|piece| state(piece)).collect();
        Options { season: self.season, start, ..Options::default() }
    }

    /// Returns the start pieces of the games in the order of their creation, by the connection that saw most games.
    fn start_pieces(&self) -> Vec<String> {
        let pieces_of = |role: &Role| {
            let mut rooms: Vec<(String, Option<String>)> = Vec::new();
            for tag in role.answers.split("<room ").flat_map(|part| part.split_inclusive("/>")) {
                let Some(room) = attribute(tag, "roomId") else { continue };
                let piece = attribute(tag, "startPiece");
                match rooms.iter_mut().find(|(known, _)| *known == room) {
                    Some((_, known)) => *known = known.take().or(piece),
                    None => rooms.push((room, piece)),
                }
            }
            rooms
        };
        let rooms = self.roles.iter().map(pieces_of).max_by_key(Vec::len).unwrap_or_default();
        let known: Vec<_> =
            self.roles.iter().flat_map(pieces_of).filter_map(|(room, piece)| Some((room, piece?))).collect();
        let piece_of = |room: &str| known.iter().find(|(known, _)| known == room).map(|(_, piece)| piece.clone());
        // Which piece a game has that never began does not matter.
        let any = known.first().map(|(_, piece)| piece.clone());
        rooms.iter().filter_map(|(room, _)| piece_of(room).or(any.clone())).collect()
    }

    /// Searches for an order in which our lobby answers as the recorded server did.
    ///
    /// # Errors
    /// Returns the position that no order passes, with the lobby's answer there.
    pub fn order(&self) -> Result<Vec<Step>, String> {
        let lobby = Lobby::new(self.options());
        let actors = (0..self.roles.len()).map(|_| Actor::default()).collect();
        let start = Stage { session: self, lobby, now: Instant::now(), actors, ids: Ids::default() };
        let mut search = Search::default();
        if search.go_on(&start) {
            return Ok(search.steps);
        }
        let limit = if search.actions < ACTION_LIMIT { "" } else { " (and the search was given up)" };
        Err(format!("{}{limit}:\n{}", self.name(), search.obstacles.join("\n")))
    }
}

/// The value of the first attribute of this name.
fn attribute(text: &str, name: &str) -> Option<String> {
    text.split_once(&format!(" {name}=\""))
        .or_else(|| text.strip_prefix(&format!("{name}=\"")).map(|rest| ("", rest)))
        .and_then(|(_, rest)| rest.split('"').next())
        .map(str::to_owned)
}
