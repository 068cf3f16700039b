//! Bad clients must not disturb the games of others.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use client::{JoinMode, Settings, connection};
use player::{FromOptions, RandomPlayer};
use protocol::Slot;
use server::{FinishedGame, Limits, Server, ServerOptions, TimeLimits};

/// A connection that measures the longest time between two arrivals.
struct Timed<'a> {
    stream: &'a TcpStream,
    last: Instant,
    slowest: Duration,
}

impl Read for Timed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.stream.read(buffer)?;
        self.slowest = self.slowest.max(self.last.elapsed());
        self.last = Instant::now();
        Ok(length)
    }
}

/// Plays at random until the game is over. Returns the longest time between two arrivals.
fn play(server: &Server, reservation: String) -> thread::JoinHandle<Duration> {
    let stream = connection::connect("127.0.0.1", server.address().port()).unwrap();
    thread::spawn(move || {
        let settings = Settings { join_mode: JoinMode::Reservation(reservation), ..Settings::default() };
        let mut player = RandomPlayer::new(&player::Options::default());
        let mut timed = Timed { stream: &stream, last: Instant::now(), slowest: Duration::ZERO };
        client::play(&settings, &mut player, &mut timed, &stream, &AtomicBool::new(false), &mut |_| {}).unwrap();
        timed.slowest
    })
}

/// Plays a game and returns its end and the longest wait of a player.
fn play_game(server: &Server) -> (FinishedGame, Duration) {
    let slot = || Slot { display_name: None, can_timeout: true, reserved: true };
    let prepared = server.prepare([slot(), slot()]).unwrap();
    let players: Vec<_> = prepared.reservations.into_iter().map(|code| play(server, code)).collect();
    let slowest = players.into_iter().map(|player| player.join().unwrap()).max().unwrap();
    (server.finished().iter().find(|game| game.room == prepared.room).unwrap(), slowest)
}

/// Runs `bad` on one new connection after the other until `stop` is set.
fn pester(server: &Server, stop: &Arc<AtomicBool>, bad: fn(TcpStream, &AtomicBool)) -> thread::JoinHandle<()> {
    let (address, stop) = (server.address(), stop.clone());
    thread::spawn(move || {
        while !stop.load(Ordering::Relaxed) {
            // The server may refuse or close any connection of such clients.
            if let Ok(stream) = TcpStream::connect(address) {
                let _ = stream.set_write_timeout(Some(Duration::from_millis(200)));
                let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
                bad(stream, &stop);
            }
            thread::sleep(Duration::from_millis(1));
        }
    })
}

fn send(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    stream.write_all(bytes).is_ok()
}

/// Reads all bytes and returns `true` if the server closes the connection.
fn is_closed(stream: &mut TcpStream) -> bool {
    let _ = stream.set_read_timeout(Some(Duration::from_secs(5)));
    let mut buffer = [0; 4096];
    loop {
        match stream.read(&mut buffer) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() != io::ErrorKind::WouldBlock,
        }
    }
}

const BAD: [fn(TcpStream, &AtomicBool); 7] = [
    // Garbage.
    |mut stream, _| _ = send(&mut stream, b"\xff\xfe<<<>>>&&&\0\0\0 GET / HTTP/1.1\r\n\r\n"),
    // A flood of requests for new games.
    |mut stream, stop| {
        let joins = "<join/>".repeat(1000);
        send(&mut stream, b"<protocol>");
        while !stop.load(Ordering::Relaxed) && send(&mut stream, joins.as_bytes()) {}
    },
    // A flood of requests that are refused, whose answers are never read.
    |mut stream, stop| {
        let requests = "<joinPrepared reservationCode=\"0\"/>".repeat(1000);
        send(&mut stream, b"<protocol>");
        while !stop.load(Ordering::Relaxed) && send(&mut stream, requests.as_bytes()) {}
    },
    // A message without end.
    |mut stream, stop| {
        send(&mut stream, b"<protocol><join gameType=\"");
        while !stop.load(Ordering::Relaxed) && send(&mut stream, &[b'x'; 4096]) {}
    },
    // Entities that would expand to gigabytes.
    |mut stream, _| {
        let bomb = b"<!DOCTYPE p [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;'>]><protocol><join gameType='&b;'/>";
        send(&mut stream, bomb);
    },
    // Deep nesting.
    |mut stream, _| _ = send(&mut stream, "<a>".repeat(100_000).as_bytes()),
    // A client that observes and plays, but neither reads nor answers.
    |mut stream, stop| {
        send(&mut stream, b"<protocol><authenticate password='examplepassword'/><join/><join/>");
        while !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
    },
];

