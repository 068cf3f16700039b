//! The program as a server.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::Duration;

use game::Team;
use record::{FaultKind, Game, file};

use super::folder::Folder;

/// Reads until the text has come.
fn read_until(stream: &mut TcpStream, text: &str) -> String {
    let (mut received, mut buffer) = (Vec::new(), [0; 4096]);
    while !String::from_utf8_lossy(&received).contains(text) {
        let count = stream.read(&mut buffer).expect("an answer in time");
        assert!(count > 0, "the connection ended before `{text}`");
        received.extend_from_slice(&buffer[..count]);
    }
    String::from_utf8_lossy(&received).into_owned()
}

/// Returns a server, its output, and two clients in its prepared game.
fn start(folder: &Folder) -> (Child, impl Iterator<Item = String> + use<>, [TcpStream; 2]) {
    let arguments = "serve --port 0 --season 2021 --prepare 1 --games 1 --gzip --save-replay replays";
    let mut server = folder.arena(arguments).spawn().unwrap();
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines().map(Result::unwrap);
    let address = lines.next().unwrap().split_whitespace().last().unwrap().to_owned();
    let prepared = lines.next().unwrap();
    let codes: Vec<&str> = prepared.split_once("reservations ").unwrap().1.split(' ').collect();
    let mut clients = [0, 1].map(|player: usize| {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let join = format!("<protocol><joinPrepared reservationCode=\"{}\"/>", codes[player]);
        stream.write_all(join.as_bytes()).unwrap();
        stream
    });
    read_until(&mut clients[0], "MoveRequest");
    (server, lines, clients)
}

/// Returns the path of the only replay, and its only game.
fn saved(folder: &Folder) -> (String, Game) {
    let [path] = &folder.files("replays")[..] else { panic!() };
    let [game] = &file::open(path).unwrap().map(Result::unwrap).collect::<Vec<_>>()[..] else { panic!() };
    (path.clone(), game.clone())
}

#[test]
fn rejects_impossible_start() {
    let folder = Folder::new();
    folder.write("odd.xml", include_bytes!("../../../../tools/fuzz/corpus/replay/contradiction.xml"));
    let error = folder.fail("serve --port 0 --load-game-file odd.xml");
    assert!(error.contains("odd.xml: the state of turn 3 is impossible: RED has"), "{error}");
}

#[test]
#[cfg(unix)]
fn saves_replays_of_running_games_when_terminated() {
    use nix::sys::signal::{Signal, kill};
    use record::Verdict;

    let folder = Folder::new();
    let (mut server, mut lines, _clients) = start(&folder);
    kill(nix::unistd::Pid::from_raw(server.id().try_into().unwrap()), Signal::SIGTERM).unwrap();
    assert!(server.wait().unwrap().success());
    assert_eq!(lines.next().unwrap(), "Interrupted; 1 game running.");
    let (path, game) = saved(&folder);
    assert!(path.ends_with("_interrupted.xml.gz"), "{path}");
    assert_eq!((game.verdict(), game.fault), (Verdict::Unfinished, None));
}

#[test]
fn plays_and_saves_prepared_games() {
    let folder = Folder::new();
    let (mut server, mut lines, [mut one, mut two]) = start(&folder);
    one.write_all(b"a move, but <<< no message").unwrap();
    let end = read_until(&mut two, "<left");
    assert!(end.contains("cause=\"LEFT\""), "{end}");
    assert!(server.wait().unwrap().success());
    assert!(lines.next().unwrap().ends_with("TWO wins (ONE: message that cannot be read)"));
    let fault = saved(&folder).1.fault.map(|(team, fault)| (team, fault.kind));
    assert_eq!(fault, Some((Team::One, FaultKind::Left)));
}
