//! The clients of the recorded sessions play on our referee, which must answer as the official
//! server did: the same bytes but for the identifiers of the room.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use arena::referee::{Options, Referee};
use game::{Piece, Position};
use protocol::{Season, State};
use tests::recordings::{Recording, of_clients, of_servers};

/// How long a client waits for anything. No answer takes longer than the hard timeout of 10 s.
const PATIENCE: Duration = Duration::from_secs(15);

type Sessions = BTreeMap<(&'static str, String), [String; 2]>;

/// What the client sent and what the server sent in every recorded connection.
fn sessions() -> Sessions {
    let text = |recording: &Recording| String::from_utf8_lossy(&recording.bytes).into_owned();
    let servers = of_servers();
    of_clients()
        .iter()
        .filter_map(|client| {
            let server =
                servers.iter().find(|server| (server.season, &server.name) == (client.season, &client.name))?;
            Some(((client.season.name(), client.name.clone()), [text(client), text(server)]))
        })
        .collect()
}

/// A server on which every game has the start piece of the recorded one.
fn referee(season: Season, recorded: &str) -> Referee {
    let piece = recorded.split_once("startPiece=\"").and_then(|(_, rest)| Piece::from_name(rest.split('"').next()?));
    let start = piece.map(|piece| {
        let position = Position::new(season.rules(), Some(piece)).unwrap();
        State::new(season, position, None, [""; 2])
    });
    Referee::start(Options { season, start, ..Options::default() }).unwrap()
}

/// The value of the first attribute of this name.
fn attribute<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.split_once(&format!("{name}=\""))?.1.split('"').next()
}

/// A client that sends what was recorded.
struct Actor {
    stream: TcpStream,
    received: Vec<u8>,
    /// What was received, without a character of which half is missing.
    text: String,
    open: bool,
}

impl Actor {
    fn connect(referee: &Referee) -> Self {
        let stream = TcpStream::connect(referee.address()).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
        Self { stream, received: Vec::new(), text: String::new(), open: true }
    }

    fn say(&mut self, text: &str) {
        // It fails where the server has closed the connection, as it should after some messages.
        let _ = self.stream.write_all(text.as_bytes());
    }

    fn count(&self, part: &str) -> usize {
        self.text.matches(part).count()
    }

    /// Reads until the condition holds or the server closes the connection.
    fn wait(&mut self, what: &str, mut condition: impl FnMut(&Self) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while self.open && !condition(self) {
            assert!(Instant::now() < deadline, "waited in vain for {what} after:\n{}", self.text);
            let mut buffer = [0; 4096];
            match self.stream.read(&mut buffer) {
                Ok(0) => self.open = false,
                Ok(count) => {
                    self.received.extend_from_slice(&buffer[..count]);
                    let new = &self.received[self.text.len()..];
                    let whole = new.utf8_chunks().next().map_or("", |chunk| chunk.valid());
                    self.text.push_str(whole);
                }
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => {}
                Err(_) => self.open = false,
            }
        }
    }

    /// Checks what was received against the recording.
    fn compare(&mut self, name: &str, recorded: &str) {
        let expected = recorded.trim_end_matches('\n');
        let ends = expected.ends_with("</protocol>");
        self.wait(name, |actor| !ends && actor.received.len() >= expected.len());
        let text = &self.text;
        let room = attribute(text, "roomId").unwrap_or_default();
        let expected = match attribute(expected, "roomId") {
            Some(recorded_room) => expected.replace(recorded_room, room),
            None => expected.to_owned(),
        };
        if !text.starts_with(&expected) {
            let lines = || expected.lines().zip(text.lines());
            let differs = lines().position(|(expected, line)| expected != line).unwrap_or(lines().count());
            let context =
                |text: &str| text.lines().skip(differs.saturating_sub(3)).take(12).collect::<Vec<_>>().join("\n");
            panic!("{name}, line {differs}: expected\n{}\nbut received\n{}", context(&expected), context(text));
        }
    }
}

/// Cuts what a client sent into what it sent at a time.
fn pieces(sent: &str) -> Vec<&str> {
    let mut cuts: Vec<usize> = ["<room roomId=", "<close/>", "<sc.protocol", "this is not"]
        .iter()
        .flat_map(|marker| sent.match_indices(marker).map(|(at, _)| at))
        .collect();
    cuts.sort_unstable();
    let ends = cuts.iter().copied().chain([sent.len()]).collect::<Vec<_>>();
    let mut start = 0;
    ends.into_iter().map(|end| &sent[std::mem::replace(&mut start, end)..end]).collect()
}

/// Plays one side of a recorded game.
fn act(actor: &mut Actor, name: &str, sent: &str) {
    let recorded_room = attribute(sent, "roomId").unwrap_or_default();
    let mut moves = 0;
    for piece in pieces(sent).into_iter().skip(1) {
        let is_second = name.ends_with("player-two");
        if name.starts_with("not-your-turn") && is_second && moves == 2 {
            // It moves after the round in which it has moved twice, without being asked.
            actor.wait("the fifth state", |actor| actor.count("</state>") == 5);
        } else {
            actor.wait("a request", |actor| {
                actor.count("oveRequest\"/>") > moves || actor.count("<left") > 0 || actor.count("</protocol>") > 0
            });
        }
        if name.starts_with("timeout-soft") && !is_second && moves == 2 {
            thread::sleep(Duration::from_millis(2100));
        }
        let text = actor.text.clone();
        actor.say(&piece.replace(recorded_room, attribute(&text, "roomId").unwrap_or_default()));
        moves += usize::from(piece.starts_with(&format!("<room roomId=\"{recorded_room}")));
    }
    if name.starts_with("disconnect-of-waiting-player-player-two") {
        actor.wait("the fifth state", |actor| actor.count("</state>") == 5);
        actor.stream.shutdown(Shutdown::Both).unwrap();
    }
}

