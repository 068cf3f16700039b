//! `arena tune` as a program.

use std::process::Command;

const ARGUMENTS: &str = "tune mcts:memory=16 --param exploration=0.1..1 --param rave_weight=0..2 \
                         --nodes 5 --iterations 6 --season classic --seed 3 --quiet --history";

#[test]
fn a_tuning_that_goes_on_ends_like_one_without_interruption() {
    let folder = tempfile::tempdir().unwrap();
    let tune = |file: &str| {
        let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
        arena.env(cli::VARIABLE, "");
        arena.args(ARGUMENTS.split_whitespace()).arg(folder.path().join(file));
        let output = arena.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned()
    };
    let tuned = tune("whole.tsv");
    assert!(tuned.starts_with("tuned: mcts:memory=16,exploration=0."), "{tuned}");
    let whole = std::fs::read_to_string(folder.path().join("whole.tsv")).unwrap();
    assert_eq!(whole.lines().count(), 2 + 6, "{whole}");
    std::fs::write(folder.path().join("part.tsv"), &whole[..whole.len() * 2 / 3]).unwrap();
    assert_eq!(tune("part.tsv"), tuned);
    assert_eq!(std::fs::read_to_string(folder.path().join("part.tsv")).unwrap(), whole);
}

#[test]
fn counts_stay_whole_and_switches_are_refused() {
    let tune = |param: &str| {
        let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
        arena.env(cli::VARIABLE, "");
        let arguments = "tune mcts:memory=16 --nodes 5 --iterations 2 --season classic --quiet --param";
        arena.args(arguments.split_whitespace()).arg(param).output().unwrap()
    };
    let output = tune("max_children=20..80");
    let tuned = String::from_utf8(output.stdout).unwrap();
    let value = tuned.trim_end().rsplit_once("max_children=").map(|(_, value)| value.parse::<u32>());
    assert!(matches!(value, Some(Ok(20..=80))), "{tuned}");
    let error = String::from_utf8(tune("endgame=0..1").stderr).unwrap();
    assert!(error.contains("endgame: a switch cannot be tuned"), "{error}");
}
