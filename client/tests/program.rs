//! The program as a whole against servers that are played by the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use game::{Move, Piece, Position, Team};
use protocol::{
    Cause, ClientMessage, Frame, Framer, GameResult, OPENING, RoomData, Score, Season, ServerMessage, State, WireMove,
};

const SEASON: Season = Season::Season2027;

/// Lets `talk` speak to one client.
fn serve(talk: impl FnOnce(TcpStream) + Send + 'static) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    (port, thread::spawn(move || talk(listener.accept().unwrap().0)))
}

/// Says something and hangs up once the client has said something.
fn say(text: &'static str) -> (u16, JoinHandle<()>) {
    serve(move |mut stream| {
        _ = stream.read(&mut [0; 1000]).unwrap();
        stream.write_all(text.as_bytes()).unwrap();
    })
}

fn client(port: u16, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_client"));
    command.args(["-h", "127.0.0.1", "-p", &port.to_string()]).args(arguments);
    command
}

fn assert_exit(output: &Output, code: i32, advice: &str) {
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains(advice), "{stderr}");
    assert!(output.stdout.is_empty());
}

#[test]
fn every_failure_has_its_exit_code_and_advice() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let closed_port = listener.local_addr().unwrap().port();
    drop(listener);
    assert_exit(&client(closed_port, &[]).output().unwrap(), 3, "Is the server running?");
    assert_exit(&client(1, &["--host", "no-such-host.invalid"]).output().unwrap(), 2, "cannot be used multiple times");
    assert_exit(&client(1, &["--log-file", "/no/such/folder/x"]).output().unwrap(), 1, "/no/such/folder/x");

    for (text, code, advice) in [
        ("", 4, "--season"),
        ("<protocol><errorpacket message='used up'/>", 4, "used up"),
        ("<protocol><joined roomId='r'/>", 5, "before the game ended"),
        ("SSH-2.0-OpenSSH\r\n", 6, "Is this host and port"),
        ("<protocol><left roomId='r'/>", 0, "cancelled"),
    ] {
        let (port, server) = say(text);
        assert_exit(&client(port, &[]).output().unwrap(), code, advice);
        server.join().unwrap();
    }
}

/// Plays a whole game with the client alone: the test places the first placement for both teams
/// and only looks whether the client answers.
fn play_game(mut stream: TcpStream) {
    let mut position = Position::new(SEASON.rules(), Some(Piece::PentoY)).unwrap();
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
    let mut receive = |stream: &mut TcpStream| {
        loop {
            match framer.next_frame().unwrap() {
                Some(Frame::Element(element)) => return ClientMessage::parse(&element, SEASON).unwrap(),
                Some(Frame::End) => panic!("the client left"),
                None => {
                    let mut buffer = [0; 1000];
                    let length = stream.read(&mut buffer).unwrap();
                    assert!(length > 0, "the client hung up");
                    framer.push(&buffer[..length]);
                }
            }
        }
    };
    let send = |stream: &mut TcpStream, message: ServerMessage| {
        stream.write_all(message.to_element(SEASON).to_xml(1).as_bytes()).unwrap();
    };
    let room = |data| ServerMessage::Room { room: "r".to_owned(), data };
    assert_eq!(receive(&mut stream), ClientMessage::JoinPrepared { reservation: "code".to_owned() });
    stream.write_all(OPENING.as_bytes()).unwrap();
    send(&mut stream, ServerMessage::Joined { room: "r".to_owned() });
    send(&mut stream, room(RoomData::Welcome(Team::One)));
    let mut last_move = None;
    loop {
        let state = State::new(SEASON, position, last_move, ["", ""]);
        send(&mut stream, room(RoomData::Memento(Box::new(state))));
        if position.is_over() {
            break;
        }
        let mv = if position.color().team() == Team::One {
            send(&mut stream, room(RoomData::MoveRequest));
            let ClientMessage::Move { mv, .. } = receive(&mut stream) else { panic!("no move") };
            mv.check(&position).unwrap()
        } else {
            let mut placements = Vec::new();
            position.board().list_placements(position.color(), &mut placements);
            Move::Place(placements[0])
        };
        last_move = Some(WireMove::new(position.color(), mv));
        position.play(mv);
    }
    let scores = Team::ALL.map(|team| Score::new(Cause::Regular, 1, position.team_points(team)));
    let result = GameResult { scores, winners: vec![], regular: true, reason: "enough".to_owned() };
    send(&mut stream, room(RoomData::Result(result)));
    send(&mut stream, ServerMessage::Left { room: "r".to_owned() });
    assert_eq!(receive(&mut stream), ClientMessage::Close);
}

#[test]
fn a_pipe_that_nobody_reads_does_not_stop_the_game() {
    let begin = Instant::now();
    let (port, server) = serve(play_game);
    let arguments = ["-vvv", "--player", "random", "--reservation", "code"];
    let mut child = client(port, &arguments).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    server.join().unwrap();
    assert!(child.wait().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let mut stderr = String::new();
    // Only as much as fitted into the pipe; the rest was dropped.
    _ = child.stderr.take().unwrap().read_to_string(&mut stderr);
    assert!(stderr.contains("joined room r") && !stderr.contains("drawn"));
}

#[test]
fn a_game_is_told_in_a_few_lines_or_in_many() {
    let log = std::env::temp_dir().join(format!("client-test-{}.log", std::process::id()));
    let (port, server) = serve(play_game);
    let arguments = ["--log-file", log.to_str().unwrap(), "--player", "random", "-r", "code", "--seed", "1"];
    let output = client(port, &arguments).output().unwrap();
    server.join().unwrap();
    assert_exit(&output, 0, "drawn");
    assert!(output.stderr.len() < 500, "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    assert!(text.contains("turn 0 BLUE") && text.contains("turn 4 BLUE") && text.contains("enough"), "{text}");
}

/// Runs the program with a limit for the memory that the process may have, in KiB.
#[cfg(target_os = "linux")]
fn limited(limit: u32, arguments: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_client");
    let script = format!("ulimit -v {limit} && echo genmove 1 | '{program}' {arguments}");
    Command::new("/bin/sh").args(["-c", &script]).output().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn little_memory_is_enough_and_too_little_is_said() {
    let output = limited(500_000, "gtp --nodes 100");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("MiB of memory, because 700 MiB cannot be had"), "{stderr}");
    assert!(output.status.success() && output.stdout.starts_with(b"= "), "{output:?}");
    // What each thread needs is counted, too.
    for player in ["mcts", "minimax"] {
        let output = limited(60_000, &format!("bench -n 500 --threads 4 --player {player}"));
        assert!(output.status.success(), "{player}: {output:?}");
    }
    assert_exit(&limited(15_000, "gtp"), 1, "too little memory");
}

#[test]
fn the_benchmark_tells_a_fingerprint_that_stays() {
    let fingerprint = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_client")).args(["bench", "-n", "200"]).args(arguments).output();
        let stdout = String::from_utf8(output.unwrap().stdout).unwrap();
        assert!(stdout.lines().any(|line| line.starts_with("2027") && line.contains("PENTO_")), "{stdout}");
        stdout.lines().last().and_then(|line| line.strip_prefix("fingerprint ")).unwrap().to_owned()
    };
    assert_eq!(fingerprint(&[]), fingerprint(&[]));
    assert_ne!(fingerprint(&[]), fingerprint(&["--seed", "2"]));
}
