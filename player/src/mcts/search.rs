//! One simulation: select, expand, evaluate, play out, back up.

use std::ops::Range;

use game::{Color, Move, Placement, Position, Team};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::evaluation::TURNS;
use super::history::History;
use super::params::Params;
use super::playout::{Playout, Policy};
use super::prior;
use super::rave::Played;
use super::shortlist::Shortlist;
use super::tree::{Child, Node, Outcome, Tree};

/// What a simulation needs besides the tree and the history, which the threads share.
pub struct Worker {
    params: Params,
    policy: Policy,
    rng: Xoshiro256PlusPlus,
    playout: Playout,
    played: Played,
    path: Vec<Step>,
    shortlist: Shortlist,
    placements: Vec<Placement>,
    children: Vec<Child>,
    /// Sum of the margins of team one over all playouts.
    pub margin_sum: f64,
    /// How many playouts there were.
    pub playouts: u64,
    /// The longest path from the root.
    pub depth: u32,
}

/// A node on the way from the root.
#[derive(Clone, Copy)]
struct Step {
    node: u32,
    /// The colour on turn in the node.
    color: Color,
}

impl Worker {
    /// A worker for searches from `root`.
    pub fn new(root: &Position, params: &Params, seed: u64) -> Self {
        Self {
            params: *params,
            policy: Policy::new(params),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            playout: Playout::new(root),
            played: Played::new(),
            path: Vec::new(),
            shortlist: Shortlist::new(),
            placements: Vec::new(),
            children: Vec::new(),
            margin_sum: 0.0,
            playouts: 0,
            depth: 0,
        }
    }

    /// Goes down the tree to a leaf, gives it children if it has been visited often enough, evaluates
    /// it, plays out, and adds the result to all nodes on the way.
    pub fn simulate(&mut self, tree: &Tree, history: &History, root: &Position) {
        let mut position = *root;
        let mut node = Tree::ROOT;
        self.path.clear();
        loop {
            tree.node(node).visit();
            self.path.push(Step { node, color: position.color() });
            if position.is_over() || (tree.children(node).is_empty() && !self.expand(tree, history, node, &position)) {
                break;
            }
            let Some(n) = self.select(tree, node) else { break };
            node = tree.child_index(node, n);
            position.play(Move::Place(tree.node(node).placement()));
        }
        self.depth = self.depth.max(self.path.len() as u32 - 1);
        let latest = self.path.windows(2).rev().take(3).rev();
        self.playout.restart(&position, latest.map(|pair| (pair[0].color, tree.node(pair[1].node).placement())));
        let evaluation = self.evaluate(tree.node(node));
        self.playout.run(&self.policy, usize::MAX, &mut self.rng);
        self.back_up(tree, history, evaluation);
    }

    /// The expected result for team one in the leaf that the playout is to start from, if it can be evaluated.
    /// Only the first simulation that ends in a node evaluates it, for most end where others have ended
    /// (docs/measurements.md, "One evaluation per node").
    ///
    /// In the first turns there is nothing to evaluate yet. From there the playout goes on until there is; that
    /// it has come to this position is chance, so its evaluation is not kept.
    fn evaluate(&mut self, leaf: &Node) -> Option<f32> {
        if self.params.evaluation_share == 0.0 {
            return None;
        }
        let missing = TURNS.start.saturating_sub(self.playout.turn());
        if missing > 0 {
            self.playout.run(&self.policy, missing.into(), &mut self.rng);
            return self.playout.evaluate();
        }
        leaf.evaluation().or_else(|| self.playout.evaluate().inspect(|&evaluation| leaf.keep_evaluation(evaluation)))
    }

