//! Saving and loading games.

use super::*;

#[test]
fn saves_and_loads_games() {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("\"{}\"", folder.path().join("my # game.blksgf").display());
    for &rules in Rules::TWO_PLAYERS {
        let mut played = engine("random", rules, Budget::UNLIMITED);
        for ply in 0..40 {
            let color = played.game().position().color();
            ask(&mut played, &format!("genmove {color}"));
            if ply == 20 {
                // The file lacks moves that were taken back.
                ask(&mut played, "undo");
            }
        }
        ask(&mut played, &format!("savesgf {path}"));
        let end = ask(&mut played, "position");
        let mut loaded = engine("random", Rules::Classic, Budget::UNLIMITED);
        ask(&mut loaded, &format!("loadsgf {path}"));
        assert_eq!(ask(&mut loaded, "position"), end);
        // Before the fifth move; the moves before can be taken back.
        ask(&mut loaded, &format!("loadsgf {path} 5"));
        (0..39 - 4).for_each(|_| _ = ask(&mut played, "undo"));
        assert_eq!(ask(&mut loaded, "position"), ask(&mut played, "position"));
        (0..4).for_each(|_| _ = ask(&mut loaded, "undo"));
        assert_eq!(answer(&mut loaded, "undo").unwrap(), "? there is no move to undo\n\n");
    }
    let names: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["my # game.blksgf"]);
    let path = folder.path().join("game.blksgf").display().to_string();
    // Illegal moves in variations or after the given move do not matter.
    std::fs::write(&path, "(;GM[Blokus Two-Player];1[a20](;2[t20];3[t20])(;2[t19]))x").unwrap();
    let mut loaded = engine("random", Rules::Classic, Budget::UNLIMITED);
    ask(&mut loaded, &format!("loadsgf {path} 3"));
    assert_eq!(loaded.game().position().turn(), 2);
    let refused = answer(&mut loaded, &format!("loadsgf {path}")).unwrap();
    assert!(refused.starts_with('?') && refused.contains("line 1: RED MONO@19,0: a cell is covered"), "{refused}");
    std::fs::write(&path, "(;GM[1])").unwrap();
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    for (command, part) in [
        (format!("loadsgf {path}"), "line 1: `1` is neither Blokus nor"),
        (format!("loadsgf {path}.none"), ".none: cannot read the file"),
        (format!("loadsgf {path} 0"), "expected the number of a move"),
        ("savesgf /there/is/no/such/folder".to_owned(), "cannot write /there/is/no/such/folder"),
        ("savesgf".to_owned(), "expected the name of a file"),
    ] {
        let refused = answer(&mut engine, &command).unwrap();
        assert!(refused.starts_with('?') && refused.contains(part), "{refused}");
    }
    assert_eq!(
        ask(&mut engine, "position"),
        "classic - 0 BYRG - 20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20/20"
    );
}
