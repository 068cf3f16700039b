//! The example `own_player`.

#[expect(dead_code, reason = "the example has a `main` of its own")]
#[path = "../../examples/own_player.rs"]
mod example;

use example::OwnPlayer;
use game::{Piece, Position, Rules, Team};
use player::{Options, Player, RandomPlayer, SearchLimits, boxed};

#[test]
fn own_player_beats_random_player() {
    for rules in [Rules::Season2021, Rules::Season2027] {
        for seed in 0..3 {
            let options = Options { seed, ..Options::default() };
            let mut players: [Box<dyn Player>; 2] = [boxed::<OwnPlayer>(&options), boxed::<RandomPlayer>(&options)];
            let mut position = Position::new(rules, Some(Piece::PentoW)).expect("a start piece of both seasons");
            while !position.is_over() {
                let player = &mut players[position.color().team() as usize];
                let report = player.choose(&position, &SearchLimits::UNLIMITED);
                position.try_play(report.mv).expect("players only make legal moves");
            }
            assert!(position.margin(Team::One) > 0, "{rules}, seed {seed}: {position}");
        }
    }
}

#[test]
fn guides_show_the_example() {
    let example = include_str!("../../examples/own_player.rs");
    for guide in [include_str!("../../../docs/own-player.md"), include_str!("../../../docs/eigener-spieler.md")] {
        assert!(guide.contains(&format!("```rust\n{example}```")));
        let line = |name: &str, player: &str| format!("(\"{name}\", boxed::<{player}>),");
        assert!(guide.contains(&line("own", "OwnPlayer")));
        assert!(include_str!("../../../player/src/registry.rs").contains(&line("mcts", "MctsPlayer")));
    }
}
