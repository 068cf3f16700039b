//! Tree reuse: keeps the subtree of the played move, and prunes rarely visited nodes when the tree is full.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use web_time::Instant;

use game::{Move, Placement, Position};

use super::expansion::{expand_root, root_children};
use super::params::Params;
use super::tree::{Node, SimulationResult, Tree};
use super::win_probability::value_of_win;
use crate::SearchLimits;
use crate::experience::MoveExperience;
use crate::model::Model;
use crate::root_moves::RootMoves;

/// Copying a tree may take 1/`COPY_PARTS` of the remaining time. Half of a tree of 300 MiB takes 0.15 s.
const COPY_PARTS: u32 = 4;

/// Minimum memory of a tree in bytes. A root has at most about 1,100 moves.
const MIN_TREE: usize = 4096 * size_of::<Node>();

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
    /// The moves that the last search was restricted to.
    root_moves: Option<Arc<[Placement]>>,
}

impl ReusedTree {
    /// Creates two empty trees of `bytes` bytes each (at least [`MIN_TREE`]).
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.max(MIN_TREE);
        Self { tree: Tree::new(bytes), spare: Tree::new(bytes), root: None, root_moves: None }
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

    /// Makes a position the root, with the given moves as children, and keeps the part of its subtree that is copied before
    /// `is_enough`. Returns `false`, and changes nothing, if a subtree to be kept whole is not.
    pub fn move_root(
        &mut self,
        moves: &RootMoves<'_>,
        limits: &SearchLimits,
        context: &RootContext<'_>,
        keep: Keep,
        is_enough: &dyn Fn() -> bool,
    ) -> bool {
        let is_same = self.root == Some(*moves.position);
        let was_restricted = is_same && self.root_moves.is_some();
        if is_same {
            self.tree.thaw();
            if self.root_moves == limits.root_moves {
                return true;
            }
            // Experience must not be added twice.
            if !context.experience.is_empty() {
                self.tree.clear();
            }
        } else {
            match self.find(moves.position) {
                Some(node) => {
                    let is_whole = self.spare.copy_subtree(&self.tree, node, usize::MAX, is_enough);
                    if !is_whole && keep == Keep::Whole {
                        return false;
                    }
                    std::mem::swap(&mut self.tree, &mut self.spare);
                }
                None => self.tree.clear(),
            }
            self.root = Some(*moves.position);
        }
        self.root_moves = limits.root_moves.clone();
        self.fit_root(moves, context, was_restricted || moves.is_restricted);
        self.add_experience(context);
        true
    }

    /// Gives the root exactly the given moves. The root of a subtree has only the likeliest; an earlier search of the
    /// position may have had others. Without memory the root keeps its children, unless they `must_fit`.
    fn fit_root(&mut self, moves: &RootMoves<'_>, context: &RootContext<'_>, must_fit: bool) {
        let RootContext { model, params, .. } = context;
        if !self.tree.children(Tree::ROOT).is_empty() {
            let children = root_children(moves, model, params);
            if self.tree.fit_root(&children, params.first_play_weight) || !must_fit {
                return;
            }
            self.tree.clear();
        }
        expand_root(&self.tree, moves, model, params);
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
    use super::super::test_positions::{middle, start};
    use super::*;
    use crate::Player;

    fn player() -> MctsPlayer {
        MctsPlayer::without_book(16 << 20)
    }

    fn tree(player: &MctsPlayer) -> &Tree {
        player.tree().tree()
    }

    fn root_visits(player: &MctsPlayer) -> u32 {
        tree(player).node(Tree::ROOT).visits()
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

    #[test]
    fn restricted_root_renormalises_vanishing_priors() {
        let mut player = player();
        player.set_param("policy_temperature", "0.1").unwrap();
        let position = middle();
        player.choose(&position, &SearchLimits::nodes(1));
        let priors = tree(&player).children(Tree::ROOT).iter().map(|child| (child.prior(), child.placement()));
        let mut by_prior: Vec<_> = priors.collect();
        by_prior.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(by_prior[9].0, 0.0, "underflow");
        let unlikely = by_prior[..10].iter().map(|&(_, placement)| placement);
        player.choose(&position, &SearchLimits::nodes(1).restricted_to(unlikely));
        let sum: f32 = tree(&player).children(Tree::ROOT).iter().map(Node::prior).sum();
        assert!((sum - 1.0).abs() < 1e-4);
    }

    #[test]
    fn full_tree_keeps_subtree_of_restricted_root() {
        let mut player = MctsPlayer::without_book(0);
        let mut position = start();
        let first = SearchLimits::UNLIMITED.placements(&position)[0];
        let limits = SearchLimits::nodes(50).restricted_to([first]);
        position.play(Move::Place(first));
        let room = MIN_TREE / size_of::<Node>() - SearchLimits::UNLIMITED.placements(&position).len();
        while tree(&player).len() <= room {
            player.choose(&start(), &limits);
        }
        player.choose(&position, &SearchLimits::nodes(1));
        assert!(root_visits(&player) > 100);
    }

    /// Returns the root moves with their visits, sorted.
    fn visits(player: &MctsPlayer) -> Vec<(Placement, u32)> {
        let mut visits: Vec<_> = player.candidates().collect();
        visits.sort_unstable();
        visits
    }

    #[test]
    fn restriction_and_its_end_keep_visits() {
        let mut player = player();
        let position = start();
        player.choose(&position, &SearchLimits::nodes(3000));
        let all = visits(&player);
        let some: Vec<_> = all.iter().copied().filter(|&(_, visits)| visits > 0).skip(1).step_by(3).collect();
        let limits = SearchLimits::nodes(1).restricted_to(some.iter().map(|&(placement, _)| placement));
        let report = player.choose(&position, &limits);
        assert!(limits.allows(report.mv));
        let less = visits(&player);
        assert!(less.iter().map(|(placement, _)| placement).eq(some.iter().map(|(placement, _)| placement)));
        assert!(less.iter().zip(&some).all(|(after, before)| after.1 == before.1 || after.1 == before.1 + 1));
        let sum = less.iter().map(|(_, visits)| visits).sum::<u32>();
        assert!(sum.abs_diff(root_visits(&player)) <= 3);

        player.choose(&position, &SearchLimits::nodes(1));
        let again = visits(&player);
        assert!(again.iter().map(|(placement, _)| placement).eq(all.iter().map(|(placement, _)| placement)));
        assert!(less.iter().all(|(placement, before)| {
            again.iter().any(|(other, after)| other == placement && (*before..=before + 1).contains(after))
        }));

        let next = position.after(report.mv);
        player.choose(&next, &SearchLimits::nodes(1));
        assert_eq!(player.candidates().count(), next.board().count_placements(next.color()));
    }

    #[test]
    fn full_root_gets_the_moves_of_its_search() {
        let position = start();
        let placements = position.board().placements(position.color());
        let (few, many) = (&placements[..3], &placements[3..]);
        let restricted = |moves: &[Placement]| SearchLimits::nodes(50).restricted_to(moves.iter().copied());
        let mut player = MctsPlayer::without_book(0);
        let room = MIN_TREE / size_of::<Node>() - many.len();
        for next in [restricted(many), SearchLimits::nodes(50)] {
            player.choose(&position, &restricted(few));
            assert_eq!(player.candidates().count(), few.len());
            while tree(&player).len() <= room {
                player.choose(&position, &restricted(few));
            }
            player.choose(&position, &next);
            assert_eq!(player.candidates().count(), placements.iter().filter(|&&mv| next.allows(mv)).count());
        }
    }
}
