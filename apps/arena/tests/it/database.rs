//! The program and its database: killed, resumed, exported.

use std::collections::BTreeSet;
use std::fs;
use std::process::Child;
use std::time::Duration;

use super::folder::{Folder, end, moves, wait_until};
use arena::database::Store;
use arena::games::played::PlayedGame;
use arena::openings;
use game::{Placement, Rules};
use record::file;

/// Starts a long match and returns it when it has stored five games.
fn start_match(folder: &Folder, options: &str) -> Child {
    let arguments = format!("match random random --games 20000 --concurrency 2 --seed 4 -q {options}");
    let child = folder.arena(&arguments).spawn().unwrap();
    let count = |store: Store| store.game_ids(1).map_or(0, |games| games.len());
    wait_until(|| folder.database().exists() && Store::open(&folder.database()).map_or(0, count) >= 5);
    child
}

#[test]
fn killed_match_resumes() {
    let folder = Folder::new();
    let mut child = start_match(&folder, "");
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
    let child = start_match(&folder, "--database ./arena.sqlite");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    let resume = "interrupted; `arena match --resume 1 --database ./arena.sqlite` resumes";
    assert!(output.status.code() == Some(1) && error.contains(resume), "{error}");
    let games = folder.games(1).len();
    assert!(text.contains("Elo of A") && text.contains(&format!("of {games} games")), "{games} games:\n{text}");
}

#[test]
fn exported_games_equal_stored_ones() {
    let folder = Folder::new();
    let forms = [("2021", &["xml"][..]), ("2027", &["xml.gz"]), ("classic", &["blksgf", "jsonl"])];
    for (id, (season, forms)) in (1..).zip(forms) {
        folder.run(&format!("match heuristic random --games 4 --season {season} --seed 8 -q"));
        let mut played = folder.stored(id);
        played.sort_by_key(|game| format!("{:?}", moves(game)));
        for form in forms {
            folder.run(&format!("export {id} --format {form} --output {form}"));
            let files = folder.files(form);
            assert_eq!(files.len(), if *form == "jsonl" { 1 } else { 4 });
            let games = files.iter().flat_map(|path| file::open(path).unwrap());
            let mut read: Vec<_> = games.map(|game| PlayedGame::of_game(&game.unwrap(), 0)).collect();
            read.sort_by_key(|game| format!("{:?}", moves(game)));
            assert!(played.iter().map(moves).eq(read.iter().map(moves)), "{form}");
            let times = |game: &PlayedGame| game.plies.iter().filter(|ply| ply.choice.is_some()).count();
            assert!(*form != "jsonl" || times(&read[0]) > 20 && times(&played[0]) == times(&read[0]));
        }
    }
    let games = folder.run("show 2");
    assert!(games.contains("A: heuristic") && games.contains("A wins 4"), "{games}");
    let error = folder.fail("export 3 --format xml");
    assert!(error.contains("classic") && error.contains("--format blksgf"), "{error}");
}

