//! All players: parameters, legal moves, handles and deadlines.

use std::sync::Arc;
use std::time::Instant;

use player::{Options, PLAYER_NAMES, SearchHandle, SearchLimits, bench, by_name};

fn options() -> Options {
    Options { memory: 16 << 20, ..Options::default() }
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
            let best = handle.best_move().unwrap();
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
fn players_choose_legal_moves() {
    for name in PLAYER_NAMES {
        let mut player = by_name(name, &options()).unwrap();
        for position in bench::positions() {
            let report = player.choose(&position, &SearchLimits::nodes(40));
            assert_eq!(position.check(report.mv), Ok(()), "{name}: {position}");
            assert!(report.line.first().is_none_or(|&first| first == report.mv));
        }
    }
}
