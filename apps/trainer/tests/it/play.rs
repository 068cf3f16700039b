//! `trainer play` as a program.

use std::process::Command;

#[test]
fn what_would_play_nothing_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    for (arguments, reason) in [
        ("--seed 18446744073709551615", "--seed 18446744073709551615 --jobs 1"),
        ("--seed 18446744073709551614 --jobs 2", "--seed 18446744073709551614 --jobs 2"),
        ("--games 0", "'0' for '--games <GAMES>'"),
    ] {
        let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
        trainer.env(cli::VARIABLE, "").arg("play").arg(&games).args(arguments.split(' '));
        let output = trainer.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && error.contains(reason), "{arguments}: {error}");
        assert!(!games.exists());
    }
}