#[test]
fn bad_clients_do_not_disturb_games() {
    let server = Server::start(ServerOptions::default()).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let pests: Vec<_> = BAD.into_iter().map(|bad| pester(&server, &stop, bad)).collect();
    thread::sleep(Duration::from_millis(300));
    for _ in 0..2 {
        let (game, slowest) = play_game(&server);
        assert!(game.result.regular, "{:?}", game.result);
        assert!(game.states.last().unwrap().position.is_over());
        assert!(slowest < TimeLimits::default().soft, "a player waited {slowest:?}");
    }
    stop.store(true, Ordering::Relaxed);
    pests.into_iter().for_each(|pest| pest.join().unwrap());
}

#[test]
fn enforces_limits() {
    let idle = Duration::from_secs(2);
    let limits = Limits { connections: 4, message_bytes: 1000, idle, ..Limits::default() };
    let server = Server::start(ServerOptions { limits, ..ServerOptions::default() }).unwrap();
    let connect = || TcpStream::connect(server.address()).unwrap();

    let mut long = connect();
    send(&mut long, format!("<protocol><join gameType='{}'/>", "x".repeat(1000)).as_bytes());
    assert!(is_closed(&mut long));
    // Until then the server lingers, and counts the connection.
    drop(long);
    thread::sleep(Duration::from_millis(100));

    // Silent clients are dropped, waiting players are not.
    let mut waiting = connect();
    send(&mut waiting, b"<protocol><join/>");
    let mut silent: Vec<TcpStream> = (0..3).map(|_| connect()).collect();
    thread::sleep(Duration::from_millis(100));
    let mut one_too_many = connect();
    let asked = Instant::now();
    assert!(is_closed(&mut one_too_many) && asked.elapsed() < idle / 2);
    assert!(silent.iter_mut().all(is_closed));
    drop(silent);
    // The server needs a moment to forget them.
    let mut buffer = [0; 4096];
    let mut join = || {
        thread::sleep(Duration::from_millis(50));
        let mut opponent = connect();
        send(&mut opponent, b"<protocol><join/>");
        let count = opponent.read(&mut buffer).unwrap_or(0);
        String::from_utf8_lossy(&buffer[..count]).starts_with("<protocol>\n  <joined roomId=").then_some(opponent)
    };
    let _opponent = (0..200).find_map(|_| join()).unwrap();
    waiting.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    assert!(waiting.read(&mut buffer).unwrap() > 0);
}

#[test]
fn silent_player_loses_by_the_clock() {
    let time_limits = Some(TimeLimits { hard: Duration::from_millis(100), ..TimeLimits::default() });
    let server = Server::start(ServerOptions { time_limits, ..ServerOptions::default() }).unwrap();
    let players = [(), ()].map(|()| TcpStream::connect(server.address()).unwrap());
    players.iter().for_each(|mut player| player.write_all(b"<protocol><join/>").unwrap());
    assert!(!server.finished().recv().unwrap().result.regular);
}

/// A client that does not read is dropped when its backlog is full; the game continues.
#[test]
fn drops_slow_readers() {
    let limits = Limits { queued_messages: 20, ..Limits::default() };
    let server = Server::start(ServerOptions { limits, ..ServerOptions::default() }).unwrap();
    let mut slow = TcpStream::connect(server.address()).unwrap();
    send(&mut slow, b"<protocol><authenticate password='examplepassword'/>");
    // The answers to these requests fill the buffers of the system and then the queue.
    let requests = format!("<observe roomId='{}'/>", "x".repeat(2000)).repeat(100);
    let _ = slow.set_write_timeout(Some(Duration::from_secs(2)));
    let deadline = Instant::now() + Duration::from_secs(60);
    while send(&mut slow, requests.as_bytes()) {
        assert!(Instant::now() < deadline, "the server holds on to a client that does not read");
    }
    let (game, _) = play_game(&server);
    assert!(game.result.regular);
}