#[test]
fn recorded_games_are_answered_alike() {
    let sessions = sessions();
    let mut threads = Vec::new();
    for ((season, name), [sent_one, received_one]) in &sessions {
        let Some(game) = name.strip_suffix("-player-one").filter(|game| *game != "admin-session") else { continue };
        let name_two = format!("{game}-player-two");
        let [sent_two, received_two] = sessions[&(*season, name_two.clone())].clone();
        let season = Season::from_name(season).unwrap();
        let (name, sent_one, received_one) = (name.clone(), sent_one.clone(), received_one.clone());
        threads.push(thread::spawn(move || {
            let referee = referee(season, &received_one);
            let mut one = Actor::connect(&referee);
            one.say(pieces(&sent_one)[0]);
            // Season 2021 says nothing to the first player before the second has come.
            thread::sleep(Duration::from_millis(100));
            let mut two = Actor::connect(&referee);
            two.say(pieces(&sent_two)[0]);
            let second = thread::spawn(move || {
                act(&mut two, &name_two, &sent_two);
                two.compare(&format!("{season} {name_two}"), &received_two);
                // Its connection stays open until the other player has seen everything.
                two
            });
            act(&mut one, &name, &sent_one);
            one.compare(&format!("{season} {name}"), &received_one);
            second.join().unwrap();
        }));
    }
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

#[test]
fn recorded_requests_of_the_lobby_are_answered_alike() {
    for ((season, name), [sent, received]) in sessions() {
        if name.starts_with("lobby") {
            let referee = referee(Season::from_name(season).unwrap(), &received);
            let mut actor = Actor::connect(&referee);
            actor.say(&sent);
            actor.compare(&format!("{season} {name}"), &received);
            if received.trim().is_empty() {
                actor.wait("the end", |_| false);
                assert_eq!(actor.text, "");
            }
        }
    }
}

/// An administrator prepares a game of two named players and leads it by steps and pauses.
#[test]
fn recorded_administration_is_answered_alike() {
    let sessions = sessions();
    for season in Season::ALL {
        let session = |name: &str| sessions.get(&(season.name(), name.to_owned()));
        let Some([sent, received]) = session("admin-session") else { continue };
        let [players_sent, players_received] = [0, 1].map(|side| {
            ["admin-session-player-one", "admin-session-player-two"].map(|name| session(name).unwrap()[side].clone())
        });
        let referee = referee(season, received);
        let (preparing, steering) = sent.split_at(sent.find("<observe").unwrap());
        let mut admin = Actor::connect(&referee);
        admin.say(preparing);
        admin.wait("reservations", |admin| admin.count("</prepared>") == 1);

        let recorded_room = attribute(steering, "roomId").unwrap();
        let text = admin.text.clone();
        let room = attribute(&text, "roomId").unwrap();
        let codes: Vec<&str> = text.split("<reservation>").skip(1).filter_map(|rest| rest.split('<').next()).collect();
        let mut requests = steering.split_inclusive("/>").map(|request| request.replace(recorded_room, room));
        let mut next = |admin: &mut Actor| admin.say(&requests.next().unwrap());

        next(&mut admin);
        // A step before the players have come does nothing.
        next(&mut admin);
        let mut players: Vec<Actor> = Vec::new();
        for (sent, code) in players_sent.iter().zip(&codes) {
            let mut player = Actor::connect(&referee);
            let joining = pieces(sent)[0];
            player.say(&joining.replace(attribute(joining, "reservationCode").unwrap(), code));
            players.push(player);
            thread::sleep(Duration::from_millis(100));
        }
        // One reply of a player: its number, and which of its moves.
        let reply = |players: &mut [Actor], player: usize, count: usize| {
            let piece = pieces(&players_sent[player])[1 + count];
            players[player].wait("a request", |actor| actor.count("oveRequest\"/>") == count + 1);
            players[player].say(&piece.replace(recorded_room, room));
        };
        let states = |admin: &mut Actor, count| admin.wait("a state", |admin| admin.count("</state>") == count);
        states(&mut admin, 1);
        next(&mut admin);
        reply(&mut players, 0, 0);
        states(&mut admin, 3);
        next(&mut admin);
        reply(&mut players, 1, 0);
        states(&mut admin, 5);
        next(&mut admin);
        states(&mut admin, 6);
        reply(&mut players, 0, 1);
        states(&mut admin, 7);
        next(&mut admin);
        thread::sleep(Duration::from_millis(100));
        reply(&mut players, 1, 1);
        states(&mut admin, 8);
        next(&mut admin);
        states(&mut admin, 9);
        // Steps of a game that is not halted, needless pauses, unknown rooms, and the end.
        for request in requests {
            admin.say(&request);
        }
        let expected = received.replace(attribute(received, "roomId").unwrap(), room);
        let mut expected = expected.as_str();
        let recorded_codes = expected.split("<reservation>").skip(1).filter_map(|rest| rest.split('<').next());
        let expected_codes =
            recorded_codes.zip(&codes).fold(expected.to_owned(), |text, (old, new)| text.replace(old, new));
        expected = &expected_codes;
        admin.compare(&format!("{season} admin"), expected);
        if season == Season::Season2021 {
            // The last request there names an unknown room, which ends the connection. The game was
            // cancelled by another administrator.
            let mut other = Actor::connect(&referee);
            other.say("<protocol><authenticate password=\"examplepassword\"/>");
            other.say(&format!("<cancel roomId=\"{room}\"/>"));
        }
        for (player, received) in players.iter_mut().zip(&players_received) {
            player.compare(&format!("{season} player"), received);
        }
    }
}
