//! `trainer train` as a program.

use std::fs;

use player::mcts::Params;
use player::model::{Model, Origin, WeightsFile};
use record::selfplay::{self, SelfPlaySettings};
use trainer::evaluation;

use super::{fail, run, write_games};

fn origin(path: &std::path::Path) -> Origin {
    WeightsFile::from_bytes(&fs::read(path).unwrap()).unwrap().origin
}

#[test]
fn trains_prior_on_first_plies_of_games() {
    let folder = tempfile::tempdir().unwrap();
    let (games, file) = (folder.path().join("games"), folder.path().join("prior.weights"));
    let settings = SelfPlaySettings {
        fast_nodes: 1,
        full_nodes: 20,
        full_interval: 1,
        random_openings: 0.0,
        ..SelfPlaySettings::default()
    };
    write_games(&games, 3, &settings);
    let train = || {
        let printed = run("train prior", &file, &format!("--plies 16 --from {} --quiet", games.display()));
        (printed, fs::read(&file).unwrap())
    };
    let (printed, trained) = train();
    assert_eq!(train(), (printed.clone(), trained));
    let Origin { command, data, engine } = origin(&file);
    assert!(command.starts_with("trainer train prior") && command.ends_with("--quiet"), "{command}");
    assert!(data.starts_with("3 games of self-play (engine ") && data.contains(": stage 0: "), "{data}");
    assert_eq!(engine.len(), 16, "{engine}");
    assert!(printed.contains("stage 4: 0 samples, loss held out - before, - after"), "{printed}");
    assert!(printed.ends_with(&format!("wrote {}\n", file.display())), "{printed}");
    // Stages that the games did not reach keep their weights.
    let (trained, before) = (Model::with_files([&file]).unwrap(), Model::built_in());
    let changed = trained.prior.stages.iter().zip(&before.prior.stages).map(|(new, old)| new != old);
    assert_eq!(changed.collect::<Vec<_>>(), [true, true, false, false, false]);
}

#[test]
fn trains_evaluation_on_games_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let (games, file) = (folder.path().join("games"), folder.path().join("network.weights"));
    write_games(&games, 6, &SelfPlaySettings { fast_nodes: 2, full_nodes: 8, ..SelfPlaySettings::default() });
    let from = format!("--quiet --from {}", games.display());
    // The last tenth of the positions is of one game or two.
    let report = run("train evaluation", &file, &from);
    assert!(report.contains(" -") && !report.contains("0.0000"), "{report}");
    let data = origin(&file).data;
    assert!(data.starts_with("6 games of self-play (engine ") && data.contains("\"full_nodes\":8"), "{data}");
    let trained = Model::with_files([&file]).unwrap().value_net;

    let built_in = Model::built_in();
    let train = |further| {
        let mut games = 0;
        let files = selfplay::files(folder.path().join("games")).unwrap();
        let trained = evaluation::train(&files, &Params::default(), &built_in, further, 1, &mut || games += 1);
        assert_eq!(games, 6);
        trained.unwrap().unwrap().0
    };
    assert!(train(false) == trained && trained != built_in.value_net && train(true) != trained);

    let none = folder.path().join("none");
    let empty = folder.path().join("nothing");
    fs::create_dir(&empty).unwrap();
    let from_empty = format!("--from {}", empty.display());
    let error = fail("train evaluation", &none, &from_empty);
    assert!(error.contains("nothing has no files of self-play games (*.games)"), "{error}");
    write_games(&empty, 0, &SelfPlaySettings::default());
    let error = fail("train evaluation", &none, &from_empty);
    assert!(error.contains("nothing: its games (0) have no position to train on"), "{error}");
    fs::write(games.join("3.games"), "no games").unwrap();
    assert!(fail("train evaluation", &none, &from).contains("3.games is not a file of self-play games"));
    assert!(fail("train evaluation", &none, "").contains("--from"));
    assert!(!none.exists());
}
