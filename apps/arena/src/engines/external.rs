//! Client programs of the contest, each in its own process, connected over TCP.

use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use game::{Move, Position, Team, excerpt};
use player::Report;
use protocol::{
    CLOSING, ClientMessage, ClientMessageError, Frame, Framer, NO_NAME, OPENING, RoomData, Season, ServerMessage,
    State, WireMove,
};
use record::{Fault, FaultKind};
use server::TimeLimits;
use tempfile::TempDir;

use super::package::{self, is_package};
use super::server_ending;
use super::{Budget, Contestant, GameStart, StartError, placeholder};
use crate::engines::process::{self, Program, WARN_AFTER};

/// A contest client, started for each game. This process acts as its server.
pub struct ExternalClient {
    /// Name in messages.
    name: String,
    command: String,
    /// The package, if the command is the path of one; unpacked before the first game.
    package: Option<TempDir>,
    budget: Budget,
    running: Option<RunningClient>,
}

/// Timeout for joining: the time that the official server waits for a move. It has no limit for joining.
const JOIN_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for a program to exit after the game, as in the contest.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// Timeout for sending a message.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// Name of the room and prefix of the reservation. Each server has one room, so the name need not be unique.
const ROOM: &str = "arena";

impl ExternalClient {
    /// Creates a client from a shell command, a `.jar`, or a contest package (`.zip`).
    pub fn new(name: &str, command: &str, budget: Budget) -> Self {
        Self { name: name.to_owned(), command: command.to_owned(), package: None, budget, running: None }
    }

    fn start(&mut self, game: &GameStart) -> Result<RunningClient, String> {
        let rules = game.position.rules();
        let season = Season::from_rules(rules).ok_or_else(|| format!("no season has the {rules} rules"))?;
        if self.budget.time.is_none() && self.command.contains("{ms}") {
            return Err("the command needs a time per move".to_owned());
        }
        if self.budget.nodes.is_none() && self.command.contains("{nodes}") {
            return Err("the command needs a number of nodes per move".to_owned());
        }
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| error.to_string())?;
        let port = listener.local_addr().map_err(|error| error.to_string())?.port();
        let reservation = format!("{ROOM}-{:016x}", game.seed);
        if self.package.is_none() && is_package(&self.command) {
            self.package = Some(package::unpack(&self.command)?);
        }
        let command = self.package.as_ref().map_or_else(|| self.command.clone(), package::command);
        let command = placeholder::fill(&command, game, &self.budget);
        let mut program = Program::start(&contest_command(&command, port, &reservation), Stdio::null)
            .map_err(|error| error.to_string())?;
        let deadline = Instant::now() + JOIN_TIMEOUT;
        let joined = wait_for_connection(&listener, &mut program, &self.name, JOIN_TIMEOUT)
            .and_then(|stream| ClientConnection::new(stream, season).map_err(|error| error.to_string()))
            .and_then(|mut connection| connection.expect_join(&reservation, deadline).map(|()| connection));
        match joined {
            Ok(connection) => Ok(RunningClient { connection, program, team: game.team }),
            Err(reason) => Err(reason + &program.exit_report()),
        }
    }

    fn running(&mut self) -> Result<&mut RunningClient, Fault> {
        self.running.as_mut().ok_or_else(|| Fault::new(FaultKind::Left, "the program is not running"))
    }
}

/// Returns `true` if a command is the path of a `.jar` or of a package instead of a shell command.
pub(crate) fn is_path(command: &str) -> bool {
    is_jar(command) || is_package(command)
}

fn is_jar(command: &str) -> bool {
    package::has_extension(command, "jar") && !command.contains(" -jar ")
}

/// Returns the command line of the contest.
fn contest_command(command: &str, port: u16, reservation: &str) -> String {
    if is_jar(command) {
        let jar = process::shell_quote(command);
        format!("java -jar -mx1500m {jar} -r {reservation} -h 127.0.0.1 -p {port}")
    } else {
        format!("{command} --reservation {reservation} --host 127.0.0.1 --port {port}")
    }
}

/// Waits until the program has connected.
fn wait_for_connection(
    listener: &TcpListener,
    program: &mut Program,
    name: &str,
    timeout: Duration,
) -> Result<TcpStream, String> {
    let begin = Instant::now();
    let mut is_warned = false;
    listener.set_nonblocking(true).map_err(|error| error.to_string())?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => return Ok(stream),
            Err(error) if error.kind() != ErrorKind::WouldBlock => return Err(error.to_string()),
            Err(_) => {}
        }
        if program.has_ended() {
            return Err("the program ended without connecting".to_owned());
        }
        if !is_warned && begin.elapsed() > WARN_AFTER {
            is_warned = true;
            log::warn!("{} has not connected yet; waiting for {} s at most", excerpt(name), timeout.as_secs_f32());
        }
        if begin.elapsed() > timeout {
            return Err(format!("the program did not connect within {} s", timeout.as_secs_f32()));
        }
        thread::sleep(Duration::from_millis(1));
    }
}

