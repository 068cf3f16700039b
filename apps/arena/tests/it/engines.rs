//! GTP engines that misbehave.

#![cfg(unix)]

use std::io::Read;
use std::process::Stdio;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use arena::games::played::{PlayedGame, Side, Wdl};
use arena::matches::MatchPlan;
use arena::plan::Plan;
use game::{Move, Rules};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use record::FaultKind;

use super::folder::Folder;

/// Plays games, one at a time, against an engine that answers correctly except in the `cases` of a shell script.
fn play(cases: &str, pairs: u32) -> Vec<PlayedGame> {
    let engine =
        format!("gtp:sh -c 'while read -r word rest; do case $word in {cases};; *) echo =; echo;; esac; done'");
    play_with(&engine, Rules::Classic, pairs)
}

fn play_with(engine: &str, rules: Rules, pairs: u32) -> Vec<PlayedGame> {
    let sides = [engine, "random:nodes=1"].map(|text| text.parse().unwrap());
    let mut games = Vec::new();
    let plan = MatchPlan { rules, pairs, seed: 5, ..MatchPlan::new(sides) };
    plan.play(1, &AtomicBool::new(false), |game| games.push(game)).unwrap();
    games
}

fn play_plan(engine: &str, settings: &str) -> Vec<PlayedGame> {
    let plan = format!("{settings}\n[[contestant]]\nplayer = '''{engine}'''\n[[contestant]]\nplayer = 'random'");
    let mut games = Vec::new();
    let plan = plan.parse::<Plan>().unwrap().match_plan(0);
    plan.play(1, &AtomicBool::new(false), |game| games.push(game)).unwrap();
    games
}

fn faults(games: &[PlayedGame]) -> Vec<(FaultKind, &str)> {
    let faults = games.iter().filter_map(|game| game.fault.as_ref());
    faults.map(|(_, fault)| (fault.kind, fault.detail.as_str())).collect()
}

#[test]
fn misbehaving_engines_lose() {
    for (script, kind) in [
        ("echo =; echo", FaultKind::Illegal),
        ("echo = resign; echo", FaultKind::Resigned),
        ("echo ? no; echo", FaultKind::Illegal),
        ("exit", FaultKind::Left),
    ] {
        let games = play(&format!("genmove) {script}"), 1);
        let kinds: Vec<FaultKind> = faults(&games).iter().map(|(kind, _)| *kind).collect();
        assert_eq!(kinds, [kind; 2], "{script}: {:?}", faults(&games));
        assert!(games.iter().all(|game| game.outcome(Side::A) == Some(Wdl::Loss)), "{script}");
    }
}

#[test]
fn dead_engine_leaves_status_and_stderr() {
    // The shell around it may say more.
    for (script, status) in [("exit 3", "exit status: 3"), ("kill -SEGV $$", "signal")] {
        let games = play(&format!("genmove) echo no table >&2; {script}"), 1);
        for (kind, detail) in faults(&games) {
            assert!(kind == FaultKind::Left && detail.starts_with("the engine ended at `genmove "), "{detail}");
            assert!(detail.contains(status) && detail.contains("it says `no table"), "{detail}");
        }
        assert_eq!(faults(&games).len(), 2);
    }
}

#[test]
fn dead_client_leaves_status_and_stderr() {
    let folder = tempfile::tempdir().unwrap();
    let script = "exec 3<>/dev/tcp/$4/$6; printf '<protocol><joinPrepared reservationCode=\"%s\"/>' $2 >&3
        while read -r -d '>' part <&3; do case $part in *oveRequest*) break;; esac; done
        echo no move found >&2; exit 7";
    let path = folder.path().join("client.sh");
    std::fs::write(&path, script).unwrap();
    let games = play_with(&format!("exec:bash {}", path.display()), Rules::Season2027, 1);
    // The connection ends or is reset.
    let end = ", exit status: 7; it says `no move found`";
    let found = faults(&games);
    assert!(found.iter().all(|(kind, detail)| *kind == FaultKind::Left && detail.ends_with(end)), "{found:?}");
    assert_eq!(found.len(), 2);
}

/// Kills a hanging engine in a session of its own.
#[test]
#[cfg(target_os = "linux")]
fn killed_arena_ends_its_engines() {
    let folder = Folder::new("hanging");
    let file = folder.0.join("process");
    let engine = format!("gtp:setsid sh -c 'echo $$ >{0}.new; mv {0}.new {0}; exec sleep 600'", file.display());
    let mut arena = folder.arena("match random --games 2 --no-database --quiet").arg(&engine).spawn().unwrap();
    wait_until(&|| file.exists());
    let environment = format!("/proc/{}/environ", std::fs::read_to_string(&file).unwrap().trim());
    let is_gone = || std::fs::read(&environment).map_or(true, |environment| environment.is_empty());
    // It has no environment while `exec` replaces the shell.
    wait_until(&|| !is_gone());
    arena.kill().unwrap();
    arena.wait().unwrap();
    wait_until(&is_gone);
}

