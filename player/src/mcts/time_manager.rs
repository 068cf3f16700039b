//! The end of a search: its limits, an interrupt, or a lead that cannot change any more.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use web_time::Instant;

use super::history::MoveHistory;
use super::params::Params;
use super::tree::Tree;
use super::worker::Worker;
use crate::api::SearchLimits;
use crate::threads::run_together;

/// Number of simulations between two checks of the root moves.
const CHECK_INTERVAL: u64 = 64;

/// Number of simulations that give a reliable rate.
const RATE_SIMULATIONS: u64 = 1024;

/// Decides when the threads of a search stop.
pub struct TimeManager<'a> {
    limits: SearchLimits,
    params: Params,
    start: Instant,
    simulations: AtomicU64,
    is_done: AtomicBool,
    interrupt: &'a AtomicBool,
}

impl<'a> TimeManager<'a> {
    /// Starts the clock.
    pub fn new(limits: SearchLimits, params: Params, interrupt: &'a AtomicBool) -> Self {
        let (simulations, is_done) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { limits, params, start: Instant::now(), simulations, is_done, interrupt }
    }

    /// Returns `true` if the search has reached its limits or, with an early stop, its most visited move is final.
    pub fn is_done(&self) -> bool {
        self.is_done.load(Ordering::Relaxed)
    }

    /// Runs one thread per worker until the search is over or the tree is full.
    pub fn run(&self, tree: &Tree, history: &MoveHistory, workers: &mut [Worker]) {
        run_together(workers.iter_mut().map(|worker| {
            || {
                while !tree.is_full() && self.start_simulation(tree) {
                    worker.simulate(tree, history);
                }
            }
        }));
    }

    /// Counts a simulation, or returns `false` if the search is over. The first simulation is always allowed, so that
    /// the root has a visited child.
    fn start_simulation(&self, tree: &Tree) -> bool {
        if self.is_done() || self.interrupt.load(Ordering::Relaxed) {
            return false;
        }
        let simulation = self.simulations.fetch_add(1, Ordering::Relaxed);
        if simulation % CHECK_INTERVAL == 1
            && let Some(best) = tree.best_root_child(self.params.choice_margin)
        {
            self.limits.publish(tree.node(best).placement());
        }
        let is_check = self.params.early_stop && simulation.is_multiple_of(CHECK_INTERVAL);
        let is_over = is_check && self.is_decided(tree, simulation) || self.limits.is_reached(simulation);
        if simulation > 0 && is_over {
            self.is_done.store(true, Ordering::Relaxed);
            return false;
        }
        true
    }

    /// Returns `true` if the second most visited move cannot catch up with the first in the remaining simulations.
    fn is_decided(&self, tree: &Tree, simulations: u64) -> bool {
        let by_nodes = self.limits.nodes.map(|nodes| nodes.saturating_sub(simulations));
        let by_time = self.limits.deadline.filter(|_| simulations >= RATE_SIMULATIONS).map(|deadline| {
            let now = Instant::now();
            let rate = simulations as f64 / (now - self.start).as_secs_f64();
            // A quarter more than expected, because the search may become faster.
            (1.25 * rate * deadline.saturating_duration_since(now).as_secs_f64()) as u64
        });
        let Some(remaining) = by_nodes.into_iter().chain(by_time).min() else { return false };
        let (mut first, mut second) = (0, 0);
        for child in tree.children(Tree::ROOT) {
            let visits = child.visits();
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        u64::from(first - second) > remaining
    }
}

#[cfg(test)]
mod tests {
    use super::super::expansion::expand_root;
    use super::*;
    use crate::model::Model;
    use crate::root_moves::RootMoves;

    #[test]
    fn early_stop_keeps_the_most_visited_move() {
        let (nodes, params, never) = (2000, Params::default(), AtomicBool::new(false));
        let mut early_stops = 0;
        for position in crate::bench::positions().into_iter().step_by(2) {
            let searched = |early_stop: bool| {
                let (tree, history) = (Tree::new(8 << 20), MoveHistory::new());
                let moves = RootMoves::list(&position);
                expand_root(&tree, &moves, &Model::built_in(), &params);
                let mut workers = [Worker::new(&position, Model::built_in(), &params.at(position.turn()), 1)];
                let time = TimeManager::new(SearchLimits::nodes(nodes), Params { early_stop, ..params }, &never);
                time.run(&tree, &history, &mut workers);
                (tree, workers[0].simulations)
            };
            let ((early, simulations), (whole, all)) = (searched(true), searched(false));
            assert_eq!(all, nodes);
            assert_eq!(early.most_visited_child(Tree::ROOT), whole.most_visited_child(Tree::ROOT));
            early_stops += usize::from(simulations < nodes);

            let mut visits: Vec<u32> = whole.children(Tree::ROOT).iter().map(|child| child.visits()).collect();
            visits.sort_unstable_by_key(|&visits| std::cmp::Reverse(visits));
            let lead = u64::from(visits[0] - visits[1]);
            let time = TimeManager::new(SearchLimits::nodes(nodes), Params { early_stop: true, ..params }, &never);
            assert!(lead > 0 && !time.is_decided(&whole, nodes - lead));
            assert!(time.is_decided(&whole, nodes - lead + 1));
        }
        assert!(early_stops > 1, "{early_stops}");
    }
}
