//! `arena suite` as a program.

use std::path::Path;
use std::process::Command;

fn arena(folder: &Path, arguments: &str) -> String {
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    let output = arena.env(cli::VARIABLE, "").current_dir(folder).args(arguments.split(' ')).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn killed_suite_resumes_to_the_same_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    arena(folder, "match heuristic heuristic --games 4 --nodes 1 --quiet");
    arena(folder, "export 1 --form jsonl --output .");
    let path = folder.join("suite.jsonl");
    let make = || {
        arena(folder, "suite make suite.jsonl match-1.jsonl --positions 3 --root 50 --reply 20");
        std::fs::read_to_string(&path).unwrap()
    };
    let whole = make();
    assert_eq!(whole.lines().count(), 3);
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    assert_eq!(make(), whole);
    let table = arena(folder, "suite run suite.jsonl heuristic heuristic --nodes 1 --quiet");
    let all = table.lines().find(|line| line.starts_with("all")).unwrap();
    assert!(all.contains(" 3 ") && all.ends_with(" 0.00 ± 0.00"), "{table}");
}
