//! All players: parameters, handles and restricted root moves.

use std::sync::Arc;
use std::time::Instant;

use game::{Move, Piece, Placement, Position, Rules, Setup};
use player::{Options, PLAYER_NAMES, SearchHandle, SearchLimits, bench, by_name};

fn options() -> Options {
    Options { memory: 16 << 20, ..Options::default() }
}

fn placements(position: &Position) -> Vec<Placement> {
    position.board().placements(position.color())
}

#[test]
fn parameters_accept_their_bounds_and_values() {
    for name in PLAYER_NAMES {
        let mut player = by_name(name, &Options { memory: 1 << 20, ..Options::default() }).unwrap();
        for param in player.params() {
            for value in [param.low, param.high, param.value] {
                player.set_param(param.name, &value.to_string()).unwrap();
            }
            assert!(player.params().contains(&param), "{param:?}");
        }
    }
}

#[test]
fn stopped_searches_return_and_publish_legal_moves() {
    let positions = bench::positions();
    for position in positions.iter().filter(|position| position.turn() == 20) {
        for name in ["mcts", "neural", "minimax"] {
            let handle = Arc::new(SearchHandle::default());
            handle.stop();
            let limits = SearchLimits::UNLIMITED.with_handle(handle.clone());
            let report = by_name(name, &options()).unwrap().choose(position, &limits);
            let best = Move::from(handle.best_move().unwrap());
            assert_eq!((position.check(report.mv), position.check(best)), (Ok(()), Ok(())), "{name}");
            assert!(best == report.mv || name == "minimax", "{best} {report:?}");
        }
    }
}

#[test]
fn past_deadline_still_gives_a_move() {
    for position in bench::positions() {
        for (name, threads) in [("mcts", 1), ("minimax", 1), ("minimax", 3)] {
            let mut player = by_name(name, &Options { memory: 1 << 20, threads, ..Options::default() }).unwrap();
            let report = player.choose(&position, &SearchLimits::deadline(Instant::now()));
            assert_eq!(position.check(report.mv), Ok(()), "{name}: {position}");
        }
    }
}

#[test]
fn players_choose_among_restricted_moves() {
    for name in PLAYER_NAMES {
        let mut player = by_name(name, &options()).unwrap();
        for position in bench::positions() {
            let all = placements(&position);
            for moves in all.chunks(all.len().div_ceil(3)).chain([&all[all.len() - 1..]]) {
                let limits = SearchLimits::nodes(40).restricted_to(moves.iter().copied());
                let report = player.choose(&position, &limits);
                let placement = report.mv.placement().expect("a placement");
                assert!(moves.contains(&placement), "{name}: {placement} in {position}");
                assert!(report.line.first().is_none_or(|&first| first == report.mv));
            }
        }
    }
}

#[test]
fn players_pass_without_allowed_moves() {
    let position = bench::positions().swap_remove(3);
    let all = placements(&position);
    let other = Placement::all().find(|placement| !all.contains(placement)).expect("an illegal placement");
    for name in PLAYER_NAMES {
        let mut player = by_name(name, &options()).unwrap();
        for limits in [SearchLimits::nodes(9).restricted_to([]), SearchLimits::nodes(9).restricted_to([other])] {
            assert_eq!(player.choose(&position, &limits).mv, Move::Pass, "{name}");
        }
    }
}

#[test]
fn limits_list_no_placements_after_the_last_turn() {
    let position = bench::positions().swap_remove(3);
    let over = Setup { turn: 96, ..Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap().setup() };
    let over = over.position().unwrap();
    assert!(over.is_over() && !placements(&over).is_empty());
    assert!(SearchLimits::UNLIMITED.placements(&over).is_empty());
    assert_eq!(SearchLimits::UNLIMITED.placements(&position), placements(&position));
}

#[test]
fn restriction_to_one_move_evaluates_it() {
    let position = bench::positions().swap_remove(3);
    for name in ["mcts", "minimax"] {
        let [best, worst] = ["", "worst"].map(|which| {
            let mut player = by_name(name, &options()).unwrap();
            let free = player.choose(&position, &SearchLimits::nodes(2000)).mv.placement().unwrap();
            let mv = if which.is_empty() {
                free
            } else {
                placements(&position).into_iter().min_by_key(|mv| mv.cells().len()).unwrap()
            };
            let report =
                by_name(name, &options()).unwrap().choose(&position, &SearchLimits::nodes(2000).restricted_to([mv]));
            assert!(report.mv == mv.into() && report.nodes > 100, "{name}: {report:?}");
            report.evaluation.expect("an evaluation").win
        });
        assert!(best > worst, "{name}: {best} {worst}");
    }
}
