//! Games over TCP with a proxy between the client and the server that does something wrong at one
//! message of the server. Each ends in an exit code and a message, and the opponent of the client gets
//! its result.
//!
//! The test `faults` does the same at every single message of a recorded game, without a network.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::Duration;

use client::exit::Exit;
use client::{Entry, GameOutcome, SessionError, Settings, connection, play};
use player::{Budget, FromOptions, Options, RandomPlayer};
use protocol::{Season, Slot};
use server::{Clock, Server};
use tests::proxy::{Fault, relay};

/// How a game went.
#[derive(Debug)]
struct Game {
    /// How the client behind the proxy ended.
    exit: Exit,
    /// Its error message.
    message: String,
    /// How its opponent ended, if the game began.
    opponent: Option<Result<GameOutcome, String>>,
    /// The messages that reached the client.
    arrived: Vec<String>,
}

impl Game {
    fn has_arrived(&self, text: &str) -> bool {
        self.arrived.iter().any(|message| message.contains(text))
    }

    /// How the game must end for the client if nothing more comes.
    fn exit_without_more(&self) -> Exit {
        match (self.has_arrived("<joined "), self.has_arrived("class=\"result\"")) {
            (false, _) => Exit::Rejected,
            (true, false) => Exit::ConnectionLost,
            (true, true) => Exit::Finished,
        }
    }
}

fn join(season: Season, reservation: String, port: u16) -> Result<GameOutcome, SessionError> {
    let stream = connection::connect("localhost", port).expect("somebody listens");
    let entry = Entry::Reservation(reservation);
    let budget = Budget::time(Duration::from_secs(1));
    let settings = Settings { season, entry, budget, ..Settings::default() };
    play(&settings, &mut RandomPlayer::new(&Options::default()), &stream, &stream, &AtomicBool::new(false), &mut |_| {})
}

/// Plays a game of two clients with a fault between the server and one of them.
fn game(season: Season, fault: Fault, at: usize) -> Game {
    // Answers to the wrong request may be no answers; nobody should wait for them.
    let hard = if fault == Fault::Reorder { Duration::from_secs(1) } else { Clock::default().hard };
    let clock = Some(Clock { hard, ..Clock::default() });
    let options = server::Options { season, clock, seed: Some(1), ..server::Options::default() };
    let server = Server::start(options).expect("a port is free");
    let address = server.address();
    let slot = || Slot { display_name: None, can_timeout: true, reserved: true };
    let prepared = server.prepare([slot(), slot()], false).expect("the server runs");
    let [own, opponents] = prepared.reservations.try_into().expect("two places are reserved");

    let opponent = thread::spawn(move || join(season, opponents, address.port()));
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    let port = listener.local_addr().expect("it listens").port();
    let proxy = thread::spawn(move || relay(&listener, address, fault, at).expect("both sides are there"));
    let (exit, message) = match join(season, own, port) {
        Ok(outcome) => (Exit::Finished, outcome.to_string()),
        Err(error) => {
            let error = anyhow::Error::from(error);
            (Exit::of_error(&error), error.to_string())
        }
    };
    let arrived = proxy.join().expect("the proxy does not panic");
    // A game that has not begun when a player leaves never does.
    let began = arrived.iter().any(|message| message.contains("class=\"memento\""));
    if !began {
        drop(server);
    }
    let opponent = opponent.join().expect("the opponent does not panic").map_err(|error| error.to_string());
    Game { exit, message, opponent: began.then_some(opponent), arrived }
}

/// Number of messages between faults: states and requests come in turns of two or three.
const STEP: usize = 7;

/// Calls `check` with games that suffer the fault at later and later messages, until the fault comes too late to
/// matter.
fn at_many_messages(fault: Fault, check: impl Fn(&Game)) {
    for season in Season::ALL {
        for at in (fault as usize..).step_by(STEP) {
            let game = game(season, fault, at);
            // A failing test shows the last game that was played.
            eprintln!("{season}, {fault:?} at {at}: {:?}, {}, {:?}", game.exit, game.message, game.opponent);
            assert!(!game.message.is_empty());
            assert!(game.opponent.as_ref().is_none_or(|end| end.as_ref().is_ok_and(|end| end.result.is_some())));
            check(&game);
            if game.arrived.len() < at {
                assert_eq!(game.exit, Exit::Finished);
                break;
            }
        }
    }
}

#[test]
fn cut_or_reset() {
    for fault in [Fault::Cut, Fault::Reset] {
        at_many_messages(fault, |game| assert_eq!(game.exit, game.exit_without_more()));
    }
}

#[test]
fn delayed_or_duplicated() {
    for fault in [Fault::Delay, Fault::Duplicate] {
        at_many_messages(fault, |game| {
            assert_eq!(game.exit, Exit::Finished);
            let Some(Ok(opponent)) = &game.opponent else { panic!("the game has begun") };
            assert!(opponent.result.as_ref().is_some_and(|result| result.regular), "{opponent}");
        });
    }
}

#[test]
fn reordered() {
    at_many_messages(Fault::Reorder, |game| {
        assert!([Exit::Finished, Exit::ConnectionLost, Exit::Protocol].contains(&game.exit), "{:?}", game.exit);
    });
}
