//! Leagues of small players.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use arena::database::Store;
use arena::defaults;
use arena::league::play::{Isolation, League, Settings};
use arena::league::standings::Standings;
use arena::league::{DATABASE, LeagueError, sandbox};
use arena::openings::Opening;
use game::Rules;

/// Writes a player that is old enough to play.
fn add(folder: &Path, name: &str, text: &str, age: u64) {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
}

fn settings() -> Settings {
    let budget = defaults::budget(None, Some(1));
    Settings {
        rules: Rules::Season2027,
        start_piece: None,
        opening: Opening::Random(4),
        budget,
        clock: defaults::clock(None, &[budget]),
        seed: 1,
        isolation: Isolation::Trust,
    }
}

fn open(folder: &Path, games: Option<u64>) -> League {
    League::open(folder, None, settings(), games).unwrap()
}

fn stored(folder: &Path) -> Standings {
    Standings::read(&Store::open_to_read(&folder.join(DATABASE)).unwrap()).unwrap()
}

/// Number of games in the database.
fn count(folder: &Path) -> u64 {
    let store = Store::open_to_read(&folder.join(DATABASE)).unwrap();
    store.matches().unwrap().iter().map(|found| found.games).sum()
}

#[test]
fn players_join_change_and_leave_while_it_runs() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    add(folder, "one.player", "random", 9);
    add(folder, "two.player", "random:seed=2", 9);
    let (league, stop, begin) = (open(folder, None), AtomicBool::new(false), Instant::now());
    let mut step = 0;
    let played = |standings: &Standings, name: &str, version| {
        standings.players.iter().any(|line| (line.name.as_str(), line.version) == (name, version) && line.count() > 3)
    };
    let show = |standings: &Standings, _: &[String]| {
        match step {
            0 if played(standings, "two", 1) => {
                add(folder, "new.player", "random:seed=3", 8);
                step = 1;
            }
            1 if played(standings, "new", 1) => {
                add(folder, "one.player", "random:seed=4", 7);
                fs::remove_file(folder.join("two.player")).unwrap();
                step = 2;
            }
            2 if played(standings, "one", 2) => {
                step = 3;
                stop.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
        if begin.elapsed() > Duration::from_secs(30) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    league.play(2, &stop, show).unwrap();
    assert_eq!(step, 3);
    let standings = stored(folder);
    let ranked = standings.players.iter().filter(|line| line.rank.is_some());
    let mut ranked: Vec<_> = ranked.map(|line| (line.name.as_str(), line.version)).collect();
    ranked.sort_unstable();
    assert_eq!(ranked, [("new", 1), ("one", 2)]);
    let versions: Vec<u32> = standings.versions()["one"].iter().map(|line| line.version).collect();
    assert_eq!(versions, [1, 2]);
    assert!(standings.players.iter().any(|line| line.name == "two" && line.rank.is_none() && line.count() > 3));
    assert_eq!(standings, league.standings());
}

#[test]
fn crashing_program_loses_only_its_own_games() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    add(folder, "crash.sh", "#!/bin/sh\necho no table found >&2\nexit 3\n", 9);
    add(folder, "broken.zip", "no archive", 9);
    add(folder, "wrong.player", "nobody", 9);
    add(folder, "random.player", "random", 9);
    open(folder, Some(12)).play(2, &AtomicBool::new(false), |_, _| {}).unwrap();
    let standings = stored(folder);
    let line = |name: &str| standings.players.iter().find(|line| line.name == name).unwrap();
    assert_eq!((line("random").faults, line("random").rank), (0, Some(1)));
    assert_eq!(line("crash").faults, line("crash").games[2]);
    let store = Store::open_to_read(&folder.join(DATABASE)).unwrap();
    let all = ["crash", "broken", "wrong"].map(|name| store.league_games(line(name).id, 100).unwrap());
    let faults = all.each_ref().map(|games| games.iter().find_map(|game| game.fault.clone().filter(|fault| fault.0)));
    let details = faults.map(|fault| fault.map(|(_, _, detail)| detail).unwrap_or_default());
    assert!(details[0].contains("exit status: 3; it says `no table found`"), "{details:?}");
    assert!(details[1].contains("cannot unpack") && details[2].contains("nobody"), "{details:?}");
}

#[test]
fn killed_league_resumes_without_counting_twice() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    add(folder, "one.player", "random", 9);
    add(folder, "two.player", "random:seed=2", 9);
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"))
        .env(cli::VARIABLE, "")
        .args(["league", "--trust", "--nodes", "1", "--concurrency", "2"])
        .arg(folder)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let has_games = || folder.join(DATABASE).exists() && Store::open_to_read(&folder.join(DATABASE)).is_ok();
    while !(has_games() && count(folder) > 2) {
        assert!(begin.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(5));
    }
    arena.kill().unwrap();
    arena.wait().unwrap();
    let before = count(folder);
    open(folder, Some(6)).play(1, &AtomicBool::new(false), |_, _| {}).unwrap();
    let (after, standings) = (count(folder), stored(folder));
    assert!(after >= before + 6, "{before} {after}");
    // An unfinished pair is finished first, so that all pairs are complete.
    assert_eq!(after % 2, 0);
    assert!(standings.players.iter().all(|line| line.count() == after), "{standings:?}");
}

