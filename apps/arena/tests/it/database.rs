//! The program and its database: killed, resumed, exported, imported.

use std::collections::BTreeSet;
use std::fs;
use std::process::Child;
use std::time::Duration;

use super::folder::{Folder, moves, wait_until};
use arena::database::Store;
use arena::games::played::{PlayedGame, Side};
use arena::openings;
use game::Placement;
use record::{Fault, FaultKind, json};

/// Starts a long match and returns it when it has stored five games.
fn start_match(folder: &Folder) -> Child {
    let child = folder.arena("match random random --games 20000 --concurrency 2 --seed 4 -q").spawn().unwrap();
    let count = |store: Store| store.game_ids(1).map_or(0, |games| games.len());
    wait_until(|| folder.database().exists() && Store::open(&folder.database()).map_or(0, count) >= 5);
    child
}

#[test]
fn killed_match_resumes() {
    let folder = Folder::new();
    let mut child = start_match(&folder);
    child.kill().unwrap();
    child.wait().unwrap();

    let saved = folder.games(1);
    let games = saved.len().next_multiple_of(2) + 20;
    let rest = folder.run(&format!("match --resume 1 --games {games} -q"));
    assert!(rest.contains(&format!("of {games} games")), "{rest}");

    // The result equals an uninterrupted match.
    folder.run(&format!("match random random --games {games} --seed 4 -q"));
    let (resumed, undisturbed) = (folder.games(1), folder.games(2));
    assert_eq!(resumed.len(), games);
    assert!(saved.iter().all(|game| resumed.contains(game)));
    assert_eq!(resumed, undisturbed);
}

#[cfg(unix)]
#[test]
fn interrupted_match_fails_and_reports_its_games() {
    use std::process::Command;

    let folder = Folder::new();
    let child = start_match(&folder);
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("interrupted; the same command resumes"), "{error}");
    let games = folder.games(1).len();
    assert!(text.contains("Elo of A") && text.contains(&format!("of {games} games")), "{games} games:\n{text}");
}

#[test]
fn games_survive_export_and_import() {
    let folder = Folder::new();
    for season in ["2021", "2027"] {
        folder.run(&format!("match heuristic random --games 4 --season {season} --seed 8 -q"));
    }
    for (id, form) in [(1, "xml"), (2, "xml.gz")] {
        folder.run(&format!("export {id} --format {form} --output out"));
    }
    folder.run("export 2 --format txt --output txt");
    let files = folder.files("out");
    assert_eq!(files.len(), 8);
    let imported = folder.run(&format!("import {} {}", files.join(" "), files[0]));
    // Each contestant was team one in two games of each season; one file comes twice.
    assert_eq!((imported.lines().count(), imported.matches("there already, as game ").count()), (5, 1), "{imported}");
    folder.write("copy.xml", folder.read("out/match-1-game-1.xml"));
    let again = folder.run("import copy.xml out/match-2-game-5.xml.gz");
    assert_eq!(again.matches("there already").count(), 2, "{again}");

    let mut played: Vec<_> = [1, 2].iter().flat_map(|&id| folder.games(id)).map(|(.., moves)| moves).collect();
    let mut read: Vec<_> = (3..=6).flat_map(|id| folder.games(id)).map(|(.., moves)| moves).collect();
    played.sort_by_key(|moves| format!("{moves:?}"));
    read.sort_by_key(|moves| format!("{moves:?}"));
    assert_eq!(played, read);

    let list = folder.run("list");
    assert_eq!(list.lines().count(), 7, "{list}");
    let games = folder.run("show 2");
    assert!(games.contains("A: heuristic") && games.contains("A wins 4"), "{games}");
    let game = folder.run("show --game 1");
    assert!(game.contains("A plays ONE") && game.contains("ONE: heuristic"), "{game}");
    let text = folder.read("txt/match-2-game-5.txt");
    assert!(text.contains("start 2027") && text.contains("BLUE"), "{text}");
}

