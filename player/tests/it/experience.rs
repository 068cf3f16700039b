//! Experience of the Monte Carlo player.

use game::{Cell, Color, Move, Piece, Placement, Position, Rules, Team};
use player::experience::{Experience, MoveExperience};
use player::{FromOptions, MctsPlayer, Options, Player, RandomPlayer, SearchLimits};
use tempfile::tempdir;

fn player(experience: Option<&Experience>) -> MctsPlayer {
    MctsPlayer::new(&Options { memory: 16 << 20, experience: experience.cloned(), ..Options::default() })
}

#[test]
fn experience_changes_moves_and_grows_in_games() {
    let experience = Experience::default();
    let limits = SearchLimits::nodes(500);
    let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    let mut searcher = player(None);
    searcher.set_param("book", "0").unwrap();
    let first = searcher.choose(&start, &limits).mv;
    assert_eq!(player(Some(&experience)).choose(&start, &limits).mv, first, "no experience yet");
    let Move::Place(first) = first else { panic!("a pass") };

    // A move that often lost, and its images, are avoided.
    let lost = MoveExperience { games: 10, win: 0.05, simulations: 50_000.0 };
    experience.add([(start, first, lost)]);
    let bad: Vec<Placement> = experience.lookup(&start).iter().map(|&(placement, _)| placement).collect();
    assert!(bad.contains(&first));
    let Move::Place(second) = player(Some(&experience)).choose(&start, &limits).mv else { panic!("a pass") };
    assert!(!bad.contains(&second));

    // A move that always won is played.
    let best = start.placements()[3];
    experience.add([(start, best, MoveExperience { games: 10, win: 0.99, simulations: 50_000.0 })]);
    let Move::Place(third) = player(Some(&experience)).choose(&start, &limits).mv else { panic!("a pass") };
    assert!(experience.lookup(&start).iter().any(|&(it, known_result)| it == third && known_result.win > 0.9));

    // A game against a random player is won, although its first moves did not show it.
    let mut one = player(Some(&experience));
    let mut two = RandomPlayer::new(&Options::default());
    let mut position = start;
    let mut second_round = None;
    while !position.is_over() {
        let player: &mut dyn Player = if position.color().team() == Team::One { &mut one } else { &mut two };
        let mv = player.choose(&position, &SearchLimits::nodes(30)).mv;
        if position.turn() == 4 {
            second_round = Some((position, mv));
        }
        position.play(mv);
    }
    let (position, mv) = second_round.expect("a second round");
    assert!(experience.lookup(&position).is_empty(), "the game is not over");
    one.new_game();
    let known = experience.lookup(&position);
    assert!(
        known.iter().any(|&(it, known_result)| mv == it.into() && known_result.games == 1 && known_result.win > 0.8),
        "{known:?}"
    );
}

#[test]
fn invalid_results_are_not_stored() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("experience");
    let experience = Experience::open(&path).unwrap();
    let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    let mv = start.placements()[0];
    let good = MoveExperience { games: 1, win: 0.5, simulations: 100.0 };
    // Three by three cells are not pieces.
    let mut setup = start.setup();
    let block = (0..9).map(|n| Cell::new(6 + n % 3, 6 + n / 3).unwrap());
    setup.covered[Color::Blue] = block.collect();
    let without_text = setup.position().unwrap();
    experience.add([
        (start, mv, good),
        (start, mv, MoveExperience { games: 0, ..good }),
        (start, mv, MoveExperience { win: 1.5, ..good }),
        (without_text, mv, good),
    ]);
    let again = Experience::open(&path).unwrap();
    assert!(again.lookup(&start).iter().any(|&(_, known_result)| known_result == good));
}
