//! Expansion: the children of a leaf are the likeliest moves with their priors as probabilities.

use game::{Color, Placement};

use super::history::MoveHistory;
use super::params::Params;
use super::tree::{NewChild, Tree, TreeNode};
use super::worker::Worker;
use crate::model::Model;
use crate::model::prior::keep_likeliest;
use crate::root_moves::RootMoves;

/// Value of a root before the search.
const EVEN: f32 = 0.5;

/// Creates the children of a root: all its moves, scored by the policy network if it is in use.
pub fn root_children(moves: &RootMoves<'_>, model: &Model, params: &Params) -> Vec<NewChild> {
    let position = moves.position;
    let (board, color) = (position.board(), position.color());
    // A position can be set up with a colour to move that is out of play.
    let mut in_play = position.in_play();
    in_play.insert(color);
    let (scorer, temperature) = if params.uses_policy_net() {
        (model.policy_scorer(board, in_play, color, position.turn()), params.policy_temperature)
    } else {
        (model.prior_scorer(board, color), params.temperature)
    };
    let mut children = Vec::new();
    collect_likeliest(&moves.placements, |placement| scorer.score(placement), usize::MAX, &mut children);
    softmax(&mut children, temperature);
    children
}

/// Adds the children of a new root.
pub fn expand_root(tree: &Tree, moves: &RootMoves<'_>, model: &Model, params: &Params) {
    tree.expand(Tree::ROOT, &root_children(moves, model, params), EVEN, params.first_play_weight);
}

/// Collects the `max_children` placements with the highest scores, with their scores as priors.
fn collect_likeliest(
    placements: &[Placement],
    score: impl Fn(Placement) -> f32,
    max_children: usize,
    children: &mut Vec<NewChild>,
) {
    children.clear();
    children.extend(placements.iter().map(|&placement| NewChild::new(placement, score(placement))));
    keep_likeliest(children, max_children, |child| (child.prior, child.placement));
}

/// Turns the scores of children into probabilities.
fn softmax(children: &mut [NewChild], temperature: f32) {
    let largest = children.iter().map(|child| child.prior).fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for child in &mut *children {
        // Unlike the exponential of the system, this one returns the same number on every machine.
        child.prior = libm::expf((child.prior - largest) / temperature);
        sum += child.prior;
    }
    for child in children {
        child.prior /= sum;
    }
}

impl Worker {
    /// Expands a leaf with enough visits: adds the likeliest moves of the next colour that can move. Returns `false` if
    /// the leaf stays a leaf.
    pub fn expand(&mut self, tree: &Tree, history: &MoveHistory, node: u32) -> bool {
        let leaf = tree.node(node);
        let Some(step) = self.path.last().copied() else { return false };
        if leaf.visits() <= self.params.expansion_visits || !tree.claim(node) {
            return false;
        }
        let color = loop {
            // If the game is over, the leaf stays claimed, and no thread tries again.
            let Some(color) = self.playout.color() else { return false };
            let board = self.playout.board();
            self.placements.clear();
            board.list_placements(color, &mut self.placements);
            if !self.placements.is_empty() {
                break color;
            }
            self.playout.retire(color);
        };
        let scorer = self.model.prior.scorer(self.playout.board(), color);
        let max_children = self.params.max_children as usize;
        collect_likeliest(&self.placements, |placement| scorer.score(placement), max_children, &mut self.children);
        softmax(&mut self.children, self.params.temperature);
        self.add_history_bonus(history, color);
        let value = value_for(leaf, step.color, color);
        tree.expand(node, &self.children, value, self.params.first_play_weight)
    }

    /// Scores the children of a frequently visited node again, with the policy network, and adds its top moves.
    pub fn apply_policy_net(&mut self, tree: &Tree, history: &MoveHistory, node: u32) {
        let Some(step) = self.path.last().copied() else { return };
        let nodes = tree.children(node);
        let Some(color) = nodes.first().and_then(|child| self.playout.turn_to(child.placement())) else { return };
        let (board, in_play, turn) = (self.playout.board(), self.playout.in_play(), self.playout.turn());
        let scorer = self.model.policy_scorer(board, in_play, color, turn);
        self.placements.clear();
        board.list_placements(color, &mut self.placements);
        let (score, max_children) = (|placement| scorer.score(placement), self.params.max_children as usize);
        collect_likeliest(&self.placements, score, max_children, &mut self.children);
        let likeliest = self.children.len();
        for placement in nodes.iter().map(TreeNode::placement) {
            if self.children[..likeliest].iter().all(|child| child.placement != placement) {
                self.children.push(NewChild::new(placement, scorer.score(placement)));
            }
        }
        softmax(&mut self.children, self.params.policy_temperature);
        self.add_history_bonus(history, color);
        let value = value_for(tree.node(node), step.color, color);
        tree.refit(node, &self.children, value, self.params.first_play_weight);
    }

