//! The tree: nodes in an arena of fixed size, the children of a node side by side.
//!
//! All fields of a node are atomics so that several threads can search one tree without locks. Loads and stores are
//! relaxed, and what other threads add to a node between those of one is lost: an update when two hit it at the same
//! moment, more when the system halts one there. That costs less than it would to prevent it (M. Enzenberger, M. Müller,
//! A lock-free multithreaded Monte-Carlo tree search algorithm, 2009). With one thread nothing is lost.

use std::hint::black_box;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bytemuck::Zeroable;
use game::Placement;

use super::atomic::{AtomicF32, MOST_IN_MEAN};
use super::link::{AtomicLink, Link};
use crate::memory::{touch, zeroed};

/// A node: a move and what is known of it.
///
/// Values and gaps are always those of the team that made the move into the node: the value 1 is a win for it.
/// Only the evaluation is that of team one.
#[derive(Zeroable, Debug)]
#[repr(C)]
pub struct Node {
    /// Where it belongs.
    link: AtomicLink,
    visits: AtomicU32,
    /// Mean of all values added, see [`MOST_IN_MEAN`].
    value: AtomicF32,
    /// Sum of the weights of all values added.
    weight: AtomicF32,
    /// Probability of the move before any search.
    prior: AtomicF32,
    /// Mean of all gaps added, by the same weights.
    gap: AtomicF32,
    /// The expected result for team one after the move; 0 for none yet.
    evaluation: AtomicF32,
}

const _: () = assert!(size_of::<Node>() == 32);

impl Node {
    /// The placement that leads to the node.
    ///
    /// # Panics
    /// For the root of a new tree, which no placement leads to.
    pub fn placement(&self) -> Placement {
        Placement::from_index(self.placement_index()).expect("nodes hold indices of placements")
    }

    /// The [`Placement::index`] of the placement that leads to the node.
    #[inline(always)]
    pub fn placement_index(&self) -> usize {
        self.link.load(Ordering::Relaxed).placement.into()
    }

    /// How often the search has come through here.
    #[inline(always)]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// Mean of the values added.
    #[inline(always)]
    pub fn value(&self) -> f32 {
        self.value.load()
    }

    /// Mean of the [gaps](SimulationResult::gap) added.
    #[inline(always)]
    pub fn gap(&self) -> f32 {
        self.gap.load()
    }

    /// The expected result for team one, if it has been [kept](Self::keep_evaluation).
    #[inline(always)]
    pub fn evaluation(&self) -> Option<f32> {
        Some(self.evaluation.load()).filter(|&evaluation| evaluation > 0.0)
    }

    /// Keeps the expected result for team one, 0 to 1; exactly 0 counts as none.
    #[inline(always)]
    pub fn keep_evaluation(&self, evaluation: f32) {
        self.evaluation.store(evaluation);
    }

    /// Sum of the weights of the values added.
    pub fn weight(&self) -> f32 {
        self.weight.load()
    }

    /// Probability of the move before any search.
    #[inline(always)]
    pub fn prior(&self) -> f32 {
        self.prior.load()
    }

    /// Counts a visit, on the way down; how many there are with it. This is not a virtual loss: the selection divides by
    /// the weight, which changes only when results are backed up.
    #[inline(always)]
    pub fn visit(&self) -> u32 {
        let visits = self.visits() + 1;
        self.visits.store(visits, Ordering::Relaxed);
        visits
    }

    /// Adds an outcome of some weight to the means.
    #[inline(always)]
    pub fn add(&self, outcome: SimulationResult, weight: f32) {
        let sum = self.weight.load() + weight;
        // What earlier games taught may weigh more than all that a mean follows.
        let part = (weight / sum.min(MOST_IN_MEAN)).min(1.0);
        for (field, new) in [(&self.value, outcome.value), (&self.gap, outcome.gap)] {
            let mean = field.load();
            field.store(mean + (new - mean) * part);
        }
        self.weight.store(sum);
    }

    fn children(&self) -> Range<u32> {
        self.link.load(Ordering::Acquire).children()
    }

    /// Becomes a copy of another node, but with this number of children from `first_child` on.
    fn copy_from(&self, other: &Self, first_child: u32, child_count: u16) {
        let placement = other.placement_index() as u16;
        self.link.store(Link { first_child, child_count, placement });
        self.visits.store(other.visits(), Ordering::Relaxed);
        self.value.store(other.value());
        self.weight.store(other.weight.load());
        self.prior.store(other.prior());
        self.gap.store(other.gap());
        self.evaluation.store(other.evaluation.load());
    }

