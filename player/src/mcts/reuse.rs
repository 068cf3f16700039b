//! What is kept of a tree: from one move to the next what lies below the position that was reached, and of a full
//! tree what is visited most.

use std::time::Instant;

use game::{Move, Placement, Position};

use super::tree::Tree;
use super::{MctsPlayer, prior};
use crate::Limit;

/// To copy what is to be kept of a tree, from the last move or when it is full, may take one of so many parts of
/// the time that is left. Half of a tree of 300 MiB takes some 0.15 s.
const TIDY_PARTS: u32 = 4;

/// Tells when enough time has been spent on copying a tree.
pub(super) fn time_to_tidy(limit: &Limit) -> impl Fn() -> bool {
    let end = limit.part(TIDY_PARTS).deadline;
    move || end.is_some_and(|end| Instant::now() >= end)
}

/// What is to be kept of a tree if there is no time to keep all that is worth it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// All of it or nothing.
    Whole,
    /// The children of the most visited nodes.
    AsMuchAsPossible,
}

impl MctsPlayer {
    /// Makes `position` the root and keeps what lies below it in the last tree, as much as can be copied until
    /// `is_enough`. False if that is not all but nothing less was to be kept; then nothing has changed.
    pub(super) fn move_root(&mut self, position: &Position, keep: Keep, is_enough: &dyn Fn() -> bool) -> bool {
        if self.root == Some(*position) {
            self.tree.thaw();
            return true;
        }
        match self.root.and_then(|root| self.find(root, position)) {
            Some(node) => {
                let is_whole = self.spare.copy_subtree(&self.tree, node, usize::MAX, is_enough);
                if !is_whole && keep == Keep::Whole {
                    return false;
                }
                std::mem::swap(&mut self.tree, &mut self.spare);
                self.widen_root(position);
            }
            None => self.tree.clear(),
        }
        self.root = Some(*position);
        true
    }

    /// Gives a root that was an inner node, and so has only the likeliest moves, all of them.
    fn widen_root(&mut self, position: &Position) {
        let (board, color, mut children) = (position.board(), position.color(), Vec::new());
        prior::children(board, color, usize::MAX, self.params.temperature, &mut Vec::new(), &mut children);
        self.tree.widen_root(&children, self.params.first_play_weight);
    }

    /// The node of `wanted` in the tree whose root is `position`.
    pub(super) fn find(&self, mut position: Position, wanted: &Position) -> Option<u32> {
        let mut node = Tree::ROOT;
        while position != *wanted {
            let color = position.color();
            let placed = wanted.board().covered(color).without(position.board().covered(color));
            let children = self.tree.children(node);
            // Pieces of one colour share no side, so that a placement has been made if its cells are covered by its
            // colour and no cell beside them is.
            let is_placed =
                |placement: Placement| placement.is_subset(&placed) && !placement.sides().intersects(placed);
            let n = children.iter().position(|child| is_placed(child.placement()))?;
            position.play(Move::Place(children[n].placement()));
            node = self.tree.child_index(node, n);
        }
        Some(node)
    }

    /// Makes room in a full tree: takes the children away from the nodes with the fewest visits.
    pub(super) fn prune(&mut self, limit: &Limit) {
        self.spare.copy_subtree(&self.tree, Tree::ROOT, self.tree.len() / 2, &time_to_tidy(limit));
        log::debug!("tree full: kept {} of {} nodes", self.spare.len(), self.tree.len());
        std::mem::swap(&mut self.tree, &mut self.spare);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{player, start};
    use super::*;
    use crate::{Options, Player};

    #[test]
    fn the_tree_is_kept_when_the_position_follows() {
        let mut player = player(Options::default());
        let mut position = start();
        for _ in 0..4 {
            let report = player.choose(&position, &Limit::nodes(2000));
            report.line.iter().take(4).for_each(|&mv| position.play(mv));
            let found = player.find(player.root.unwrap(), &position);
            assert!(found.is_some_and(|node| player.tree.node(node).visits() > 0));
        }
        // The root of a kept tree has all moves, not only those of an inner node.
        player.choose(&position, &Limit::nodes(1));
        assert_eq!(player.candidates().count(), position.board().count_placements(position.color()));
        player.new_game();
        assert!(player.root.is_none());
    }

    #[test]
    fn pruning_ends_with_the_time_and_keeps_the_moves_of_the_root() {
        let mut player = player(Options::default());
        player.choose(&start(), &Limit::nodes(30_000));
        let (moves, nodes) = (player.candidates().count(), player.tree.len());
        player.prune(&Limit::time(Duration::ZERO));
        assert_eq!((player.candidates().count(), player.tree.len()), (moves, moves + 1));
        assert!(nodes > 10 * moves);
    }
}
