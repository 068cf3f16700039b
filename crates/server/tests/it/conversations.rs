//! Compares the lobby with the official servers.
//!
//! The files in the folder `conversations` were recorded from the official servers (versions 21.3.3 and 27.0.4, built
//! from source). `#` begins a comment. A conversation begins with `##` and a name; then there is a line for each
//! action:
//!
//! * `A> TEXT`: the client A sends this, after connecting if necessary. `MOVE` stands for a message with a legal move
//!   of the colour to move in the client's game, or else in another game.
//! * `A leaves`: its connection ends.
//! * `wait 10.5`: seconds pass.
//!
//! The lines `A< TEXT` after it are the answers. The identifiers of rooms and reservations are `ID1`, `ID2` and so on,
//! a state is `<state turn="N"/>`, and the definitions of results and blanks between elements are omitted. `closed` is
//! the end of the connection. `<protocol>` comes with the first message.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use game::{Move, Position};
use protocol::{ClientMessage, Element, Frame, Framer, RoomData, Season, ServerMessage, WireMove};
use server::verdict::DisconnectReason;
use server::{ClientId, ClientOutput, Document, Lobby, ServerOptions};

/// A client in a conversation.
struct Client {
    id: ClientId,
    framer: Framer,
    document: Document,
    is_open: bool,
    /// The game of its last state.
    game: Option<(String, Position)>,
    /// Its messages since the last check.
    received: String,
}

struct Conversation {
    season: Season,
    lobby: Lobby,
    now: Instant,
    clients: BTreeMap<String, Client>,
    /// The names of identifiers, and the identifiers of names.
    names: HashMap<String, String>,
    ids: HashMap<String, String>,
}

impl Conversation {
    fn new(season: Season) -> Self {
        let lobby = Lobby::new(ServerOptions { season, seed: Some(1), ..ServerOptions::default() });
        let (names, ids) = (HashMap::new(), HashMap::new());
        Self { season, lobby, now: Instant::now(), clients: BTreeMap::new(), names, ids }
    }

    /// Performs the action of a line.
    fn act(&mut self, line: &str) {
        if let Some(seconds) = line.strip_prefix("wait ") {
            self.now += Duration::from_secs_f64(seconds.parse().expect("seconds"));
            self.lobby.tick(self.now);
        } else if let Some(name) = line.strip_suffix(" leaves") {
            self.client(name).is_open = false;
            let id = self.client(name).id;
            self.lobby.disconnect(id, DisconnectReason::LostConnection);
        } else {
            let (name, text) = line.split_once("> ").expect("something is done");
            self.connect(name);
            let text = self.with_move(name, &self.with_ids(text));
            self.send(name, &text);
        }
        self.collect();
    }

    fn connect(&mut self, name: &str) {
        if !self.clients.contains_key(name) {
            let id = self.clients.len() as ClientId;
            self.lobby.connect(id, self.now);
            let framer = Framer::default().with_official_strictness();
            let document = Document::default();
            let client = Client { id, framer, document, is_open: true, game: None, received: String::new() };
            self.clients.insert(name.to_owned(), client);
        }
    }

    fn with_ids(&self, text: &str) -> String {
        // The longest first, so that `ID1` is not found in `ID12`.
        let mut ids: Vec<_> = self.ids.iter().collect();
        ids.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
        ids.into_iter().fold(text.to_owned(), |text, (name, id)| text.replace(name, id))
    }

    fn with_move(&self, name: &str, text: &str) -> String {
        if !text.contains("MOVE") {
            return text.to_owned();
        }
        let games = || self.clients.values().filter_map(|client| client.game.as_ref());
        let (room, _) = self.clients[name].game.as_ref().or(games().next()).expect("a game to move in");
        let states = games().filter(|(other, _)| other == room).map(|(_, position)| *position);
        let position = states.max_by_key(Position::turn).expect("a state to move in");
        let room = room.clone();
        let placements = position.placements();
        let mv = WireMove::new(position.color(), Move::Place(placements[0]));
        text.replace("MOVE", &ClientMessage::Move { room, mv }.to_element(self.season).to_xml(0))
    }

    fn send(&mut self, name: &str, text: &str) {
        self.client(name).framer.push(text.as_bytes());
        while self.client(name).is_open {
            let (id, frame) = (self.client(name).id, self.client(name).framer.next_frame());
            let how = match frame {
                Ok(None) => return,
                Ok(Some(Frame::Element(element))) => {
                    self.lobby.receive(id, &element, self.now);
                    self.collect();
                    continue;
                }
                Ok(Some(Frame::End)) => DisconnectReason::LostConnection,
                Err(_) => DisconnectReason::ProtocolError,
            };
            self.lobby.disconnect(id, how);
            self.client(name).is_open = false;
            self.client(name).received.push_str("closed");
        }
    }

