//! The Monte Carlo player.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use game::{Bitboard, Piece, Placement, Position, Rules};
use player::experience::Experience;
use player::mcts::Params;
use player::{FromOptions, HeuristicPlayer, MctsPlayer, Options, Player, Report, SearchLimits, bench};

use super::{random_moves, start_of};

fn start() -> Position {
    Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap()
}

/// Returns a position of the benchmark after 20 plies.
fn middle() -> Position {
    bench::positions().into_iter().find(|position| position.turn() == 20).unwrap()
}

fn options() -> Options {
    Options { memory: 16 << 20, ..Options::default() }
}

/// Returns a player without an opening book and solver.
fn searcher(options: Options) -> MctsPlayer {
    let mut params = Params::default();
    (params.book, params.endgame) = (false, false);
    MctsPlayer::with_params(&options, params)
}

/// Searches a position with a new player.
fn search(position: &Position, nodes: u64) -> Report {
    searcher(options()).choose(position, &SearchLimits::nodes(nodes))
}

#[test]
fn one_seed_repeats_its_moves() {
    let moves = |seed| {
        let (mut player, mut position) = (searcher(Options { seed, ..options() }), start());
        let choose = |_| {
            let mv = player.choose(&position, &SearchLimits::nodes(100)).mv;
            position.try_play(mv).unwrap();
            mv
        };
        (0..6).map(choose).collect::<Vec<_>>()
    };
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));
}

#[test]
fn book_moves_are_played_without_search() {
    let mut player = MctsPlayer::new(&options());
    let limits = SearchLimits::nodes(50);
    let report = player.choose(&start(), &limits);
    let best = Options::default().model.book.find(&start()).expect("a start").placement;
    assert_eq!((report.mv, report.nodes), (best.into(), 0));
    assert_eq!(report.line, [report.mv]);
    assert!(report.evaluation.is_some_and(|evaluation| (0.0..=1.0).contains(&evaluation.win)));
    assert_eq!(player.candidates().count(), 0);

    player.set_param("book", "0").unwrap();
    assert!(player.choose(&start(), &limits).nodes > 0);
    let with_experience = Options { experience: Some(Experience::default()), ..options() };
    assert!(MctsPlayer::new(&with_experience).choose(&start(), &limits).nodes > 0);
}

#[test]
fn new_game_forgets_the_last_one() {
    let mut player = searcher(options());
    let first = player.choose(&start(), &SearchLimits::nodes(500));
    player.choose(&start().after(first.mv), &SearchLimits::nodes(500));
    player.new_game();
    assert_eq!(player.candidates().count(), 0);
    assert_eq!(player.choose(&start(), &SearchLimits::nodes(500)), first);
}

#[test]
fn preparation_changes_no_move() {
    let never = AtomicBool::new(false);
    let (mut prepared, mut other) = (searcher(options()), searcher(options()));
    let mut position = start();
    for _ in 0..2 {
        prepared.prepare(&never);
        let report = prepared.choose(&position, &SearchLimits::nodes(500));
        assert_eq!(report, other.choose(&position, &SearchLimits::nodes(500)));
        position.play(report.mv);
    }
}

#[test]
fn colour_out_of_play_at_setup_moves_once() {
    let mut setup = middle().setup();
    setup.in_play.remove(middle().color());
    let mut position = setup.position().unwrap();
    let report = search(&position, 5000);
    assert!(report.line.len() > 4 && report.line[0] == report.mv, "{report:?}");
    report.line.iter().for_each(|&mv| position.try_play(mv).unwrap());
}

#[test]
fn colour_without_first_piece_is_searched() {
    let mut setup = middle().setup();
    let late = middle().color().next();
    (setup.covered[late], setup.remaining_pieces[late]) = (Bitboard::EMPTY, start().board().remaining_pieces(late));
    let position = setup.position().unwrap();
    assert!(position.board().is_first(late));
    assert_eq!(position.check(search(&position, 500).mv), Ok(()));
}

#[test]
fn solved_endgames_have_no_candidates() {
    let mut player = MctsPlayer::new(&options());
    player.choose(&middle(), &SearchLimits::nodes(100));
    assert!(player.candidates().count() > 0);
    let (mut end, mut heuristic) = (middle(), HeuristicPlayer::new(&Options::default()));
    while end.turn() < 64 {
        end.play(heuristic.choose(&end, &SearchLimits::UNLIMITED).mv);
    }
    assert!(player.choose(&end, &SearchLimits::nodes(1_000_000)).nodes > 0);
    assert_eq!(player.candidates().count(), 0);
}

#[test]
fn threads_share_one_tree() {
    let mut player = searcher(Options { threads: 3, ..options() });
    let report = player.choose(&start(), &SearchLimits::nodes(3000));
    assert!(start().check(report.mv).is_ok());
    assert_eq!(report.nodes, 3000);
    let visits: u32 = player.candidates().map(|(_, visits)| visits).sum();
    assert!(u64::from(visits) >= report.nodes * 9 / 10);
}

#[test]
fn forced_moves_need_no_search() {
    // In classic Blokus the only placement is forced; in the seasons the colour may also pass.
    for (rules, is_forced) in [(Rules::Classic, true), (Rules::Season2027, false)] {
        let has_one = |position: &Position| position.board().count_placements(position.color()) == 1;
        let position = random_moves(start_of(rules, 0), 0, has_one);
        let report = MctsPlayer::new(&options()).choose(&position, &SearchLimits::nodes(5000));
        assert_eq!(report.nodes == 0, is_forced, "{position}: {report:?}");
        assert!(position.check(report.mv).is_ok());
    }
}

#[test]
fn principal_variation_is_legal() {
    for position in bench::positions() {
        let report = search(&position, 500);
        assert!(report.line.len() > 1 && report.line[0] == report.mv);
        let mut after = position;
        report.line.iter().for_each(|&mv| after.try_play(mv).unwrap());
    }
}

#[test]
fn candidates_have_the_visits_of_the_search() {
    let mut player = searcher(options());
    let report = player.choose(&start(), &SearchLimits::nodes(3000));
    let visits: BTreeMap<Placement, u32> = player.candidates().collect();
    assert_eq!(visits.values().sum::<u32>(), 3000);
    assert_eq!(visits.values().max(), report.mv.placement().map(|chosen| &visits[&chosen]));
}

#[test]
fn both_teams_agree_on_a_won_endgame() {
    let mut position = random_moves(start(), 0, |position| position.turn() >= 44);
    for _ in 0..2 {
        let report = search(&position, 3000);
        let evaluation = report.evaluation.unwrap();
        assert_eq!(evaluation.win > 0.5, evaluation.margin > 0.0, "{evaluation:?}");
        position.play(report.mv);
    }
}
