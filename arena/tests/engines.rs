//! Engines of the Go Text Protocol that do not do what they should.

#![cfg(unix)]

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use arena::contestant::Budget;
use arena::matches::MatchPlan;
use arena::opening::Opening;
use arena::statistics::Tally;
use game::Rules;
use record::FaultKind;
use server::Clock;

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
        let (mut tally, mut faults) = (Tally::default(), Vec::new());
        plan.play(&HashSet::new(), &mut tally, 2, &AtomicBool::new(false), |game, _| faults.push(game.fault.clone()))
            .unwrap();
        assert_eq!((tally.games, tally.sides[0].faults(kind)), ([0, 0, 2], 2), "{script}: {faults:?}");
    }
}