    fn client(&mut self, name: &str) -> &mut Client {
        self.clients.get_mut(name).expect("it has connected")
    }

    fn collect(&mut self) {
        for (id, output) in self.lobby.take_outputs() {
            let client = self.clients.values_mut().find(|client| client.id == id).expect("it has connected");
            client.received += &client.document.write(&output);
            match &output {
                ClientOutput::Send(text) => {
                    let message = ServerMessage::parse(&Element::parse(text).unwrap(), self.season).unwrap();
                    if let ServerMessage::Room { room, data: RoomData::Memento(state) } = message {
                        client.game = Some((room, state.position));
                    }
                }
                ClientOutput::Close { .. } => {
                    client.is_open = false;
                    client.received.push_str("closed");
                }
            }
        }
    }

    /// Returns the answers to all clients since the last call, in the format of the files.
    fn take(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        for (name, client) in &mut self.clients {
            let text = std::mem::take(&mut client.received);
            let text: String = text.split('\n').map(str::trim_start).collect();
            let text = abridge(&text, "<state ", "</state>", |state| {
                let turn = state.split_once("turn=\"").and_then(|(_, rest)| rest.split('"').next()).expect("a turn");
                format!("<state turn=\"{turn}\"/>")
            });
            let text = abridge(&text, "<definition>", "</definition>", |_| "<definition/>".to_owned());
            let mut named = String::new();
            let mut rest = text.as_str();
            while let Some(character) = rest.chars().next() {
                let (part, new_rest) = rest.split_at(if is_uuid(rest) { UUID } else { character.len_utf8() });
                if part.len() == UUID {
                    let next = format!("ID{}", self.names.len() + 1);
                    let name = self.names.entry(part.to_owned()).or_insert(next);
                    self.ids.insert(name.clone(), part.to_owned());
                    named.push_str(name);
                } else {
                    named.push_str(part);
                }
                rest = new_rest;
            }
            if !named.is_empty() {
                lines.push(format!("{name}< {named}"));
            }
        }
        lines
    }
}

/// Length of an identifier.
const UUID: usize = 36;

fn is_uuid(text: &str) -> bool {
    let is_right = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.as_bytes().get(..UUID).is_some_and(|bytes| bytes.iter().enumerate().all(is_right))
}

/// Replaces each part of a text from `beginning` to `end`.
fn abridge(text: &str, beginning: &str, end: &str, replacement: impl Fn(&str) -> String) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some((before, inside)) = rest.split_once(beginning) {
        let (inside, after) = inside.split_once(end).expect("it ends");
        result = result + before + &replacement(inside);
        rest = after;
    }
    result + rest
}

/// An action of a conversation with its answers.
type Step<'a> = (&'a str, Vec<&'a str>);

fn conversations(text: &str) -> Vec<(&str, Vec<Step<'_>>)> {
    let mut all: Vec<(&str, Vec<Step>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with("# ")) {
        let is_answer = line.split(' ').next().is_some_and(|word| word.ends_with('<'));
        match (line.strip_prefix("## "), all.last_mut()) {
            (Some(name), _) => all.push((name, Vec::new())),
            (None, Some((_, steps))) if is_answer => steps.last_mut().expect("an answer to something").1.push(line),
            (None, Some((_, steps))) => steps.push((line, Vec::new())),
            (None, None) => panic!("a conversation begins with a name, not with `{line}`"),
        }
    }
    all
}

#[test]
fn answers_like_official_servers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conversations");
    let mut differences = Vec::new();
    let mut count = 0;
    for &season in Season::ALL {
        let text = fs::read_to_string(folder.join(format!("{season}.txt"))).unwrap();
        for (name, steps) in conversations(&text) {
            let mut conversation = Conversation::new(season);
            count += 1;
            for (action, expected) in steps {
                conversation.act(action);
                let got = conversation.take();
                if got != expected {
                    let [expected, got] = [expected.join("\n"), got.join("\n")];
                    differences.push(format!("{season}, {name}, at `{action}`: expected\n{expected}\nbut got\n{got}"));
                    break;
                }
            }
        }
    }
    assert!(differences.is_empty(), "{} of {count} differ:\n\n{}", differences.len(), differences.join("\n\n"));
}