    /// Gives the node other children.
    fn set_children(&self, first_child: u32, child_count: u16) {
        let placement = self.placement_index() as u16;
        self.link.store(Link { first_child, child_count, placement });
    }
}

/// What a simulation says of a move, from the side of the team that made it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SimulationResult {
    /// 0 to 1, 1 for a win.
    pub value: f32,
    /// What the evaluation expected less what the end of the playout is worth, -1 to 1; 0 without an
    /// evaluation.
    pub gap: f32,
}

impl SimulationResult {
    /// The outcome of a playout whose end is worth `played`, if this `share` of the value comes from the
    /// evaluation.
    pub fn new(played: f32, evaluation: Option<f32>, share: f32) -> Self {
        let gap = evaluation.map_or(0.0, |evaluation| evaluation - played);
        Self { value: played + share * gap, gap }
    }

    /// The same from the side of the other team.
    pub fn of_opponent(self) -> Self {
        Self { value: 1.0 - self.value, gap: -self.gap }
    }
}

/// What a new child starts with.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    /// The placement that leads to it.
    pub placement: Placement,
    /// Probability before any search.
    pub prior: f32,
    /// What is added to its first value: what the history of its move is worth.
    pub bonus: f32,
}

impl Child {
    /// A child without a bonus.
    pub fn new(placement: Placement, prior: f32) -> Self {
        Self { placement, prior, bonus: 0.0 }
    }
}

/// First values by priors.
struct FirstValues {
    /// That of the likeliest.
    value: f32,
    /// Its prior.
    largest: f32,
}

impl FirstValues {
    fn new(children: &[Child], value: f32) -> Self {
        let largest = children.iter().map(|child| child.prior).fold(f32::MIN_POSITIVE, f32::max);
        // Those that the value comes from may have had first values outside 0 to 1. Below 0, the likeliest child would
        // get the least.
        Self { value: value.clamp(0.0, 1.0), largest }
    }

    fn of(&self, prior: f32) -> f32 {
        self.value * (prior / self.largest).sqrt()
    }
}

/// The arena. Node 0 is the root.
pub struct Tree {
    nodes: Box<[Node]>,
    used: AtomicU32,
    is_full: AtomicBool,
    /// Whether the tree is to stay as large as it is.
    is_frozen: bool,
}

impl Tree {
    /// The root.
    pub const ROOT: u32 = 0;

    /// A tree of a root without children that takes at most this much memory, in bytes. The memory
    /// is asked for at once, but most systems hand it out only as it is used.
    pub fn new(memory: usize) -> Self {
        let capacity = (memory / size_of::<Node>()).clamp(1, Link::BUSY as usize - 1);
        Self { nodes: zeroed(capacity), used: AtomicU32::new(1), is_full: AtomicBool::new(false), is_frozen: false }
    }

    /// Makes the tree a root without children.
    pub fn clear(&mut self) {
        self.nodes[0] = Node::zeroed();
        *self.used.get_mut() = 1;
        *self.is_full.get_mut() = false;
        self.is_frozen = false;
    }

    /// Uses the first `bytes` of the memory, if they have not been used yet, until `stop`.
    pub fn prepare(&self, bytes: usize, stop: &AtomicBool) {
        // The compiler must not see that nothing changes.
        touch(&self.nodes, bytes, stop, |node| node.visits.store(black_box(node.visits()), Ordering::Relaxed));
    }

    /// Whether a node could not be given children for want of room.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Lets a full tree be searched as it is: leaves stay leaves.
    pub fn freeze(&mut self) {
        self.is_frozen = true;
        *self.is_full.get_mut() = false;
    }

