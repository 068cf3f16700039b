//! Tests of the demo.

use std::sync::Arc;

use picture::Canvas;
use player::{FromOptions, RandomPlayer};
use protocol::Season;

use super::*;

fn options() -> DemoOptions {
    DemoOptions {
        time: Duration::from_millis(10),
        delay: Duration::ZERO,
        opponent: "random".to_owned(),
        season: Season::default(),
        seed: 1,
        letters: false,
        output: Output::Rounds(Canvas::PLAIN),
        stop: Arc::default(),
    }
}

fn own() -> Box<dyn Player> {
    Box::new(RandomPlayer::new(&Options::default()))
}

#[test]
fn shows_every_round_and_result() {
    for &season in Season::ALL {
        let mut output = Vec::new();
        show(&DemoOptions { season, ..options() }, own(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert!(text.starts_with("random against random on a server at 127.0.0.1:"), "{text}");
        let boards: Vec<&str> = text.split("\n\n").collect();
        let [_, boards @ .., result] = boards.as_slice() else { panic!("{text}") };
        assert!((10..=25).contains(&boards.len()), "{} boards", boards.len());
        for board in boards {
            assert!(board.starts_with("   0 1 2 3 4 5 6 7 8 9 0 1") && board.lines().count() <= 24, "{board}");
            assert!(board.contains(season.name()) && board.contains("last move"), "{board}");
            assert!(board.lines().all(|line| line.len() <= 80 && !line.ends_with(' ')), "{board}");
        }
        assert!(!text.contains('\x1b'));
        assert!(result.contains("played team") && result.contains("points"), "{result}");
    }
}

#[test]
fn shows_evaluations_of_both_players() {
    let options = DemoOptions { opponent: "heuristic".to_owned(), ..options() };
    let mut output = Vec::new();
    let own = player::by_name("minimax", &Options { memory: 1 << 20, ..Options::default() }).unwrap();
    show(&options, own, &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    let expects = |name: &str| text.lines().any(|line| line.contains(name) && line.contains("% to win, expects"));
    assert!(expects(" minimax ") && expects(" heuristic "), "{text}");
}
