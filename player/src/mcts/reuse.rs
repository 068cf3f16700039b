//! What is kept of a tree: from one move to the next what lies below the position that was reached, and of a full
//! tree what is visited most.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use web_time::Instant;

use game::{Move, Placement, Position};

use super::expansion;
use super::params::Params;
use super::tree::{Node, SimulationResult, Tree};
use super::win::value_of;
use crate::api::Limit;
use crate::experience::Lesson;
use crate::model::Model;

/// To copy what is to be kept of a tree, from the last move or when it is full, may take one of this many parts
/// of the time that is left. Half of a tree of 300 MiB takes some 0.15 s.
const TIDY_PARTS: u32 = 4;

/// The least memory of a tree, in bytes: enough for all moves of a root, of which there are hardly more than 1,100, and
/// some below.
pub(super) const LEAST_TREE: usize = 4096 * size_of::<Node>();

/// How much of each tree is prepared, in bytes: less than a game at two seconds per move comes to use.
const PREPARED: usize = 64 << 20;

/// The value of a root before any search.
const EVEN: f32 = 0.5;

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

/// What the moves of a root are made with.
pub(super) struct Known<'a> {
    /// How likely they are.
    pub model: &'a Model,
    /// The numbers of the search.
    pub params: &'a Params,
    /// What earlier games taught of them.
    pub lessons: &'a [(Placement, Lesson)],
}

/// The tree of a game from one search to the next.
pub(super) struct KeptTree {
    tree: Tree,
    /// Room for the part that is kept.
    spare: Tree,
    /// The position at the root.
    root: Option<Position>,
    /// The only moves of the root that there was a choice of, if they were restricted.
    root_moves: Option<Arc<[Placement]>>,
}

impl KeptTree {
    /// Two trees of this many bytes each, but not less than they need, with no position at the root.
    pub fn new(bytes: usize) -> Self {
        let bytes = bytes.max(LEAST_TREE);
        Self { tree: Tree::new(bytes), spare: Tree::new(bytes), root: None, root_moves: None }
    }

    /// The tree.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree, to change it.
    pub fn tree_mut(&mut self) -> &mut Tree {
        &mut self.tree
    }

    /// Uses some of the memory for the first time.
    pub fn prepare(&self, stop: &AtomicBool) {
        for tree in [&self.tree, &self.spare] {
            tree.prepare(PREPARED, stop);
        }
    }

    /// Keeps nothing for the next search.
    pub fn forget(&mut self) {
        self.root = None;
    }

    /// Makes `position` the root, with the moves that the limit leaves, and keeps what lies below it in the last tree,
    /// as much as can be copied until `is_enough`. False if that is not all but nothing less was to be kept; then
    /// nothing has changed.
    pub fn move_root(
        &mut self,
        position: &Position,
        limit: &Limit,
        known: &Known<'_>,
        keep: Keep,
        is_enough: &dyn Fn() -> bool,
    ) -> bool {
        let is_same = self.root == Some(*position);
        let had_some = is_same && self.root_moves.is_some();
        if is_same {
            self.tree.thaw();
            if self.root_moves == limit.root_moves {
                return true;
            }
            // Lessons are taught of the moves that are there, once.
            if !known.lessons.is_empty() {
                self.tree.clear();
            }
        } else {
            match self.find(position) {
                Some(node) => {
                    let is_whole = self.spare.copy_subtree(&self.tree, node, usize::MAX, is_enough);
                    if !is_whole && keep == Keep::Whole {
                        return false;
                    }
                    std::mem::swap(&mut self.tree, &mut self.spare);
                }
                None => self.tree.clear(),
            }
            self.root = Some(*position);
        }
        self.root_moves = limit.root_moves.clone();
        self.fit_root(position, limit, known, had_some || limit.is_restricted());
        self.teach(known);
        true
    }