    /// Lets a frozen tree grow again.
    pub fn thaw(&mut self) {
        self.is_frozen = false;
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// A node.
    #[inline(always)]
    pub fn node(&self, index: u32) -> &Node {
        &self.nodes[index as usize]
    }

    /// The children of a node; none if it has none yet.
    #[inline(always)]
    pub fn children(&self, index: u32) -> &[Node] {
        let children = self.node(index).children();
        &self.nodes[children.start as usize..children.end as usize]
    }

    /// The index of a node's n-th child.
    #[inline(always)]
    pub fn child_index(&self, index: u32, n: usize) -> u32 {
        self.node(index).children().start + n as u32
    }

    /// Claims a leaf: true for the one thread that is to give it children; false for all if the tree is frozen.
    pub fn claim(&self, index: u32) -> bool {
        let link = &self.node(index).link;
        let old = link.load(Ordering::Relaxed);
        !self.is_frozen && old.first_child == 0 && link.replace(old, Link { first_child: Link::BUSY, ..old })
    }

    /// Gives a claimed leaf its children. The first value (first-play urgency) of the likeliest is `value`, that of
    /// another is less by the square root of its prior divided by the largest one (Pentobi's formula); then the bonus
    /// of each is added. The first value counts as much as `weight` visits and may lie outside 0 to 1.
    /// False if the arena is full; then the node stays a leaf.
    pub fn expand(&self, index: u32, children: &[Child], value: f32, weight: f32) -> bool {
        let Some(first) = self.take(children.len()) else {
            self.is_full.store(true, Ordering::Relaxed);
            self.node(index).set_children(0, 0);
            return false;
        };
        self.fill(first, children, &FirstValues::new(children, value), weight);
        self.node(index).set_children(first, children.len() as u16);
        true
    }

    /// Gives a node that has children exactly these instead. What is known of those that it had before stays; their
    /// priors are those given here, and what their first values still count in their values changes as if they had been
    /// [expanded](Self::expand) with these and with the same `value` and `weight`. The room of the old ones stays lost
    /// until the tree is copied. False if there is no room; then nothing has changed.
    pub fn refit(&self, index: u32, children: &[Child], value: f32, weight: f32) -> bool {
        let old = self.children(index);
        let mut old_numbers: Vec<_> = old.iter().map(Node::placement_index).zip(0usize..).collect();
        old_numbers.sort_unstable();
        let old_number = |child: &Child| {
            let found = old_numbers.binary_search_by_key(&child.placement.index(), |&(placement, _)| placement);
            found.ok().map(|at| old_numbers[at].1)
        };
        let largest = old.iter().map(Node::prior).fold(f32::MIN_POSITIVE, f32::max);
        let (before, after) =
            (FirstValues { value: value.clamp(0.0, 1.0), largest }, FirstValues::new(children, value));
        let renew = |node: &Node, child: &Child| {
            let gain = after.of(child.prior) - before.of(node.prior());
            node.value.store(node.value() + gain * weight / node.weight());
            node.prior.store(child.prior);
        };
        let kept = children.iter().filter(|child| old_number(child).is_some()).count();
        if kept == old.len() && kept == children.len() {
            children.iter().zip(children.iter().filter_map(old_number)).for_each(|(child, n)| renew(&old[n], child));
            return true;
        }
        let Some(first) = self.take(children.len()) else { return false };
        self.fill(first, children, &after, weight);
        for (node, child) in self.nodes[first as usize..].iter().zip(children) {
            if let Some(n) = old_number(child) {
                // Those that another thread is making are lost with the old node; the new one gets its own.
                let children = old[n].children();
                node.copy_from(&old[n], children.start, children.len() as u16);
                renew(node, child);
            }
        }
        self.node(index).set_children(first, children.len() as u16);
        true
    }

    /// [Refits](Self::refit) the root, whose new children get first values that follow from the mean of the old ones by
    /// visits. The visits of those that go are taken from it.
    pub fn fit_root(&self, children: &[Child], weight: f32) -> bool {
        let old = self.children(Self::ROOT);
        let visits = |child: &Node| child.visits() as f32;
        let sum: f32 = old.iter().map(|child| visits(child) * child.value()).sum();
        let mean = sum / old.iter().map(visits).sum::<f32>().max(1.0);
        let is_fit = self.refit(Self::ROOT, children, mean, weight);
        if is_fit {
            let of = |children: &[Node]| children.iter().map(Node::visits).sum::<u32>();
            let of_gone = of(old) - of(self.children(Self::ROOT));
            let root = self.node(Self::ROOT);
            root.visits.store(root.visits().saturating_sub(of_gone), Ordering::Relaxed);
        }
        is_fit
    }

    /// Takes room for so many nodes, if there is enough; the index of the first.
    fn take(&self, count: usize) -> Option<u32> {
        let with_more = |used: u32| used.checked_add(count as u32).filter(|&used| used as usize <= self.nodes.len());
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_more).ok()
    }