impl Contestant for ExternalClient {
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
        let started = self.start(game);
        let mut running = started.map_err(|reason| StartError { contestant: self.name.clone(), reason })?;
        running.connection.send(&ServerMessage::Joined { room: ROOM.to_owned() });
        running.send(RoomData::Welcome(game.team));
        running.send_state(&game.position, None);
        self.running = Some(running);
        Ok(())
    }

    fn note(&mut self, before: &Position, mv: Move, _own: bool) -> Result<(), Fault> {
        self.running()?.send_state(&before.after(mv), Some(WireMove::new(before.color(), mv)));
        Ok(())
    }

    fn choose(&mut self, position: &Position, timeout: Duration) -> Result<(Report, Option<Duration>), Fault> {
        self.running()?.choose(position, timeout).map(|mv| (Report::without_search(mv), None))
    }

    fn end(&mut self, position: &Position, fault: Option<(Team, &Fault)>) {
        if let Some(mut running) = self.running.take() {
            running.finish(position, fault);
        }
    }
}

/// A running client and the connection to it.
struct RunningClient {
    connection: ClientConnection,
    program: Program,
    team: Team,
}

impl RunningClient {
    fn send(&mut self, data: RoomData) {
        self.connection.send(&ServerMessage::Room { room: ROOM.to_owned(), data });
    }

    fn send_state(&mut self, position: &Position, last_move: Option<WireMove>) {
        let state = State::new(self.connection.season, *position, last_move, [NO_NAME; 2]);
        self.send(RoomData::Memento(Box::new(state)));
    }

    /// Requests a move. If the program has exited, the fault contains its exit status and its last lines on stderr.
    fn choose(&mut self, position: &Position, timeout: Duration) -> Result<Move, Fault> {
        self.request_move(position, timeout).map_err(|fault| match fault.kind {
            FaultKind::Left => Fault::new(FaultKind::Left, fault.detail + &self.program.exit_report()),
            _ => fault,
        })
    }

    fn request_move(&mut self, position: &Position, timeout: Duration) -> Result<Move, Fault> {
        self.connection.expect_silence()?;
        self.send(RoomData::MoveRequest);
        match self.connection.message(Instant::now() + timeout)? {
            ClientMessage::Move { room, mv } if room == ROOM => {
                let illegal = |reason| Fault::new(FaultKind::Illegal, format!("{mv}: {reason}"));
                mv.check(position).map_err(illegal)
            }
            ClientMessage::Close => Err(disconnected()),
            other => Err(Fault::new(FaultKind::Illegal, format!("{other:?} is not a move in this game"))),
        }
    }

    /// Sends the result and waits until the program exits.
    fn finish(&mut self, position: &Position, fault: Option<(Team, &Fault)>) {
        let ending = server_ending::of_fault(fault);
        let own_fault = fault.filter(|(team, _)| *team == self.team).map(|(_, fault)| fault.kind);
        if own_fault != Some(FaultKind::Left) {
            let result = ending.result(self.connection.season, position, &[None, None], TimeLimits::default());
            self.send(RoomData::Result(result));
            self.connection.send(&ServerMessage::Left { room: ROOM.to_owned() });
        }
        self.connection.close();
        self.program.end(EXIT_TIMEOUT);
    }
}

fn disconnected() -> Fault {
    Fault::new(FaultKind::Left, "the client left the game")
}

/// The connection to the client.
struct ClientConnection {
    stream: TcpStream,
    framer: Framer,
    season: Season,
    /// Start of the stream; sent before the first message.
    opening: &'static str,
}

