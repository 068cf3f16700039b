//! `arena suite` as a program.

use arena::suite::STAGES;

use super::folder::Folder;

#[test]
fn killed_suite_resumes_to_the_same_file() {
    let folder = Folder::new();
    folder.run("match heuristic heuristic --games 4 --nodes 1 --quiet");
    folder.run("export 1 --format jsonl --output .");
    let make = || {
        folder.run("suite make suite.jsonl match-1.jsonl --positions 3 --root 50 --reply 20");
        folder.read("suite.jsonl")
    };
    let whole = make();
    let plies: Vec<usize> =
        whole.lines().map(|line| line.split("\"values\"").next().unwrap().matches('@').count()).collect();
    let in_stages = plies.iter().zip(&STAGES[1..]).all(|(&plies, stage)| stage.contains(&(plies as u16)));
    assert!(plies.len() == 3 && in_stages, "{plies:?}");
    folder.write("suite.jsonl", &whole[..whole.len() / 2]);
    assert_eq!(make(), whole);
    let table = folder.run("suite run suite.jsonl heuristic heuristic --nodes 1 --quiet");
    let all = table.lines().find(|line| line.starts_with("all")).unwrap();
    assert!(all.contains(" 3 ") && all.ends_with(" 0.00 ± 0.00"), "{table}");
}