#[test]
fn other_settings_need_another_database() {
    let place = tempfile::tempdir().unwrap();
    open(place.path(), None);
    let other = Settings { seed: 2, ..settings() };
    let refused = League::open(place.path(), None, other, None);
    assert!(matches!(refused, Err(LeagueError::Settings { .. })));
}

/// One misbehaving program of each kind in the sandbox.
#[test]
fn sandboxed_programs_lose_only_their_own_games() {
    if !sandbox::is_available() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    add(folder, "fork.sh", "#!/bin/sh\ni=0\nwhile [ $i -lt 200 ]; do sleep 60 & i=$((i+1)); done\nwait\n", 9);
    add(folder, "network.sh", "#!/bin/sh\nexec 3<>/dev/tcp/127.0.0.1/1\n", 9);
    add(folder, "random.player", "random", 9);
    let isolation = Isolation::Sandbox(env!("CARGO_BIN_EXE_arena").into());
    let league = League::open(folder, None, Settings { isolation, ..settings() }, Some(12)).unwrap();
    let begin = Instant::now();
    league.play(2, &AtomicBool::new(false), |_, _| {}).unwrap();
    assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
    let standings = stored(folder);
    let line = |name: &str| standings.players.iter().find(|line| line.name == name).unwrap();
    assert_eq!(line("random").faults, 0);
    let store = Store::open_to_read(&folder.join(DATABASE)).unwrap();
    let games = store.league_games(line("fork").id, 100).unwrap();
    let fault = games.iter().find_map(|game| game.fault.clone().filter(|fault| fault.0)).unwrap();
    assert!(fault.2.contains("more than 128 processes"), "{fault:?}");
}

/// A league of 1,000 versions and 100,000 games. Prints the time that its standings take.
#[test]
#[ignore = "slow; prints a time"]
fn large_league_has_fast_standings() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join(DATABASE);
    open(place.path(), None);
    let database = rusqlite::Connection::open(&path).unwrap();
    database.execute_batch("BEGIN").unwrap();
    for id in 1..=1000 {
        let sql = "INSERT INTO league_player VALUES (?1, 'p' || (?1 % 200), ?1 / 200 + 1, ?1, '2027-01-01T00:00:00Z', ?1 > 800, 0, 0, 0)";
        database.execute(sql, [id]).unwrap();
    }
    let start = game::Position::new(Rules::Season2027, Some(game::Piece::PentoW)).unwrap().to_string();
    for id in 1..=25_000_i64 {
        let (a, b) = (id % 1000 + 1, (id % 1000 + 1 + id / 1000 * 7) % 1000 + 1);
        database.execute("INSERT INTO match VALUES (?1, '', 'a', 'b', '2027')", [id]).unwrap();
        database.execute("INSERT INTO league_match (match, a, b) VALUES (?1, ?2, ?3)", [id, a, b]).unwrap();
        for game in 0..4 {
            let sql = "INSERT INTO game (match, pair, team_of_a, ended, start, points_a, points_b, score_a)
                       VALUES (?, ?, ?, '2027-01-01T00:00:00Z', ?, 50, 40, ?)";
            let team = if game % 2 == 0 { "ONE" } else { "TWO" };
            let score = f64::from(u8::from((id * 31 + game * 17 + a * 7) % 1000 < 500 + (a - b) / 4));
            database.execute(sql, (id, game / 2, team, &start, score)).unwrap();
        }
    }
    database.execute_batch("COMMIT").unwrap();
    drop(database);
    let measure = |name: &str, action: &dyn Fn()| {
        let begin = Instant::now();
        action();
        println!("{name}: {:?}", begin.elapsed());
    };
    measure("open and rate", &|| drop(open(place.path(), Some(0))));
    measure("open and rate again", &|| drop(open(place.path(), Some(0))));
    let league = open(place.path(), Some(0));
    measure("standings in memory", &|| drop(league.standings()));
    measure("all standings as JSON", &|| drop(serde_json::to_string(&stored(place.path())).unwrap()));
    measure("standings of the page as JSON", &|| {
        let mut standings = stored(place.path());
        standings.keep_meetings(40);
        drop(serde_json::to_string(&standings).unwrap());
    });
    let store = Store::open_to_read(&path).unwrap();
    measure("games of a version", &|| drop(store.league_games(17, 200).unwrap()));
    let standings = stored(place.path());
    assert_eq!((standings.players.len(), standings.meetings.len()), (1000, 25_000));
    assert_eq!(standings.players.iter().map(|line| line.count()).sum::<u64>(), 200_000);
}