    /// Adds what earlier games taught to what the root's children are worth.
    fn teach(&mut self, known: &Known<'_>) {
        for child in self.tree.children(Tree::ROOT) {
            let lesson = known.lessons.iter().find(|(placement, _)| *placement == child.placement());
            let Some((_, lesson)) = lesson else { continue };
            let weight = known.params.experience_weight * lesson.simulations;
            if weight > 0.0 {
                child.add(SimulationResult { value: value_of(lesson.win), gap: 0.0 }, weight);
            }
        }
    }

    /// Gives the root all moves that the limit leaves and no other: one that was an inner node has only the likeliest,
    /// and one of another search may have had others. Without room for that an inner node stays as it is, unless the
    /// moves `must_fit`.
    fn fit_root(&mut self, position: &Position, limit: &Limit, known: &Known<'_>, must_fit: bool) {
        let is_new = self.tree.children(Tree::ROOT).is_empty();
        let has_to_exist = limit.is_restricted() || !known.lessons.is_empty();
        if is_new && !has_to_exist {
            return;
        }
        let (board, color) = (position.board(), position.color());
        let (placements, mut children) = (limit.placements(position), Vec::new());
        let Known { model, params, .. } = known;
        let scorer = expansion::root_scorer(model, params, board, position.in_play(), color, position.turn());
        expansion::children(&placements, |it| scorer.score(it), usize::MAX, params.root_temperature(), &mut children);
        let weight = params.first_play_weight;
        if !is_new && (self.tree.fit_root(&children, weight) || !must_fit) {
            return;
        }
        self.tree.clear();
        if has_to_exist {
            self.tree.expand(Tree::ROOT, &children, EVEN, weight);
        }
    }

