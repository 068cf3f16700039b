//! `trainer measure` as a program.

use super::{fail, run};

#[test]
fn reports_errors_by_stage() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    run("play", &games, "--games 3 --fast 2 --full 40 --every 2");
    let printed = run("measure", &games, "--every 1 --quiet");
    let rows: Vec<Vec<f64>> = printed.lines().skip(1).map(numbers).collect();
    let (all, stages) = rows.split_last().unwrap();
    assert_eq!(stages.len(), 4);
    let positions: f64 = stages.iter().map(|row| row[0]).sum();
    assert!(positions > 30.0 && positions == all[0], "{printed}");
    let &[_, evaluation, network, both, search, features, policy, visits] = &all[..] else { panic!("{printed}") };
    assert!([evaluation, network, both, search].iter().all(|error| (0.1..0.7).contains(error)), "{printed}");
    assert!(visits < features && visits < policy, "{printed}");

    // One of three games is measured, the one with the number 0.
    let fewer = run("measure", &games, "--every 3 --quiet");
    assert!(numbers(fewer.lines().last().unwrap())[0] < positions, "{fewer}");

    let empty = folder.path().join("short");
    run("play", &empty, "--games 1 --fast 2 --full 2 --every 1000");
    let error = fail("measure", &empty, "--quiet");
    assert!(error.contains("short: none of the games measured"), "{error}");
}

/// The numbers of a row, without its name.
fn numbers(row: &str) -> Vec<f64> {
    row[10..].split_whitespace().map(|number| number.parse().unwrap()).collect()
}