#[test]
fn exports_every_form() {
    let folder = Folder::new();
    folder.run("match heuristic random --games 2 --season classic --seed 8 -q");
    for form in ["blksgf", "txt", "jsonl"] {
        folder.run(&format!("export 1 --format {form} --output {form}"));
        let files = folder.files(form);
        assert_eq!(files.len(), if form == "jsonl" { 1 } else { 2 });
        // The files contain the games' names, so the others are recognised as copies.
        let imported = folder.run(&format!("import {}", files.join(" ")));
        assert_eq!(imported.matches("there already").count(), if form == "blksgf" { 0 } else { 2 }, "{imported}");
    }
    // A damaged file loses one game.
    let lines = folder.read("jsonl/match-1.jsonl");
    folder.write("half.jsonl", lines.lines().next().unwrap().to_owned() + "\n{\n");
    let error = folder.fail("import half.jsonl --database half.sqlite");
    assert!(error.contains("half.jsonl: 1 game imported"), "{error}");
    let [played, read] = [1, 2].map(|id| folder.stored(id).swap_remove(0));
    assert_eq!(moves(&played), moves(&read));
    let times = |game: &PlayedGame| game.plies.iter().filter(|ply| ply.choice.is_some()).count();
    assert!(times(&played) > 20 && times(&played) == times(&read));
    let error = folder.fail("export 1 --format xml");
    assert!(error.contains("classic") && error.contains("--format blksgf"), "{error}");
}

/// Returns a replay of a whole game.
fn replay(folder: &Folder) -> String {
    folder.run("match heuristic random --games 2 --seed 8 -q --database other.sqlite");
    folder.run("export 1 --format xml --output out --database other.sqlite");
    folder.read("out/match-1-game-1.xml")
}

#[test]
fn marks_truncated_replays() {
    let folder = Folder::new();
    let text = replay(&folder);
    folder.write("cut.xml", &text[..text.len() * 2 / 3]);
    let imported = folder.run("import cut.xml");
    assert!(imported.contains("1 of them unfinished"), "{imported}");
    let games = folder.run("show 1");
    assert!(games.contains("unfinished\n") && games.contains("A wins 0, draws 0, loses 0, 1 unfinished"), "{games}");
    let list = folder.run("list");
    assert!(list.contains("(1 unfinished)") && list.contains("      1            0  "), "{list}");
    // Nor does anything that is written from it tell a result.
    folder.run("export 1 --output again");
    let again = folder.read("again/match-1-game-1.xml");
    assert!(again.contains("memento") && !again.contains("result"), "{again}");
    folder.run("report 1");
}

#[test]
fn import_reports_illegal_moves() {
    let folder = Folder::new();
    let text = "(;GM[Blokus Two-Player];1[a20](;2[t20])(;2[t19]))\n(;GM[Blokus Two-Player];1[a20];2[t19];3[t1])";
    folder.write("book.blksgf", text);
    let imported = folder.run("import book.blksgf");
    let lines: Vec<_> = imported.lines().collect();
    assert_eq!(lines.len(), 3, "{imported}");
    for (line, part) in [(lines[0], "this variation"), (lines[1], "the game")] {
        assert!(line.starts_with("book.blksgf: line ") && line.ends_with(&format!("the rest of {part} is dropped")));
        assert!(line.contains(": YELLOW MONO@19,1: the first piece must"), "{line}");
    }
    assert!(lines[2].contains("2 games") && lines[2].contains("2 of them unfinished"), "{imported}");
}

#[test]
fn deletes_and_merges_matches() {
    let folder = Folder::new();
    folder.run("match random random --games 4 --seed 1 --time 8589934592 --timeout 9999999999 -q");
    let clock = Store::open(&folder.database()).unwrap().plan(1).unwrap().clock();
    assert_eq!(clock.soft, Duration::from_millis(9_999_999_999));
    fs::copy(folder.database(), folder.path("copy.sqlite")).unwrap();
    folder.run("match random heuristic --games 2 --seed 2 -q --database copy.sqlite");
    folder.run("match --resume 1 --games 6 -q --database copy.sqlite");
    let told = folder.run("merge copy.sqlite");
    assert!(told.contains("match 1 of copy.sqlite is match 1: 2 games added"), "{told}");
    assert!(told.contains("match 2 of copy.sqlite is match 2: 2 games added"), "{told}");
    assert_eq!((folder.games(1).len(), folder.games(2).len()), (6, 2));
    assert!(folder.run("match --resume 1 -q").contains("of 6 games"));
    let told = folder.run("merge copy.sqlite");
    assert_eq!(told.matches(": 0 games added").count(), 2, "{told}");
    // A merged match can resume.
    folder.run("match --resume 2 --games 4 -q");
    let told = folder.run("delete 1");
    assert!(told.contains("deleted match 1 with 6 games"), "{told}");
    assert_eq!((folder.run("list").lines().count(), folder.games(2).len()), (2, 4));
    // Refuses to merge a database with itself under another name, and reports an empty one.
    assert!(folder.fail("merge ./arena.sqlite").contains("with itself"));
    drop(Store::open(&folder.path("empty.sqlite")).unwrap());
    assert_eq!(folder.run("merge empty.sqlite").trim(), "empty.sqlite has no matches");
    let error = folder.fail("delete 2 1");
    assert!(error.contains("no match 1") && folder.run("list").contains("heuristic"), "{error}");
    let told = folder.run("delete 2 2");
    assert_eq!(told.lines().count(), 1, "{told}");
}

