//! `trainer learn` as a program.

use std::process::{Command, Output};

use player::model::{Model, Origin, WeightsFile};
use record::selfplay::{Header, Settings, Writer};

fn learn(model: &str, file: &std::path::Path, arguments: &str) -> Output {
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    trainer.env(cli::VARIABLE, "");
    trainer.args(["learn", model]).arg(file).args(arguments.split_whitespace()).output().unwrap()
}

#[test]
fn what_is_learnt_is_written_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    for (part, report) in [("evaluation", "samples, error held out"), ("prior", "stage 0:")] {
        let file = folder.path().join(part);
        let output = learn(part, &file, "--games 2 --nodes 5 --quiet");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let Origin { command, data, engine } = WeightsFile::from_bytes(&std::fs::read(&file).unwrap()).unwrap().origin;
        assert!(command.starts_with(&format!("trainer learn {part}")) && command.ends_with("--quiet"), "{command}");
        assert!(
            data.contains("2 of the player's own games, 5 simulations per move") && data.contains(report),
            "{data}"
        );
        assert_eq!(engine.len(), 16, "{engine}");
        assert_ne!(Model::with_files([&file]).unwrap(), *Model::built_in());
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.contains(report) && printed.contains(&format!("wrote {}", file.display())), "{printed}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn files_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempfile::tempdir().unwrap();
    let name = |bytes: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(bytes));
    let (file, list) = (name(b"\xff.weights"), name(b"\xff.md"));
    let output = learn("prior", &file, "--games 1 --nodes 5 --quiet");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let Origin { command, .. } = WeightsFile::from_bytes(&std::fs::read(&file).unwrap()).unwrap().origin;
    assert!(command.contains("\u{fffd}.weights"), "{command}");

    let same = folder.path().join("same.weights");
    std::fs::rename(&file, &same).unwrap();
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    trainer.env(cli::VARIABLE, "").arg("gate").arg(&same).args(["--games", "2", "--nodes", "2", "--quiet"]);
    let output = trainer.arg("--list").arg(&list).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(&list).unwrap().contains("\u{fffd}.md"));
}

#[test]
fn games_of_the_evaluation_cannot_be_cut_short() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("network.weights");
    let output = learn("evaluation", &file, "--games 1 --plies 9");
    assert!(!output.status.success() && !file.exists());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--plies 9"), "{error}");
}

#[test]
fn the_evaluation_is_learnt_from_games_in_files() {
    let folder = tempfile::tempdir().unwrap();
    let (games, file) = (folder.path().join("games"), folder.path().join("network.weights"));
    let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
    trainer.env(cli::VARIABLE, "");
    let played = trainer.arg("play").arg(&games).args("--games 3 --jobs 2 --fast 2 --full 8".split(' ')).output();
    assert!(played.unwrap().status.success());
    let from = format!("--quiet --from {}", games.display());
    let output = learn("evaluation", &file, &from);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    // The last tenth of the positions is of one game or two.
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains(" -") && !report.contains("0.0000"), "{report}");
    let bytes = std::fs::read(&file).unwrap();
    let Origin { data, .. } = WeightsFile::from_bytes(&bytes).unwrap().origin;
    assert!(data.starts_with("6 games of self-play (engine ") && data.contains("\"full_nodes\":8"), "{data}");
    assert_ne!(Model::with_files([&file]).unwrap(), *Model::built_in());
    assert!(learn("evaluation", &file, &from).status.success());
    assert_eq!(std::fs::read(&file).unwrap(), bytes, "the same games teach the same");

    assert!(learn("evaluation", &file, &format!("{from} --further")).status.success());
    assert_ne!(std::fs::read(&file).unwrap(), bytes);

    let refused = |part: &str, arguments: &str| {
        let output = learn(part, &folder.path().join("none"), arguments);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("prior", &from).contains("only the evaluation"));
    let empty = folder.path().join("nothing");
    std::fs::create_dir(&empty).unwrap();
    let error = refused("evaluation", &format!("--from {}", empty.display()));
    assert!(error.contains("nothing has no files of self-play games (*.games)"), "{error}");
    let header = Header { engine: "0".repeat(16), seed: 1, settings: Settings::default() };
    Writer::append(&empty.join("1.games"), &header).unwrap();
    let error = refused("evaluation", &format!("--from {}", empty.display()));
    assert!(error.contains("nothing: its games (0) have no position to learn from"), "{error}");
    assert!(!folder.path().join("none").exists());
    std::fs::write(games.join("3.games"), "no games").unwrap();
    assert!(refused("evaluation", &from).contains("3.games is not a file of self-play games"));
}

#[test]
fn gate_decides_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (file, list) = (folder.path().join("same.weights"), folder.path().join("list.md"));
    let origin = Origin { command: "test".to_owned(), data: "nothing".to_owned(), engine: "0".to_owned() };
    std::fs::write(&file, Model::built_in().prior.to_file(origin).to_bytes()).unwrap();
    let gate = |arguments: &str| {
        let mut trainer = Command::new(env!("CARGO_BIN_EXE_trainer"));
        trainer.env(cli::VARIABLE, "");
        trainer.arg("gate").arg(&file).args(arguments.split_whitespace()).output().unwrap()
    };
    let listed = format!("--games 2 --nodes 2 --quiet --opening classic=none --list {}", list.display());
    let first = gate(&listed);
    let printed = String::from_utf8(first.stdout).unwrap();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let lines: Vec<&str> = printed.lines().collect();
    assert!(lines.len() == 4 && lines[0].starts_with("2027: ") && lines[0].contains("of 2"), "{printed}");
    assert!(lines[2].starts_with("classic: ") && lines[3] == "undecided", "{printed}");
    let section = std::fs::read_to_string(&list).unwrap();
    assert!(
        section.contains("## prior ") && section.contains(": undecided") && section.contains("`test`"),
        "{section}"
    );
    assert!(lines[..3].iter().all(|line| section.contains(line)), "{section}");

    let games = || {
        let store = arena::database::Store::open(&folder.path().join("same.gate.sqlite")).unwrap();
        store.matches().unwrap().iter().map(|stored| stored.games).collect::<Vec<_>>()
    };
    assert_eq!(games(), [2, 2, 2]);
    assert_eq!(String::from_utf8(gate(&listed).stdout).unwrap(), printed);
    assert_eq!(games(), [2, 2, 2]);
    assert!(gate(&listed.replace("--games 2", "--games 4")).status.success());
    assert_eq!(games(), [4, 4, 4]);

    let comma = folder.path().join("a,b.weights");
    std::fs::copy(&file, &comma).unwrap();
    for (arguments, reason) in [
        (&*format!("--against {}", comma.display()), "a,b.weights: a comma"),
        (
            "--opening 2021=random:6 --opening 2027=none --opening 2021=random:2",
            "2021 cannot begin with both random:6 and random:2",
        ),
        ("--games 3", "--games 3"),
        ("--opening 2027", "expected RULES=OPENING"),
        ("--opening 1999=none", "`1999`"),
        ("--against missing.weights", "missing.weights"),
    ] {
        let refused = gate(arguments);
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && error.contains(reason), "{arguments}: {error}");
    }
}
