//! One simulation: select, expand, evaluate, play out, back up.

use std::f32::consts::LN_2;
use std::ops::Range;
use std::sync::Arc;

use game::{Color, Placement, Position, Team};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::expansion;
use super::history::History;
use super::params::Params;
use super::rave::Played;
use super::shortlist::Shortlist;
use super::tree::{Child, Node, SimulationResult, Tree};
use crate::math::logistic;
use crate::model::Model;
use crate::model::evaluation::TURNS;
use crate::playout::{Playout, Policy};

/// What a simulation needs besides the tree and the history, which the threads share.
pub struct Worker {
    model: Arc<Model>,
    params: Params,
    policy: Policy,
    rng: Xoshiro256PlusPlus,
    playout: Playout,
    played: Played,
    path: Vec<Step>,
    shortlist: Shortlist,
    placements: Vec<Placement>,
    children: Vec<Child>,
    /// How many simulations there were.
    pub simulations: u64,
    /// How many of them were played out to the end.
    pub playouts: u64,
    /// Sum of the margins of team one over all playouts.
    pub margin_sum: f64,
    /// The longest path from the root.
    pub depth: u32,
}

/// A move on the way from the root.
#[derive(Clone, Copy)]
struct Step {
    /// The node before the move.
    node: u32,
    /// The colour that makes it.
    color: Color,
    /// The node after it.
    child: u32,
}

