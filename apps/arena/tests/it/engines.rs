//! GTP engines that misbehave.

#![cfg(unix)]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::games::played::{PlayedGame, Side, Wdl};
use arena::matches::MatchPlan;
use game::{Move, Rules};
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
    let deadline = std::time::Instant::now() + Duration::from_secs(20);
    let wait_until = |is_done: &dyn Fn() -> bool| {
        while !is_done() {
            assert!(std::time::Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    wait_until(&|| file.exists());
    let environment = format!("/proc/{}/environ", std::fs::read_to_string(&file).unwrap().trim());
    let is_gone = || std::fs::read(&environment).map_or(true, |environment| environment.is_empty());
    // It has no environment while `exec` replaces the shell.
    wait_until(&|| !is_gone());
    arena.kill().unwrap();
    arena.wait().unwrap();
    wait_until(&is_gone);
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
