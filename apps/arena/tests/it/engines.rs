//! GTP engines that misbehave.

#![cfg(unix)]

use std::io::Read;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::games::played::{PlayedGame, Side};
use arena::plan::Plan;
use game::Move;
use record::FaultKind;

use super::folder::Folder;

/// Plays the games of a plan with these settings, one at a time, against a random player.
fn play(engine: &str, settings: &str) -> Vec<PlayedGame> {
    let plan = format!("{settings}\n[[contestant]]\nplayer = '''{engine}'''\n[[contestant]]\nplayer = 'random'");
    let mut games = Vec::new();
    let plan = plan.parse::<Plan>().unwrap().match_plan(0);
    plan.play(1, &AtomicBool::new(false), |game| games.push(game)).unwrap();
    games
}

/// Plays four games against an engine that answers correctly except in the `cases` of a shell script.
fn play_cases(cases: &str) -> Vec<PlayedGame> {
    let engine = format!("gtp:while read -r word rest; do case $word in {cases};; *) echo =; echo;; esac; done");
    play(&engine, "games = 4\nnodes = 1\nrules = 'classic'\nseed = 5")
}

fn faults(games: &[PlayedGame]) -> Vec<(FaultKind, &str)> {
    let faults = games.iter().filter_map(|game| game.fault.as_ref());
    faults.map(|(_, fault)| (fault.kind, fault.detail.as_str())).collect()
}

#[test]
fn misbehaving_engines_lose() {
    for (cases, kind, part) in [
        ("genmove) echo =; echo", FaultKind::Illegal, "`` is not a move"),
        ("genmove) echo = resign; echo", FaultKind::Resigned, "resign"),
        ("genmove) echo ? no; echo", FaultKind::Illegal, ": `? no`"),
        ("genmove) echo no table >&2; exit 3", FaultKind::Left, ", exit status: 3; stderr: `no table`"),
        ("genmove) printf '= \\377\\n\\n'", FaultKind::Illegal, " is not UTF-8"),
        ("genmove) kill -SEGV $$", FaultKind::Left, ", signal: 11 (SIGSEGV)"),
        ("genmove) sh -c 'kill -SEGV $$'; exit $?", FaultKind::Left, "exit status: 139 (signal 11)"),
        // It starts again for every game.
        ("list_commands) echo = set_game; echo;; genmove) echo = resign; echo; exit", FaultKind::Resigned, "resign"),
        (
            "list_commands) echo = evaluation; echo;; evaluation) echo hm;; genmove) echo = pass; echo",
            FaultKind::Illegal,
            "invalid answer to `evaluation`: `hm`",
        ),
    ] {
        let games = play_cases(cases);
        assert_eq!(faults(&games).len(), 4, "{cases}");
        assert!(faults(&games).iter().all(|fault| fault.0 == kind && fault.1.contains(part)), "{:?}", faults(&games));
        assert!(games.iter().all(|game| game.half_points(Side::A) == Some(0)), "{cases}");
    }
}

#[test]
fn dead_client_leaves_status_and_stderr() {
    let folder = Folder::new();
    let script = "exec 3<>/dev/tcp/$4/$6; printf '<protocol><joinPrepared reservationCode=\"%s\"/>' $2 >&3
        while read -r -d '>' part <&3; do case $part in *oveRequest*) break;; esac; done
        echo no move found >&2; exit 7";
    folder.write("client.sh", script);
    let games = play(&format!("exec:bash {}", folder.path("client.sh").display()), "games = 2");
    // The connection ends or is reset.
    let end = ", exit status: 7; stderr: `no move found`";
    let found = faults(&games);
    assert!(found.iter().all(|(kind, detail)| *kind == FaultKind::Left && detail.ends_with(end)), "{found:?}");
    assert_eq!(found.len(), 2);
}

/// Returns an engine that runs a shell script and passes once, and then resigns.
fn engine_with_script(folder: &Folder, script: &str) -> String {
    let text = format!(
        "while read -r word rest; do\ncase $word in genmove)\n\
         if [ ! -e {0} ]; then echo $$ >{0}.new; mv {0}.new {0}; {script}; fi; echo = ${{move:-pass}}; move=resign;;\n\
         *) echo =;; esac; echo; done",
        folder.path("asked").display()
    );
    folder.write("engine.sh", text);
    format!("gtp:exec sh {}", folder.path("engine.sh").display())
}

#[test]
fn paused_engine_plays_game_again() {
    let settings = "games = 2\nnodes = 1\ntimeout = 300\nrules = 'classic'";
    let folder = Folder::new();
    let engine = engine_with_script(&folder, "(sleep 0.6; kill -CONT $$) & kill -STOP $$");
    let kinds = |games: &[PlayedGame]| faults(games).iter().map(|(kind, _)| *kind).collect::<Vec<_>>();
    assert_eq!(kinds(&play(&engine, settings)), [FaultKind::Resigned; 2]);
    assert!(folder.path("asked").exists());
    // A hanging engine loses in the end, and one with a time limit at once.
    let late =
        "gtp:while read -r word rest; do case $word in genmove) sleep 0.6; echo = pass;; *) echo =;; esac; echo; done";
    for settings in [settings, &settings.replace("nodes = 1", "time = 100")] {
        assert_eq!(kinds(&play(late, settings)), [FaultKind::Late; 2]);
    }
}

/// The engine stops the arena for longer than it may take.
#[test]
fn paused_arena_plays_game_again() {
    let folder = Folder::new();
    let engine = engine_with_script(&folder, "kill -STOP $PPID; sleep 1.5; kill -CONT $PPID");
    let arguments = "match random --games 2 --time 100 --timeout 1000 --season classic --quiet";
    let mut arena = folder.arena(arguments).arg(&engine).spawn().unwrap();
    let mut complaint = String::new();
    arena.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert!(arena.wait().unwrap().success() && complaint.contains(" again: "), "{complaint}");
    let games = folder.stored(1);
    assert_eq!(faults(&games), [(FaultKind::Resigned, "resign"); 2]);
}

#[test]
fn invalid_answer_costs_one_game() {
    let folder = Folder::new();
    let warn = format!("[ -e {0} ] || echo warning; touch {0}", folder.path("warned").display());
    let games = play_cases(&format!("genmove) {warn}; echo = resign; echo"));
    let resigned = (FaultKind::Resigned, "resign");
    let no_answer = (FaultKind::Illegal, "invalid answer to `genmove 1`: `warning`");
    assert_eq!(faults(&games), [no_answer, resigned, resigned, resigned]);
}

#[test]
fn evaluation_time_does_not_count() {
    let games = play_cases(
        "list_commands) echo = evaluation; echo;; evaluation) sleep 0.5; echo =; echo;; \
         genmove) echo = ${move:-pass}; echo; move=resign",
    );
    // It passes once, and resigns from then on.
    let own = games.iter().flat_map(|game| &game.plies).filter(|ply| ply.mv == Move::Pass);
    let times: Vec<Duration> = own.filter_map(|ply| Some(ply.choice?.time)).collect();
    assert_eq!(times.len(), 1, "{:?}", faults(&games));
    assert!(times[0] < Duration::from_millis(500), "{times:?}");
}
