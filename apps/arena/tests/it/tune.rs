//! `arena tune` as a program.

use super::folder::Folder;

const TUNE: &str = "tune mcts:memory=1 --nodes 5 --season classic --seed 3 --quiet --iterations";

#[test]
fn interrupted_tuning_resumes_to_the_same_result() {
    let folder = Folder::new();
    let params = "--param exploration=0.1..1 --param rave_weight=0..2";
    let tune = |file: &str| {
        let told = folder.run(&format!("{TUNE} 4 {params} --history {file}"));
        told.lines().last().unwrap().to_owned()
    };
    let tuned = tune("whole.tsv");
    assert!(tuned.starts_with("tuned: mcts:memory=1,exploration=0."), "{tuned}");
    let whole = folder.read("whole.tsv");
    assert_eq!(whole.lines().count(), 2 + 4, "{whole}");
    for length in [0, 20, whole.len() * 2 / 3] {
        folder.write("part.tsv", &whole[..length]);
        assert_eq!((tune("part.tsv"), folder.read("part.tsv")), (tuned.clone(), whole.clone()));
    }
    let history = |iterations: u32, content: &str| {
        folder.write("other.tsv", content);
        let error = folder.fail(&format!("{TUNE} {iterations} {params} --history other.tsv"));
        assert_eq!(folder.read("other.tsv"), content);
        error
    };
    for (iterations, other) in [(5, &*whole), (4, "notes"), (4, "\n"), (4, &whole[..20].replace('m', "n"))] {
        assert!(history(iterations, other).contains("another tuning"), "{other}");
    }
    for (right, wrong) in [("\n4\t", "\n5\t"), ("\n4\t", "\n4\t9"), ("\n4\t", "\n4\tmuch")] {
        let error = history(4, &whole.replace(right, wrong));
        assert!(error.contains("line 6, ") && error.contains("does not match iteration 4"), "{error}");
    }
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
