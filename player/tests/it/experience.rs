//! What a player learns in its games, and what it makes of it.

use game::{Cell, Color, Move, Piece, Placement, Position, Rules, Team};
use player::experience::{Experience, Lesson};
use player::model::distinct_moves;
use player::{FromOptions, Limit, MctsPlayer, Options, Player, RandomPlayer};
use tempfile::tempdir;

fn player(experience: Option<&Experience>) -> MctsPlayer {
    MctsPlayer::new(&Options { memory: 16 << 20, experience: experience.cloned(), ..Options::default() })
}

#[test]
fn experience_changes_what_is_chosen_and_is_gathered_in_games() {
    let experience = Experience::default();
    let limit = Limit::nodes(500);
    let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    let mut searcher = player(None);
    searcher.set_param("book", "0").unwrap();
    let first = searcher.choose(&start, &limit).mv;
    assert_eq!(player(Some(&experience)).choose(&start, &limit).mv, first, "nothing is known yet");
    let Move::Place(first) = first else { panic!("a pass") };

    // That it lost often is known, and of its images.
    let lost = Lesson { games: 10, win: 0.05, simulations: 50_000.0 };
    experience.learn([(start, first, lost)]);
    let bad: Vec<Placement> = experience.recall(&start).iter().map(|&(placement, _)| placement).collect();
    assert!(bad.contains(&first));
    let Move::Place(second) = player(Some(&experience)).choose(&start, &limit).mv else { panic!("a pass") };
    assert!(!bad.contains(&second));

    // Also when there was no choice of it in the search before.
    let mut restricted = player(Some(&experience));
    restricted.choose(&start, &Limit::nodes(1).among([second]));
    assert!(restricted.choose(&start, &limit).mv.placement().is_some_and(|mv| !bad.contains(&mv)));

    // A move that always won is made.
    let best = distinct_moves(&start)[3];
    experience.learn([(start, best, Lesson { games: 10, win: 0.99, simulations: 50_000.0 })]);
    let Move::Place(third) = player(Some(&experience)).choose(&start, &limit).mv else { panic!("a pass") };
    assert!(experience.recall(&start).iter().any(|&(it, lesson)| it == third && lesson.win > 0.9));

    // A whole game against somebody who places at random is won, which after its first moves was not sure yet.
    let mut one = player(Some(&experience));
    let mut two = RandomPlayer::new(&Options::default());
    let mut position = start;
    let mut second_round = None;
    while !position.is_over() {
        let player: &mut dyn Player = if position.color().team() == Team::One { &mut one } else { &mut two };
        let mv = player.choose(&position, &Limit::nodes(30)).mv;
        if position.turn() == 4 {
            second_round = Some((position, mv));
        }
        position.play(mv);
    }
    let (position, mv) = second_round.expect("a second round");
    assert!(experience.recall(&position).is_empty(), "not before the game is over");
    one.new_game();
    let known = experience.recall(&position);
    assert!(known.iter().any(|&(it, lesson)| mv == it.into() && lesson.games == 1 && lesson.win > 0.8), "{known:?}");
}

#[test]
fn what_cannot_be_is_not_learnt() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("experience");
    let experience = Experience::open(&path).unwrap();
    let start = Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap();
    let mv = distinct_moves(&start)[0];
    let good = Lesson { games: 1, win: 0.5, simulations: 100.0 };
    // Three by three cells are no pieces.
    let mut setup = start.setup();
    let block = (0..9).map(|n| Cell::new(6 + n % 3, 6 + n / 3).unwrap());
    setup.covered[Color::Blue] = block.collect();
    let without_text = setup.position().unwrap();
    experience.learn([
        (start, mv, good),
        (start, mv, Lesson { games: 0, ..good }),
        (start, mv, Lesson { win: 1.5, ..good }),
        (without_text, mv, good),
    ]);
    let again = Experience::open(&path).unwrap();
    assert!(again.recall(&start).iter().any(|&(_, lesson)| lesson == good));
}
