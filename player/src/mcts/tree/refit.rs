//! Adds children to a node, and keeps the results of the old ones.

use super::first_play::{FirstValues, NewChild};
use super::node::TreeNode;
use super::{Tree, placements_with_numbers};

impl Tree {
    /// Gives an inner node more children, or only other priors. The old children, which must be among the new ones,
    /// keep their results; their first values change as if they had been [expanded](Self::expand) with the new priors.
    /// Their old memory is freed when the tree is copied. Changes nothing if the tree is full.
    pub fn refit(&self, index: u32, children: &[NewChild], value: f32, weight: f32) {
        let old = self.children(index);
        let old_numbers = placements_with_numbers(old);
        let old_number = |child: &NewChild| {
            let found = old_numbers.binary_search_by_key(&child.placement.index(), |&(placement, _)| placement);
            found.ok().map(|at| old_numbers[at].1)
        };
        let before = FirstValues::new(value, old.iter().map(TreeNode::prior));
        let after = FirstValues::new(value, children.iter().map(|child| child.prior));
        let update = |node: &TreeNode, child: &NewChild| {
            node.update_prior(child.prior, after.of(child.prior) - before.of(node.prior()), weight);
        };
        if children.len() == old.len() {
            children.iter().zip(children.iter().filter_map(old_number)).for_each(|(child, n)| update(&old[n], child));
            return;
        }
        let Some(first) = self.allocate(children.len()) else { return };
        self.fill(first, children, &after, weight);
        for (node, child) in self.nodes[first as usize..].iter().zip(children) {
            if let Some(n) = old_number(child) {
                // A thread that is expanding the old node does so in vain; the new one is expanded again.
                let children = old[n].children();
                node.copy_from(&old[n], children.start, children.len() as u16);
                update(node, child);
            }
        }
        self.node(index).set_children(first, children.len() as u16);
    }

    /// [Refits](Self::refit) the root. New children get first values from the mean of the old ones, weighted by visits.
    pub fn fit_root(&self, children: &[NewChild], weight: f32) {
        let old = self.children(Self::ROOT);
        let visits = |child: &TreeNode| child.visits() as f32;
        let sum: f32 = old.iter().map(|child| visits(child) * child.value()).sum();
        let mean = sum / old.iter().map(visits).sum::<f32>().max(1.0);
        self.refit(Self::ROOT, children, mean, weight);
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{children, expanded};
    use super::super::{SimulationResult, Tree};
    use super::*;

    #[test]
    fn widened_root_keeps_its_results() {
        let tree = expanded(3);
        assert!(tree.claim(2) && tree.expand(2, &children(4), 0.5, 1.0));
        tree.node(2).add_visit();
        tree.node(2).add(SimulationResult { value: 1.0, gap: 0.5 }, 1.0);
        tree.node(2).set_evaluation(0.25);
        // In another order than before.
        let all: Vec<NewChild> = children(5).into_iter().rev().collect();
        tree.fit_root(&all, 1.0);
        let root = tree.children(Tree::ROOT);
        assert_eq!(root.iter().map(TreeNode::visits).collect::<Vec<_>>(), [0, 0, 0, 1, 0]);
        assert!(root.iter().all(|child| child.prior() == 0.2));
        assert_eq!((root[3].value(), root[0].value()), (0.75, 0.75));
        assert_eq!((root[3].gap(), root[0].gap()), (0.25, 0.0));
        assert_eq!((root[3].evaluation(), root[0].evaluation()), (Some(0.25), None));
        assert_eq!(tree.children(tree.child_index(Tree::ROOT, 3)).len(), 4);
        let nodes = tree.len();
        let mut likelier = children(5);
        (likelier[0].prior, likelier[1].prior) = (0.4, 0.0);
        tree.fit_root(&likelier, 1.0);
        let root = tree.children(Tree::ROOT);
        assert_eq!(root.iter().map(TreeNode::prior).collect::<Vec<_>>(), [0.2, 0.2, 0.2, 0.0, 0.4]);
        assert_eq!((root[3].value(), root[4].value()), (0.375, 0.5), "first values change with their weight");
        tree.fit_root(&children(40), 1.0);
        assert_eq!((tree.len(), tree.children(Tree::ROOT).len()), (nodes, 5), "the tree is full");
    }

    #[test]
    fn moved_child_can_be_expanded_again() {
        let tree = expanded(2);
        assert!(tree.claim(1));
        tree.refit(Tree::ROOT, &children(3), 0.5, 1.0);
        let moved = tree.child_index(Tree::ROOT, 0);
        assert!(moved != 1 && tree.expand(1, &children(4), 0.5, 1.0));
        assert!(tree.children(moved).is_empty() && tree.claim(moved));
    }
}
