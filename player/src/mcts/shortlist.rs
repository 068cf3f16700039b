//! The best children of the root, so that not every simulation looks at all of them.
//!
//! An inner node has few children, but the root has all moves, often hundreds. A simulation chooses one of
//! them and finds those that RAVE learns of. To choose from a list of the best, and to find the others by
//! their placements, saved 6 to 8 % of the time of a simulation with a list of 64 (it is shorter now). The choice is
//! approximate, for a child that becomes the best is seen only when the list is renewed: with 100,000 simulations one
//! choice in six after 16 plies and one in sixteen after 32 is not the exact one.

use game::Placement;

use super::tree::{Node, Tree};

/// How many children are listed. Those that the search goes to have about the same score, so that the list can be
/// short if it is renewed often: one left out waits for the next time.
const LENGTH: usize = 16;

/// The list is renewed when the visits of the root, by all threads, have grown by more than one part in this many …
const RENEWAL_PARTS: u32 = 64;

/// … or by more than this.
const LONGEST_WAIT: u32 = 128;

/// Stands for placements that lead to no child.
const NONE: u16 = u16::MAX;

/// The numbers of the root's best children, and of the child of each placement.
///
/// It belongs to one search: the root must keep its children and their order once they have been looked at.
pub struct Shortlist {
    /// With their scores when the list was made, in the order of their numbers.
    best: Vec<(f32, u16)>,
    /// The visits of the root at which the list is renewed.
    renewal: u32,
    /// By the index of the placement; empty before the first look at the children.
    numbers: Box<[u16]>,
}

impl Shortlist {
    /// For a root that has not been looked at.
    pub fn new() -> Self {
        Self { best: Vec::new(), renewal: 0, numbers: Box::default() }
    }

    /// The number of the child that a placement leads to, if the children have been looked at.
    pub fn number(&self, placement: Placement) -> Option<usize> {
        self.numbers.get(placement.index()).filter(|&&number| number != NONE).map(|&number| number.into())
    }