    /// Makes leaves of the nodes from an index on.
    fn fill(&self, first: u32, children: &[Child], first_values: &FirstValues, weight: f32) {
        for (node, child) in self.nodes[first as usize..].iter().zip(children) {
            node.link.store(Link::leaf(child.placement.index() as u16));
            node.visits.store(0, Ordering::Relaxed);
            node.value.store(first_values.of(child.prior) + child.bonus);
            node.weight.store(weight);
            node.gap.store(0.0);
            node.evaluation.store(0.0);
            node.prior.store(child.prior);
        }
    }

    /// Makes this tree a copy of the subtree of `other` below `root`, in which the root keeps its children, and of
    /// the other nodes the most visited (to a power of two), until there are `most` nodes or `is_enough`. Returns
    /// whether all of them do.
    pub fn copy_subtree(&mut self, other: &Self, root: u32, most: usize, is_enough: &dyn Fn() -> bool) -> bool {
        self.clear();
        self.nodes[0].copy_from(other.node(root), 0, 0);
        let most = most.max(1 + other.children(root).len()).min(self.nodes.len());
        let mut open = OpenNodes::default();
        open.push(other, root, Self::ROOT);
        let mut families = 0u32;
        while let Some((from, to)) = open.pop() {
            // Not before the root has got its children.
            if families % FAMILIES_PER_LOOK == 1 && is_enough() {
                return false;
            }
            families += 1;
            let children = other.children(from);
            let first = self.used.load(Ordering::Relaxed);
            if first as usize + children.len() > most {
                return false;
            }
            *self.used.get_mut() += children.len() as u32;
            self.nodes[to as usize].set_children(first, children.len() as u16);
            for (n, child) in children.iter().enumerate() {
                self.nodes[first as usize + n].copy_from(child, 0, 0);
                open.push(other, other.child_index(from, n), first + n as u32);
            }
        }
        true
    }
}

/// How many nodes get their children between two looks at whether to go on copying; some 0.1 ms.
const FAMILIES_PER_LOOK: u32 = 64;

/// Nodes whose children are to be copied, and their copies, by the logarithm of their visits to the base 2.
#[derive(Default)]
struct OpenNodes([Vec<(u32, u32)>; u32::BITS as usize]);

impl OpenNodes {
    /// Adds a node of a tree and its copy, if it has children.
    fn push(&mut self, tree: &Tree, node: u32, copy: u32) {
        if !tree.children(node).is_empty() {
            self.0[tree.node(node).visits().max(1).ilog2() as usize].push((node, copy));
        }
    }

