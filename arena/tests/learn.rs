//! `arena learn` as a program.

use std::process::{Command, Output};

fn learn(model: &str, file: &std::path::Path, arguments: &str) -> Output {
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    arena.args(["learn", model]).arg(file).args(arguments.split_whitespace()).output().unwrap()
}

#[test]
fn what_is_learnt_is_written_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (model, source, report) in [("evaluation", "Network {", "samples, error held out"), ("prior", "[", "stage 0:")]
    {
        let file = folder.path().join(model);
        let output = learn(model, &file, "--games 2 --nodes 5 --quiet");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(std::fs::read_to_string(&file).unwrap().starts_with(source));
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains(report) && printed.contains(&format!("wrote {}", file.display())), "{printed}");
    }
}

#[test]
fn games_of_the_evaluation_cannot_be_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.rs");
    let output = learn("evaluation", &file, "--games 1 --plies 9");
    assert!(!output.status.success() && !file.exists());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--plies 9"), "{error}");
}