    /// The child with the best upper bound (PUCT; D. Silver et al., Mastering the game of Go without human
    /// knowledge, 2017): value + c * prior * sqrt(n) * ln(n + 1) / w, with the visits n of the parent and the
    /// weight w of the child.
    ///
    /// To the value comes boost / w * gap, so that the evaluation counts more while w is small: the end of one
    /// playout says less than the evaluation, but errors of playouts even out (docs/measurements.md, "Late in
    /// the game").
    fn select(&mut self, tree: &Tree, node: u32) -> Option<usize> {
        let params = &self.params;
        let visits = tree.node(node).visits() as f32;
        let explore = params.exploration * visits.sqrt() * libm::logf(visits + 1.0);
        let (boost, most) = (params.evaluation_boost, 1.0 - params.evaluation_share);
        let score = |child: &Node| {
            let inverse = 1.0 / child.weight();
            child.value() + (boost * inverse).min(most) * child.gap() + explore * child.prior() * inverse
        };
        match node {
            Tree::ROOT => best(self.shortlist.best_children(tree, score), score),
            _ => best(tree.children(node).iter().enumerate(), score),
        }
    }

    /// Gives a leaf children if it is time. Whether it has some then.
    fn expand(&mut self, tree: &Tree, history: &History, node: u32, position: &Position) -> bool {
        let is_root = node == Tree::ROOT;
        let leaf = tree.node(node);
        if !is_root && leaf.visits() <= self.params.expansion_visits as u32 || !tree.claim(node) {
            return false;
        }
        let color = position.color();
        let most = if is_root { usize::MAX } else { self.params.max_children as usize };
        let temperature = self.params.temperature;
        prior::children(position.board(), color, most, temperature, &mut self.placements, &mut self.children);
        for child in &mut self.children {
            let advantage = history.advantage(color, child.placement, self.params.history_games);
            child.bonus = self.params.history_weight * advantage;
        }
        // The leaf's value is that of the team that moved into it, its children's that of the team
        // that moves now.
        let value = match self.path.len() {
            0 | 1 => 0.5,
            len if self.path[len - 2].color.team() == color.team() => leaf.value(),
            _ => 1.0 - leaf.value(),
        };
        tree.expand(node, &self.children, value, self.params.first_play_weight)
    }

    /// Adds the outcome of the playout to the nodes of the path, and to those of their children whose
    /// moves were made later by the same colour.
    fn back_up(&mut self, tree: &Tree, history: &History, evaluation: Option<f32>) {
        let margin = self.playout.margin();
        self.margin_sum += f64::from(margin);
        self.playouts += 1;
        let of_one = Outcome::new(self.params.result(margin), evaluation, self.params.evaluation_share);
        let outcome = |color: Color| match color.team() {
            Team::One => of_one,
            Team::Two => of_one.of_opponent(),
        };
        let in_tree = self.path.windows(2).map(|pair| (pair[0].color, tree.node(pair[1].node).placement()));
        history.add(self.playout.placements().iter().copied().chain(in_tree), |color| outcome(color).value);
        let tree_plies = self.path.len() - 1;
        let plies = tree_plies + self.playout.placements().len();
        self.played.clear();
        for (n, &(color, placement)) in self.playout.placements().iter().enumerate() {
            self.played.insert(color, placement, tree_plies + n);
        }
        for ply in (0..self.path.len()).rev() {
            let Step { node, color } = self.path[ply];
            let next = self.path.get(ply + 1).map(|step| step.node);
            self.add_rave(tree, node, color, ply..plies, next, outcome(color));
            if let Some(next) = next {
                let child = tree.node(next);
                child.add(outcome(color), 1.0);
                self.played.insert(color, child.placement(), ply);
            }
        }
    }

    /// Adds the outcome to the children of a node whose moves were made after the node's ply; the
    /// later, the less it counts. `next` is the child that the simulation went to.
    fn add_rave(&self, tree: &Tree, node: u32, color: Color, plies: Range<usize>, next: Option<u32>, outcome: Outcome) {
        let params = &self.params;
        if params.rave_weight == 0.0 || tree.node(node).visits() as f32 > params.rave_parent_visits {
            return;
        }
        let learn = |n: usize, child: &Node, ply: usize| {
            if child.weight() <= params.rave_child_visits && next != Some(tree.child_index(node, n)) {
                let distance = (ply - plies.start) as f32 / plies.len() as f32;
                child.add(outcome, params.rave_weight * (1.0 - distance));
            }
        };
        let children = tree.children(node);
        if node == Tree::ROOT {
            for (placement, ply) in self.played.with_plies(color) {
                // After the pruning of a very small tree the root may have lost its children.
                if let Some(n) = self.shortlist.number(placement)
                    && let Some(child) = children.get(n)
                {
                    learn(n, child, ply);
                }
            }
        } else {
            let played = self.played.of(color);
            for (n, child) in children.iter().enumerate() {
                if let Some(ply) = played.ply(child.placement_index()) {
                    learn(n, child, ply);
                }
            }
        }
    }
}