impl Worker {
    /// A worker for searches from `root`.
    pub fn new(root: &Position, model: Arc<Model>, params: &Params, seed: u64) -> Self {
        Self {
            model,
            params: *params,
            policy: params.policy(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            playout: Playout::new(root),
            played: Played::new(),
            path: Vec::new(),
            shortlist: Shortlist::new(),
            placements: Vec::new(),
            children: Vec::new(),
            simulations: 0,
            playouts: 0,
            margin_sum: 0.0,
            depth: 0,
        }
    }

    /// Goes down the tree to a leaf, gives it children if it has been visited often enough, evaluates
    /// it, plays out, and adds the result to all nodes on the way.
    pub fn simulate(&mut self, tree: &Tree, history: &History) {
        self.playout.restart();
        self.path.clear();
        let mut node = Tree::ROOT;
        loop {
            let visits = tree.node(node).visit();
            let is_leaf = tree.children(node).is_empty();
            if is_leaf && !self.expand(tree, history, node) {
                break;
            }
            let policy_visits = self.params.policy_visits;
            let is_due = if is_leaf { visits >= policy_visits } else { visits == policy_visits };
            if is_due && self.params.uses_policy_net() && node != Tree::ROOT {
                self.apply_policy_net(tree, history, node);
            }
            let Some(n) = self.select(tree, node) else { break };
            let child = tree.child_index(node, n);
            let color = self.playout.follow(tree.node(child).placement());
            debug_assert!(color.is_some(), "{:?} is legal for nobody", tree.node(child).placement());
            let Some(color) = color else { break };
            self.path.push(Step { node, color, child });
            node = child;
        }
        self.depth = self.depth.max(self.path.len() as u32);
        self.playout.leave_tree();
        let evaluation = self.evaluate(tree.node(node));
        self.simulations += 1;
        if self.params.playouts || evaluation.is_none() {
            self.playout.run(&self.policy, usize::MAX, &mut self.rng);
            self.playouts += 1;
            self.margin_sum += f64::from(self.playout.margin());
        }
        self.back_up(tree, history, evaluation);
    }

    /// The expected result for team one in the leaf that the playout has come to, if it can be evaluated.
    /// Only the first simulation that ends in a node evaluates it, for most end where others have ended.
    ///
    /// In the first turns there is nothing to evaluate yet. From there the playout goes on until there is; that
    /// it has come to this position is chance, so its evaluation is not kept.
    ///
    /// In the last turns the end of the playout tells more; without playouts the evaluation goes on as in its last
    /// turn.
    fn evaluate(&mut self, leaf: &Node) -> Option<f32> {
        if self.params.evaluation_share == 0.0 {
            return None;
        }
        let late = !self.params.playouts;
        let evaluator = &self.model.evaluation;
        let missing = TURNS.start.saturating_sub(self.playout.turn());
        if missing > 0 {
            self.playout.run(&self.policy, missing.into(), &mut self.rng);
            return self.playout.evaluate(evaluator, late);
        }
        leaf.evaluation()
            .or_else(|| self.playout.evaluate(evaluator, late).inspect(|&evaluation| leaf.keep_evaluation(evaluation)))
    }

    /// The child with the best upper bound, by PUCT (D. Silver et al., Mastering the game of Go without human
    /// knowledge, 2017) in Pentobi's variant: value + c * prior * sqrt(n) * ln(n + 1) / w. The logarithm, nearly the
    /// natural [`logarithm`], lets exploration grow faster with the visits n of the parent; w is the weight of the
    /// child, which begins with that of its first value and so needs no + 1.
    ///
    /// To the value comes boost / w * gap, so that the evaluation counts more while w is small: the end of one
    /// playout says less than the evaluation, but errors of playouts even out.
    fn select(&mut self, tree: &Tree, node: u32) -> Option<usize> {
        let params = &self.params;
        let visits = tree.node(node).visits() as f32;
        let explore = params.exploration * visits.sqrt() * logarithm(visits + 1.0);
        let (boost, most) = (params.evaluation_boost, 1.0 - params.evaluation_share);
        let score = |child: &Node| {
            let inverse = 1.0 / child.weight();
            // Not `f32::min`, which also asks for NaN: that took 1.5 % of all time.
            let more = if boost * inverse < most { boost * inverse } else { most };
            child.value() + more * child.gap() + explore * child.prior() * inverse
        };
        match node {
            Tree::ROOT => best(self.shortlist.best_children(tree, score), score),
            _ => best(tree.children(node).iter().enumerate(), score),
        }
    }

    /// Gives a leaf children if it is time: the moves of the next colour that can move. Returns whether it did.
    fn expand(&mut self, tree: &Tree, history: &History, node: u32) -> bool {
        let is_root = node == Tree::ROOT;
        let leaf = tree.node(node);
        if !is_root && leaf.visits() <= self.params.expansion_visits || !tree.claim(node) {
            return false;
        }
        let most = if is_root { usize::MAX } else { self.params.max_children as usize };
        let temperature = if is_root { self.params.root_temperature() } else { self.params.temperature };
        let mover = loop {
            let Some(color) = self.playout.color() else { break None };
            let (board, in_play, turn) = (self.playout.board(), self.playout.in_play(), self.playout.turn());
            self.placements.clear();
            board.list_placements(color, &mut self.placements);
            if self.placements.is_empty() {
                self.playout.retire(color);
                continue;
            }
            let scorer = match is_root {
                true => expansion::root_scorer(&self.model, &self.params, board, in_play, color, turn),
                false => self.model.prior_scorer(board, color),
            };
            let score = |placement| scorer.score(placement);
            expansion::children(&self.placements, score, most, temperature, &mut self.children);
            break Some(color);
        };
        // If the game is over here the leaf stays claimed, so that nobody looks again.
        let Some(color) = mover else { return false };
        self.add_history(history, color);
        // The leaf's value is that of the team that moved into it, its children's that of the team
        // that moves now.
        let value = match self.path.last() {
            None => 0.5,
            Some(step) if step.color.team() == color.team() => leaf.value(),
            Some(_) => 1.0 - leaf.value(),
        };
        tree.expand(node, &self.children, value, self.params.first_play_weight)
    }

    /// Adds to the children that are made what the history of their moves is worth.
    fn add_history(&mut self, history: &History, color: Color) {
        for child in &mut self.children {
            let advantage = history.advantage(color, child.placement, self.params.history_games);
            child.bonus = self.params.history_weight * advantage;
        }
    }

    /// Scores the children of a frequently visited node again with the policy network, and adds its favourites.
    fn apply_policy_net(&mut self, tree: &Tree, history: &History, node: u32) {
        let nodes = tree.children(node);
        let Some(color) = nodes.first().and_then(|child| self.playout.turn_to(child.placement())) else { return };
        let (board, in_play, turn) = (self.playout.board(), self.playout.in_play(), self.playout.turn());
        let scorer = self.model.policy_scorer(board, in_play, color, turn);
        let Some(output) = scorer.policy_output() else { return };
        self.placements.clear();
        board.list_placements(color, &mut self.placements);
        let (score, most) = (|placement| scorer.score(placement), self.params.max_children as usize);
        expansion::likeliest(&self.placements, score, most, &mut self.children);
        let likeliest = self.children.len();
        for placement in nodes.iter().map(Node::placement) {
            if self.children[..likeliest].iter().all(|child| child.placement != placement) {
                self.children.push(Child::new(placement, scorer.score(placement)));
            }
        }
        let log_odds = output.log_odds();
        expansion::softmax(&mut self.children, self.params.policy_temperature);
        self.add_history(history, color);
        // The value of the node is that of the team that moved into it.
        let Some(step) = self.path.last() else { return };
        let is_same = step.color.team() == color.team();
        let value = tree.node(node).value();
        tree.refit(node, &self.children, if is_same { value } else { 1.0 - value }, self.params.first_play_weight);
        if self.params.policy_value_weight > 0.0 {
            let value = logistic(log_odds);
            let value = if is_same { value } else { 1.0 - value };
            tree.node(node).add(SimulationResult { value, gap: 0.0 }, self.params.policy_value_weight);
        }
    }

    /// Adds the outcome of the playout to the nodes of the path, and to those of their children whose
    /// moves were made later by the same colour.
    fn back_up(&mut self, tree: &Tree, history: &History, evaluation: Option<f32>) {
        let played = self.params.result(self.playout.margin());
        let of_one = SimulationResult::new(played, evaluation, self.params.evaluation_share);
        let outcome = |color: Color| match color.team() {
            Team::One => of_one,
            Team::Two => of_one.of_opponent(),
        };
        let placements = self.playout.placements();
        history.add(placements.iter().copied(), |color| outcome(color).value);
        let plies = placements.len();
        self.played.clear();
        for (ply, &(color, placement)) in placements.iter().enumerate().skip(self.path.len()) {
            self.played.insert(color, placement, ply);
        }
        for ply in (0..self.path.len()).rev() {
            let step = self.path[ply];
            let child = tree.node(step.child);
            self.add_rave(tree, step, ply..plies, outcome(step.color));
            child.add(outcome(step.color), 1.0);
            self.played.insert(step.color, child.placement(), ply);
        }
    }

    /// Adds the outcome to the children of a node whose moves the same colour made after the node's ply, but for the
    /// one that the simulation went to. Such an update counts `rave_weight` visits, less in proportion to the part of
    /// the rest of the game that has passed until then, and only while the node and the child have few visits: so
    /// what is learnt that way gives way to what the child's own simulations say, without the formula of Gelly and
    /// Silver. The schedule and its limits are those of Pentobi (M. Enzenberger,
    /// libboardgame_mcts/SearchBase.h, version 31.0-dev).
    fn add_rave(&self, tree: &Tree, step: Step, plies: Range<usize>, outcome: SimulationResult) {
        let (params, Step { node, color, .. }) = (&self.params, step);
        if params.rave_weight == 0.0 || tree.node(node).visits() > params.rave_parent_visits {
            return;
        }
        let learn = |child: &Node, ply: usize| {
            if child.weight() <= params.rave_child_weight {
                let distance = (ply - plies.start) as f32 / plies.len() as f32;
                child.add(outcome, params.rave_weight * (1.0 - distance));
            }
        };
        let children = tree.children(node);
        if node == Tree::ROOT {
            for (placement, ply) in self.played.with_plies(color) {
                if let Some(n) = self.shortlist.number(placement) {
                    learn(&children[n], ply);
                }
            }
        } else {
            let played = self.played.of(color);
            for child in children {
                if let Some(ply) = played.ply(child.placement_index()) {
                    learn(child, ply);
                }
            }
        }
    }
}

/// Nearly the natural logarithm of a number from 1 on, up to 0.06 too small. The bits of a float, as a whole number,
/// are its logarithm to the base 2 but for scale and offset, exactly for powers of 2 and on straight lines between
/// them (after J. N. Mitchell, Computer multiplication and division using binary logarithms, 1962). That is enough for
/// the selection, which asks for it at every node, and together with a shorter [`Shortlist`] saves about 1 % of the
/// time.
#[inline(always)]
fn logarithm(number: f32) -> f32 {
    /// How much the bits grow when a number doubles.
    const DOUBLE: f32 = (1 << (f32::MANTISSA_DIGITS - 1)) as f32;
    (number.to_bits() as f32 / DOUBLE - (f32::MAX_EXP - 1) as f32) * LN_2
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
    use super::super::tests::middle;
    use super::*;
    use crate::model::MoveScorer;
    use game::{Move, Piece, Rules};

    #[test]
    fn a_node_that_gets_children_late_is_looked_at_then() {
        let visits = |policy_visits| {
            let params = Params { policy_visits, ..Params::default() };
            let (tree, history) = (Tree::new(1 << 20), History::new());
            let mut worker = Worker::new(&middle(), Model::built_in(), &params, 1);
            (0..400).for_each(|_| worker.simulate(&tree, &history));
            (0..tree.len() as u32).map(|node| tree.node(node).visits()).collect::<Vec<_>>()
        };
        let late = Params::default().expansion_visits + 1;
        assert_eq!(visits(2), visits(late));
        assert_ne!(visits(2), visits(400));
    }

    #[test]
    fn a_node_that_is_looked_at_gets_the_moves_that_the_network_likes() {
        let params = Params { max_children: 4, policy_visits: 30, ..Params::default() };
        let (tree, history, model) = (Tree::new(1 << 20), History::new(), Model::built_in());
        let mut worker = Worker::new(&middle(), model.clone(), &params, 1);
        (0..1000).for_each(|_| worker.simulate(&tree, &history));
        let mut added = 0;
        for (n, move_of_root) in tree.children(Tree::ROOT).iter().enumerate() {
            let position = middle().after(Move::Place(move_of_root.placement()));
            let (board, color) = (position.board(), position.color());
            let placements = board.placements(color);
            let likeliest = |scorer: &MoveScorer<'_>| {
                let mut children = Vec::new();
                expansion::likeliest(&placements, |placement| scorer.score(placement), 4, &mut children);
                children.into_iter().map(|child| child.placement)
            };
            let children = tree.children(tree.child_index(Tree::ROOT, n));
            let has = |placement| children.iter().any(|child| child.placement() == placement);
            if move_of_root.visits() >= params.policy_visits {
                assert!(likeliest(&model.policy_scorer(board, position.in_play(), color, position.turn())).all(has));
                added += children.len() - 4;
            }
            if !children.is_empty() {
                assert!(likeliest(&model.prior_scorer(board, color)).all(has), "none goes");
                assert!((children.iter().map(Node::prior).sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
        assert!(added > 0);
    }

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
        let mut worker = Worker::new(&root, Model::built_in(), &params, 1);
        assert!(worker.expand(&tree, &history, Tree::ROOT));
        tree.node(1).add(SimulationResult { value: 0.95, gap: 0.0 }, weight);
        tree.node(2).add(SimulationResult { value: 0.9, gap }, weight);
        worker.select(&tree, Tree::ROOT)
    }

    /// What a simulation taught the children of one node.
    struct Lesson {
        /// The result for the team that chose among them: 0, a half or 1.
        result: f32,
        /// How many moves were made from the choice on.
        plies: usize,
        /// Value and weight of each child before and after, and how many plies after the choice the same colour made
        /// its move, if it did.
        children: Vec<[(f32, f32); 2]>,
        made: Vec<Option<usize>>,
    }

    /// What is learnt from two moves from the root, one by each team, and a playout.
    fn lessons(params: &Params, seed: u64) -> [Lesson; 2] {
        let (tree, history) = (Tree::new(1 << 20), History::new());
        let mut worker = Worker::new(&middle(), Model::built_in(), params, seed);
        for _ in 0..2 {
            let node = worker.path.last().map_or(Tree::ROOT, |step| step.child);
            (0..9).for_each(|_| _ = tree.node(node).visit());
            assert!(worker.expand(&tree, &history, node));
            let child = tree.child_index(node, worker.select(&tree, node).expect("has children"));
            let color = worker.playout.follow(tree.node(child).placement()).expect("is legal");
            worker.path.push(Step { node, color, child });
        }
        let path = worker.path.clone();
        let known = |step: Step| tree.children(step.node).iter().map(|child| (child.value(), child.weight()));
        let before = [0, 1].map(|ply: usize| known(path[ply]).collect::<Vec<_>>());
        worker.playout.run(&worker.policy, usize::MAX, &mut worker.rng);
        worker.back_up(&tree, &history, None);
        let (moves, margin) = (worker.playout.placements(), worker.playout.margin());
        [0, 1].map(|ply: usize| {
            let (step, moves) = (path[ply], &moves[ply..]);
            let margin = if step.color.team() == Team::One { margin } else { -margin };
            let made = |child: &Node| moves.iter().position(|&mv| mv == (step.color, child.placement()));
            Lesson {
                result: 0.5 + 0.5 * margin.signum() as f32,
                plies: moves.len(),
                children: before[ply].iter().zip(known(step)).map(|(&before, after)| [before, after]).collect(),
                made: tree.children(step.node).iter().map(made).collect(),
            }
        })
    }

    #[test]
    fn moves_made_later_are_learnt_from_by_the_colour_that_made_them() {
        // Without a part of the margin a win is worth 1 and a loss 0.
        let params = Params { margin_share: 0.0, ..Params::default() };
        let mut updates = [[0; 2]; 2];
        for seed in 0..20 {
            for (ply, lesson) in lessons(&params, seed).iter().enumerate() {
                for (&[before, after], made) in lesson.children.iter().zip(&lesson.made) {
                    let weight = match *made {
                        None => 0.0,
                        Some(0) => 1.0,
                        Some(later) => params.rave_weight * (1.0 - later as f32 / lesson.plies as f32),
                    };
                    let value = (before.0 * before.1 + lesson.result * weight) / (before.1 + weight);
                    assert!((after.1 - before.1 - weight).abs() < 1e-5 && (after.0 - value).abs() < 1e-5);
                    updates[ply][usize::from(lesson.result > 0.5)] += usize::from(made.is_some_and(|later| later > 0));
                }
            }
        }
        assert!(updates.as_flattened().iter().all(|&updates| updates > 0), "{updates:?}");

        let off = [
            Params { rave_weight: 0.0, ..params },
            Params { rave_parent_visits: 5, ..params },
            Params { rave_child_weight: 1.0, ..params },
        ];
        for params in off {
            for lesson in lessons(&params, 1) {
                let changed = lesson.children.iter().filter(|[before, after]| before.1 != after.1);
                assert_eq!(changed.count(), 1, "the one that the simulation went to");
            }
        }
    }

    #[test]
    fn first_values_of_children_are_of_the_team_that_moves() {
        // The best first value of a move after one that has always won.
        let first_value = |position: &Position| {
            let params = Params { history_weight: 0.0, ..Params::default() };
            let (tree, history) = (Tree::new(1 << 20), History::new());
            let mut worker = Worker::new(position, Model::built_in(), &params, 1);
            assert!(worker.expand(&tree, &history, Tree::ROOT));
            let child = tree.child_index(Tree::ROOT, 0);
            let color = worker.playout.follow(tree.node(child).placement()).expect("is legal");
            worker.path.push(Step { node: Tree::ROOT, color, child });
            tree.node(child).add(SimulationResult { value: 1.0, gap: 0.0 }, 1e6);
            (0..9).for_each(|_| _ = tree.node(child).visit());
            assert!(worker.expand(&tree, &history, child));
            tree.children(child).iter().map(Node::value).fold(f32::MIN, f32::max)
        };
        let position = middle();
        assert!(first_value(&position) < 0.01, "the opponents' values are the other way round");
        // If the next colour is out of play, the same team moves again.
        let mut setup = position.setup();
        setup.in_play.remove(position.color().next());
        assert!(first_value(&setup.position().expect("a position")) > 0.99);
    }

    #[test]
    fn logarithms_are_little_too_small_and_never_fall() {
        let mut last = 0.0;
        for number in (1..1_000_000).chain((1 << 20..=u32::MAX).step_by(999_999)) {
            let found = logarithm(number as f32);
            let missing = (number as f32).ln() - found;
            let most = if number.is_power_of_two() { 1e-4 } else { 0.06 };
            assert!((-1e-4..most).contains(&missing) && found >= last, "{number}: {found}");
            last = found;
        }
        assert_eq!(logarithm(1.0), 0.0);
    }

    #[test]
    fn a_leaf_is_evaluated_once() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoY)).expect("a start piece");
        let mut opening = Playout::new(&start);
        opening.run(&Params::default().policy(), 12, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let mut position = start;
        opening.placements().iter().for_each(|&(_, placement)| position.play(Move::Place(placement)));
        let (tree, history) = (Tree::new(1 << 20), History::new());
        let mut worker = Worker::new(&position, Model::built_in(), &Params::default(), 1);
        (0..100).for_each(|_| worker.simulate(&tree, &history));
        assert!(tree.children(Tree::ROOT).iter().any(|child| child.evaluation().is_some()));
        for child in tree.children(Tree::ROOT) {
            let after = position.after(Move::Place(child.placement()));
            let evaluation =
                Playout::new(&after).evaluate(&Model::built_in().evaluation, false).filter(|_| child.visits() > 0);
            assert_eq!(child.evaluation(), evaluation);
        }
        // What the node has is taken from there.
        let leaf = tree.node(1);
        leaf.keep_evaluation(0.125);
        assert_eq!(worker.evaluate(leaf), Some(0.125));

        let mut without =
            Worker::new(&position, Model::built_in(), &Params { evaluation_share: 0.0, ..Params::default() }, 1);
        assert_eq!(without.evaluate(leaf), None);
        // Before everybody has a piece the playout goes on until then, each time to another position.
        let unvisited = Tree::new(1 << 10);
        let mut early = Worker::new(&start, Model::built_in(), &Params::default(), 1);
        let given = opening.placements()[0].1;
        let evaluations = [(); 2].map(|()| {
            early.playout.restart();
            assert_eq!(early.playout.follow(given), Some(start.color()));
            early.evaluate(unvisited.node(Tree::ROOT))
        });
        assert_eq!(early.playout.placements().len(), usize::from(TURNS.start));
        assert!(evaluations[0].is_some() && evaluations[1].is_some() && evaluations[0] != evaluations[1]);
        assert_eq!(unvisited.node(Tree::ROOT).evaluation(), None);
    }

    /// Asserts that all moves of the tree below a node are legal by the rules. How many nodes have children though
    /// the next colour cannot move.
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
    fn late_trees_follow_the_rules() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoY)).expect("a start piece");
        let mut game = Playout::new(&start);
        game.run(&Params::default().policy(), usize::MAX, &mut Xoshiro256PlusPlus::seed_from_u64(3));
        let (mut skipped, mut position) = (0, start);
        for (ply, &(_, placement)) in game.placements().iter().enumerate() {
            if ply + 20 > game.placements().len() && ply % 4 == 0 {
                let (tree, history) = (Tree::new(1 << 22), History::new());
                let mut worker = Worker::new(&position, Model::built_in(), &Params::default(), 1);
                (0..3000).for_each(|_| worker.simulate(&tree, &history));
                skipped += check(&tree, Tree::ROOT, &position);
            }
            position.play(Move::Place(placement));
        }
        assert!(skipped > 0);
    }

    #[test]
    fn a_game_that_is_over_is_not_evaluated() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoY)).expect("a start piece");
        let mut game = Playout::new(&start);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let (policy, mut early_ends) = (Params::default().policy(), 0);
        for _ in 0..2000 {
            game.restart();
            game.run(&policy, usize::MAX, &mut rng);
            let moves = game.placements().to_vec();
            game.restart();
            moves.iter().for_each(|&(_, placement)| assert!(game.follow(placement).is_some()));
            early_ends += usize::from(TURNS.contains(&game.turn()));
            assert_eq!(game.evaluate(&Model::built_in().evaluation, false), None);
        }
        assert!(early_ends > 0);
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
