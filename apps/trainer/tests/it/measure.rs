//! `trainer measure` as a program.

use std::process::{Command, Output};

fn trainer(arguments: &str, folder: &std::path::Path) -> Output {
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    let (command, options) = arguments.split_once(' ').unwrap_or((arguments, ""));
    trainer.env(cli::VARIABLE, "").arg(command).arg(folder).args(options.split_whitespace()).output().unwrap()
}

#[test]
fn errors_are_told_by_stage() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    assert!(trainer("play --games 3 --fast 2 --full 40 --every 2", &games).status.success());
    let output = trainer("measure --every 1 --quiet", &games);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Vec<f64>> = printed.lines().skip(1).map(numbers).collect();
    let (all, stages) = rows.split_last().unwrap();
    assert_eq!(stages.len(), 4);
    let positions: f64 = stages.iter().map(|row| row[0]).sum();
    assert!(positions > 30.0 && positions == all[0], "{printed}");
    let &[_, evaluation, network, both, search, features, policy, visits] = &all[..] else { panic!("{printed}") };
    assert!([evaluation, network, both, search].iter().all(|error| (0.1..0.7).contains(error)), "{printed}");
    assert!(visits < features && visits < policy, "{printed}");

    // One of three games is measured, the one with the number 0.
    let fewer = String::from_utf8(trainer("measure --every 3 --quiet", &games).stdout).unwrap();
    assert!(numbers(fewer.lines().last().unwrap())[0] < positions, "{fewer}");

    let empty = folder.path().join("short");
    assert!(trainer("play --games 1 --fast 2 --full 2 --every 1000", &empty).status.success());
    let error = String::from_utf8(trainer("measure --quiet", &empty).stderr).unwrap();
    assert!(error.contains("short: none of the games measured"), "{error}");
}

/// The numbers of a row, without its name.
fn numbers(row: &str) -> Vec<f64> {
    row[10..].split_whitespace().map(|number| number.parse().unwrap()).collect()
}
