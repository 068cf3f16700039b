//! The demo.

use std::process::Command;

#[test]
fn logs_between_boards_only_with_verbose() {
    let demo = |verbose: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_client"));
        command.args(["demo", "--time", "10000", "--player", "random", "--opponent", "random", "--seed", "1"]);
        let output = command.args(verbose).output().unwrap();
        assert!(output.status.success());
        [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap())
    };
    let [quiet, no_log] = demo(&[]);
    let [verbose, log] = demo(&["-v"]);
    assert_eq!(no_log, "");
    assert!(log.contains("turn 0 BLUE"), "{log}");
    // The port and the order of the players differ.
    let boards = |text: &str| text.split("\n\n").skip(1).map(str::to_owned).collect::<Vec<_>>();
    let [quiet, verbose] = [boards(&quiet), boards(&verbose)];
    assert_eq!(quiet[..quiet.len() - 1], verbose[..verbose.len() - 1]);
}
