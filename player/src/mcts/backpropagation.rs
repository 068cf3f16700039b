//! Backpropagation: adds the result of a simulation to the nodes of its path, and by RAVE to other children.

use std::ops::Range;

use game::{Color, Team};

use super::amaf::AmafMoves;
use super::history::MoveHistory;
use super::tree::{SimulationResult, Tree, TreeNode};
use super::worker::{Step, Worker};

impl Worker {
    /// Adds the result to the nodes of the path, to their children that the same colour played later, and to the move
    /// history.
    pub fn backpropagate(&self, tree: &Tree, history: &MoveHistory, evaluation: Option<f32>) {
        let played = self.params.result(self.playout.margin());
        let of_one = SimulationResult::new(played, evaluation, self.params.evaluation_share);
        let result = |color: Color| match color.team() {
            Team::One => of_one,
            Team::Two => of_one.of_opponent(),
        };
        let placements = self.playout.placements();
        history.add(placements.iter().copied(), |color| result(color).value);
        let (plies, amaf) = (placements.len(), AmafMoves::of(placements));
        for (ply, &step) in self.path.iter().enumerate().rev() {
            self.update_rave(tree, &amaf, step, ply..plies, result(step.color));
            tree.node(step.child).add(result(step.color), 1.0);
        }
    }

    /// Adds the result to the children that the same colour played later in the game.
    ///
    /// An update counts `rave_weight` visits, and less the later the move was made. It is skipped if the node has more
    /// than `rave_parent_visits` visits or the child more than `rave_child_weight`. So the child's own simulations soon
    /// outweigh RAVE, without the formula of Gelly and Silver. The schedule is Pentobi's (M. Enzenberger,
    /// libboardgame_mcts/SearchBase.h, version 31.0-dev).
    fn update_rave(&self, tree: &Tree, amaf: &AmafMoves, step: Step, plies: Range<usize>, result: SimulationResult) {
        let (params, Step { node, color, .. }) = (&self.params, step);
        if params.rave_weight == 0.0 || tree.node(node).visits() > params.rave_parent_visits {
            return;
        }
        let update = |child: &TreeNode, ply: usize| {
            if ply > plies.start && child.weight() <= params.rave_child_weight {
                let distance = (ply - plies.start) as f32 / plies.len() as f32;
                child.add(result, params.rave_weight * (1.0 - distance));
            }
        };
        let children = tree.children(node);
        if node == Tree::ROOT {
            for (ply, &(by, placement)) in self.playout.placements().iter().enumerate() {
                if let Some(n) = self.shortlist.number(placement).filter(|_| by == color) {
                    update(&children[n], ply);
                }
            }
        } else {
            let moves = amaf.of_color(color);
            for child in children {
                if let Some(ply) = moves.ply(child.placement_index()) {
                    update(child, ply);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::params::Params;
    use super::super::selection::select;
    use super::super::test_positions::middle;
    use super::super::worker::tests::tree_and_worker;
    use super::*;

    /// The updates of the children of one node by one simulation.
    struct Updates {
        /// Result for the team that moved: 0, 0.5 or 1.
        result: f32,
        /// Number of moves from this node to the end of the game.
        plies: usize,
        /// Value and weight of each child, before and after.
        children: Vec<[(f32, f32); 2]>,
        /// Number of plies until the same colour played the child's move, if it did.
        distances: Vec<Option<usize>>,
    }

    /// Backpropagates a simulation of two moves from the root, one by each team, and a playout.
    fn updates(params: &Params, seed: u64) -> [Updates; 2] {
        let (tree, mut worker) = tree_and_worker(&middle(), params, seed);
        let history = MoveHistory::new();
        for _ in 0..2 {
            let node = worker.path.last().map_or(Tree::ROOT, |step| step.child);
            (0..9).for_each(|_| _ = tree.node(node).add_visit());
            assert!(node == Tree::ROOT || worker.expand(&tree, &history, node));
            let n = select(&tree, node, params, &mut worker.shortlist).expect("has children");
            let child = tree.child_index(node, n);
            let color = worker.playout.follow(tree.node(child).placement()).expect("is legal");
            worker.path.push(Step { node, color, child });
        }
        let path = worker.path.clone();
        let known = |step: Step| tree.children(step.node).iter().map(|child| (child.value(), child.weight()));
        let before = [0, 1].map(|ply: usize| known(path[ply]).collect::<Vec<_>>());
        let mut rng: rand_xoshiro::Xoshiro256PlusPlus = rand::SeedableRng::seed_from_u64(seed);
        worker.playout.run(&worker.playout_policy, usize::MAX, &mut rng);
        worker.backpropagate(&tree, &history, None);
        let (moves, margin) = (worker.playout.placements(), worker.playout.margin());
        [0, 1].map(|ply: usize| {
            let (step, moves) = (path[ply], &moves[ply..]);
            let margin = if step.color.team() == Team::One { margin } else { -margin };
            let distance = |child: &TreeNode| moves.iter().position(|&mv| mv == (step.color, child.placement()));
            Updates {
                result: 0.5 + 0.5 * margin.signum() as f32,
                plies: moves.len(),
                children: before[ply].iter().zip(known(step)).map(|(&before, after)| [before, after]).collect(),
                distances: tree.children(step.node).iter().map(distance).collect(),
            }
        })
    }

    #[test]
    fn rave_updates_later_moves_of_the_same_colour() {
        let params = Params { margin_share: 0.0, ..Params::default() };
        let mut counts = [[0; 2]; 2];
        for seed in 0..20 {
            for (ply, updates) in updates(&params, seed).iter().enumerate() {
                for (&[before, after], distance) in updates.children.iter().zip(&updates.distances) {
                    let weight = match *distance {
                        None => 0.0,
                        Some(0) => 1.0,
                        Some(later) => params.rave_weight * (1.0 - later as f32 / updates.plies as f32),
                    };
                    let value = (before.0 * before.1 + updates.result * weight) / (before.1 + weight);
                    assert!((after.1 - before.1 - weight).abs() < 1e-5 && (after.0 - value).abs() < 1e-5);
                    let is_later = distance.is_some_and(|later| later > 0);
                    counts[ply][usize::from(updates.result > 0.5)] += usize::from(is_later);
                }
            }
        }
        assert!(counts.as_flattened().iter().all(|&count| count > 0), "{counts:?}");
    }

    #[test]
    fn rave_limits_leave_only_the_path() {
        let params = Params { margin_share: 0.0, ..Params::default() };
        for params in [
            Params { rave_weight: 0.0, ..params },
            Params { rave_parent_visits: 5, ..params },
            Params { rave_child_weight: 1.0, ..params },
        ] {
            for updates in updates(&params, 1) {
                let changed = updates.children.iter().filter(|[before, after]| before.1 != after.1);
                assert_eq!(changed.count(), 1);
            }
        }
    }
}
