//! `arena tune` as a program.

use super::folder::Folder;

const TUNE: &str = "tune mcts:memory=1 --nodes 5 --season classic --seed 3 --quiet --iterations";

#[test]
fn interrupted_tuning_resumes_to_the_same_result() {
    let folder = Folder::new();
    let tune = |file: &str| {
        let params = "--param exploration=0.1..1 --param rave_weight=0..2";
        let told = folder.run(&format!("{TUNE} 4 {params} --history {file}"));
        told.lines().last().unwrap().to_owned()
    };
    let tuned = tune("whole.tsv");
    assert!(tuned.starts_with("tuned: mcts:memory=1,exploration=0."), "{tuned}");
    let whole = folder.read("whole.tsv");
    assert_eq!(whole.lines().count(), 2 + 4, "{whole}");
    folder.write("part.tsv", &whole[..whole.len() * 2 / 3]);
    assert_eq!((tune("part.tsv"), folder.read("part.tsv")), (tuned, whole));
}

#[test]
fn tunes_whole_counts_and_rejects_switches() {
    let folder = Folder::new();
    let tuned = folder.run(&format!("{TUNE} 1 --param max_children=20..80"));
    let value = tuned.trim_end().rsplit_once("max_children=").map(|(_, value)| value.parse::<u32>());
    assert!(matches!(value, Some(Ok(20..=80))), "{tuned}");
    let error = folder.fail(&format!("{TUNE} 1 --param endgame=0..1"));
    assert!(error.contains("endgame: a switch cannot be tuned"), "{error}");
}