#[test]
fn game_lines_do_not_wrap() {
    let folder = Folder::new();
    folder.run("match mcts heuristic --games 2 --nodes 50 --seed 1 -q");
    let shown = folder.run("show --game 1");
    assert!(shown.contains("\nturn colour move ") && shown.contains("\n   0 BLUE   PENTO_"), "{shown}");
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    // Server messages about faults are quoted outside the table.
    let detail = "ONE hat das Spiel verlassen, und zwar ohne ein einziges Wort des Abschieds oder der Erklärung";
    let fault = Some((Side::A, Fault::new(FaultKind::Left, detail)));
    let left = PlayedGame { fault, ..folder.stored(1).swap_remove(0) };
    folder.write("left.jsonl", json::write(&left.to_game(["one", "two"])) + "\n");
    folder.run("import left.jsonl");
    let shown = folder.run("show 2");
    assert!(shown.contains("B wins (A left)\n"), "{shown}");
    let shown = folder.run("show --game 3");
    assert!(shown.contains("B wins (A left): `ONE hat das Spiel"), "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
}

#[cfg(unix)]
#[test]
fn failed_engine_start_leaves_no_match() {
    use std::time::Instant;

    use super::folder::end;

    let folder = Folder::new();
    let begun = Instant::now();
    for (contestant, part) in [
        ("gtp:there-is-no-such-program", "not found"),
        ("exec:there-is-no-such-program", "not found"),
        ("exec:false", "ended without connecting"),
        ("gtp:cat", "`list_commands` was answered by `list_commands`"),
        ("gtp:printf '\\033[2J\\n'; cat", "`list_commands` was answered by `\\u{1b}[2J`"),
    ] {
        let (code, told, error) = end(folder.arena("match random -q --games 2").arg(contestant));
        let program = contestant.split_once(':').unwrap().1;
        assert!(error.contains(part) && error.contains(program), "{contestant}: {error}");
        assert_eq!((code, told.as_str()), (Some(1), ""));
    }
    // It took a minute to find out that nobody answers.
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert_eq!(folder.run("list").lines().count(), 1);
}

#[test]
fn escapes_control_characters_of_files() {
    let folder = Folder::new();
    let nasty: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    for start in ["<protocol>", "(;", "{", "blokus 1\n", "<protocol><room>"] {
        folder.write("binary", [start.as_bytes(), &nasty].concat());
        for arguments in
            ["import binary", "serve --port 0 --load-game-file binary", "match random random --opening file:binary"]
        {
            let error = folder.fail(arguments);
            let is_plain = |line: &str| !line.contains(char::is_control) && line.len() < 1000;
            assert!(error.lines().all(is_plain), "{arguments}: {error}");
        }
    }
    let text = replay(&folder)
        .replace("displayName=\"heuristic\"", "displayName=\"&#x1b;[2J\"")
        .replace("name=\"heuristic\"", "name=\"&#x1b;[2J\"");
    folder.write("nasty.xml", text);
    for arguments in ["import nasty.xml", "list", "show 1", "show --game 1"] {
        let told = folder.run(arguments);
        assert!(told.contains("\\u{1b}[2J") || arguments == "show --game 1", "{told}");
        assert!(!told.contains('\u{1b}'), "{told}");
    }
}

#[test]
fn reuses_openings_of_other_matches() {
    let folder = Folder::new();
    folder.run("match mcts heuristic --games 4 --nodes 20 --season 2021 -q");
    let all = folder.run("openings 1 --plies 12");
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!((lines.len(), lines[0].split(';').count()), (4, 12), "{all}");
    // Both games of a pair begin with the same four moves.
    assert_eq!(folder.run("openings 1 --plies 4").lines().count(), 2);
    let begin = |game: &PlayedGame| {
        let placements: Vec<Placement> = game.plies[..12].iter().map(|ply| ply.mv.placement().unwrap()).collect();
        openings::join(&placements)
    };
    let win = |line: &str| {
        let game = folder.stored(1).into_iter().find(|game| begin(game) == line).unwrap();
        game.plies[12].choice.unwrap().evaluation.unwrap().win
    };
    let mut chances: Vec<f32> = lines.iter().map(|line| win(line)).collect();
    chances.sort_by(f32::total_cmp);
    assert!(chances[0] < chances[3], "{chances:?}");
    let some = folder.run(&format!("openings 1 --plies 12 --win 0..{}", chances[0]));
    assert_eq!(some.lines().map(win).collect::<Vec<_>>(), [chances[0]]);

    folder.write("openings.txt", &all);
    folder.run("match random random --games 8 --season 2021 --opening file:openings.txt -q");
    fs::remove_file(folder.path("openings.txt")).unwrap();
    let text = folder.run("match --resume 2 --games 16 -q");
    assert!(text.contains("4 openings") && text.contains("of 16 games"), "{text}");
    // The games of a match are listed by pair; each opening is played before one is repeated.
    let played: Vec<String> = folder.stored(2).iter().map(begin).collect();
    assert!(played.chunks(2).all(|games| games[0] == games[1]));
    assert_eq!(played[..8], played[8..]);
    assert_eq!(BTreeSet::from_iter(played[..8].iter().map(String::as_str)), BTreeSet::from_iter(lines));
}

#[test]
fn games_from_positions_have_no_openings() {
    let folder = Folder::new();
    folder.run("match random random --games 2 --season classic -q");
    let played = folder.stored(1).remove(0);
    let from = |place: usize| {
        let (start, plies) = (played.positions().nth(place).unwrap(), played.plies[place..].to_vec());
        json::write(&PlayedGame { start, plies, ..played.clone() }.to_game(["one", "two"])) + "\n"
    };
    folder.write("both.jsonl", from(0) + &from(8));
    folder.run("import both.jsonl");
    folder.write("middle.jsonl", from(8));
    folder.run("import middle.jsonl --database middle.sqlite");
    let lines = folder.run("openings 2 --plies 4");
    assert_eq!(lines, openings::join(&[0, 1, 2, 3].map(|i| played.plies[i].mv.placement().unwrap())) + "\n");
    assert!(folder.fail("openings 1 --plies 4 --database middle.sqlite").contains("no such openings"));
}

#[test]
fn explains_mistakes() {
    let folder = Folder::new();
    folder.write("junk.sqlite", "this is not a database, but it is long enough to look at".repeat(20));
    folder.write("plan.toml", "knots = 8");
    folder.run("match random random --games 2 -q");
    for (arguments, part) in [
        ("match random", "required"),
        ("match random random --opening file:none.txt", "none.txt"),
        ("openings 1 --plies 4 --win 1..0", "'1..0'"),
        ("league . --trust --opening moves:PENTO_W@5,5", "is not legal"),
        ("match random nobody", "`nobody`"),
        ("match random exec:false --games 2 --season classic", "no season has the classic rules"),
        ("match random random --games 3", "even number"),
        ("delete 7", "no match 7"),
        ("merge none.sqlite", "none.sqlite"),
        ("match random random --sprt 5 0", "--sprt 5 0"),
        ("match random random --database junk.sqlite", "junk.sqlite"),
        ("match --resume 7", "no match 7"),
        ("list --database none.sqlite", "none.sqlite"),
        ("import there-is-no.xml", "there-is-no.xml"),
        ("serve --host not.an.address.invalid", "not.an.address.invalid"),
        ("run plan.toml", "plan.toml: line 1, `knots = 8`: unknown field `knots`"),
        ("run none.toml", "none.toml"),
        ("run plan.toml --part 4/3 --out x", "4/3"),
        ("run plan.toml --part 1/3", "--out"),
        ("run plan.toml --out x", "--part"),
    ] {
        let text = folder.fail(arguments);
        assert!(text.contains(part), "{arguments}: {text}");
    }
}
