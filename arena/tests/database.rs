//! The program and its database: killed, resumed, exported, imported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use arena::record::GameRecord;
use arena::store::Store;
use game::Move;

const ARENA: &str = env!("CARGO_BIN_EXE_arena");

/// A folder of its own, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("arena-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn arena(&self, arguments: &str) -> Command {
        let mut command = Command::new(ARENA);
        command.args(arguments.split_whitespace()).current_dir(&self.0).stdout(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    fn run(&self, arguments: &str) -> String {
        let Output { status, stdout, stderr } = self.arena(arguments).stderr(Stdio::piped()).output().unwrap();
        assert!(status.success(), "{arguments}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).unwrap()
    }

    fn database(&self) -> PathBuf {
        self.0.join("arena.sqlite")
    }

    /// The moves of all games of a match.
    fn games(&self, id: i64) -> Vec<(u32, game::Team, Vec<Move>)> {
        let games = Store::open(&self.database()).unwrap().games(id).unwrap();
        games.into_iter().map(|game| (game.record.pair, game.record.team_of_a, moves(&game.record))).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn moves(game: &GameRecord) -> Vec<Move> {
    game.plies.iter().map(|ply| ply.mv).collect()
}

fn count(path: &Path) -> usize {
    let games = |store: Store| store.games(1).ok().map(|games| games.len());
    path.exists().then(|| Store::open(path).ok().and_then(games)).flatten().unwrap_or(0)
}

#[test]
fn a_killed_match_goes_on() {
    let folder = Folder::new("killed");
    let mut child = folder.arena("match random random --games 1000 --concurrency 2 --seed 4 -q").spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while count(&folder.database()) < 20 {
        assert!(Instant::now() < deadline, "no games are played");
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let saved = folder.games(1);
    assert!((20..1000).contains(&saved.len()), "{} games", saved.len());
    let rest = folder.run("match --resume 1 --games 1000 -q");
    assert!(rest.contains("of 1000 games"), "{rest}");

    // The result is that of a match that was never killed.
    folder.run("match random random --games 1000 --seed 4 -q");
    let (resumed, undisturbed) = (folder.games(1), folder.games(2));
    assert_eq!(resumed.len(), 1000);
    assert!(saved.iter().all(|game| resumed.contains(game)));
    assert_eq!(resumed, undisturbed);
}

#[cfg(unix)]
#[test]
fn interrupted_matches_tell_what_they_have() {
    let folder = Folder::new("interrupted");
    let child = folder.arena("match random random --games 1000000 -q").spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while count(&folder.database()) < 5 {
        assert!(Instant::now() < deadline, "no games are played");
        thread::sleep(Duration::from_millis(5));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("Interrupted") && text.contains("Elo of A"), "{text}");
    let games = count(&folder.database());
    assert!(text.contains(&format!("of {games} games")), "{games} games in the database, but:\n{text}");
}

#[test]
fn games_survive_export_and_import() {
    let folder = Folder::new("export");
    for season in ["2021", "2027"] {
        folder.run(&format!("match heuristic random --games 4 --season {season} --seed 8 -q"));
    }
    for (id, form) in [(1, "xml"), (2, "xml.gz")] {
        folder.run(&format!("export {id} --form {form} --output out"));
    }
    folder.run("export 2 --form text --output text");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder.0.join("out")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 8);
    let names: Vec<&str> = files.iter().map(|path| path.to_str().unwrap()).collect();
    let imported = folder.run(&format!("import {}", names.join(" ")));
    // Each contestant was team one in two games of each season.
    assert_eq!(imported.lines().count(), 4, "{imported}");

    let mut played: Vec<_> = [1, 2].iter().flat_map(|&id| folder.games(id)).map(|(.., moves)| moves).collect();
    let mut read: Vec<_> = (3..=6).flat_map(|id| folder.games(id)).map(|(.., moves)| moves).collect();
    played.sort_by_key(|moves| format!("{moves:?}"));
    read.sort_by_key(|moves| format!("{moves:?}"));
    assert_eq!(played, read);

    let list = folder.run("show");
    assert_eq!(list.lines().count(), 7, "{list}");
    let games = folder.run("show 2");
    assert!(games.contains("A: heuristic") && games.contains("A wins 4"), "{games}");
    let game = folder.run("show --game 1");
    assert!(game.contains("A heuristic plays ONE") && game.contains("B random plays TWO"), "{game}");
    let text = fs::read_to_string(folder.0.join("text/match-2-game-5.txt")).unwrap();
    assert!(text.contains("start 2027") && text.contains("BLUE"), "{text}");
}

#[test]
fn matches_begin_as_others_did() {
    let folder = Folder::new("openings");
    folder.run("match mcts heuristic --games 4 --nodes 20 --season 2021 -q");
    let all = folder.run("openings 1 --plies 12");
    let lines: Vec<&str> = all.lines().collect();
    assert_eq!((lines.len(), lines[0].split(';').count()), (4, 12), "{all}");
    // Both games of a pair begin with the same four moves.
    assert_eq!(folder.run("openings 1 --plies 4").lines().count(), 2);
    let told = |line: &str| {
        let games = Store::open(&folder.database()).unwrap().games(1).unwrap();
        let begins = |game: &GameRecord| {
            let first: Vec<String> =
                game.plies[..12].iter().map(|ply| ply.mv.placement().unwrap().to_string()).collect();
            first.join(";") == line
        };
        let game = games.into_iter().find(|game| begins(&game.record)).unwrap();
        game.record.plies[12].choice.unwrap().evaluation.unwrap().win
    };
    let mut chances: Vec<f32> = lines.iter().map(|line| told(line)).collect();
    chances.sort_by(f32::total_cmp);
    assert!(chances[0] < chances[3], "{chances:?}");
    let some = folder.run(&format!("openings 1 --plies 12 --win 0..{}", chances[0]));
    assert_eq!(some.lines().map(told).collect::<Vec<_>>(), [chances[0]]);

    fs::write(folder.0.join("openings.txt"), &all).unwrap();
    folder.run("match random random --games 8 --season 2021 --opening file:openings.txt -q");
    fs::remove_file(folder.0.join("openings.txt")).unwrap();
    let text = folder.run("match --resume 2 --games 16 -q");
    assert!(text.contains("4 openings") && text.contains("of 16 games"), "{text}");
    let played =
        |moves: &[Move]| -> Vec<String> { moves[..12].iter().map(|mv| mv.placement().unwrap().to_string()).collect() };
    let mut pairs: [Vec<String>; 8] = Default::default();
    for (pair, _, moves) in folder.games(2) {
        pairs[pair as usize].push(played(&moves).join(";"));
    }
    assert!(pairs.iter().all(|games| games.len() == 2 && games[0] == games[1]));
    for (first, again) in pairs[..4].iter().zip(&pairs[4..]) {
        assert_eq!(first, again);
    }
    let mut once: Vec<&str> = pairs[..4].iter().map(|games| games[0].as_str()).collect();
    once.sort_unstable();
    let mut lines = lines.clone();
    lines.sort_unstable();
    assert_eq!(once, lines);
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new("mistakes");
    fs::write(folder.0.join("junk.sqlite"), "this is no database, but it is long enough to look at".repeat(20))
        .unwrap();
    for (arguments, part) in [
        ("match random", "required"),
        ("match random random --opening file:none.txt", "none.txt"),
        ("openings 1 --plies 4 --win 1..0", "'1..0'"),
        ("match random nobody", "`nobody`"),
        ("match random random --sprt 5 0", "--sprt 5 0"),
        ("match random random --database junk.sqlite", "junk.sqlite"),
        ("match --resume 7", "no match 7"),
        ("show --database none.sqlite", "none.sqlite"),
        ("import there-is-no.xml", "there-is-no.xml"),
        ("serve --host not.an.address.invalid", "not.an.address.invalid"),
    ] {
        let output = folder.arena(arguments).stderr(Stdio::piped()).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && text.contains(part), "{arguments}: {text}");
    }
}
