//! The whole program against servers that are played by the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use client::{JoinMode, Settings, connection, play};
use game::Team;
use player::model::{Model, Origin, WeightsFile};
use player::{FromOptions, Options, RandomPlayer};
use protocol::{Cause, GameError, GameResult, OPENING, RoomData, Score, Season, ServerMessage, Slot};
use server::Server;

const SEASON: Season = Season::Season2027;

/// Lets `talk` speak to one client.
fn serve(talk: impl FnOnce(TcpStream) + Send + 'static) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    (port, thread::spawn(move || talk(listener.accept().unwrap().0)))
}

/// Answers the client's first message and closes the connection.
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
fn failures_have_exit_codes_and_advice() {
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
        ("<protocol><left roomId='r'/>", 0, "without a result"),
    ] {
        let (port, server) = say(text);
        assert_exit(&client(port, &[]).output().unwrap(), code, advice);
        server.join().unwrap();
    }
}

#[test]
fn fingerprint_depends_on_weights() {
    let mut evaluation = Model::built_in().value_net.clone();
    evaluation.network.output_bias += 1.0;
    let write = |name: &str, file: WeightsFile| {
        let path = format!("{}/{name}", env!("CARGO_TARGET_TMPDIR"));
        std::fs::write(&path, file.to_bytes()).unwrap();
        path
    };
    let same = write("same.weights", Model::built_in().prior.to_file(Origin::default()));
    let other = write("other.weights", evaluation.to_file(Origin::default()));
    let fingerprint = |weights: &[&str]| {
        let mut client = Command::new(env!("CARGO_BIN_EXE_client"));
        let output = client.args(["bench", "--nodes", "50"]).args(weights).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.lines().any(|line| line.starts_with("2027") && line.contains("PENTO_")), "{text}");
        text.lines().last().and_then(|line| line.strip_prefix("fingerprint ")).unwrap().to_owned()
    };
    assert_eq!(fingerprint(&[]), fingerprint(&["--weights", &same]));
    assert_ne!(fingerprint(&[]), fingerprint(&["--weights", &other]));
}

#[cfg(unix)]
#[test]
fn rejects_endless_files() {
    for option in ["--weights", "--experience"] {
        let output = Command::new(env!("CARGO_BIN_EXE_client")).args(["bench", option, "/dev/zero"]).output().unwrap();
        assert_exit(&output, 2, "the file has more than");
    }
}

#[test]
fn log_replaces_no_input() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-log");
    std::fs::write(&path, "weights").unwrap();
    for option in ["--weights", "--experience"] {
        let mut client = Command::new(env!("CARGO_BIN_EXE_client"));
        let output = client.args(["demo", option]).arg(&path).arg("--log-file").arg(&path).output().unwrap();
        assert_exit(&output, 1, "is an input of this command");
        assert_eq!(std::fs::read(&path).unwrap(), b"weights");
    }
}

#[test]
fn demo_writes_experience() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("demo-experience");
    _ = std::fs::remove_file(&path);
    let demo = || {
        let mut client = Command::new(env!("CARGO_BIN_EXE_client"));
        client.args(["demo", "-v", "--time", "10", "--opponent", "random", "--experience"]).arg(&path).output().unwrap()
    };
    // A game without surprises adds no results.
    let has_results = || std::fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > 1);
    assert!((0..20).any(|_| demo().status.success() && has_results()));
    std::fs::write(&path, "something else").unwrap();
    assert_exit(&demo(), 2, "demo-experience is not an experience file: it begins with `something else`");
}

