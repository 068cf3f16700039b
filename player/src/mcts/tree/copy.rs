//! Copies a subtree, the most visited nodes first.

use std::sync::atomic::Ordering;

use super::Tree;

/// Number of inner nodes whose children are copied between two checks of the time, about 0.1 ms.
const CHECK_INTERVAL: u32 = 64;

impl Tree {
    /// Makes this tree a copy of the subtree of `other` below `root`. The root keeps its children; of the other nodes
    /// the most visited (by powers of two) keep theirs, until there are `max_nodes` nodes or `must_stop` returns
    /// `true`. Returns `true` if the copy is complete.
    pub fn copy_subtree(&mut self, other: &Self, root: u32, max_nodes: usize, must_stop: &dyn Fn() -> bool) -> bool {
        self.clear();
        self.nodes[0].copy_from(other.node(root), 0, 0);
        let max_nodes = max_nodes.max(1 + other.children(root).len()).min(self.nodes.len());
        let mut open = OpenNodes::default();
        open.push(other, root, Self::ROOT);
        let mut copied = 0u32;
        while let Some((from, to)) = open.pop() {
            // The first check follows the children of the root.
            if copied % CHECK_INTERVAL == 1 && must_stop() {
                return false;
            }
            copied += 1;
            let children = other.children(from);
            let first = self.used.load(Ordering::Relaxed);
            if first as usize + children.len() > max_nodes {
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

/// Inner nodes to copy, each with the index of its copy, by the binary logarithm of their visits.
#[derive(Default)]
struct OpenNodes([Vec<(u32, u32)>; u32::BITS as usize]);

impl OpenNodes {
    /// Adds a node, unless it is a leaf.
    fn push(&mut self, tree: &Tree, node: u32, copy: u32) {
        if !tree.children(node).is_empty() {
            self.0[tree.node(node).visits().max(1).ilog2() as usize].push((node, copy));
        }
    }

    /// Removes one of the most visited nodes.
    fn pop(&mut self) -> Option<(u32, u32)> {
        self.0.iter_mut().rev().find_map(Vec::pop)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{children, expanded};
    use super::*;

    #[test]
    fn copies_children_of_most_visited_nodes_first() {
        let tree = expanded(4);
        for (node, visits) in [(1, 2), (2, 9), (3, 3)] {
            assert!(tree.claim(node) && tree.expand(node, &children(2), 0.5, 1.0));
            (0..visits).for_each(|_| _ = tree.node(node).add_visit());
        }
        let below = tree.child_index(2, 1);
        assert!(tree.claim(below) && tree.expand(below, &children(3), 0.5, 1.0));
        (0..5).for_each(|_| _ = tree.node(below).add_visit());
        tree.node(2).set_evaluation(0.25);

        let mut copy = Tree::new(1 << 10);
        // Copies at most this many nodes and counts the children of the nodes 1 to 3 and of the one below.
        let mut copied = |max_nodes: usize, must_stop: bool| {
            let is_complete = copy.copy_subtree(&tree, Tree::ROOT, max_nodes, &|| must_stop);
            assert_eq!(copy.children(Tree::ROOT).len(), 4);
            assert_eq!((copy.node(2).visits(), copy.node(2).evaluation()), (9, Some(0.25)));
            assert!(copy.len() <= max_nodes.max(5));
            let of_below = copy.children(2).get(1).map_or(0, |node| node.children().len());
            (is_complete, [1, 2, 3].map(|node| copy.children(node).len()), of_below)
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
}
