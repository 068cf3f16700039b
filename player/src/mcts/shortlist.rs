//! Shortlist of the best children of the root.
//!
//! An inner node has few children, but the root has all moves, often hundreds. To save time, simulations choose from a
//! list of the best, and RAVE finds children by placement. The choice is approximate, because the list is renewed only
//! now and then: with 100,000 simulations one choice in six after 16 plies, and one in sixteen after 32, differs from
//! the exact one.

use game::Placement;

use super::tree::{Tree, TreeNode};

/// Number of listed children. The best ones have similar scores, so a short list suffices if it is renewed often.
const LENGTH: usize = 16;

/// The list is renewed when the visits of the root have grown by one part in 64.
const RENEWAL_PARTS: u32 = 64;

/// Maximum number of visits between two renewals.
const MAX_WAIT: u32 = 128;

/// Number of a placement without a child.
const NONE: u16 = u16::MAX;

/// Numbers of the best children of the root, and the number of each child by placement. Valid for one search: the root
/// keeps its children and their order.
pub struct Shortlist {
    /// Scores at the last renewal with the numbers, in the order of the numbers.
    best: Vec<(f32, u16)>,
    /// Visits of the root at the next renewal.
    renewal: u32,
    /// Numbers by placement index; empty before the first selection.
    numbers: Box<[u16]>,
}

impl Shortlist {
    /// Creates an empty list.
    pub fn new() -> Self {
        Self { best: Vec::new(), renewal: 0, numbers: Box::default() }
    }

    /// Returns the number of the child of a placement; `None` before the first selection.
    pub fn number(&self, placement: Placement) -> Option<usize> {
        self.numbers.get(placement.index()).filter(|&&number| number != NONE).map(|&number| number.into())
    }

    /// Returns the listed children with their numbers in ascending order, and renews the list if it is due. The root
    /// has children.
    pub fn best_children<'a>(
        &'a mut self,
        tree: &'a Tree,
        score: impl Fn(&TreeNode) -> f32,
    ) -> impl Iterator<Item = (usize, &'a TreeNode)> {
        let children = tree.children(Tree::ROOT);
        let visits = tree.node(Tree::ROOT).visits();
        if visits >= self.renewal {
            if self.numbers.is_empty() {
                self.number_all(children);
            }
            self.renewal = visits + 1 + (visits / RENEWAL_PARTS).min(MAX_WAIT);
            self.best.clear();
            self.best.extend(children.iter().enumerate().map(|(n, child)| (score(child), n as u16)));
            if self.best.len() > LENGTH {
                self.best.select_nth_unstable_by(LENGTH, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                self.best.truncate(LENGTH);
                // The first of equal scores is selected, and the library does not define their order here.
                self.best.sort_unstable_by_key(|&(_, n)| n);
            }
        }
        self.best.iter().map(|&(_, n)| (n.into(), &children[usize::from(n)]))
    }

    fn number_all(&mut self, children: &[TreeNode]) {
        self.numbers = vec![NONE; Placement::INDEX_END].into();
        for (n, child) in children.iter().enumerate() {
            self.numbers[child.placement_index()] = n as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{NewChild, SimulationResult};
    use super::*;

    const WIN: SimulationResult = SimulationResult { value: 1.0, gap: 0.0 };

    fn tree(children: usize) -> Tree {
        let placements = Placement::all().take(children);
        let children: Vec<NewChild> = placements.map(|placement| NewChild::new(placement, 0.1)).collect();
        let tree = Tree::new(1 << 20);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children, 0.5, 1.0));
        tree
    }

    /// Returns the numbers of the listed children.
    fn listed(shortlist: &mut Shortlist, tree: &Tree) -> Vec<usize> {
        shortlist.best_children(tree, TreeNode::value).map(|(n, _)| n).collect()
    }

    #[test]
    fn lists_best_children_until_renewal() {
        let tree = tree(3 * LENGTH);
        let (mut shortlist, children) = (Shortlist::new(), tree.children(Tree::ROOT));
        (0..2 * RENEWAL_PARTS).for_each(|_| _ = tree.node(Tree::ROOT).add_visit());
        children[LENGTH..2 * LENGTH].iter().rev().for_each(|child| child.add(WIN, 1.0));
        let best: Vec<usize> = (LENGTH..2 * LENGTH).collect();
        assert_eq!(listed(&mut shortlist, &tree), best);
        children[0].add(WIN, 9.0);
        tree.node(Tree::ROOT).add_visit();
        assert_eq!(listed(&mut shortlist, &tree), best);
        (0..2).for_each(|_| _ = tree.node(Tree::ROOT).add_visit());
        assert!(listed(&mut shortlist, &tree).contains(&0));
        assert!(shortlist.best_children(&tree, TreeNode::value).all(|(n, child)| std::ptr::eq(child, &children[n])));
    }

    #[test]
    fn renewals_follow_the_growth_of_visits() {
        let tree = tree(2 * LENGTH);
        let mut shortlist = Shortlist::new();
        let mut renewals = Vec::new();
        for visits in 1..=2 * RENEWAL_PARTS * MAX_WAIT {
            tree.node(Tree::ROOT).add_visit();
            let is_renewed = std::cell::Cell::new(false);
            let score = |_: &TreeNode| {
                is_renewed.set(true);
                0.0
            };
            assert_eq!(shortlist.best_children(&tree, score).count(), LENGTH);
            if is_renewed.get() {
                renewals.push(visits);
            }
        }
        // At every visit first, then ever less often up to the maximum.
        assert!(renewals.iter().copied().take(RENEWAL_PARTS as usize).eq(1..=RENEWAL_PARTS));
        let waits: Vec<u32> = renewals.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let expected = renewals.iter().map(|visits| 1 + (visits / RENEWAL_PARTS).min(MAX_WAIT));
        assert!(waits.iter().copied().eq(expected.take(waits.len())) && waits.last() == Some(&(1 + MAX_WAIT)));
    }
}