    /// The node of a position, if it is in the tree.
    pub fn find(&self, wanted: &Position) -> Option<u32> {
        let mut position = self.root?;
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
    pub fn prune(&mut self, limit: &Limit) {
        self.spare.copy_subtree(&self.tree, Tree::ROOT, self.tree.len() / 2, &time_to_tidy(limit));
        log::debug!("tree full: kept {} of {} nodes", self.spare.len(), self.tree.len());
        std::mem::swap(&mut self.tree, &mut self.spare);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::MctsPlayer;
    use super::super::tests::{middle, player, searcher, start};
    use super::*;
    use crate::{Options, Player};

    #[test]
    fn the_tree_is_kept_when_the_position_follows() {
        let mut player = player(Options::default());
        let mut position = start();
        for _ in 0..4 {
            let report = player.choose(&position, &Limit::nodes(2000));
            report.line.iter().take(4).for_each(|&mv| position.play(mv));
            let found = player.kept.find(&position);
            assert!(found.is_some_and(|node| player.kept.tree.node(node).visits() > 0));
        }
        // The root of a kept tree has all moves, not only those of an inner node.
        player.choose(&position, &Limit::nodes(1));
        assert_eq!(player.candidates().count(), position.board().count_placements(position.color()));
        player.new_game();
        assert!(player.kept.root.is_none());
    }

    #[test]
    fn pruning_ends_with_the_time_and_keeps_the_moves_of_the_root() {
        let mut player = player(Options::default());
        player.choose(&start(), &Limit::nodes(30_000));
        let (moves, nodes) = (player.candidates().count(), player.kept.tree.len());
        player.kept.prune(&Limit::time(Duration::ZERO));
        assert_eq!((player.candidates().count(), player.kept.tree.len()), (moves, moves + 1));
        assert!(nodes > 10 * moves);
    }

    #[test]
    fn a_full_tree_is_pruned_and_searched_on() {
        for memory in [0, 1 << 20] {
            let mut player = searcher(&Options { memory, ..Options::default() });
            let report = player.choose(&start(), &Limit::nodes(20_000));
            assert!(report.nodes > 5_000);
            assert!(start().check(report.mv).is_ok());
            // There was nothing else to copy.
            assert!(player.kept.spare.len() > 1, "the tree was pruned");
        }
    }

    #[test]
    fn unlikely_moves_have_a_prior_where_no_others_may_be_made() {
        let mut player = player(Options::default());
        player.set_param("policy_temperature", "0.1").unwrap();
        let position = middle();
        player.choose(&position, &Limit::nodes(1));
        let mut by_prior: Vec<_> =
            player.kept.tree.children(Tree::ROOT).iter().map(|child| (child.prior(), child.placement())).collect();
        by_prior.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        assert_eq!(by_prior[9].0, 0.0, "too little for a number");
        player.choose(&position, &Limit::nodes(1).among(by_prior[..10].iter().map(|&(_, placement)| placement)));
        let sum: f32 = player.kept.tree.children(Tree::ROOT).iter().map(Node::prior).sum();
        assert!((sum - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_node_below_a_restricted_root_is_kept_without_room_for_all_moves() {
        let mut player = searcher(&Options { memory: 0, ..Options::default() });
        let mut position = start();
        let first = Limit::UNLIMITED.placements(&position)[0];
        let limit = Limit::nodes(50).among([first]);
        position.play(Move::Place(first));
        let room = LEAST_TREE / size_of::<Node>() - Limit::UNLIMITED.placements(&position).len();
        while player.kept.tree.len() <= room {
            player.choose(&start(), &limit);
        }
        player.choose(&position, &Limit::nodes(1));
        assert!(player.kept.tree.node(Tree::ROOT).visits() > 100);
    }

    /// The moves of the root with their visits, in order.
    fn visits(player: &MctsPlayer) -> Vec<(Placement, u32)> {
        let mut visits: Vec<_> = player.candidates().collect();
        visits.sort_unstable();
        visits
    }

    #[test]
    fn what_is_known_of_moves_is_kept_when_others_are_left_out_and_come_back() {
        let mut player = player(Options::default());
        let position = start();
        player.choose(&position, &Limit::nodes(3000));
        let all = visits(&player);
        let some: Vec<_> = all.iter().copied().filter(|&(_, visits)| visits > 0).skip(1).step_by(3).collect();
        let limit = Limit::nodes(1).among(some.iter().map(|&(placement, _)| placement));
        let report = player.choose(&position, &limit);
        assert!(limit.allows(report.mv));
        let less = visits(&player);
        assert!(less.iter().map(|(placement, _)| placement).eq(some.iter().map(|(placement, _)| placement)));
        assert!(less.iter().zip(&some).all(|(after, before)| after.1 == before.1 || after.1 == before.1 + 1));
        assert!(
            (player.candidates().map(|(_, visits)| visits).sum::<u32>())
                .abs_diff(player.kept.tree.node(Tree::ROOT).visits())
                <= 3
        );

        // All of them are back, with what is known of some.
        player.choose(&position, &Limit::nodes(1));
        let again = visits(&player);
        assert!(again.iter().map(|(placement, _)| placement).eq(all.iter().map(|(placement, _)| placement)));
        assert!(less.iter().all(|(placement, before)| {
            again.iter().any(|(other, after)| other == placement && (*before..=before + 1).contains(after))
        }));

        // The next position has all its moves.
        let next = position.after(report.mv);
        player.choose(&next, &Limit::nodes(1));
        assert_eq!(player.candidates().count(), next.board().count_placements(next.color()));
    }

    #[test]
    fn a_root_has_the_moves_of_its_search_also_when_there_is_no_room_to_keep_it() {
        let position = start();
        let placements = position.board().placements(position.color());
        let (few, many) = (&placements[..3], &placements[3..]);
        let among = |moves: &[Placement]| Limit::nodes(50).among(moves.iter().copied());
        let mut player = searcher(&Options { memory: 0, ..Options::default() });
        let room = LEAST_TREE / size_of::<Node>() - many.len();
        for next in [among(many), Limit::nodes(50)] {
            player.choose(&position, &among(few));
            assert_eq!(player.candidates().count(), few.len());
            while player.kept.tree.len() <= room {
                player.choose(&position, &among(few));
            }
            player.choose(&position, &next);
            assert_eq!(player.candidates().count(), placements.iter().filter(|&&mv| next.allows(mv)).count());
        }
    }
}
