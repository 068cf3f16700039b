//! When a search ends: at its limit, when its move cannot change any more, when it is told to, or when the tree is
//! full.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use web_time::Instant;

use super::history::History;
use super::most_visited;
use super::search::Worker;
use super::tree::Tree;
use crate::api::Limit;
use crate::threads::search_together;

/// Number of simulations between two looks at the moves: which is the best so far, and whether it can still change.
const DECISION_INTERVAL: u64 = 64;

/// After this many simulations their rate is known.
const RATE_KNOWN: u64 = 1024;

/// Tells the threads of one search when to stop.
pub struct Control<'a> {
    limit: Limit,
    early_stop: bool,
    start: Instant,
    simulations: AtomicU64,
    done: AtomicBool,
    interrupt: &'a AtomicBool,
}

impl<'a> Control<'a> {
    /// The search ends at the limit, when someone else sets `interrupt`, or, with `early_stop`, when its move is
    /// decided.
    pub fn new(limit: Limit, early_stop: bool, interrupt: &'a AtomicBool) -> Self {
        let (simulations, done) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { limit, early_stop, start: Instant::now(), simulations, done, interrupt }
    }

    /// Whether the search has come to its limit, or its move is decided.
    pub fn is_done(&self) -> bool {
        self.done.load(Ordering::Relaxed)
    }

    /// Searches with one thread per worker until the search is to stop or the tree is full.
    pub fn run(&self, tree: &Tree, history: &History, workers: &mut [Worker]) {
        // The first simulation gives the root its children, for which the network takes its time; other threads would
        // have nothing to do until then.
        if let [first, _, ..] = workers
            && tree.children(Tree::ROOT).is_empty()
            && !self.interrupt.load(Ordering::Relaxed)
        {
            self.simulations.fetch_add(1, Ordering::Relaxed);
            first.simulate(tree, history);
        }
        search_together(workers.iter_mut().map(|worker| || self.work(tree, history, worker)));
    }

    fn work(&self, tree: &Tree, history: &History, worker: &mut Worker) {
        while !self.is_done() && !self.interrupt.load(Ordering::Relaxed) && !tree.is_full() {
            let simulation = self.simulations.fetch_add(1, Ordering::Relaxed);
            if simulation % DECISION_INTERVAL == 1
                && let Some((_, best)) = most_visited(tree.children(Tree::ROOT))
            {
                self.limit.publish(best.placement());
            }
            let is_time_to_look = self.early_stop && simulation.is_multiple_of(DECISION_INTERVAL);
            let decided = is_time_to_look && self.is_decided(tree, simulation);
            // The root must have children to choose from, whatever the limit.
            if simulation > 0 && (decided || self.limit.is_reached(simulation)) {
                self.done.store(true, Ordering::Relaxed);
                break;
            }
            worker.simulate(tree, history);
        }
    }

    /// Whether the most visited move stays so whatever the rest of the search brings; up to a deadline, that many
    /// simulations as the search is fast.
    fn is_decided(&self, tree: &Tree, simulations: u64) -> bool {
        let by_nodes = self.limit.nodes.map(|nodes| nodes.saturating_sub(simulations));
        let by_time = self.limit.deadline.filter(|_| simulations >= RATE_KNOWN).map(|deadline| {
            let now = Instant::now();
            let rate = simulations as f64 / (now - self.start).as_secs_f64();
            // More than expected, since the search may become faster.
            (1.25 * rate * deadline.saturating_duration_since(now).as_secs_f64()) as u64
        });
        let Some(left) = by_nodes.into_iter().chain(by_time).min() else { return false };
        let (mut first, mut second) = (0, 0);
        for child in tree.children(Tree::ROOT) {
            let visits = child.visits();
            if visits > first {
                (first, second) = (visits, first);
            } else if visits > second {
                second = visits;
            }
        }
        u64::from(first - second) > left
    }
}

#[cfg(test)]
mod tests {
    use super::super::Keep;
    use super::super::tests::player;
    use super::*;
    use crate::Options;

    #[test]
    fn a_search_ends_early_only_if_its_move_cannot_change() {
        let limit = 20_000;
        let mut ended_early = 0;
        for position in crate::bench::positions().unwrap() {
            let mut hasty = player(Options::default());
            hasty.params.early_stop = true;
            let report = hasty.search(&position, &Limit::nodes(limit));
            let mut player = player(Options::default());
            player.move_root(&position, &Limit::UNLIMITED, Keep::AsMuchAsPossible, &|| false);
            let (stop, mut workers) = (AtomicBool::new(false), player.workers(&position));
            let control = Control::new(Limit::nodes(limit), true, &stop);
            (0..limit).for_each(|_| workers[0].simulate(player.kept.tree(), &player.history));
            let whole = player.report(&position, &workers);
            assert_eq!(whole.mv, report.mv);
            let mut patient = super::super::tests::player(Options::default());
            assert_eq!(patient.search(&position, &Limit::nodes(limit)), whole);
            let mut visits: Vec<u32> = player.candidates().map(|(_, visits)| visits).collect();
            visits.sort_unstable_by_key(|&visits| std::cmp::Reverse(visits));
            let lead = u64::from(visits[0] - visits[1]);
            assert!(lead > 0 && !control.is_decided(player.kept.tree(), limit - lead));
            assert!(control.is_decided(player.kept.tree(), limit - lead + 1));
            ended_early += usize::from(report.nodes < limit);
        }
        assert!(ended_early > 5, "{ended_early}");
    }
}
