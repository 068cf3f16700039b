//! The client in matches of the arena, as client of the contest and as engine of the Go Text Protocol.
//! Contestants are commands for a shell of Unix here.

#![cfg(unix)]

use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use arena::games::played::{PlayedGame, Side};
use arena::matches::MatchPlan;
use arena::openings::Opening;
use arena::ratings::Tally;
use game::Rules;
use player::Budget;
use record::FaultKind;
use server::Clock;
use tests::program;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The path of the program.
fn client() -> String {
    program::path("client").display().to_string()
}

fn play(rules: Rules, players: [&str; 2], pairs: u32) -> (Tally, Vec<PlayedGame>) {
    let client = client();
    let spec = |arguments: &str| format!("exec:'{client}' --season {{season}} --seed {{seed}} {arguments}");
    let plan = MatchPlan {
        sides: players.map(|arguments| spec(arguments).parse().expect("a command")),
        budgets: [Budget::time(Duration::from_millis(50)); 2],
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

fn run(plan: &MatchPlan) -> (Tally, Vec<PlayedGame>) {
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
fn packages_of_the_contest_play_a_match() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("player.zip");
    let mut zip = ZipWriter::new(File::create(&path).expect("it is empty"));
    zip.start_file("start.sh", SimpleFileOptions::default()).expect("there is room");
    // It finds what else is in the package.
    let start = format!("cat player >/dev/null && exec '{}' --player heuristic \"$@\"", client());
    writeln!(zip, "{start}").expect("there is room");
    zip.start_file("player", SimpleFileOptions::default()).expect("there is room");
    zip.finish().expect("there is room");
    let plan = MatchPlan {
        sides: [format!("exec:{}", path.display()), "random".to_owned()]
            .map(|text| text.parse().expect("a contestant")),
        budgets: [Budget::UNLIMITED; 2],
        clock: Clock::default(),
        rules: Rules::Season2027,
        start_piece: None,
        opening: Opening::Random(5),
        pairs: 1,
        seed: 1,
        sprt: None,
    };
    let (tally, games) = run(&plan);
    assert_eq!(tally.games, [2, 0, 0], "{:?}", games.iter().map(|game| &game.fault).collect::<Vec<_>>());
}

#[test]
fn programs_that_leave_lose() {
    // Killed as soon as it knows its team.
    let client = client();
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let script = format!(
        ": >{0}; \"{client}\" -v --time 1500 \"$@\" 2>>{0} & until grep -q playing {0}; do sleep 0.05; done; kill -9 $!; wait",
        log.display()
    );
    let killed = format!("sh -c '{script}' sh");
    let plan = MatchPlan {
        sides: [format!("exec:{killed}"), "random".to_owned()].map(|text| text.parse().expect("a contestant")),
        budgets: [Budget::UNLIMITED; 2],
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
    let client = client();
    for rules in Rules::ALL {
        let plan = MatchPlan {
            sides: [format!("gtp:param rave_weight 0.25!'{client}' gtp --player mcts"), "random".to_owned()]
                .map(|text| text.parse().expect("a contestant")),
            budgets: [Budget::nodes(20); 2],
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