#[test]
fn deletes_and_merges_matches() {
    let folder = Folder::new();
    folder.run("match random random --games 4 --seed 1 --time 8589934592 --timeout 9999999999 -q");
    let limits = Store::open(&folder.database()).unwrap().plan(1).unwrap().time_limits();
    assert_eq!(limits.soft, Duration::from_millis(9_999_999_999));
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
    let copy = rusqlite::Connection::open(folder.path("copy.sqlite")).unwrap();
    copy.execute("UPDATE ply SET move = 'MONO@0,0' WHERE game = 1 AND number = 5", []).unwrap();
    let error = folder.fail("merge copy.sqlite");
    assert!(error.contains("copy.sqlite: game 1 of match 1 is damaged"), "{error}");
    copy.execute("UPDATE run SET plan = 'garbage'", []).unwrap();
    let error = folder.fail("merge copy.sqlite");
    assert!(error.contains("copy.sqlite: line 1, `garbage`"), "{error}");
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
fn lists_matches_beside_damaged_one() {
    let folder = Folder::new();
    for players in ["random random", "random heuristic"] {
        folder.run(&format!("match {players} --games 2 -q"));
    }
    let damage = "UPDATE match SET rules = 'x' WHERE id = 1";
    rusqlite::Connection::open(folder.database()).unwrap().execute(damage, []).unwrap();
    let (code, listed, error) = end(&mut folder.arena("list"));
    assert!(code == Some(1) && error.contains("match 1 is damaged") && error.contains("`arena delete 1 "), "{error}");
    assert!(listed.ends_with("random - heuristic\n"), "{listed}");
    folder.run("delete 1");
    assert_eq!(folder.run("list"), listed);
}

#[cfg(unix)]
#[test]
fn failed_engine_start_leaves_no_match() {
    use std::time::Instant;

    let folder = Folder::new();
    let begun = Instant::now();
    for (contestant, part) in [
        ("gtp:there-is-no-such-program", "not found"),
        ("exec:there-is-no-such-program", "not found"),
        ("exec:false", "ended without connecting"),
        ("gtp:cat", "invalid answer to `list_commands`: `list_commands`"),
        ("gtp:printf '\\033[2J\\n'; cat", "invalid answer to `list_commands`: `\\u{1b}[2J`"),
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
    for start in ["<protocol>", "(;", "{", "<protocol><room>"] {
        folder.write("binary", [start.as_bytes(), &nasty].concat());
        for arguments in ["serve --port 0 --load-game-file binary", "match random random --opening file:binary"] {
            let error = folder.fail(arguments);
            let is_plain = |line: &str| !line.contains(char::is_control) && line.len() < 1000;
            assert!(error.lines().all(is_plain), "{arguments}: {error}");
        }
    }
    let mut store = Store::open(&folder.database()).unwrap();
    store.add_match_without_plan(Rules::Classic, ["\u{1b}[2J", "random"]).unwrap();
    for arguments in ["list", "show 1"] {
        let told = folder.run(arguments);
        assert!(told.contains("\\u{1b}[2J"), "{told}");
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
fn explains_mistakes() {
    let folder = Folder::new();
    folder.write("junk.sqlite", "this is not a database, but it is long enough to look at".repeat(20));
    folder.write("plan.toml", "knots = 8");
    folder.write("openings.txt", "# one\r\nMONO@0,0\n\n  MONO@0,0;NONE@1,1\n");
    folder.write("empty.txt", "# nothing\n");
    folder.run("match random random --games 2 -q");
    for (arguments, part) in [
        ("match random random --opening file:none.txt", "none.txt"),
        ("match random random --opening file:openings.txt", "`openings.txt`, line 4: "),
        ("match random random --opening file:empty.txt", "no openings in `empty.txt`"),
        ("openings 1 --plies 4 --win 1..0", "'1..0'"),
        ("openings 1 --plies 4 --win 0..0.5", "begins with 4 placements and a win probability from 0 to 0.5"),
        ("league . --trust --opening moves:PENTO_W@5,5", "is not legal"),
        ("match random nobody", "`nobody`"),
        ("match random exec:false --games 2 --season classic", "no season has the classic rules"),
        ("match random random --games 3", "even number"),
        ("delete 7", "no match 7"),
        ("match random random --games 99999999998", "an even number from 2 to 4294967294"),
        ("work --queue nats://localhost --allow engine.sh", "the 64 digits that `arena run --dry-run` prints"),
        ("report 1 --output arena.sqlite", "arena.sqlite is a database"),
        ("list --database .", ".: it is a folder"),
        ("league none --trust", "cannot read none"),
        ("serve --games 0", "--games"),
        ("match random random --opening random:41", "random:41"),
        ("merge none.sqlite", "none.sqlite"),
        ("match random random --sprt 5 0", "--sprt 5 0"),
        ("match random random --database junk.sqlite", "junk.sqlite"),
        ("match --resume 7", "no match 7"),
        ("list --database none.sqlite", "none.sqlite"),
        ("serve --host not.an.address.invalid", "not.an.address.invalid"),
        ("run plan.toml", "plan.toml: line 1, `knots = 8`: unknown field `knots`"),
        ("run none.toml", "none.toml"),
        ("run plan.toml --part 4/3 --out x", "4/3"),
        ("run plan.toml --part 0/3 --out x", "0/3"),
        ("run plan.toml --part 3 --out x", "expected K/N"),
    ] {
        let text = folder.fail(arguments);
        assert!(text.contains(part), "{arguments}: {text}");
    }
}
