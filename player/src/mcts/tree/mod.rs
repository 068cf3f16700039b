//! The tree: nodes in an arena of fixed size, the children of a node next to each other.
//!
//! The fields of a node are atomics, so several threads search one tree without locks. Loads and stores are relaxed,
//! and simultaneous updates of a node can be lost; preventing that would cost more (M. Enzenberger, M. Müller, A
//! lock-free multithreaded Monte-Carlo tree search algorithm, 2009). With one thread nothing is lost.

mod copy;
mod first_play;
mod link;
mod node;
mod refit;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use bytemuck::Zeroable;

use self::first_play::FirstValues;
use self::link::NodeLink;
use crate::memory::{touch, zeroed};

pub use self::first_play::NewChild;
pub use self::node::{SimulationResult, TreeNode};

/// The arena. Node 0 is the root.
pub struct Tree {
    nodes: Box<[TreeNode]>,
    used: AtomicU32,
    is_full: AtomicBool,
    /// `true` if leaves stay leaves.
    is_frozen: bool,
}

impl Tree {
    /// Index of the root.
    pub const ROOT: u32 = 0;

    /// Creates a tree with a root only, which takes at most `memory` bytes. Most systems provide the memory as it is
    /// used.
    pub fn new(memory: usize) -> Self {
        let capacity = (memory / size_of::<TreeNode>()).clamp(1, NodeLink::BUSY as usize - 1);
        Self { nodes: zeroed(capacity), used: AtomicU32::new(1), is_full: AtomicBool::new(false), is_frozen: false }
    }

    /// Removes all nodes but the root, and resets the root.
    pub fn clear(&mut self) {
        self.nodes[0] = TreeNode::zeroed();
        *self.used.get_mut() = 1;
        *self.is_full.get_mut() = false;
        self.is_frozen = false;
    }

    /// Touches the first `bytes` of the memory, until `stop`.
    pub fn prepare(&self, bytes: usize, stop: &AtomicBool) {
        // The compiler must not see that nothing changes.
        touch(&self.nodes, bytes, stop, |node| node.set_visits(black_box(node.visits())));
    }

    /// Returns `true` if an expansion failed for lack of memory.
    pub fn is_full(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }

    /// Stops expansions, so that a full tree can be searched further.
    pub fn freeze(&mut self) {
        self.is_frozen = true;
        *self.is_full.get_mut() = false;
    }

    /// Allows expansions again.
    pub fn thaw(&mut self) {
        self.is_frozen = false;
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    #[inline(always)]
    pub fn node(&self, index: u32) -> &TreeNode {
        &self.nodes[index as usize]
    }

    /// Returns the children of a node; none for a leaf.
    #[inline(always)]
    pub fn children(&self, index: u32) -> &[TreeNode] {
        let children = self.node(index).children();
        &self.nodes[children.start as usize..children.end as usize]
    }

    /// Returns the index of a node's n-th child.
    #[inline(always)]
    pub fn child_index(&self, index: u32, n: usize) -> u32 {
        self.node(index).children().start + n as u32
    }

    /// Returns the index of the most visited child; of equals, the one with the highest value.
    pub fn most_visited_child(&self, index: u32) -> Option<u32> {
        let children = self.children(index).iter().enumerate();
        let (n, _) =
            children.max_by(|(_, a), (_, b)| a.visits().cmp(&b.visits()).then(a.value().total_cmp(&b.value())))?;
        Some(self.child_index(index, n))
    }

    /// Returns the index of the root move to play: the one with the highest value less `margin` divided by the square
    /// root of its visits. The most visited move is often one that looked best for long and no longer does.
    ///
    /// Such a lower confidence bound also decides in Leela Zero and KataGo.
    pub fn best_root_child(&self, margin: f32) -> Option<u32> {
        let bound = |child: &TreeNode| match child.visits() {
            0 => f32::MIN,
            visits => child.value() - margin / (visits as f32).sqrt(),
        };
        let bounds = self.children(Self::ROOT).iter().map(bound).enumerate();
        let (n, _) = bounds.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(self.child_index(Self::ROOT, n))
    }

    /// Claims a leaf for expansion. Returns `true` for one thread, and `false` for all if the tree is frozen.
    pub fn claim(&self, index: u32) -> bool {
        let link = &self.node(index).link;
        let old = link.load(Ordering::Relaxed);
        !self.is_frozen && old.first_child == 0 && link.replace(old, NodeLink { first_child: NodeLink::BUSY, ..old })
    }

    /// Adds the children of a claimed leaf, with first values from `value` and their priors. A first value counts
    /// `weight` visits. Returns `false` if the tree is full; the node stays a leaf.
    pub fn expand(&self, index: u32, children: &[NewChild], value: f32, weight: f32) -> bool {
        let Some(first) = self.allocate(children.len()) else {
            self.is_full.store(true, Ordering::Relaxed);
            self.node(index).set_children(0, 0);
            return false;
        };
        let first_values = FirstValues::new(value, children.iter().map(|child| child.prior));
        self.fill(first, children, &first_values, weight);
        self.node(index).set_children(first, children.len() as u16);
        true
    }

    /// Allocates nodes and returns the index of the first, or `None` if the tree is full.
    fn allocate(&self, count: usize) -> Option<u32> {
        let with_more = |used: u32| used.checked_add(count as u32).filter(|&used| used as usize <= self.nodes.len());
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, with_more).ok()
    }

