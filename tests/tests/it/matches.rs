//! The client in matches of the arena, as contest client and as GTP engine. The contestants are Unix shell commands.

#![cfg(unix)]

use std::fs::File;
use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::support::program;
use arena::engines::Spec;
use arena::games::played::{PlayedGame, Side};
use arena::openings::Opening;
use arena::plan::Plan;
use arena::ratings::{Tally, WinDrawLoss};
use game::Rules;
use player::Budget;
use server::TimeLimits;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const TWO_WINS: WinDrawLoss = WinDrawLoss { won: 2, drawn: 0, lost: 0 };

/// Returns the path of the program.
fn client() -> String {
    program::path("client").display().to_string()
}

/// Returns a match of two games.
fn plan(rules: Rules, sides: [String; 2], budget: Budget) -> Plan {
    let sides = sides.map(|text| text.parse::<Spec>().expect("a contestant").or_budget(budget));
    let timeout = Some(TimeLimits::default().soft);
    Plan { timeout, rules, opening: Opening::Random(3), pairs: 1, ..Plan::of_two(sides) }
}

fn run(plan: &Plan) -> (Tally, Vec<PlayedGame>) {
    let (mut tally, mut games) = (Tally::default(), Vec::new());
    let stop = AtomicBool::new(false);
    plan.play(2, &stop, |game| games.push(game)).expect("the programs start");
    games.iter().for_each(|game| tally.add(game));
    (tally, games)
}

#[test]
fn two_clients_play_match() {
    let client = client();
    let side = |arguments: &str| format!("exec:'{client}' --season {{season}} --seed {{seed}} {arguments}");
    for rules in [Rules::Season2021, Rules::Season2027] {
        let sides = [side("--player heuristic --time {ms}"), side("--player random")];
        let (tally, games) = run(&plan(rules, sides, Budget::time(Duration::from_millis(50))));
        assert_eq!((tally.games, tally.pairs.count()), (TWO_WINS, 1), "{rules}");
        for game in games {
            assert!(game.fault.is_none() && game.end().is_over(), "{:?}", game.fault);
            assert!(
                Side::ALL.into_iter().all(|side| game.plies_of(side).filter(|ply| ply.choice.is_some()).count() > 2)
            );
        }
    }
}

#[test]
fn contest_package_plays_match() {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("player.zip");
    let mut zip = ZipWriter::new(File::create(&path).expect("it is empty"));
    zip.start_file("start.sh", SimpleFileOptions::default()).expect("there is room");
    // The script reads another file of the package.
    let start = format!("cat player >/dev/null && exec '{}' --player heuristic \"$@\"", client());
    writeln!(zip, "{start}").expect("there is room");
    zip.start_file("player", SimpleFileOptions::default()).expect("there is room");
    zip.finish().expect("there is room");
    let sides = [format!("exec:{}", path.display()), "random".to_owned()];
    let (tally, games) = run(&plan(Rules::Season2027, sides, Budget::UNLIMITED));
    assert_eq!(tally.games, TWO_WINS, "{:?}", games.iter().map(|game| &game.fault).collect::<Vec<_>>());
}

#[test]
fn gtp_engine_plays_match_in_all_rules() {
    let client = client();
    for &rules in Rules::TWO_PLAYERS {
        let sides = [format!("gtp:param rave_weight 0.25!'{client}' gtp --player mcts"), "random".to_owned()];
        let (tally, games) = run(&plan(rules, sides, Budget::nodes(20)));
        assert_eq!(tally.games, TWO_WINS, "{rules}");
        for game in games {
            assert!(game.fault.is_none() && game.end().is_over(), "{:?}", game.fault);
            let choices = game.plies.iter().filter_map(|ply| ply.choice);
            assert!(choices.into_iter().any(|choice| choice.evaluation.is_some() && choice.nodes > 1));
        }
    }
}
