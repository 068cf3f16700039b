//! Stronger players beat weaker ones, on either side and in every season.

use game::{Position, Rules, Team};
use player::model::handcrafted::evaluate;
use player::{FromOptions, HeuristicPlayer, Limit, MctsPlayer, NeuralPlayer, Options, Player, RandomPlayer};

/// Plays a game and returns the margin of team one.
fn margin(rules: Rules, number: u64, players: [&mut dyn Player; 2], limit: &Limit) -> i32 {
    let start_pieces: Vec<_> = rules.start_pieces().iter().collect();
    let start = (!start_pieces.is_empty()).then(|| start_pieces[number as usize % start_pieces.len()]);
    let mut position = Position::new(rules, start).unwrap();
    while !position.is_over() {
        let player = &mut *players[position.color().team() as usize];
        let report = player.choose(&position, limit);
        position.try_play(report.mv).unwrap();
        let value = evaluate(&position, Team::One);
        assert_eq!(value, -evaluate(&position, Team::Two));
    }
    position.margin(Team::One)
}

/// The margins of the first player in some games of each season, each start piece with the sides swapped.
fn margins<A: FromOptions, B: FromOptions>(games: u64, limit: Limit) -> Vec<i32> {
    let mut margins = Vec::new();
    for rules in Rules::ALL {
        for number in 0..games {
            let options = Options { seed: number, memory: 16 << 20, ..Options::default() };
            let (mut a, mut b) = (A::new(&options), B::new(&options));
            margins.push(margin(rules, number, [&mut a, &mut b], &limit));
            margins.push(-margin(rules, number, [&mut b, &mut a], &limit));
        }
    }
    margins
}

#[test]
fn the_heuristic_player_always_beats_the_random_one() {
    let margins = margins::<HeuristicPlayer, RandomPlayer>(6, Limit::nodes(1));
    assert!(margins.iter().all(|&margin| margin > 0), "{margins:?}");
}

#[test]
fn the_monte_carlo_player_beats_the_heuristic_one_with_few_playouts() {
    let margins = margins::<MctsPlayer, HeuristicPlayer>(2, Limit::nodes(800));
    let wins = margins.iter().filter(|&&margin| margin > 0).count();
    assert!(wins + 1 >= margins.len(), "{margins:?}");
}

#[test]
fn the_neural_player_beats_the_heuristic_one_with_few_evaluations() {
    let margins = margins::<NeuralPlayer, HeuristicPlayer>(2, Limit::nodes(1500));
    let wins = margins.iter().filter(|&&margin| margin > 0).count();
    assert!(wins + 1 >= margins.len(), "{margins:?}");
}