    /// Writes new leaves from an index on.
    fn fill(&self, first: u32, children: &[NewChild], first_values: &FirstValues, weight: f32) {
        for (node, child) in self.nodes[first as usize..].iter().zip(children) {
            node.reset(child.placement, child.prior, first_values.of(child.prior) + child.bonus, weight);
        }
    }
}

/// Returns the placement indices of nodes with the nodes' numbers, sorted.
fn placements_with_numbers(nodes: &[TreeNode]) -> Vec<(usize, usize)> {
    let mut numbers: Vec<_> = nodes.iter().map(TreeNode::placement_index).zip(0..).collect();
    numbers.sort_unstable();
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Placement;

    pub fn children(count: usize) -> Vec<NewChild> {
        let prior = 1.0 / count as f32;
        Placement::all().take(count).map(|placement| NewChild::new(placement, prior)).collect()
    }

    /// Returns a small tree whose root has this many children.
    pub fn expanded(count: usize) -> Tree {
        let tree = Tree::new(1 << 10);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children(count), 0.5, 1.0));
        tree
    }

    #[test]
    fn leaf_is_claimed_once_until_tree_is_full() {
        let mut tree = Tree::new(10 * size_of::<TreeNode>());
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
        for (node, value, expected) in [(1, -0.5, [0.0, 0.0, 0.25]), (2, 1.5, [1.0, 0.5, 1.25])] {
            assert!(tree.claim(node) && tree.expand(node, &children, value, 3.0));
            assert_eq!(tree.children(node).iter().map(TreeNode::value).collect::<Vec<_>>(), expected, "clamped");
        }
    }

    #[test]
    fn root_move_has_highest_certain_value() {
        let tree = expanded(3);
        let best = |visits: [u32; 3], margin: f32| {
            for (index, (visits, value)) in (1..).zip(visits.into_iter().zip([0.6, 0.7, 0.9])) {
                tree.nodes[index].reset(Placement::all().nth(index).unwrap(), 0.1, value, 1.0);
                tree.nodes[index].set_visits(visits);
            }
            tree.best_root_child(margin)
        };
        assert_eq!(best([100, 50, 0], 4.0), Some(1));
        assert_eq!(best([10_000, 5000, 0], 4.0), Some(2));
        assert_eq!(best([10_000, 5000, 0], 1000.0), Some(1));
        assert_eq!(best([10_000, 5000, 1], 0.0), Some(3));
        assert_eq!(best([1, 0, 0], 0.0), Some(1));
    }
}