    /// Takes one of the most visited out.
    fn pop(&mut self) -> Option<(u32, u32)> {
        self.0.iter_mut().rev().find_map(Vec::pop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(count: usize) -> Vec<Child> {
        let prior = 1.0 / count as f32;
        Placement::all().take(count).map(|placement| Child::new(placement, prior)).collect()
    }

    #[test]
    fn values_are_weighted_means() {
        let tree = Tree::new(1 << 10);
        let root = tree.node(Tree::ROOT);
        root.add(SimulationResult { value: 1.0, gap: 0.5 }, 1.0);
        root.add(SimulationResult { value: 0.0, gap: -0.5 }, 3.0);
        assert_eq!((root.value(), root.gap(), root.weight()), (0.25, -0.25, 4.0));
    }

    #[test]
    fn the_mean_of_millions_of_values_is_still_right() {
        let tree = Tree::new(1 << 10);
        let (root, mut sum) = (tree.node(Tree::ROOT), 0.0);
        const VALUES: u32 = 8_000_000;
        for n in 0..VALUES {
            // As those of a search: in part an evaluation, in part who has won.
            let [evaluation, won] = [0.618_034, 0.414_214].map(|step| (f64::from(n) * step).fract());
            let value = (0.45 * evaluation + if won < 0.6 { 0.55 } else { 0.0 }) as f32;
            sum += f64::from(value);
            root.add(SimulationResult { value, gap: 0.0 }, 1.0);
        }
        let error = f64::from(root.value()) - sum / f64::from(VALUES);
        assert!(error.abs() < 0.0005, "{error}");
    }

    #[test]
    fn an_outcome_is_a_mixture_and_turns_round_for_the_opponent() {
        let outcome = SimulationResult::new(0.25, Some(0.75), 0.5);
        assert_eq!(outcome, SimulationResult { value: 0.5, gap: 0.5 });
        assert_eq!(SimulationResult::new(0.25, Some(0.75), 1.0).value, 0.75);
        assert_eq!(SimulationResult::new(0.25, None, 0.5), SimulationResult { value: 0.25, gap: 0.0 });
        assert_eq!(
            SimulationResult::new(0.75, Some(0.25), 0.25).of_opponent(),
            SimulationResult::new(0.25, Some(0.75), 0.25)
        );
    }

    #[test]
    fn a_leaf_is_claimed_once_and_a_full_tree_stays_as_it_is() {
        let mut tree = Tree::new(10 * size_of::<Node>());
        assert!(tree.claim(Tree::ROOT));
        assert!(!tree.claim(Tree::ROOT));
        assert!(tree.expand(Tree::ROOT, &children(6), 0.5, 1.0));
        assert!(!tree.claim(Tree::ROOT));
        assert!(tree.claim(1) && !tree.expand(1, &children(6), 0.5, 1.0));
        assert!(tree.is_full() && tree.len() == 7);
        tree.freeze();
        assert!(!tree.claim(1) && !tree.is_full());
        tree.thaw();
        assert!(tree.claim(1) && tree.expand(1, &children(3), 0.5, 1.0) && tree.len() == 10);
    }

    #[test]
    fn first_values_follow_from_prior_and_bonus() {
        let tree = Tree::new(1 << 10);
        let mut children = children(3);
        (children[1].prior, children[2].bonus) = (children[0].prior / 4.0, 0.25);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children, 0.5, 3.0));
        let of_children = tree.children(Tree::ROOT).iter().map(|child| (child.value(), child.weight()));
        assert_eq!(of_children.collect::<Vec<_>>(), [(0.5, 3.0), (0.25, 3.0), (0.75, 3.0)]);
        // A value outside 0 to 1 counts as the nearest inside, with which no child gains from being less likely.
        for (node, value, expected) in [(1, -0.5, [0.0, 0.0, 0.25]), (2, 1.5, [1.0, 0.5, 1.25])] {
            assert!(tree.claim(node) && tree.expand(node, &children, value, 3.0));
            assert_eq!(tree.children(node).iter().map(Node::value).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_root_is_widened_without_loss() {
        let tree = Tree::new(1 << 10);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children(3), 0.5, 1.0));
        assert!(tree.claim(2) && tree.expand(2, &children(4), 0.5, 1.0));
        tree.node(2).visit();
        tree.node(2).add(SimulationResult { value: 1.0, gap: 0.5 }, 1.0);
        tree.node(2).keep_evaluation(0.25);
        // In another order than before.
        let all: Vec<Child> = children(5).into_iter().rev().collect();
        assert!(tree.fit_root(&all, 1.0));
        let root = tree.children(Tree::ROOT);
        assert_eq!(root.iter().map(Node::visits).collect::<Vec<_>>(), [0, 0, 0, 1, 0]);
        assert!(root.iter().all(|child| child.prior() == 0.2));
        assert_eq!((root[3].value(), root[0].value()), (0.75, 0.75));
        assert_eq!((root[3].gap(), root[0].gap()), (0.25, 0.0));
        assert_eq!((root[3].evaluation(), root[0].evaluation()), (Some(0.25), None));
        assert_eq!(tree.children(tree.child_index(Tree::ROOT, 3)).len(), 4);
        let nodes = tree.len();
        let mut likelier = children(5);
        (likelier[0].prior, likelier[1].prior) = (0.4, 0.0);
        assert!(tree.fit_root(&likelier, 1.0), "all are there");
        let root = tree.children(Tree::ROOT);
        assert_eq!(root.iter().map(Node::prior).collect::<Vec<_>>(), [0.2, 0.2, 0.2, 0.0, 0.4]);
        assert_eq!((root[3].value(), root[4].value()), (0.375, 0.5), "first values have changed as much as they count");
        assert!(!tree.fit_root(&children(40), 1.0), "there is no room");
        assert_eq!(tree.len(), nodes);
    }

    #[test]
    fn a_child_that_was_being_expanded_can_be_when_it_has_moved() {
        let tree = Tree::new(1 << 10);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children(2), 0.5, 1.0));
        assert!(tree.claim(1));
        assert!(tree.refit(Tree::ROOT, &children(3), 0.5, 1.0));
        let moved = tree.child_index(Tree::ROOT, 0);
        assert!(moved != 1 && tree.expand(1, &children(4), 0.5, 1.0), "who was at it goes on with the old node");
        assert!(tree.children(moved).is_empty() && tree.claim(moved));
    }

    #[test]
    fn a_root_is_narrowed_and_widened_again() {
        let tree = Tree::new(1 << 10);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children(4), 0.5, 1.0));
        for (child, visits) in [(1, 2), (2, 5), (3, 1)] {
            (0..visits).for_each(|_| _ = tree.node(child).visit());
        }
        (0..8).for_each(|_| _ = tree.node(Tree::ROOT).visit());
        assert!(tree.claim(2) && tree.expand(2, &children(3), 0.5, 1.0));
        let visits = |tree: &Tree| tree.children(Tree::ROOT).iter().map(Node::visits).collect::<Vec<_>>();
        let other = Child::new(Placement::all().nth(9).expect("there are more"), 0.4);
        assert!(tree.fit_root(&[children(4)[1], other], 1.0));
        assert_eq!((visits(&tree), tree.node(Tree::ROOT).visits()), (vec![5, 0], 5));
        assert_eq!(tree.children(tree.child_index(Tree::ROOT, 0)).len(), 3);
        assert!(tree.fit_root(&children(4), 1.0));
        assert_eq!((visits(&tree), tree.node(Tree::ROOT).visits()), (vec![0, 5, 0, 0], 5));
        // As many as before, but others.
        assert!(tree.fit_root(&[children(4)[2], children(4)[1], other, children(4)[0]], 1.0));
        assert_eq!(visits(&tree), [0, 5, 0, 0]);
    }

    #[test]
    fn the_children_of_the_most_visited_are_copied_first() {
        let tree = Tree::new(1 << 10);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children(4), 0.5, 1.0));
        for (node, visits) in [(1, 2), (2, 9), (3, 3)] {
            assert!(tree.claim(node) && tree.expand(node, &children(2), 0.5, 1.0));
            (0..visits).for_each(|_| _ = tree.node(node).visit());
        }
        let below = tree.child_index(2, 1);
        assert!(tree.claim(below) && tree.expand(below, &children(3), 0.5, 1.0));
        (0..5).for_each(|_| _ = tree.node(below).visit());
        tree.node(2).keep_evaluation(0.25);

        let mut copy = Tree::new(1 << 10);
        // How many children the nodes 1 to 3 and the one below have in a copy of at most this many nodes.
        let mut copied = |most: usize, is_enough: bool| {
            let is_whole = copy.copy_subtree(&tree, Tree::ROOT, most, &|| is_enough);
            assert_eq!(copy.children(Tree::ROOT).len(), 4);
            assert_eq!((copy.node(2).visits(), copy.node(2).evaluation()), (9, Some(0.25)));
            assert!(copy.len() <= most.max(5));
            let of_below = copy.children(2).get(1).map_or(0, |node| node.children().len());
            (is_whole, [1, 2, 3].map(|node| copy.children(node).len()), of_below)
        };
        assert_eq!(copied(99, false), (true, [2, 2, 2], 3));
        assert_eq!(copied(13, false), (false, [0, 2, 2], 3));
        assert_eq!(copied(11, false), (false, [0, 2, 0], 3));
        assert_eq!(copied(8, false), (false, [0, 2, 0], 0));
        assert_eq!(copied(0, false), (false, [0, 0, 0], 0));
        assert_eq!(copied(99, true), (false, [0, 0, 0], 0));

        assert!(copy.copy_subtree(&tree, 2, 99, &|| false));
        assert_eq!((copy.len(), copy.node(Tree::ROOT).placement()), (6, tree.node(2).placement()));
        assert_eq!(copy.children(Tree::ROOT).len(), 2);
    }

    #[test]
    fn a_cleared_tree_knows_nothing_of_the_last() {
        let mut tree = Tree::new(1 << 10);
        for _ in 0..2 {
            assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children(3), 0.5, 1.0));
            for child in tree.children(Tree::ROOT) {
                assert_eq!((child.value(), child.gap(), child.weight(), child.visits()), (0.5, 0.0, 1.0, 0));
                assert_eq!(child.evaluation(), None);
                child.visit();
                child.keep_evaluation(0.25);
                child.add(SimulationResult { value: 1.0, gap: 0.5 }, 1.0);
            }
            tree.clear();
            assert!(tree.children(Tree::ROOT).is_empty());
        }
    }
}
