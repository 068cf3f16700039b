//! The heuristic player against the random one.

use game::{Position, Rules, Team};
use player::heuristic::{Weights, evaluate};
use player::{HeuristicPlayer, Limit, Options, Player, RandomPlayer};

/// Plays a game and returns the margin of team one.
fn margin(rules: Rules, number: u64, players: [&mut dyn Player; 2]) -> i32 {
    let start_pieces: Vec<_> = rules.start_pieces().iter().collect();
    let start = (!start_pieces.is_empty()).then(|| start_pieces[number as usize % start_pieces.len()]);
    let mut position = Position::new(rules, start).unwrap();
    while !position.is_over() {
        let player = &mut *players[position.color().team() as usize];
        let report = player.choose(&position, &Limit::nodes(1));
        position.try_play(report.mv).unwrap();
        let value = evaluate(&position, Team::One, &Weights::DEFAULT);
        assert_eq!(value, -evaluate(&position, Team::Two, &Weights::DEFAULT));
    }
    position.margin(Team::One)
}

#[test]
fn beats_random_on_either_side_in_every_season() {
    for rules in Rules::ALL {
        for number in 0..6 {
            let options = Options { seed: number, ..Options::default() };
            let (mut heuristic, mut random) = (HeuristicPlayer::new(&options), RandomPlayer::new(&options));
            let lead = margin(rules, number, [&mut heuristic, &mut random]);
            assert!(lead > 0, "{rules}, game {number}: {lead}");
            let lead = -margin(rules, number, [&mut random, &mut heuristic]);
            assert!(lead > 0, "{rules}, game {number}, as team two: {lead}");
        }
    }
}