/// The number of the child with the highest score, the first if there are several.
#[inline(always)]
fn best<'a>(children: impl Iterator<Item = (usize, &'a Node)>, score: impl Fn(&Node) -> f32) -> Option<usize> {
    let (mut best, mut best_score) = (None, f32::MIN);
    for (n, child) in children {
        let score = score(child);
        if score > best_score {
            (best, best_score) = (Some(n), score);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{Piece, Rules};

    /// The number of the child that is selected after each of two has got an outcome of this weight: the first
    /// one with a slightly better value, the second one with this gap, half of which is in the value already.
    fn selected(weight: f32, gap: f32, evaluation_boost: f32) -> Option<usize> {
        let params = Params {
            exploration: 0.0,
            // All others stay behind, for their first values are at most those of the root, 0.5.
            first_play_weight: 0.01,
            evaluation_share: 0.5,
            evaluation_boost,
            ..Params::default()
        };
        let root = Position::new(Rules::Classic, None).expect("needs no piece");
        let (tree, history) = (Tree::new(1 << 20), History::new());
        let mut worker = Worker::new(&root, &params, 1);
        worker.path = vec![Step { node: Tree::ROOT, color: root.color() }];
        assert!(worker.expand(&tree, &history, Tree::ROOT, &root));
        tree.node(1).add(Outcome { value: 0.95, gap: 0.0 }, weight);
        tree.node(2).add(Outcome { value: 0.9, gap }, weight);
        worker.select(&tree, Tree::ROOT)
    }

    #[test]
    fn a_leaf_is_evaluated_once() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoY)).expect("a start piece");
        let mut opening = Playout::new(&start);
        opening.run(&Policy::new(&Params::default()), 12, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let mut position = start;
        opening.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
        let (tree, history) = (Tree::new(1 << 20), History::new());
        let mut worker = Worker::new(&position, &Params::default(), 1);
        (0..100).for_each(|_| worker.simulate(&tree, &history, &position));
        assert!(tree.children(Tree::ROOT).iter().any(|child| child.evaluation().is_some()));
        for child in tree.children(Tree::ROOT) {
            let mut after = position;
            after.play(Move::Place(child.placement()));
            let evaluation = Playout::new(&after).evaluate().filter(|_| child.visits() > 0);
            assert_eq!(child.evaluation(), evaluation);
        }
        // What the node has is taken from there.
        let leaf = tree.node(1);
        leaf.keep_evaluation(0.125);
        assert_eq!(worker.evaluate(leaf), Some(0.125));

        let mut without = Worker::new(&position, &Params { evaluation_share: 0.0, ..Params::default() }, 1);
        assert_eq!(without.evaluate(leaf), None);
        // Before everybody has a piece the playout goes on until then, each time to another position.
        let unvisited = Tree::new(1 << 10);
        let mut early = Worker::new(&start, &Params::default(), 1);
        let evaluations = [(); 2].map(|()| {
            early.playout.restart(&start, std::iter::empty());
            early.evaluate(unvisited.node(Tree::ROOT))
        });
        assert!(evaluations[0].is_some() && evaluations[1].is_some() && evaluations[0] != evaluations[1]);
        assert_eq!(unvisited.node(Tree::ROOT).evaluation(), None);
    }

    #[test]
    fn the_evaluation_of_a_child_counts_more_while_little_is_known_of_it() {
        assert_eq!(selected(2.0, 0.2, 1.6), Some(1));
        assert_eq!(selected(100.0, 0.2, 1.6), Some(0));
        assert_eq!(selected(2.0, 0.2, 0.0), Some(0));
        // The evaluation is 0.94, less than the other value, and not counted more than once.
        assert_eq!(selected(2.0, 0.08, 100.0), Some(0));
    }
}
