//! The program in matches of the arena: two processes for every game, refereed over TCP.

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
    let (mut tally, mut games) = (Tally::default(), Vec::new());
    let played = plan.play(&HashSet::new(), &mut tally, 2, &AtomicBool::new(false), |game, _| games.push(game.clone()));
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
    let mut tally = Tally::default();
    plan.play(&HashSet::new(), &mut tally, 1, &AtomicBool::new(false), |_, _| {}).expect("the program starts");
    assert_eq!((tally.games, tally.sides[0].faults(FaultKind::Left)), ([0, 0, 2], 2));
}
