//! The search of one move: workers on one tree, pruned when full, and the report at the end.

use game::{Move, Position, Team};
use web_time::{Duration, Instant};

use super::history::MoveHistory;
use super::params::Params;
use super::time_manager::TimeManager;
use super::tree::Tree;
use super::tree_reuse::ReusedTree;
use super::win_probability::win_probability;
use super::worker::Worker;
use crate::api::{Evaluation, Report, SearchLimits};
use crate::model::value_net::margin_of_win;

/// Minimum time before the deadline for pruning a full tree.
const PRUNING_TIME: Duration = Duration::from_millis(150);

/// Searches until the time manager ends the search. Prunes the tree when it is full, or freezes it shortly before the
/// deadline.
pub fn search(
    tree: &mut ReusedTree,
    history: &MoveHistory,
    limits: &SearchLimits,
    time: &TimeManager<'_>,
    workers: &mut [Worker],
) {
    loop {
        time.run(tree.tree(), history, workers);
        if !tree.tree().is_full() || time.is_done() {
            return;
        }
        if limits.deadline.is_some_and(|deadline| Instant::now() + PRUNING_TIME > deadline) {
            tree.tree_mut().freeze();
        } else {
            tree.prune(limits);
        }
    }
}

/// Reports the best move with its evaluation and principal variation.
pub fn report(tree: &Tree, workers: &[Worker], position: &Position, params: &Params) -> Report {
    let (mut line, mut value) = (Vec::new(), 0.5);
    let mut next = tree.best_root_child(params.choice_margin);
    while let Some(index) = next {
        let child = tree.node(index);
        if line.is_empty() {
            value = child.value();
        } else if child.visits() == 0 {
            break;
        }
        line.push(Move::Place(child.placement()));
        next = tree.most_visited_child(index);
    }
    let win = win_probability(value);
    Report {
        mv: line.first().copied().unwrap_or(Move::Pass),
        evaluation: Some(Evaluation { win, margin: margin(win, workers, position, params) }),
        line,
        nodes: workers.iter().map(|worker| worker.simulations).sum(),
        depth: workers.iter().map(|worker| worker.depth).max().unwrap_or(0),
    }
}

/// Returns the mean margin of the playouts, or without playouts the margin that goes with the win probability.
fn margin(win: f32, workers: &[Worker], position: &Position, params: &Params) -> f32 {
    let playouts: u64 = workers.iter().map(|worker| worker.playouts).sum();
    if playouts == 0 || !params.playouts {
        return margin_of_win(win, position.turn());
    }
    let of_one = workers.iter().map(|worker| worker.margin_sum).sum::<f64>() / playouts as f64;
    (if position.color().team() == Team::One { of_one } else { -of_one }) as f32
}
