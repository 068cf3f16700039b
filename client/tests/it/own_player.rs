//! The example of a player of one's own: it plays whole games, and the guide shows it as it is.

#[expect(dead_code, reason = "the example has a `main` of its own")]
#[path = "../../examples/own_player.rs"]
mod example;

#[expect(dead_code, reason = "the example has a `main` of its own")]
#[path = "../../examples/looking_ahead.rs"]
mod looking_ahead;

use client::demo::{Output, Show, show};
use example::OwnPlayer;
use game::{Piece, Position, Rules, Team};
use looking_ahead::LookingAhead;
use picture::Canvas;
use player::{FromOptions, Options, Player, RandomPlayer, SearchLimits};

/// The margin of team one at the end of a game in which every move is legal, with so many nodes for each.
fn margin(rules: Rules, nodes: u64, players: [&mut dyn Player; 2]) -> i32 {
    let mut position = Position::new(rules, Some(Piece::PentoW)).expect("a start piece of both seasons");
    while !position.is_over() {
        let report = players[position.color().team() as usize].choose(&position, &SearchLimits::nodes(nodes));
        position.try_play(report.mv).expect("players only make legal moves");
    }
    position.margin(Team::One)
}

#[test]
fn it_plays_legal_moves_and_beats_the_random_player() {
    for rules in [Rules::Season2021, Rules::Season2027] {
        for seed in 0..10 {
            let options = Options { seed, ..Options::default() };
            let margin = margin(rules, 1, [&mut OwnPlayer::new(&options), &mut RandomPlayer::new(&options)]);
            assert!(margin > 0, "{rules}, seed {seed}: {margin}");
        }
    }
}

#[test]
fn it_plays_on_a_server() {
    let output = Output::Rounds(Canvas::PLAIN);
    let how = Show { time: std::time::Duration::from_millis(10), output, ..Show::on_stdout() };
    let mut output = Vec::new();
    show(&how, Box::new(OwnPlayer::new(&Options::default())), &mut output).expect("the game is shown");
    let text = String::from_utf8(output).expect("the board is text");
    assert!(text.starts_with("own against heuristic"), "{text}");
    assert!(text.rsplit("\n\n").next().is_some_and(|end| end.starts_with("own played team")), "{text}");
}

#[test]
fn looking_ahead_beats_looking_at_the_next_move() {
    for rules in [Rules::Season2021, Rules::Season2027] {
        let ahead = margin(rules, 60, [&mut LookingAhead, &mut OwnPlayer]);
        let behind = margin(rules, 60, [&mut OwnPlayer, &mut LookingAhead]);
        assert!(ahead - behind > 0, "{rules}: {ahead} as team one, {behind} for the other as team one");
    }
}

/// Without the blanks at the beginnings of lines.
fn flush(text: &str) -> String {
    text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_guides_show_them_as_they_are() {
    let examples =
        [include_str!("../../examples/own_player.rs"), include_str!("../../examples/looking_ahead.rs")].map(flush);
    for guide in [include_str!("../../../docs/own-player.md"), include_str!("../../../docs/eigener-spieler.md")] {
        let blocks = guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next());
        let mut count = 0;
        for block in blocks.map(flush) {
            assert!(examples.iter().any(|example| example.contains(&block)), "no example has this:\n{block}");
            count += 1;
        }
        assert_eq!(count, 4, "the guide shows a player and three steps");
        let line = |name: &str, player: &str| format!("(\"{name}\", boxed::<{player}>),");
        assert!(guide.contains(&line("own", "OwnPlayer")));
        assert!(include_str!("../../../player/src/registry.rs").contains(&line("mcts", "MctsPlayer")));
    }
}