impl ClientConnection {
    fn new(stream: TcpStream, season: Season) -> std::io::Result<Self> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(WRITE_TIMEOUT))?;
        Ok(Self { stream, framer: Framer::default().with_official_strictness(), season, opening: OPENING })
    }

    /// Sends a message. If this fails, the next read returns the error.
    fn send(&mut self, message: &ServerMessage) {
        let text = [std::mem::take(&mut self.opening), &message.to_element(self.season).to_xml(1)].concat();
        let _ = self.stream.write_all(text.as_bytes());
    }

    /// Closes the connection. Ignores errors, because the program may have exited.
    fn close(&mut self) {
        let _ = self.stream.write_all(CLOSING.as_bytes());
        let _ = self.stream.shutdown(std::net::Shutdown::Write);
    }

    /// Reads the first message. The program must join with its reservation.
    fn expect_join(&mut self, reservation: &str, deadline: Instant) -> Result<(), String> {
        match self.message(deadline) {
            Ok(ClientMessage::JoinPrepared { reservation: sent }) if sent == reservation => Ok(()),
            Ok(other) => Err(format!("expected the program to join with its reservation, but it sent {other:?}")),
            Err(fault) => Err(fault.detail),
        }
    }

    /// Fails if the program has sent a message without a request.
    fn expect_silence(&mut self) -> Result<(), Fault> {
        match self.message(Instant::now()) {
            Ok(ClientMessage::Close) => Err(disconnected()),
            Ok(_) => Err(Fault::new(FaultKind::Illegal, "the client sent a message without a request")),
            Err(fault) if fault.kind == FaultKind::Late => Ok(()),
            Err(fault) => Err(fault),
        }
    }

    /// Reads, waiting at most `timeout`. Zero does not block; the system would round it up to milliseconds.
    fn read(&mut self, buffer: &mut [u8], timeout: Duration) -> std::io::Result<usize> {
        if timeout.is_zero() {
            self.stream.set_nonblocking(true)?;
            let count = self.stream.read(buffer);
            self.stream.set_nonblocking(false)?;
            return count;
        }
        self.stream.set_read_timeout(Some(timeout))?;
        self.stream.read(buffer)
    }

    /// Returns the next message that arrives before the deadline.
    fn message(&mut self, deadline: Instant) -> Result<ClientMessage, Fault> {
        let left = |reason: String| Fault::new(FaultKind::Left, reason);
        let (mut buffer, mut late) = ([0; 4096], 0);
        loop {
            match self.framer.next_frame().map_err(|error| left(format!("the client sent malformed XML: {error}")))? {
                Some(Frame::Element(element)) => {
                    let message = ClientMessage::parse(&element, self.season);
                    return message.map_err(|error| match error {
                        ClientMessageError::NotAMove { .. } => Fault::new(FaultKind::Illegal, error.to_string()),
                        _ => left(format!("the client sent an invalid message: {error}")),
                    });
                }
                Some(Frame::End) => return Err(left("the client closed the XML stream".to_owned())),
                None => {}
            }
            match self.read(&mut buffer, deadline.saturating_duration_since(Instant::now())) {
                Ok(0) => return Err(left("the client closed the connection".to_owned())),
                // Comments and spaces without end are no answer.
                Ok(_) if late > Framer::DEFAULT_LIMIT => return Err(too_late()),
                Ok(count) => {
                    self.framer.push(&buffer[..count]);
                    late += if Instant::now() < deadline { 0 } else { count };
                }
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                    return Err(too_late());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(left(error.to_string())),
            }
        }
    }
}

fn too_late() -> Fault {
    Fault::new(FaultKind::Late, "no answer in time")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_equal_those_of_the_contest() {
        assert_eq!(contest_command("./start.sh", 5, "c"), "./start.sh --reservation c --host 127.0.0.1 --port 5");
        for path in ["a b.jar", "A.JAR"] {
            let jar = process::shell_quote(path);
            assert_eq!(contest_command(path, 5, "c"), format!("java -jar -mx1500m {jar} -r c -h 127.0.0.1 -p 5"));
        }
        let command = "java -Xint -jar a.jar";
        assert!(contest_command(command, 5, "c").starts_with(&format!("{command} --reservation c")));
    }

    #[cfg(unix)]
    #[test]
    fn times_out_on_program_that_does_not_connect() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut program = Program::start("sleep 600", Stdio::null).unwrap();
        let stream = wait_for_connection(&listener, &mut program, "sleep 600", Duration::from_millis(1));
        assert_eq!(stream.err().as_deref(), Some("the program did not connect within 0.001 s"));
    }

    #[test]
    fn reports_leaving_and_unrequested_messages() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut program = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut connection = ClientConnection::new(listener.accept().unwrap().0, Season::Season2027).unwrap();
        assert_eq!(connection.expect_silence(), Ok(()));
        for (message, kind) in [("<protocol><join/>", FaultKind::Illegal), ("<close/>", FaultKind::Left)] {
            program.write_all(message.as_bytes()).unwrap();
            connection.stream.peek(&mut [0]).unwrap();
            assert_eq!(connection.expect_silence().map_err(|fault| fault.kind), Err(kind));
        }
    }

    #[test]
    fn spaces_without_end_are_late() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let mut program = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut connection = ClientConnection::new(listener.accept().unwrap().0, Season::Season2027).unwrap();
        // Ends when the connection is dropped.
        let sender = std::thread::spawn(move || while program.write_all(&[b' '; 1 << 16]).is_ok() {});
        assert_eq!(connection.message(Instant::now()), Err(too_late()));
        assert_eq!(connection.expect_silence(), Ok(()));
        drop(connection);
        sender.join().unwrap();
    }
}
