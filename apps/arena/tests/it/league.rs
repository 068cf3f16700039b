//! Leagues of small players.

#![cfg(unix)]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use arena::database::Store;
use arena::defaults;
use arena::league::play::{Isolation, League, LeagueSettings};
use arena::league::standings::{LeagueStanding, LeagueStandings};
use arena::league::{DATABASE, LeagueError, sandbox};
use arena::plan::Plan;

use super::folder::{Folder, wait_until};

/// Returns a folder of players.
fn folder(players: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    players.iter().for_each(|(name, text)| add(&folder, name, text, 9));
    folder
}

/// Writes a player that is old enough to play.
fn add(folder: &Folder, name: &str, text: &str, age: u64) {
    folder.write(name, text);
    fs::set_permissions(folder.path(name), fs::Permissions::from_mode(0o755)).unwrap();
    let file = fs::File::options().write(true).open(folder.path(name)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
}

fn settings() -> LeagueSettings {
    LeagueSettings { plan: Plan::new(Vec::new()), budget: defaults::budget(None, Some(1)), isolation: Isolation::Trust }
}

fn open(folder: &Folder, settings: LeagueSettings, games: Option<u64>) -> Result<League, LeagueError> {
    League::open(&folder.path(""), &folder.path(DATABASE), settings, games)
}

/// Plays this many games and returns the stored standings.
fn play(folder: &Folder, settings: LeagueSettings, games: u64) -> LeagueStandings {
    let league = open(folder, settings, Some(games)).unwrap();
    league.play(2, &AtomicBool::new(false), |_, _| {}).unwrap();
    LeagueStandings::read(&store(folder)).unwrap()
}

fn store(folder: &Folder) -> Store {
    Store::open_to_read(&folder.path(DATABASE)).unwrap()
}

fn line<'a>(standings: &'a LeagueStandings, name: &str) -> &'a LeagueStanding {
    standings.players.iter().find(|line| line.name == name).unwrap()
}

/// Checks that the random player has no faults, and that each named player has a fault with its detail.
fn assert_own_faults(folder: &Folder, standings: &LeagueStandings, details: &[(&str, &str)]) {
    assert_eq!(line(standings, "random").faults, 0);
    for (name, detail) in details {
        let games = store(folder).league_games(line(standings, name).id, 100).unwrap();
        let fault = games.into_iter().find_map(|game| game.fault.filter(|fault| fault.is_own)).unwrap();
        assert!(fault.detail.contains(detail), "{name}: {fault:?}");
    }
}

#[test]
fn players_join_change_and_leave_while_it_runs() {
    let folder = folder(&[("one.player", "random"), ("two.player", "random:seed=2")]);
    let league = open(&folder, settings(), None).unwrap();
    let (stop, begin) = (AtomicBool::new(false), Instant::now());
    let mut step = 0;
    let played = |standings: &LeagueStandings, name: &str, version| {
        standings.players.iter().any(|line| (line.name.as_str(), line.version) == (name, version) && line.count() > 3)
    };
    let show = |standings: &LeagueStandings, _: &[String]| {
        match step {
            0 if played(standings, "two", 1) => {
                add(&folder, "new.player", "random:seed=3", 8);
                step = 1;
            }
            1 if played(standings, "new", 1) => {
                add(&folder, "one.player", "random:seed=4", 7);
                fs::remove_file(folder.path("two.player")).unwrap();
                step = 2;
            }
            2 if played(standings, "one", 2) => step = 3,
            _ => {}
        }
        if step == 3 || begin.elapsed() > Duration::from_secs(30) {
            stop.store(true, Ordering::Relaxed);
        }
    };
    league.play(2, &stop, show).unwrap();
    assert_eq!(step, 3);
    let standings = LeagueStandings::read(&store(&folder)).unwrap();
    let ranked = standings.players.iter().filter(|line| line.rank.is_some());
    let mut ranked: Vec<_> = ranked.map(|line| (line.name.as_str(), line.version)).collect();
    ranked.sort_unstable();
    assert_eq!(ranked, [("new", 1), ("one", 2)]);
    let versions: Vec<u32> = standings.versions()["one"].iter().map(|line| line.version).collect();
    assert_eq!(versions, [1, 2]);
    let gone = line(&standings, "two");
    assert!(gone.rank.is_none() && gone.count() > 3, "{gone:?}");
    assert_eq!(standings, league.standings());
}

