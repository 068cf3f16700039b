//! The program as somebody starts it from a shell.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output};

/// Returns the command to start the program in a folder.
fn board(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_board"));
    command.current_dir(folder);
    command
}

fn text(output: &[u8]) -> String {
    String::from_utf8_lossy(output).into_owned()
}

#[test]
#[cfg(unix)]
fn interrupted_analysis_prints_its_result() {
    use std::fs;
    use std::process::Stdio;
    use std::thread;
    use std::time::Duration;

    use game::{Position, Rules};
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    use record::{Game, NodeId};

    let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
    let mut cursor = game.cursor(NodeId::START);
    for _ in 0..40 {
        let mv = cursor.position().legal_moves()[0];
        cursor.play(mv).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("game.jsonl"), record::json::write(&game) + "\n").unwrap();
    let child = board(folder.path())
        .args(["analyse", "game.jsonl", "--time", "100", "--memory", "16", "--html", "game.html"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The 41 positions take 4.1 s. After the fourth, three moves can be judged.
    thread::sleep(Duration::from_secs(2));
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), text(&output.stderr).as_ref()),
        (Some(1), "board: the game in game.jsonl is not finished\nboard: interrupted\n")
    );
    let table = text(&output.stdout);
    let known: usize = table
        .lines()
        .last()
        .and_then(|line| line.strip_suffix(" of 40 moves were analysed"))
        .map_or_else(|| panic!("it does not say how far it came:\n{table}"), |known| known.parse().unwrap());
    assert!((3..40).contains(&known), "{table}");
    assert_eq!(table.lines().count(), 1 + known + 3, "{table}");
    let page = fs::read_to_string(folder.path().join("game.html")).unwrap();
    assert!(page.contains("\"accuracy\""), "the page has no review");
}

#[test]
fn missing_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    for face in [&["--no-open", "--port", "0"][..], &["terminal"]] {
        let output = board(folder.path()).args(face).args(["--games", "gmaes/board.sqlite"]).output();
        let Output { status, stderr, .. } = output.unwrap();
        assert_eq!(status.code(), Some(1), "{face:?}");
        assert!(text(&stderr).contains("there is no folder gmaes for the file of the games"), "{}", text(&stderr));
        assert!(!folder.path().join("gmaes").exists());
    }
}

#[test]
fn port_in_use_names_the_option() {
    let folder = tempfile::tempdir().unwrap();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = other.local_addr().unwrap().port().to_string();
    let output = board(folder.path()).args(["--no-open", "--port", &port]).output().unwrap();
    let error = text(&output.stderr);
    assert!(!output.status.success() && error.contains("choose another port with --port"), "{error}");
}
