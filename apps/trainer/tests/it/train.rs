//! `trainer train` as a program.

use std::fs;

use player::model::{Model, Origin, WeightsFile};
use record::selfplay::{Header, Settings, Writer};

use super::{fail, run};

fn origin(path: &std::path::Path) -> Origin {
    WeightsFile::from_bytes(&fs::read(path).unwrap()).unwrap().origin
}

#[test]
fn trains_prior_on_own_games() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("prior");
    let printed = run("train prior", &file, "--games 2 --nodes 5 --quiet");
    let Origin { command, data, engine } = origin(&file);
    assert!(command.starts_with("trainer train prior") && command.ends_with("--quiet"), "{command}");
    assert!(data.starts_with("2 of the player's own games, 5 simulations per move: stage 0:"), "{data}");
    assert_eq!(engine.len(), 16, "{engine}");
    assert_ne!(Model::with_files([&file]).unwrap(), *Model::built_in());
    assert!(printed.contains("stage 0:") && printed.ends_with(&format!("wrote {}\n", file.display())), "{printed}");
}

#[test]
fn trains_evaluation_on_games_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let (games, file) = (folder.path().join("games"), folder.path().join("network.weights"));
    run("play", &games, "--games 3 --jobs 2 --fast 2 --full 8");
    let from = format!("--quiet --from {}", games.display());
    // The last tenth of the positions is of one game or two.
    let report = run("train evaluation", &file, &from);
    assert!(report.contains(" -") && !report.contains("0.0000"), "{report}");
    let data = origin(&file).data;
    assert!(data.starts_with("6 games of self-play (engine ") && data.contains("\"full_nodes\":8"), "{data}");
    assert_ne!(Model::with_files([&file]).unwrap(), *Model::built_in());
    let bytes = fs::read(&file).unwrap();
    run("train evaluation", &file, &from);
    assert_eq!(fs::read(&file).unwrap(), bytes, "the same games train the same weights");
    run("train evaluation", &file, &format!("{from} --further"));
    assert_ne!(fs::read(&file).unwrap(), bytes);

    let none = folder.path().join("none");
    let empty = folder.path().join("nothing");
    fs::create_dir(&empty).unwrap();
    let from_empty = format!("--from {}", empty.display());
    let error = fail("train evaluation", &none, &from_empty);
    assert!(error.contains("nothing has no files of self-play games (*.games)"), "{error}");
    let header = Header { engine: "0".repeat(16), seed: 1, settings: Settings::default() };
    Writer::append(&empty.join("1.games"), &header).unwrap();
    let error = fail("train evaluation", &none, &from_empty);
    assert!(error.contains("nothing: its games (0) have no position to train on"), "{error}");
    fs::write(games.join("3.games"), "no games").unwrap();
    assert!(fail("train evaluation", &none, &from).contains("3.games is not a file of self-play games"));
    assert!(fail("train evaluation", &none, "").contains("--from"));
    assert!(!none.exists());
}
