//! The recorded sessions against our server, which must answer with the same bytes except for the identifiers of rooms
//! and reservations.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use protocol::Replay;
use server::Server;
use tests::recordings::connections;
use tests::reenactment::{Deed, Followed, Ids, LATE, Role, Session, Step, sessions};

/// Timeout of a client. No answer takes longer than the hard timeout of 10 s.
const PATIENCE: Duration = Duration::from_secs(60);

/// All differences, not just the first.
fn report(differences: &[String]) {
    assert!(differences.is_empty(), "{} sessions differ:\n\n{}", differences.len(), differences.join("\n\n"));
}

#[test]
fn recorded_sessions_are_answered_alike() {
    let sessions = sessions(&connections());
    let differences: Vec<String> = sessions.iter().filter_map(|session| session.order().err()).collect();
    report(&differences);
}

/// Of a game that was played to its end one side is enough: the other is known by its moves.
#[test]
fn games_are_played_with_unrecorded_opponents() {
    let mut differences = Vec::new();
    for connection in connections() {
        let replay = Replay::parse(&connection.server.bytes);
        let last = replay.ok().and_then(|replay| replay.states.last().map(|state| state.position));
        if last.is_some_and(|position| position.is_over()) {
            differences.extend(sessions(&[connection]).iter().filter_map(|session| session.order().err()));
        }
    }
    report(&differences);
}

/// The same over real connections, with real clocks.
#[test]
fn recorded_sessions_are_answered_alike_over_the_network() {
    let sessions = sessions(&connections());
    let orders: Vec<_> = sessions.iter().filter_map(|session| Some((session, session.order().ok()?))).collect();
    let mut differences = Vec::new();
    // Most of the time they wait, but all at once would be too late with their answers.
    for some in orders.chunks(8) {
        thread::scope(|scope| {
            let play = |(session, order): &'_ (&'_ Session, Vec<Step>)| play(session, order);
            let plays: Vec<_> = some.iter().map(|case| scope.spawn(move || play(case))).collect();
            let results = plays.into_iter().map(|play| play.join().expect("a difference is not a panic"));
            differences.extend(results.filter_map(Result::err));
        });
    }
    report(&differences);
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
    for (deed, answers) in order {
        match *deed {
            Deed::Deadline => {}
            Deed::BreakOff(actor) => {
                if let Some(actor) = &mut actors[actor] {
                    // It fails if the server has closed the connection.
                    _ = actor.stream.shutdown(Shutdown::Both);
                }
            }
            Deed::Send(actor) | Deed::SendLate(actor) => {
                if matches!(deed, Deed::SendLate(_)) {
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
        // A message without an answer must have been read before another client sends something.
        thread::sleep(Duration::from_millis(20));
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
