//! The program as it is called in a shell.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

fn perft(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_perft"));
    command.args(arguments);
    command
}

#[test]
fn rules_use_common_names() {
    for arguments in [["1", "--season", "2021"], ["1", "-s", "2021"]] {
        let output = perft(&arguments).output().unwrap();
        assert!(output.stdout.starts_with(b"depth 1: "), "{output:?}");
    }
    let output = perft(&["1", "-s", "2020"]).output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("2021"), "{output:?}");
}

#[test]
fn checks_numbers_of_options() {
    let output = perft(&["0"]).output().unwrap();
    assert!(!output.status.success() && String::from_utf8_lossy(&output.stderr).contains("'0'"), "{output:?}");
    for arguments in [&["-1"][..], &["1", "--threads", "-2"], &["--bench", "--repeats", "0"]] {
        let output = perft(arguments).output().unwrap();
        assert!(String::from_utf8_lossy(&output.stderr).contains("expected a whole number from 1\n"), "{output:?}");
    }
    let output = perft(&["1", "--repeats", "3"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let output = perft(&["1", "--divide", "--threads", "1000000000"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

/// As with `perft 1 --start MONO -s classic 2>&1 | head -0`.
#[test]
fn keeps_exit_code_with_closed_stderr() {
    let mut child = perft(&["1", "--start", "MONO", "-s", "classic"]).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// As with `perft --suite | head -1`.
#[test]
fn closed_pipe_ends_program_quietly() {
    for arguments in [&["--suite"][..], &["--bench", "--repeats", "1"], &["1", "--divide"]] {
        let mut child = perft(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdout = BufReader::with_capacity(1, child.stdout.take().unwrap());
        let mut line = String::new();
        assert!(stdout.read_line(&mut line).unwrap() > 1);
        drop(stdout);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(child.wait().unwrap().success() && stderr.is_empty(), "{arguments:?}: {stderr}");
    }
}
