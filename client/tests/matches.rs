//! The program in matches of the arena, as client of the contest and as engine of the Go Text
//! Protocol.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::contest::Clock;
use arena::contestant::Budget;
use arena::matches::MatchPlan;
use arena::opening::Opening;
use arena::record::{FaultKind, GameRecord, Side};
use arena::statistics::Tally;
use game::Rules;

const CLIENT: &str = env!("CARGO_BIN_EXE_client");

fn play(rules: Rules, players: [&str; 2], pairs: u32) -> (Tally, Vec<GameRecord>) {
    let spec = |arguments: &str| format!("exec:'{CLIENT}' --season {{season}} --seed {{seed}} {arguments}");
    let plan = MatchPlan {
        sides: players.map(|arguments| spec(arguments).parse().expect("a command")),
        budgets: [Budget { time: Some(Duration::from_millis(50)), nodes: None }; 2],
        clock: Clock::default(),
        rules,
        start_piece: None,
        opening: Opening::Random(5),
        pairs,
        seed: 3,
        sprt: None,
    };
    run(&plan)
}

fn run(plan: &MatchPlan) -> (Tally, Vec<GameRecord>) {
    let (mut tally, mut games) = (Tally::default(), Vec::new());
    let stop = AtomicBool::new(false);
    let played = plan.play(&HashSet::new(), &mut tally, 2, &stop, |game, _| games.push(game.clone()));
    played.expect("the programs start");
    (tally, games)
}

#[test]
fn two_programs_play_a_match() {
    for rules in [Rules::Season2021, Rules::Season2027] {
        let (tally, games) = play(rules, ["--player heuristic --time {ms}", "--player random"], 2);
        assert_eq!((tally.games, tally.pairs.count()), ([4, 0, 0], 2), "{rules}");
        for game in games {
            assert!(game.fault.is_none() && game.end().is_over(), "{:?}", game.fault);
            assert!(Side::ALL.into_iter().all(|side| game.times(side).count() > 2));
        }
    }
}

#[test]
fn programs_that_leave_lose() {
    // It is killed while it thinks about its first move.
    let killed = format!("sh -c '\"{CLIENT}\" --time 1500 \"$@\" & sleep 0.3; kill -9 $!; wait' sh");
    let plan = MatchPlan {
        sides: [format!("exec:{killed}"), "random".to_owned()].map(|text| text.parse().expect("a contestant")),
        budgets: [Budget { time: None, nodes: None }; 2],
        clock: Clock::default(),
        rules: Rules::Season2027,
        start_piece: None,
        opening: Opening::Random(0),
        pairs: 1,
        seed: 1,
        sprt: None,
    };
    let (tally, _) = run(&plan);
    assert_eq!((tally.games, tally.sides[0].faults(FaultKind::Left)), ([0, 0, 2], 2));
}

/// The program as engine of the Go Text Protocol, against the same player in this process.
#[test]
fn engines_play_matches_in_all_games() {
    for rules in Rules::ALL {
        let plan = MatchPlan {
            sides: [format!("gtp:param rave_weight 0.25!'{CLIENT}' gtp --player mcts"), "random".to_owned()]
                .map(|text| text.parse().expect("a contestant")),
            budgets: [Budget { time: None, nodes: Some(20) }; 2],
            clock: Clock::default(),
            rules,
            start_piece: None,
            opening: Opening::Random(3),
            pairs: 2,
            seed: 5,
            sprt: None,
        };
        let (tally, games) = run(&plan);
        assert_eq!(tally.games, [4, 0, 0], "{rules}");
        for game in games {
            assert!(game.fault.is_none() && game.end().is_over(), "{:?}", game.fault);
            let choices = game.plies.iter().filter_map(|ply| ply.choice);
            assert!(choices.into_iter().any(|choice| choice.evaluation.is_some() && choice.nodes > 1));
        }
    }
}

#[test]
fn engines_that_misbehave_lose() {
    for (script, kind) in [
        ("echo =; echo", FaultKind::Illegal),
        ("echo = resign; echo", FaultKind::Resigned),
        ("echo ? no; echo", FaultKind::Illegal),
        ("exit", FaultKind::Left),
    ] {
        // It answers everything politely until it is asked for a move.
        let engine = format!(
            "gtp:sh -c 'while read -r word rest; do case $word in genmove) {script};; *) echo =; echo;; esac; done'"
        );
        let plan = MatchPlan {
            sides: [engine, "random".to_owned()].map(|text| text.parse().expect("a contestant")),
            budgets: [Budget { time: None, nodes: None }; 2],
            clock: Clock::default(),
            rules: Rules::Classic,
            start_piece: None,
            opening: Opening::Random(4),
            pairs: 1,
            seed: 5,
            sprt: None,
        };
        let (tally, games) = run(&plan);
        assert_eq!((tally.games, tally.sides[0].faults(kind)), ([0, 0, 2], 2), "{script}: {:?}", games[0].fault);
    }
}