fn wait_until(is_done: &dyn Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_done() {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// An engine that runs a shell script and passes once, and then resigns.
fn engine_with_script(folder: &std::path::Path, script: &str) -> String {
    let (mark, path) = (folder.join("asked"), folder.join("engine.sh"));
    let text = format!(
        "while read -r word rest; do\ncase $word in genmove)\n\
         if [ ! -e {0} ]; then echo $$ >{0}.new; mv {0}.new {0}; {script}; fi; echo = ${{move:-pass}}; move=resign;;\n\
         *) echo =;; esac; echo; done",
        mark.display()
    );
    std::fs::write(&path, text).unwrap();
    format!("gtp:exec sh {}", path.display())
}

#[test]
fn paused_engine_plays_game_again() {
    let settings = "games = 2\nnodes = 1\ntimeout = 300\nrules = 'classic'";
    let folder = tempfile::tempdir().unwrap();
    let engine = engine_with_script(folder.path(), "(sleep 0.6; kill -CONT $$) & kill -STOP $$");
    let kinds = |games: &[PlayedGame]| faults(games).iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
    assert_eq!(kinds(&play_plan(&engine, settings)), [FaultKind::Resigned; 2]);
    assert!(folder.path().join("asked").exists());
    // A hanging engine loses in the end, and one with a time limit at once.
    let late =
        "gtp:while read -r word rest; do case $word in genmove) sleep 0.6; echo = pass;; *) echo =;; esac; echo; done";
    for settings in [settings, &settings.replace("nodes = 1", "time = 100")] {
        assert_eq!(kinds(&play_plan(late, settings)), [FaultKind::Late; 2]);
    }
}

/// Stops the arena for longer than its engine may take.
#[test]
fn paused_arena_plays_game_again() {
    let folder = Folder::new("paused");
    let engine = engine_with_script(&folder.0, "until [ -e go ]; do sleep 0.01; done");
    let mut arena = folder
        .arena("match random --games 2 --nodes 1 --timeout 1000 --season classic --quiet")
        .arg(&engine)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(&|| folder.0.join("asked").exists());
    let process = Pid::from_raw(arena.id() as i32);
    kill(process, Signal::SIGSTOP).unwrap();
    folder.write("go", "");
    std::thread::sleep(Duration::from_millis(1500));
    kill(process, Signal::SIGCONT).unwrap();
    let mut complaint = String::new();
    arena.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert!(arena.wait().unwrap().success() && complaint.contains("replaying a game"), "{complaint}");
    let games = folder.stored(1);
    assert_eq!(faults(&games), [(FaultKind::Resigned, "resign"); 2]);
}

/// A daemon of an engine without its environment, session and parent.
#[test]
#[cfg(target_os = "linux")]
fn ends_orphans_of_engines() {
    let folder = Folder::new("orphans");
    folder.write("daemon.sh", "echo $$ >process.new; mv process.new process; exec sleep 600");
    folder.write(
        "engine.sh",
        "env -i sh -c 'setsid sh daemon.sh &'; until [ -e process ]; do sleep 0.01; done
         while read -r word; do echo =; echo; done",
    );
    let mut arena = folder.arena("match random --games 2 --nodes 1 --no-database --quiet --season classic");
    assert!(arena.arg("gtp:exec sh engine.sh").status().unwrap().success());
    let id = folder.read("process");
    // The system may not have released it yet.
    let status = format!("/proc/{}/status", id.trim());
    wait_until(&|| std::fs::read_to_string(&status).map_or(true, |status| status.contains("zombie")));
}

#[test]
fn restarts_engines_that_ended_between_games() {
    let games = play("list_commands) echo = set_game; echo;; genmove) echo = resign; echo; exit", 2);
    assert_eq!(faults(&games), [(FaultKind::Resigned, "resign"); 4]);
}

#[test]
fn invalid_answer_costs_one_game() {
    let folder = tempfile::tempdir().unwrap();
    let warned = folder.path().join("warned");
    let warn = format!("[ -e {0} ] || echo warning; touch {0}", warned.display());
    let games = play(&format!("genmove) {warn}; echo = resign; echo"), 2);
    let resigned = (FaultKind::Resigned, "resign");
    let no_answer = (FaultKind::Illegal, "`genmove 1` was answered by `warning`");
    assert_eq!(faults(&games), [no_answer, resigned, resigned, resigned]);
}

#[test]
fn invalid_evaluation_costs_the_game() {
    let games = play("list_commands) echo = evaluation; echo;; evaluation) echo hm;; genmove) echo = pass; echo", 1);
    assert_eq!(faults(&games), [(FaultKind::Illegal, "`evaluation` was answered by `hm`"); 2]);
}

#[test]
fn evaluation_time_does_not_count() {
    let games = play(
        "list_commands) echo = evaluation; echo;; evaluation) sleep 0.5; echo =; echo;; \
         genmove) echo = ${move:-pass}; echo; move=resign",
        1,
    );
    // It passes once, and resigns from then on.
    let own = games.iter().flat_map(|game| &game.plies).filter(|ply| ply.mv == Move::Pass);
    let times: Vec<Duration> = own.filter_map(|ply| Some(ply.choice?.time)).collect();
    assert_eq!(times.len(), 1, "{:?}", faults(&games));
    assert!(times[0] < Duration::from_millis(500), "{times:?}");
}