/// Lets the client play a whole game as team one on a server of ours. Nobody reads its output.
fn play_game(arguments: &[&str]) -> Child {
    let server = Server::start(server::ServerOptions::default()).unwrap();
    let slot = || Slot { display_name: None, can_timeout: true, reserved: true };
    let prepared = server.prepare([slot(), slot()]).unwrap();
    let [own, other] = <[String; 2]>::try_from(prepared.reservations).unwrap();
    let port = server.address().port();
    let mut command = client(port, arguments);
    command.args(["--player", "random", "--reservation", &own]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let settings = Settings { join_mode: JoinMode::Reservation(other), ..Settings::default() };
    let mut player = RandomPlayer::new(&Options::default());
    let stream = connection::connect("127.0.0.1", port).unwrap();
    play(&settings, &mut player, &stream, &stream, &AtomicBool::new(false), &mut |_| {}).unwrap();
    child
}

#[test]
fn unread_pipe_does_not_stop_game() {
    let begin = Instant::now();
    let mut child = play_game(&["-vvv"]);
    assert!(child.wait().unwrap().success());
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    let mut stderr = String::new();
    // The pipe was full, and the rest was dropped.
    _ = child.stderr.take().unwrap().read_to_string(&mut stderr);
    assert!(stderr.contains("joined room") && !stderr.contains("The server says"));
}

#[test]
fn logs_few_lines_or_many() {
    let log = std::env::temp_dir().join(format!("client-test-{}.log", std::process::id()));
    let output = play_game(&["--log-file", log.to_str().unwrap(), "--seed", "1"]).wait_with_output().unwrap();
    assert_exit(&output, 0, "The server says: ");
    assert!(output.stderr.len() < 500, "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    assert!(text.contains("turn 0 BLUE") && text.contains("turn 4 BLUE") && text.contains("The server says"), "{text}");
}

#[test]
fn escapes_text_of_server_in_log() {
    let bad = || "\n\u{1b}[2J".to_owned();
    let room = |data| ServerMessage::Room { room: bad(), data };
    let mut result = GameResult {
        scores: Team::ALL.map(|_| Score::new(Cause::Regular, 1, 1)),
        is_lone: false,
        winners: vec![],
        regular: true,
        reason: bad(),
    };
    result.scores[0].name = Some(bad());
    let messages = [
        ServerMessage::Joined { room: bad() },
        ServerMessage::Joined { room: "second".to_owned() + &bad() },
        ServerMessage::Left { room: "other".to_owned() + &bad() },
        ServerMessage::Error { message: bad(), request: None },
        room(RoomData::Error(GameError { message: bad(), mv: None })),
        room(RoomData::Unknown { class: bad() }),
        ServerMessage::Unknown { name: "news\u{1b}[2J".to_owned() },
        room(RoomData::Result(result)),
    ];
    let messages: String = messages.iter().map(|message| message.to_element(SEASON).to_xml(1)).collect();
    let (port, server) = serve(move |mut stream| {
        _ = stream.read(&mut [0; 1000]).unwrap();
        stream.write_all(format!("{OPENING}{messages}").as_bytes()).unwrap();
    });
    let output = client(port, &["-vv"]).output().unwrap();
    server.join().unwrap();
    assert_exit(&output, 0, "The server says: \\n\\u{1b}[2J.");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("\\u{1b}[2J").count(), 8, "{stderr}");
    for line in stderr.lines() {
        let mut words = line.split_ascii_whitespace();
        let is_begun = words.next().is_some_and(|time| time.parse::<f64>().is_ok())
            && words.next().is_some_and(|level| level.parse::<log::Level>().is_ok());
        assert!(is_begun && !line.contains(char::is_control), "{line:?}");
    }
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
fn adapts_to_little_memory() {
    let output = limited(500_000, "gtp --nodes 100");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("MiB of memory, because 700 MiB are not available"), "{stderr}");
    assert!(output.status.success() && output.stdout.starts_with(b"= "), "{output:?}");
    // The memory of each thread counts, too.
    for player in ["mcts", "minimax"] {
        let output = limited(60_000, &format!("bench -n 500 --threads 4 --player {player}"));
        assert!(output.status.success(), "{player}: {output:?}");
    }
    assert_exit(&limited(15_000, "gtp"), 1, "too little memory");
}

#[cfg(unix)]
#[test]
fn signal_closes_session() {
    let (port, server) = serve(move |mut stream| {
        _ = stream.read(&mut [0; 1000]).unwrap();
        stream.write_all(b"<protocol><joined roomId='r'/>").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.contains("<close/>") && text.ends_with("</protocol>"), "{text}");
    });
    let mut child = client(port, &[]).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // Stop it after its first output.
    let mut first = [0];
    child.stderr.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert!(Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    server.join().unwrap();
    assert_exit(&output, 130, "stopped on request");
}

#[test]
fn leaves_silent_server_after_patience() {
    let (port, server) = serve(|mut stream| {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        assert!(text.ends_with("</protocol>"), "{text}");
    });
    let advice = "has not answered the request to join. --patience sets the limit";
    assert_exit(&client(port, &["--patience", "1"]).output().unwrap(), 7, advice);
    server.join().unwrap();
}

/// As in `client | head -1`.
#[test]
fn closed_pipe_ends_program_quietly() {
    for arguments in [&[][..], &["bench", "--nodes", "1000"], &["gtp"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_client"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // The engine answers this, the others ignore it.
        stdin.write_all(b"name\n").unwrap();
        child.stdout.take().unwrap().read_exact(&mut [0; 2]).unwrap();
        _ = stdin.write_all(b"list_commands\n");
        drop(stdin);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(child.wait().unwrap().success() && stderr.is_empty(), "{arguments:?}: {stderr}");
    }
}
