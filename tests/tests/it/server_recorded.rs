//! The recorded sessions against our server, which must answer with the same bytes except for the identifiers of rooms
//! and reservations.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use protocol::Replay;
use server::Server;
use tests::recordings::{Connection, connections};
use tests::reenactment::{Action, Followed, Ids, LATE, Role, Session, Step, sessions};

/// Timeout of a client.
const PATIENCE: Duration = Duration::from_secs(30);

/// A session, and the order of messages that reproduces the recorded answers, or the first difference.
type Ordered = (Session, Result<Vec<Step>, String>);

/// The recorded sessions.
static ORDERS: LazyLock<Vec<Ordered>> = LazyLock::new(|| {
    let with_order = |session: Session| {
        let order = session.order();
        (session, order)
    };
    sessions(&connections()).into_iter().map(with_order).collect()
});

/// Fails with all differences.
fn report(differences: impl IntoIterator<Item = String>) {
    let differences: Vec<String> = differences.into_iter().collect();
    assert!(differences.is_empty(), "{} sessions differ:\n\n{}", differences.len(), differences.join("\n\n"));
}

#[test]
fn lobby_answers_like_official_servers() {
    report(ORDERS.iter().filter_map(|(_, order)| order.clone().err()));
}

/// One side of a finished game is enough: its states contain the moves of the other.
#[test]
fn lobby_plays_with_unrecorded_opponents() {
    let is_finished = |connection: &Connection| {
        let replay = Replay::parse(&connection.server.bytes);
        replay.is_ok_and(|replay| replay.states.last().is_some_and(|state| state.position.is_over()))
    };
    // Each third one is a player of team one and of team two in turns.
    let connections = connections().into_iter().filter(is_finished).step_by(3);
    report(connections.flat_map(|connection| sessions(&[connection])).filter_map(|session| session.order().err()));
}

/// The tests of the lobby check the deadlines of silent players without waiting.
#[test]
fn server_answers_like_official_servers() {
    let has = |order: &[Step], wanted: fn(&Action) -> bool| order.iter().any(|(action, _)| wanted(action));
    let mut plays: Vec<(&Session, &[Step])> = ORDERS
        .iter()
        .filter_map(|(session, order)| Some((session, order.as_deref().ok()?)))
        .filter(|(_, order)| !has(order, |action| matches!(action, Action::Deadline)))
        .collect();
    // Late clients wait together.
    plays.sort_by_key(|(_, order)| !has(order, |action| matches!(action, Action::SendLate(_))));
    // More at once could be too late with their answers.
    for some in plays.chunks(8) {
        thread::scope(|scope| {
            let threads: Vec<_> =
                some.iter().map(|&(session, order)| scope.spawn(move || play(session, order))).collect();
            report(threads.into_iter().filter_map(|thread| thread.join().expect("a difference is not a panic").err()));
        });
    }
}

/// A client that sends recorded bytes.
struct Actor<'a> {
    role: &'a Role,
    stream: TcpStream,
    sent: usize,
    received: Vec<u8>,
    /// Number of bytes that agree with the recording so far.
    agreed: usize,
    is_open: bool,
}

impl Actor<'_> {
    /// Returns the received text without an incomplete last character.
    fn text(&self) -> &str {
        self.received.utf8_chunks().next().map_or("", |chunk| chunk.valid())
    }

    /// Reads until this many bytes of the recording have come.
    fn wait(&mut self, ids: &mut Ids, bytes: usize) -> Result<(), String> {
        let deadline = Instant::now() + PATIENCE;
        let mut buffer = [0; 4096];
        loop {
            let recorded = &self.role.answers[self.agreed..];
            match ids.follow(recorded, &self.text()[self.agreed..]) {
                Followed::All(more) | Followed::Surplus(more) => self.agreed += more,
                Followed::Differs(_) => self.is_open = false,
            }
            if self.agreed >= bytes {
                return Ok(());
            }
            if !self.is_open {
                let got: String = self.text()[self.agreed..].chars().take(500).collect();
                let recorded: String = recorded.chars().take(500).collect();
                return Err(format!("{} should get\n{recorded}\nbut gets\n{got}", self.role.name));
            }
            match self.stream.read(&mut buffer) {
                Ok(0) => self.is_open = false,
                Ok(count) => self.received.extend_from_slice(&buffer[..count]),
                Err(error) if matches!(error.kind(), std::io::ErrorKind::WouldBlock) => {
                    if Instant::now() > deadline {
                        return Err(format!("{} waits in vain after {} bytes", self.role.name, self.agreed));
                    }
                }
                Err(_) => self.is_open = false,
            }
        }
    }
}

/// Plays a session on a server of its own.
fn play(session: &Session, order: &[Step]) -> Result<(), String> {
    let difference = |text: String| format!("{}: {text}", session.name());
    let server = Server::start(session.options()).expect("a port is free");
    let mut ids = Ids::default();
    let mut actors: Vec<Option<Actor>> = session.roles().iter().map(|_| None).collect();
    let mut answered = vec![0; actors.len()];
    for (action, answers) in order {
        match *action {
            Action::Deadline => unreachable!("nobody waits for a deadline"),
            Action::BreakOff(actor) => {
                if let Some(actor) = &mut actors[actor] {
                    // It fails if the server has closed the connection.
                    _ = actor.stream.shutdown(Shutdown::Both);
                }
            }
            Action::Send(actor) | Action::SendLate(actor) => {
                if matches!(action, Action::SendLate(_)) {
                    thread::sleep(LATE);
                }
                let role = &session.roles()[actor];
                let actor = actors[actor].get_or_insert_with(|| {
                    let stream = TcpStream::connect(server.address()).expect("the server listens");
                    stream.set_read_timeout(Some(Duration::from_millis(20))).expect("the time is not zero");
                    Actor { role, stream, sent: 0, received: Vec::new(), agreed: 0, is_open: true }
                });
                let message = session.translate(&ids, &role.messages[actor.sent]);
                actor.sent += 1;
                // It fails where the server has closed the connection, as it should after some messages.
                _ = actor.stream.write_all(&message.ok_or_else(|| difference("an identifier is unknown".to_owned()))?);
            }
        }
        for (actor, &bytes) in actors.iter_mut().zip(answers) {
            if let Some(actor) = actor {
                actor.wait(&mut ids, bytes).map_err(difference)?;
            }
        }
        // The server must read a message without an answer before another client sends something.
        if answered == *answers {
            thread::sleep(Duration::from_millis(20));
        }
        answered.clone_from(answers);
    }
    for actor in actors.iter_mut().flatten().filter(|actor| actor.role.answers.ends_with("</protocol>")) {
        let deadline = Instant::now() + PATIENCE;
        while actor.is_open && Instant::now() < deadline {
            actor.is_open = actor.stream.read(&mut [0; 4096]).map_or(true, |count| count > 0);
        }
        if actor.is_open {
            return Err(difference(format!("{} is not closed", actor.role.name)));
        }
    }
    Ok(())
}