    /// Adds the history of their moves to the first values of the new children.
    fn add_history_bonus(&mut self, history: &MoveHistory, color: Color) {
        for child in &mut self.children {
            let advantage = history.advantage(color, child.placement, self.params.history_games);
            child.bonus = self.params.history_weight * advantage;
        }
    }
}

/// Returns the value of a node for `color`. The node stores the value for the team of `mover`, who moved into it.
fn value_for(node: &TreeNode, mover: Color, color: Color) -> f32 {
    if mover.team() == color.team() { node.value() } else { 1.0 - node.value() }
}

#[cfg(test)]
mod tests {
    use super::super::test_positions::middle;
    use super::super::tree::SimulationResult;
    use super::super::worker::Step;
    use super::super::worker::tests::{searched, tree_and_worker};
    use super::*;
    use crate::model::MoveScorer;
    use game::{Board, Move, Position};

    fn children_of(board: &Board, color: Color, max_children: usize, temperature: f32) -> Vec<NewChild> {
        let (placements, mut children) = (board.placements(color), Vec::new());
        let model = Model::built_in();
        let scorer = model.prior.scorer(board, color);
        collect_likeliest(&placements, |placement| scorer.score(placement), max_children, &mut children);
        softmax(&mut children, temperature);
        children.sort_by(|a, b| b.prior.total_cmp(&a.prior).then(a.placement.cmp(&b.placement)));
        children
    }

    #[test]
    fn priors_are_probabilities_of_the_likeliest() {
        for position in crate::bench::positions() {
            let (board, color) = (position.board(), position.color());
            let all = children_of(board, color, usize::MAX, 1.0);
            assert_eq!(all.len(), board.count_placements(color));
            let few = children_of(board, color, 10, 1.0);
            assert!(few.iter().map(|child| child.placement).eq(all.iter().map(|child| child.placement).take(10)));
            for children in [&all, &few] {
                assert!((children.iter().map(|child| child.prior).sum::<f32>() - 1.0).abs() < 1e-4);
                assert!(children.iter().all(|child| child.prior >= 0.0 && child.bonus == 0.0));
            }
            let cold = children_of(board, color, usize::MAX, 0.5);
            assert!(cold.first().zip(all.first()).is_some_and(|(cold, warm)| cold.prior > warm.prior));
        }
    }

    #[test]
    fn policy_net_adds_its_favourite_moves() {
        let params = Params { max_children: 4, policy_visits: 30, ..Params::default() };
        let (tree, worker) = searched(&middle(), &params, 1000);
        let mut added = 0;
        for (n, move_of_root) in tree.children(Tree::ROOT).iter().enumerate() {
            let position = middle().after(Move::Place(move_of_root.placement()));
            let (board, color) = (position.board(), position.color());
            let placements = board.placements(color);
            let likeliest = |scorer: &MoveScorer<'_>| {
                let mut children = Vec::new();
                collect_likeliest(&placements, |placement| scorer.score(placement), 4, &mut children);
                children.into_iter().map(|child| child.placement)
            };
            let children = tree.children(tree.child_index(Tree::ROOT, n));
            let has = |placement| children.iter().any(|child| child.placement() == placement);
            let model = &worker.model;
            if move_of_root.visits() >= params.policy_visits {
                assert!(likeliest(&model.policy_scorer(board, position.in_play(), color, position.turn())).all(has));
                added += children.len() - 4;
            }
            if !children.is_empty() {
                assert!(likeliest(&model.prior_scorer(board, color)).all(has), "none is removed");
                assert!((children.iter().map(TreeNode::prior).sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
        assert!(added > 0);
    }

    #[test]
    fn first_values_belong_to_the_moving_team() {
        // The best first value below a move that always won.
        let first_value = |position: &Position| {
            let params = Params { history_weight: 0.0, ..Params::default() };
            let (tree, mut worker) = tree_and_worker(position, &params, 1);
            let child = tree.child_index(Tree::ROOT, 0);
            let color = worker.playout.follow(tree.node(child).placement()).expect("is legal");
            worker.path.push(Step { node: Tree::ROOT, color, child });
            tree.node(child).add(SimulationResult { value: 1.0, gap: 0.0 }, 1e6);
            (0..9).for_each(|_| _ = tree.node(child).add_visit());
            assert!(worker.expand(&tree, &MoveHistory::new(), child));
            tree.children(child).iter().map(TreeNode::value).fold(f32::MIN, f32::max)
        };
        let position = middle();
        assert!(first_value(&position) < 0.01, "the opponents move");
        let mut setup = position.setup();
        setup.in_play.remove(position.color().next());
        assert!(first_value(&setup.position().unwrap()) > 0.99, "the same team moves again");
    }
}
