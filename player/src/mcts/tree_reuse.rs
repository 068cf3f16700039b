//! Tree reuse: keeps the subtree of the played move, and prunes rarely visited nodes when the tree is full.

use std::sync::atomic::AtomicBool;
use web_time::Instant;

use game::{Move, Placement, Position};

use super::expansion::{expand_root, root_children};
use super::params::Params;
use super::tree::{SimulationResult, Tree, TreeNode};
use super::win_probability::value_of_win;
use crate::api::SearchLimits;
use crate::experience::MoveExperience;
use crate::model::Model;
use crate::root_moves::RootMoves;

/// Copying a tree may take 1/`COPY_PARTS` of the remaining time. Half of a tree of 300 MiB takes 0.15 s.
const COPY_PARTS: u32 = 4;

/// Minimum memory of a tree in bytes. A root has at most about 1,100 moves.
const MIN_TREE: usize = 4096 * size_of::<TreeNode>();

/// Memory of each tree to touch before the first move, in bytes. A game at two seconds per move uses more.
const PREPARED: usize = 64 << 20;

/// Returns a closure that returns `true` when copying must stop.
pub fn copy_deadline(limits: &SearchLimits) -> impl Fn() -> bool {
    let end = limits.part(COPY_PARTS).deadline;
    move || end.is_some_and(|end| Instant::now() >= end)
}

/// The part of a subtree to keep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// All of it or nothing.
    Whole,
    /// The children of the most visited nodes.
    AsMuchAsPossible,
}

/// Knowledge about the moves of a root.
pub struct RootContext<'a> {
    pub model: &'a Model,
    pub params: &'a Params,
    /// Results of these moves in earlier games.
    pub experience: &'a [(Placement, MoveExperience)],
}

/// The tree of a game, reused from one search to the next.
pub struct ReusedTree {
    tree: Tree,
    /// Target of copies.
    spare: Tree,
    /// Position at the root.
    root: Option<Position>,
}

impl ReusedTree {
    /// Creates two empty trees of `bytes` bytes each (at least [`MIN_TREE`]).
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.max(MIN_TREE);
        Self { tree: Tree::new(bytes), spare: Tree::new(bytes), root: None }
    }

    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// Touches some of the memory, until `stop`.
    pub fn prepare(&self, stop: &AtomicBool) {
        for tree in [&self.tree, &self.spare] {
            tree.prepare(PREPARED, stop);
        }
    }

    /// Forgets the root; the next search starts with an empty tree.
    pub fn forget(&mut self) {
        self.root = None;
    }

    /// Makes a position the root, with the given moves as children, and keeps the part of its subtree that is copied
    /// before `must_stop`. The root of a full tree keeps its children. With [`Keep::Whole`], returns `false` and
    /// changes nothing if the copy is incomplete.
    pub fn move_root(
        &mut self,
        moves: &RootMoves<'_>,
        context: &RootContext<'_>,
        keep: Keep,
        must_stop: &dyn Fn() -> bool,
    ) -> bool {
        if self.root == Some(*moves.position) {
            self.tree.thaw();
            return true;
        }
        match self.find(moves.position) {
            Some(node) => {
                let is_whole = self.spare.copy_subtree(&self.tree, node, usize::MAX, must_stop);
                if !is_whole && keep == Keep::Whole {
                    return false;
                }
                std::mem::swap(&mut self.tree, &mut self.spare);
            }
            None => self.tree.clear(),
        }
        self.root = Some(*moves.position);
        let RootContext { model, params, .. } = context;
        if self.tree.children(Tree::ROOT).is_empty() {
            expand_root(&self.tree, moves, model, params);
        } else {
            // The root of a subtree has only the likeliest moves.
            self.tree.fit_root(&root_children(moves, model, params), params.first_play_weight);
        }
        self.add_experience(context);
        true
    }

    /// Adds the results of earlier games to the children of the root.
    fn add_experience(&mut self, context: &RootContext<'_>) {
        for child in self.tree.children(Tree::ROOT) {
            let known = context.experience.iter().find(|(placement, _)| *placement == child.placement());
            let Some((_, known)) = known else { continue };
            let weight = context.params.experience_weight * known.simulations;
            if weight > 0.0 {
                child.add(SimulationResult { value: value_of_win(known.win), gap: 0.0 }, weight);
            }
        }
    }

    /// Finds the node of a position.
    pub fn find(&self, wanted: &Position) -> Option<u32> {
        let mut position = self.root?;
        let mut node = Tree::ROOT;
        while position != *wanted {
            let color = position.color();
            let placed = wanted.board().covered(color).without(position.board().covered(color));
            let children = self.tree.children(node);
            // Pieces of one colour share no side. So a placement was played if its colour covers its cells and no cell
            // along its sides.
            let is_placed =
                |placement: Placement| placement.is_subset(&placed) && !placement.sides().intersects(placed);
            let n = children.iter().position(|child| is_placed(child.placement()))?;
            position.play(Move::Place(children[n].placement()));
            node = self.tree.child_index(node, n);
        }
        Some(node)
    }

    /// Prunes a full tree to the most visited half of its nodes.
    pub fn prune(&mut self, limits: &SearchLimits) {
        self.spare.copy_subtree(&self.tree, Tree::ROOT, self.tree.len() / 2, &copy_deadline(limits));
        log::debug!("tree full: kept {} of {} nodes", self.spare.len(), self.tree.len());
        std::mem::swap(&mut self.tree, &mut self.spare);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::MctsPlayer;
    use super::super::test_positions::start;
    use super::*;
    use crate::Player;

    fn player() -> MctsPlayer {
        MctsPlayer::without_book(16 << 20)
    }

    fn tree(player: &MctsPlayer) -> &Tree {
        player.tree().tree()
    }

    #[test]
    fn tree_is_kept_along_a_game() {
        let mut player = player();
        let mut position = start();
        for _ in 0..4 {
            let report = player.choose(&position, &SearchLimits::nodes(2000));
            report.line.iter().take(4).for_each(|&mv| position.play(mv));
            let found = player.tree().find(&position);
            assert!(found.is_some_and(|node| tree(&player).node(node).visits() > 0));
        }
        player.choose(&position, &SearchLimits::nodes(1));
        let placements = position.board().count_placements(position.color());
        assert_eq!(player.candidates().count(), placements, "a root has all moves");
        player.new_game();
        assert!(player.tree().root.is_none());
    }

    #[test]
    fn pruning_keeps_root_moves_without_time() {
        let mut player = player();
        player.choose(&start(), &SearchLimits::nodes(6000));
        let (moves, nodes) = (player.candidates().count(), tree(&player).len());
        player.tree_mut().prune(&SearchLimits::time(Duration::ZERO));
        assert_eq!((player.candidates().count(), tree(&player).len()), (moves, moves + 1));
        assert!(nodes > 10 * moves);
    }

    #[test]
    fn full_tree_is_pruned_and_searched_further() {
        for memory in [0, 1 << 20] {
            let mut player = MctsPlayer::without_book(memory);
            let report = player.choose(&start(), &SearchLimits::nodes(6000));
            assert!(report.nodes > 2000);
            assert!(start().check(report.mv).is_ok());
            assert!(player.tree().spare.len() > 1, "the tree was pruned");
        }
    }
}
