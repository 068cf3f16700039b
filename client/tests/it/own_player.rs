//! The example `own_player`.

#[expect(dead_code, reason = "the example has a `main` of its own")]
#[path = "../../examples/own_player.rs"]
mod example;

use client::demo::{DemoOptions, Output, show};
use example::OwnPlayer;
use game::{Piece, Position, Rules, Team};
use picture::Canvas;
use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits};

/// The margin of team one after a game with this number of nodes per move.
fn margin(rules: Rules, nodes: u64, players: [&mut dyn Player; 2]) -> i32 {
    let mut position = Position::new(rules, Some(Piece::PentoW)).expect("a start piece of both seasons");
    while !position.is_over() {
        let report = players[position.color().team() as usize].choose(&position, &SearchLimits::nodes(nodes));
        position.try_play(report.mv).expect("players only make legal moves");
    }
    position.margin(Team::One)
}

#[test]
fn own_player_beats_random_player() {
    for rules in [Rules::Season2021, Rules::Season2027] {
        for seed in 0..3 {
            let options = Options { seed, ..Options::default() };
            let margin = margin(rules, 1, [&mut OwnPlayer::new(&options), &mut RandomPlayer::new(&options)]);
            assert!(margin > 0, "{rules}, seed {seed}: {margin}");
        }
    }
}

#[test]
fn own_player_plays_on_server() {
    let output = Output::Rounds(Canvas::PLAIN);
    let options = DemoOptions { time: std::time::Duration::from_millis(10), output, ..DemoOptions::on_stdout() };
    let mut output = Vec::new();
    show(&options, Box::new(OwnPlayer::new(&Options::default())), &mut output).expect("the game is shown");
    let text = String::from_utf8(output).expect("the board is text");
    assert!(text.starts_with("own against heuristic"), "{text}");
    assert!(text.rsplit("\n\n").next().is_some_and(|end| end.starts_with("own played team")), "{text}");
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
