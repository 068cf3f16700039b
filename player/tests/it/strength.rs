//! Stronger players beat weaker ones, on either side and in every season.

use game::{Rules, Team};
use player::{Options, Player, SearchLimits, by_name};

use super::start_of;

/// Plays a game and returns the margin of team one.
fn margin(rules: Rules, number: u64, players: [&mut dyn Player; 2], limits: &SearchLimits) -> i32 {
    let mut position = start_of(rules, number);
    while !position.is_over() {
        let player = &mut *players[position.color().team() as usize];
        let report = player.choose(&position, limits);
        position.try_play(report.mv).unwrap();
    }
    position.margin(Team::One)
}

/// Returns the margins of the first player in games of each season, with sides swapped.
fn margins(names: [&str; 2], games: u64, limits: SearchLimits) -> Vec<i32> {
    let mut margins = Vec::new();
    for &rules in Rules::TWO_PLAYERS {
        for number in 0..games {
            let options = Options { seed: number, memory: 16 << 20, ..Options::default() };
            let [mut a, mut b] = names.map(|name| by_name(name, &options).unwrap());
            margins.push(margin(rules, number, [&mut *a, &mut *b], &limits));
            margins.push(-margin(rules, number, [&mut *b, &mut *a], &limits));
        }
    }
    margins
}

#[test]
fn heuristic_player_beats_random_player() {
    let margins = margins(["heuristic", "random"], 1, SearchLimits::nodes(1));
    assert!(margins.iter().all(|&margin| margin > 0), "{margins:?}");
}

#[test]
fn mcts_players_beat_heuristic_player() {
    for (name, nodes) in [("mcts", 200), ("neural", 150)] {
        let margins = margins([name, "heuristic"], 1, SearchLimits::nodes(nodes));
        let wins = margins.iter().filter(|&&margin| margin > 0).count();
        assert!(wins + 1 >= margins.len(), "{name}: {margins:?}");
    }
}
