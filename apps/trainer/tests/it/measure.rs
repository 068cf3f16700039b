//! `trainer measure` as a program.

use record::selfplay::Settings;

use super::{fail, run, write_games};

#[test]
fn reports_errors_by_stage() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    let settings = Settings { fast_nodes: 2, full_nodes: 40, full_interval: 2, ..Settings::default() };
    write_games(&games, 3, &settings);
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
    write_games(&empty, 1, &Settings { full_nodes: 2, full_interval: 1000, ..settings });
    let error = fail("measure", &empty, "--quiet");
    assert!(error.contains("short: none of the games measured"), "{error}");
}

/// The numbers of a row, without its name.
fn numbers(row: &str) -> Vec<f64> {
    row[10..].split_whitespace().map(|number| number.parse().unwrap()).collect()
}
