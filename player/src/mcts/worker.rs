//! One simulation of a thread: select, expand, evaluate, play out, backpropagate.

use std::sync::Arc;

use game::{Color, Placement, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::history::MoveHistory;
use super::params::Params;
use super::selection::select;
use super::shortlist::Shortlist;
use super::tree::{NewChild, Tree, TreeNode};
use crate::model::Model;
use crate::model::value_net::TURNS;
use crate::playout::{Playout, PlayoutPolicy};

/// The state of one search thread. Threads share the tree and the move history.
pub struct Worker {
    pub(super) model: Arc<Model>,
    pub(super) params: Params,
    pub(super) playout_policy: PlayoutPolicy,
    pub(super) playout: Playout,
    pub(super) path: Vec<Step>,
    pub(super) shortlist: Shortlist,
    /// Buffers of an expansion.
    pub(super) placements: Vec<Placement>,
    pub(super) children: Vec<NewChild>,
    rng: Xoshiro256PlusPlus,
    /// Number of simulations.
    pub simulations: u64,
    /// Number of simulations with a playout.
    pub playouts: u64,
    /// Sum of the margins of team one over all playouts.
    pub margin_sum: f64,
    /// Length of the longest path.
    pub depth: u32,
}

/// A move on the path from the root.
#[derive(Clone, Copy)]
pub struct Step {
    /// Node before the move.
    pub node: u32,
    pub color: Color,
    /// Node after the move.
    pub child: u32,
}

impl Worker {
    /// Creates a worker for a search of `root`. The root of the tree must have children.
    pub fn new(root: &Position, model: Arc<Model>, params: &Params, seed: u64) -> Self {
        Self {
            model,
            params: *params,
            playout_policy: params.playout_policy(),
            playout: Playout::new(root),
            path: Vec::new(),
            shortlist: Shortlist::new(),
            placements: Vec::new(),
            children: Vec::new(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            simulations: 0,
            playouts: 0,
            margin_sum: 0.0,
            depth: 0,
        }
    }

    /// Runs one simulation.
    pub fn simulate(&mut self, tree: &Tree, history: &MoveHistory) {
        let leaf = self.descend(tree, history);
        self.depth = self.depth.max(self.path.len() as u32);
        self.playout.leave_tree();
        let evaluation = self.evaluate(tree.node(leaf));
        self.simulations += 1;
        if self.params.playouts || evaluation.is_none() {
            self.playout.run(&self.playout_policy, usize::MAX, &mut self.rng);
            self.playouts += 1;
            self.margin_sum += f64::from(self.playout.margin());
        }
        self.backpropagate(tree, history, evaluation);
    }

    /// Follows the best children to a leaf. A leaf with enough visits gets children, and the descent continues.
    fn descend(&mut self, tree: &Tree, history: &MoveHistory) -> u32 {
        self.playout.restart();
        self.path.clear();
        let mut node = Tree::ROOT;
        loop {
            let visits = tree.node(node).add_visit();
            let is_leaf = tree.children(node).is_empty();
            if is_leaf && !self.expand(tree, history, node) {
                return node;
            }
            let policy_visits = self.params.policy_visits;
            let is_due = if is_leaf { visits >= policy_visits } else { visits == policy_visits };
            if is_due && self.params.uses_policy_net() && node != Tree::ROOT {
                self.apply_policy_net(tree, history, node);
            }
            let Some(n) = select(tree, node, &self.params, &mut self.shortlist) else { return node };
            let child = tree.child_index(node, n);
            let color = self.playout.follow(tree.node(child).placement());
            debug_assert!(color.is_some(), "{:?} is illegal", tree.node(child).placement());
            let Some(color) = color else { return node };
            self.path.push(Step { node, color, child });
            node = child;
        }
    }

    /// Returns the expected result of team one at the leaf. The leaf stores it for later simulations.
    ///
    /// Until every colour has placed a piece, the playout continues to the first turn with an evaluation, and the leaf
    /// stores nothing. After the last evaluated turn the playout alone counts; a search without playouts evaluates
    /// later turns like the last ones.
    fn evaluate(&mut self, leaf: &TreeNode) -> Option<f32> {
        if self.params.evaluation_share == 0.0 {
            return None;
        }
        let late = !self.params.playouts;
        let value_net = &self.model.value_net;
        let missing = TURNS.start.saturating_sub(self.playout.turn());
        if missing > 0 {
            self.playout.run(&self.playout_policy, missing.into(), &mut self.rng);
            return self.playout.evaluate(value_net, late);
        }
        leaf.evaluation()
            .or_else(|| self.playout.evaluate(value_net, late).inspect(|&evaluation| leaf.set_evaluation(evaluation)))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::expansion::expand_root;
    use super::super::test_positions::middle;
    use super::*;
    use crate::root_moves::RootMoves;
    use game::{Move, Piece, Rules};

    /// Creates a tree with the children of `root` and a worker for it.
    pub fn tree_and_worker(root: &Position, params: &Params, seed: u64) -> (Tree, Worker) {
        let tree = Tree::new(4 << 20);
        expand_root(&tree, &RootMoves::list(root), &Model::built_in(), params);
        (tree, Worker::new(root, Model::built_in(), params, seed))
    }

    /// Runs simulations in a new tree.
    pub fn searched(root: &Position, params: &Params, simulations: usize) -> (Tree, Worker) {
        let (tree, mut worker) = tree_and_worker(root, params, 1);
        let history = MoveHistory::new();
        (0..simulations).for_each(|_| worker.simulate(&tree, &history));
        (tree, worker)
    }

    fn start() -> Position {
        Position::new(Rules::Season2027, Some(Piece::PentoY)).unwrap()
    }

    /// Plays the start of a random game.
    fn random_game(plies: usize, seed: u64) -> Playout {
        let mut game = Playout::new(&start());
        game.run(&Params::default().playout_policy(), plies, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        game
    }

    #[test]
    fn each_leaf_is_evaluated_once() {
        let opening = random_game(12, 1);
        let mut position = start();
        opening.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
        let (tree, mut worker) = searched(&position, &Params::default(), 100);
        assert!(tree.children(Tree::ROOT).iter().any(|child| child.evaluation().is_some()));
        for child in tree.children(Tree::ROOT) {
            let after = position.after(Move::Place(child.placement()));
            let evaluation = Playout::new(&after).evaluate(&Model::built_in().value_net, false);
            assert_eq!(child.evaluation(), evaluation.filter(|_| child.visits() > 0));
        }
        let leaf = tree.node(1);
        leaf.set_evaluation(0.125);
        assert_eq!(worker.evaluate(leaf), Some(0.125), "the stored evaluation");
        worker.params.evaluation_share = 0.0;
        assert_eq!(worker.evaluate(leaf), None);
    }

    #[test]
    fn first_turns_are_evaluated_after_random_moves() {
        let first = random_game(1, 1).placements()[0].1;
        let leaf = Tree::new(1 << 10);
        let (_, mut worker) = tree_and_worker(&start(), &Params::default(), 1);
        let evaluations = [(); 2].map(|()| {
            worker.playout.restart();
            assert_eq!(worker.playout.follow(first), Some(start().color()));
            worker.evaluate(leaf.node(Tree::ROOT))
        });
        assert_eq!(worker.playout.placements().len(), usize::from(TURNS.start));
        assert!(evaluations[0].is_some() && evaluations[1].is_some() && evaluations[0] != evaluations[1]);
        assert_eq!(leaf.node(Tree::ROOT).evaluation(), None);
    }

    #[test]
    fn finished_games_are_not_evaluated() {
        let mut game = Playout::new(&start());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let (policy, mut early_ends) = (Params::default().playout_policy(), 0);
        for _ in 0..2000 {
            game.restart();
            game.run(&policy, usize::MAX, &mut rng);
            let moves = game.placements().to_vec();
            game.restart();
            moves.iter().for_each(|&(_, placement)| assert!(game.follow(placement).is_some()));
            early_ends += usize::from(TURNS.contains(&game.turn()));
            assert_eq!(game.evaluate(&Model::built_in().value_net, false), None);
        }
        assert!(early_ends > 0);
    }

    /// Asserts that all moves below a node are legal. Returns the number of inner nodes whose move skips a colour.
    fn check(tree: &Tree, node: u32, position: &Position) -> usize {
        let below = tree.children(node).iter().enumerate().map(|(n, child)| {
            let mv = Move::Place(child.placement());
            assert_eq!(position.check(mv), Ok(()));
            let after = position.after(mv);
            let child = tree.child_index(node, n);
            let next = position.color().next();
            let is_skipped = position.in_play().contains(next) && !after.in_play().contains(next);
            usize::from(is_skipped && !tree.children(child).is_empty()) + check(tree, child, &after)
        });
        below.sum()
    }

    #[test]
    fn late_trees_contain_only_legal_moves() {
        let game = random_game(usize::MAX, 3);
        let (mut skipped, mut position) = (0, start());
        for (ply, &(_, placement)) in game.placements().iter().enumerate() {
            if ply + 20 > game.placements().len() && ply % 4 == 0 {
                let (tree, _) = searched(&position, &Params::default(), 3000);
                skipped += check(&tree, Tree::ROOT, &position);
            }
            position.play(Move::Place(placement));
        }
        assert!(skipped > 0);
    }

    #[test]
    fn late_expansion_applies_the_policy_net() {
        let visits = |policy_visits| {
            let (tree, _) = searched(&middle(), &Params { policy_visits, ..Params::default() }, 400);
            (0..tree.len() as u32).map(|node| tree.node(node).visits()).collect::<Vec<_>>()
        };
        let late = Params::default().expansion_visits + 1;
        assert_eq!(visits(2), visits(late));
        assert_ne!(visits(2), visits(400));
    }
}
