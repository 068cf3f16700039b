//! Input of all kinds.

use std::io::Write;
use std::process::{Command, Stdio};

use super::*;

#[test]
fn quit_or_end_of_input_ends_engine() {
    for (input, output) in [
        ("1 protocol_version\nquit\nname\n", "=1 2\n\n= \n\n"),
        ("protocol_version", "= 2\n\n"),
        ("\u{feff}x\n", "? unknown command `\u{feff}x`; `help` lists all\n\n"),
    ] {
        let mut written = Vec::new();
        serve(&mut engine("random", Rules::Classic, Budget::UNLIMITED), input.as_bytes(), &mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), output);
    }
}

#[test]
fn rejects_endless_lines() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    let long = format!("7 play 1 {}", "a1,".repeat(1 << 20));
    let input = format!("{long}\nname\n9{long}");
    let mut output = Vec::new();
    serve(&mut engine, input.as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert_eq!(output, "?7 the line is too long\n\n= client random\n\n?97 the line is too long\n\n");
}

#[test]
fn program_answers_commands() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_client"))
        .args(["gtp", "--game", "Blokus Two-Player", "--player", "random", "--seed", "1", "--memory", "16"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"1 version\n\xff\n2 genmove 1\n3 cputime\nquit\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    // The answer names the failure, so that standard error does not have to.
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<&str> = text.split("\n\n").collect();
    let [version, garbage, mv, time, quit, ""] = answers[..] else { panic!("{text}") };
    assert_eq!(version, format!("=1 {}", env!("CARGO_PKG_VERSION")));
    assert!(garbage.starts_with("? unknown command"));
    assert!(mv.split(',').any(|point| point.ends_with("a20")), "{mv}");
    assert!(time.strip_prefix("=3 ").unwrap().parse::<f64>().is_ok_and(|seconds| seconds >= 0.0), "{time}");
    assert_eq!(quit, "= ");
}
