//! Searches among some of the moves only.

use game::{Move, Placement, Position};
use player::minimax::{HandCrafted, Minimax, Params};
use player::model::Model;
use player::{Limit, NAMES, Options, bench, by_name};

fn options() -> Options {
    Options { memory: 16 << 20, ..Options::default() }
}

fn placements(position: &Position) -> Vec<Placement> {
    position.board().placements(position.color())
}

#[test]
fn every_player_chooses_among_the_moves_that_it_is_given() {
    for name in NAMES {
        let mut player = by_name(name, &options()).unwrap();
        for position in bench::positions().unwrap() {
            let all = placements(&position);
            for moves in all.chunks(all.len().div_ceil(3)).chain([&all[all.len() - 1..]]) {
                let limit = Limit::nodes(100).among(moves.iter().copied());
                let report = player.choose(&position, &limit);
                let placement = report.mv.placement().expect("it may not pass");
                assert!(moves.contains(&placement), "{name}: {placement} in {position}");
                assert!(report.line.first().is_none_or(|&first| first == report.mv));
            }
        }
    }
}

#[test]
fn where_no_move_is_left_the_answer_is_a_pass() {
    let position = bench::positions().unwrap().swap_remove(3);
    let all = placements(&position);
    let other = Placement::all().find(|placement| !all.contains(placement)).expect("not everything is legal");
    for name in NAMES {
        let mut player = by_name(name, &options()).unwrap();
        for limit in [Limit::nodes(9).among([]), Limit::nodes(9).among([other])] {
            assert_eq!(player.choose(&position, &limit).mv, Move::Pass, "{name}");
        }
    }
}

#[test]
fn one_move_alone_is_thought_about() {
    let position = bench::positions().unwrap().swap_remove(3);
    for name in ["mcts", "minimax"] {
        let [best, worst] = ["", "worst"].map(|which| {
            let mut player = by_name(name, &options()).unwrap();
            let free = player.choose(&position, &Limit::nodes(2000)).mv.placement().unwrap();
            let mv = if which.is_empty() {
                free
            } else {
                placements(&position).into_iter().min_by_key(|mv| mv.cells().len()).unwrap()
            };
            let report = by_name(name, &options()).unwrap().choose(&position, &Limit::nodes(2000).among([mv]));
            assert!(report.mv == mv.into() && report.nodes > 100, "{name}: {report:?}");
            report.evaluation.expect("an opinion").win
        });
        assert!(best > worst, "{name}: {best} {worst}");
    }
}

/// The table must not keep the value of some moves as that of the position.
#[test]
fn what_is_learnt_of_some_moves_is_not_taken_for_the_value_of_all() {
    let mut differ = 0;
    for position in bench::positions().unwrap().into_iter().filter(|position| position.turn() >= 20).take(4) {
        let minimax = || Minimax::new(Params::default(), Box::new(HandCrafted), Model::built_in(), 1 << 22, 1);
        let fresh = minimax().search(&position, &Limit::UNLIMITED, 2);
        let next = position.after(fresh.mv);
        let worst = placements(&next).into_iter().min_by_key(|mv| mv.cells().len()).unwrap();
        let mut biased = minimax();
        let of_worst = biased.search(&next, &Limit::UNLIMITED.among([worst]), 1);
        differ += usize::from(of_worst.value != minimax().search(&next, &Limit::UNLIMITED, 1).value);
        let after = biased.search(&position, &Limit::UNLIMITED, 2);
        assert_eq!((after.mv, after.value), (fresh.mv, fresh.value), "{position}");
    }
    assert!(differ > 0, "the worst move is as good as the best everywhere");
}