    /// The children to choose from, with their numbers in ascending order: the best by `score` when the list
    /// was last renewed, which this does if it is time. The root has children.
    pub fn best_children<'a>(
        &'a mut self,
        tree: &'a Tree,
        score: impl Fn(&Node) -> f32,
    ) -> impl Iterator<Item = (usize, &'a Node)> {
        let children = tree.children(Tree::ROOT);
        let visits = tree.node(Tree::ROOT).visits();
        if visits >= self.renewal {
            if self.numbers.is_empty() {
                self.number_all(children);
            }
            self.renewal = visits + 1 + (visits / RENEWAL_PARTS).min(LONGEST_WAIT);
            self.best.clear();
            self.best.extend(children.iter().enumerate().map(|(n, child)| (score(child), n as u16)));
            if self.best.len() > LENGTH {
                self.best.select_nth_unstable_by(LENGTH, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                self.best.truncate(LENGTH);
                // The first of equal scores is chosen, but which comes first now is up to the library.
                self.best.sort_unstable_by_key(|&(_, n)| n);
            }
        }
        self.best.iter().map(|&(_, n)| (n.into(), &children[usize::from(n)]))
    }

    fn number_all(&mut self, children: &[Node]) {
        self.numbers = vec![NONE; Placement::INDEX_END].into();
        for (n, child) in children.iter().enumerate() {
            self.numbers[child.placement_index()] = n as u16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree::{Child, SimulationResult};
    use super::*;

    const WIN: SimulationResult = SimulationResult { value: 1.0, gap: 0.0 };

    fn tree(children: usize) -> (Tree, Vec<Placement>) {
        let placements: Vec<Placement> = Placement::all().take(children).collect();
        let children: Vec<Child> = placements.iter().map(|&placement| Child::new(placement, 0.1)).collect();
        let tree = Tree::new(1 << 20);
        assert!(tree.claim(Tree::ROOT) && tree.expand(Tree::ROOT, &children, 0.5, 1.0));
        (tree, placements)
    }

    /// The numbers of the listed children.
    fn listed(shortlist: &mut Shortlist, tree: &Tree) -> Vec<usize> {
        shortlist.best_children(tree, Node::value).map(|(n, _)| n).collect()
    }

    #[test]
    fn lists_the_best_in_order_until_it_is_renewed() {
        let (tree, _) = tree(3 * LENGTH);
        let (mut shortlist, children) = (Shortlist::new(), tree.children(Tree::ROOT));
        (0..2 * RENEWAL_PARTS).for_each(|_| _ = tree.node(Tree::ROOT).visit());
        children[LENGTH..2 * LENGTH].iter().rev().for_each(|child| child.add(WIN, 1.0));
        let best: Vec<usize> = (LENGTH..2 * LENGTH).collect();
        assert_eq!(listed(&mut shortlist, &tree), best);
        children[0].add(WIN, 9.0);
        tree.node(Tree::ROOT).visit();
        assert_eq!(listed(&mut shortlist, &tree), best);
        (0..2).for_each(|_| _ = tree.node(Tree::ROOT).visit());
        assert!(listed(&mut shortlist, &tree).contains(&0));
        assert!(shortlist.best_children(&tree, Node::value).all(|(n, child)| std::ptr::eq(child, &children[n])));
    }

    #[test]
    fn is_renewed_when_the_visits_have_grown() {
        let (tree, _) = tree(2 * LENGTH);
        let mut shortlist = Shortlist::new();
        let mut renewals = Vec::new();
        for visits in 1..=2 * RENEWAL_PARTS * LONGEST_WAIT {
            tree.node(Tree::ROOT).visit();
            let is_renewed = std::cell::Cell::new(false);
            let score = |_: &Node| {
                is_renewed.set(true);
                0.0
            };
            assert_eq!(shortlist.best_children(&tree, score).count(), LENGTH);
            if is_renewed.get() {
                renewals.push(visits);
            }
        }
        // At first each time, then ever more seldom, but not too seldom.
        assert!(renewals.iter().copied().take(RENEWAL_PARTS as usize).eq(1..=RENEWAL_PARTS));
        let waits: Vec<u32> = renewals.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let expected = renewals.iter().map(|visits| 1 + (visits / RENEWAL_PARTS).min(LONGEST_WAIT));
        assert!(waits.iter().copied().eq(expected.take(waits.len())) && waits.last() == Some(&(1 + LONGEST_WAIT)));
    }

    #[test]
    fn visits_of_other_threads_count() {
        let (tree, _) = tree(2 * LENGTH);
        let mut shortlist = Shortlist::new();
        (0..100 * LONGEST_WAIT).for_each(|_| _ = tree.node(Tree::ROOT).visit());
        listed(&mut shortlist, &tree);
        // Enough have come since that the list should have been renewed several times.
        (0..10 * LONGEST_WAIT).for_each(|_| _ = tree.node(Tree::ROOT).visit());
        tree.children(Tree::ROOT)[2 * LENGTH - 1].add(WIN, 9.0);
        assert!(listed(&mut shortlist, &tree).contains(&(2 * LENGTH - 1)));
        tree.children(Tree::ROOT)[2 * LENGTH - 2].add(WIN, 9.0);
        (0..LONGEST_WAIT).for_each(|_| _ = tree.node(Tree::ROOT).visit());
        assert!(!listed(&mut shortlist, &tree).contains(&(2 * LENGTH - 2)));
        tree.node(Tree::ROOT).visit();
        assert!(listed(&mut shortlist, &tree).contains(&(2 * LENGTH - 2)));
    }

    #[test]
    fn as_many_children_are_listed_as_there_are_but_not_more_than_the_length() {
        for count in [1, 2, LENGTH, LENGTH + 1] {
            assert_eq!(listed(&mut Shortlist::new(), &tree(count).0).len(), count.min(LENGTH));
        }
    }

    #[test]
    fn finds_children_by_their_placements() {
        let (tree, placements) = tree(2 * LENGTH);
        let mut shortlist = Shortlist::new();
        assert_eq!(shortlist.number(placements[1]), None);
        listed(&mut shortlist, &tree);
        assert!(placements.iter().enumerate().all(|(n, &placement)| shortlist.number(placement) == Some(n)));
        let other = Placement::all().nth(2 * LENGTH).expect("there are more");
        assert_eq!(shortlist.number(other), None);
    }
}
