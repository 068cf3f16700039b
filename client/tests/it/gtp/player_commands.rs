//! The commands about the player.

use std::time::{Duration, Instant};

use super::*;

#[test]
fn seed_repeats_the_game_after_level() {
    let mut engine = engine("random", Rules::Classic, Budget::UNLIMITED);
    ask(&mut engine, "level 3");
    let games = ["7", "8", "7"].map(|seed| {
        ask(&mut engine, &format!("set_random_seed {seed}"));
        ask(&mut engine, "clear_board");
        [1, 2, 3, 4].map(|color| ask(&mut engine, &format!("genmove {color}")))
    });
    assert_eq!(games[0], games[2]);
    assert_ne!(games[0], games[1]);
}

#[test]
fn reports_last_search() {
    let mut engine = engine("mcts", Rules::Season2027, Budget::UNLIMITED);
    ask(&mut engine, "param book 0");
    ask(&mut engine, "nodes_per_move 500");
    let mv = ask(&mut engine, "genmove 1");
    let line = ask(&mut engine, "principal_variation");
    assert_eq!(line.lines().next(), Some(&*format!("1 {mv}")));
    assert!(line.lines().count() > 1, "{line}");
    let evaluation = ask(&mut engine, "evaluation");
    let values: Vec<(&str, f32)> = evaluation
        .lines()
        .map(|line| line.split_once(' ').map(|(name, value)| (name, value.parse().unwrap())).unwrap())
        .collect();
    let [("win", win), ("margin", margin)] = values[..] else { panic!("{evaluation}") };
    assert!((0.0..=1.0).contains(&win) && margin.abs() <= 218.0, "{evaluation}");
    let info = ask(&mut engine, "search_info");
    let nodes = info.lines().next().and_then(|line| line.strip_prefix("nodes ")).unwrap();
    // A search that is decided ends early.
    assert!((1..=500).contains(&nodes.parse().unwrap()), "{info}");
}

#[test]
fn level_continues_the_game() {
    let mut engine = engine("random", Rules::Season2027, Budget::nodes(300));
    let colors = ["blue", "yellow", "red", "green"];
    for level in 1..=9 {
        ask(&mut engine, &format!("level {level}"));
        assert_eq!(ask(&mut engine, "level"), level.to_string());
        ask(&mut engine, &format!("genmove {}", colors[(level - 1) % 4]));
        assert_eq!(usize::from(engine.game().position().turn()), level);
    }
    // The highest level searches.
    assert_eq!(engine.last_search().map(|last| last.report.nodes > 100), Some(true));
}

#[test]
fn limits_apply_to_every_move() {
    let mut engine = engine("mcts", Rules::Season2021, Budget::nodes(10));
    ask(&mut engine, "param book 0");
    ask(&mut engine, "genmove 1");
    assert!(ask(&mut engine, "search_info").starts_with("nodes 10\n"));
    ask(&mut engine, "nodes_per_move 0");
    ask(&mut engine, "time_per_move 30");
    let begin = Instant::now();
    ask(&mut engine, "genmove 2");
    // Far below the default of 1.9 s, however busy the machine.
    assert!(begin.elapsed() < Duration::from_millis(1500), "{:?}", begin.elapsed());
}