#[test]
fn crashing_program_loses_only_its_own_games() {
    let folder = folder(&[
        ("crash.sh", "#!/bin/sh\necho no table found >&2\nexit 3\n"),
        ("broken.zip", "no archive"),
        // An archive without files.
        ("empty.zip", "PK\u{5}\u{6}\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
        ("random.player", "random"),
    ]);
    let standings = play(&folder, settings(), 16);
    let crash = line(&standings, "crash");
    assert_eq!((line(&standings, "random").rank, crash.faults), (Some(1), crash.games.lost));
    let details = [
        ("crash", "exit status: 3; stderr: `no table found`"),
        ("broken", "stderr: `cannot unpack broken.zip: "),
        ("empty", "zip the files, not their folder`"),
    ];
    assert_own_faults(&folder, &standings, &details);
}

#[test]
fn warning_names_player() {
    let folder = folder(&[("slow.sh", "#!/bin/sh\nsleep 4\n"), ("random.player", "random")]);
    let _league = folder.spawn(&mut folder.arena("league . --trust --nodes 1"), "league");
    folder.wait_for("league", "] slow has not connected yet");
}

#[test]
fn killed_league_resumes_without_counting_twice() {
    let folder = folder(&[("one.player", "random"), ("two.player", "random:seed=2")]);
    let count = || store(&folder).matches().unwrap().into_iter().map(|found| found.unwrap().games).sum::<u64>();
    let mut arena = folder.arena("league . --trust --nodes 1 --concurrency 2").spawn().unwrap();
    wait_until(|| Store::open_to_read(&folder.path(DATABASE)).is_ok() && count() > 2);
    arena.kill().unwrap();
    arena.wait().unwrap();
    let before = count();
    let standings = play(&folder, settings(), 6);
    let after = count();
    assert!(after >= before + 6, "{before} {after}");
    // An unfinished pair is finished first, so that all pairs are complete.
    assert_eq!(after % 2, 0);
    assert!(standings.players.iter().all(|line| line.count() == after), "{standings:?}");
}

#[test]
fn other_settings_need_another_database() {
    let folder = Folder::new();
    open(&folder, settings(), None).unwrap();
    let plan = Plan { seed: 2, ..settings().plan };
    let refused = open(&folder, LeagueSettings { plan, ..settings() }, None);
    assert!(matches!(refused, Err(LeagueError::Settings { .. })));
}

/// One misbehaving program of each kind in the sandbox.
#[test]
#[ignore = "needs bubblewrap"]
fn sandboxed_programs_lose_only_their_own_games() {
    assert!(sandbox::is_available(), "bwrap is missing or may not create namespaces");
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = outside.local_addr().unwrap().port();
    let folder = folder(&[
        // Starts 1,000 processes if nothing stops it.
        ("fork.sh", "#!/bin/sh\nbomb() { [ $1 -eq 0 ] || bomb $(($1 - 1)) | bomb $(($1 - 1)) & sleep 60; }\nbomb 9\n"),
        ("flood.sh", "#!/bin/sh\nhead -c 5m /dev/zero | tr '\\0' x | tee /dev/stderr\nexit 5\n"),
        ("write.sh", "#!/bin/sh\nfor at in / /dev/ /package/; do echo x >$at/x && exit 7; done\n"),
        // As in the contest, a client may write into its own folder.
        ("log.sh", "#!/bin/sh\nchmod +x program && echo x >>program && echo x >log && cat log >&2\nexit 6\n"),
        ("network.sh", &format!("#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/{port}\n")),
        ("random.player", "random"),
    ]);
    let isolation = Isolation::Sandbox(env!("CARGO_BIN_EXE_arena").into());
    let standings = play(&folder, LeagueSettings { isolation, ..settings() }, 18);
    let details = [
        ("fork", "more than 128 processes"),
        ("flood", "exit status: 5; stderr: `xxx"),
        ("network", "onnection refused"),
        ("log", "exit status: 6; stderr: `x`"),
        ("write", "ead-only file system"),
    ];
    assert_own_faults(&folder, &standings, &details);
}
