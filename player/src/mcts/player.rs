//! The Monte Carlo player.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use game::{Move, Placement, Position};

use super::history::MoveHistory;
use super::params::Params;
use super::search::{report, search};
use super::time_manager::TimeManager;
use super::tree::Tree;
use super::tree_reuse::{Keep, ReusedTree, RootContext, copy_deadline};
use super::worker::Worker;
use crate::api::{Evaluation, Param, ParamError, Player, Report, SearchLimits};
use crate::endgame::Solver;
use crate::experience::GameRecorder;
use crate::model::BookMove;
use crate::options::{FromOptions, Options};
use crate::root_moves::RootMoves;

/// The Monte Carlo player. Uses `options.memory` plus 1.4 MiB for the move history, 0.1 MiB per thread, and 8 to 16
/// bytes per inner node while it copies a tree.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, MctsPlayer, Options, Player, SearchLimits};
///
/// let mut player = MctsPlayer::new(&Options { memory: 16 << 20, ..Options::default() });
/// player.set_param("exploration", "0.5")?;
/// // Without this the first move would come from the opening book.
/// player.set_param("book", "0")?;
/// let report = player.choose(&position, &SearchLimits::nodes(50));
/// assert!(player.candidates().any(|(placement, visits)| report.mv == placement.into() && visits > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MctsPlayer {
    pub(super) name: &'static str,
    options: Options,
    params: Params,
    tree: ReusedTree,
    /// `true` if the root belongs to the last position of `choose` or `ponder`.
    has_searched: bool,
    history: MoveHistory,
    solver: Solver,
    recorder: GameRecorder,
}

impl fmt::Debug for MctsPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MctsPlayer").field("name", &self.name).field("params", &self.params).finish_non_exhaustive()
    }
}

impl FromOptions for MctsPlayer {
    fn new(options: &Options) -> Self {
        let part = options.memory / 16;
        Self {
            name: "mcts",
            options: options.clone(),
            params: Params::default(),
            tree: ReusedTree::new(7 * part),
            has_searched: false,
            history: MoveHistory::new(),
            solver: Solver::new(2 * part),
            recorder: GameRecorder::new(options.experience.clone()),
        }
    }
}

impl Player for MctsPlayer {
    fn name(&self) -> &'static str {
        self.name
    }

    fn new_game(&mut self) {
        self.forget_tree();
        self.solver.clear();
        self.recorder.finish_game();
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.tree.prepare(stop);
        self.solver.prepare(stop);
    }

    fn params(&self) -> Vec<Param> {
        self.params.list()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.params.set(name, value)?;
        // The tree was searched with other parameters.
        self.forget_tree();
        Ok(())
    }

    fn choose(&mut self, position: &Position, limits: &SearchLimits) -> Report {
        self.has_searched = false;
        let moves = RootMoves::list(position);
        if let Some(mv) = moves.forced() {
            return Report::without_search(mv);
        }
        if let Some(report) = self.book_move(position) {
            return report;
        }
        let solved = if self.params.endgame { self.solver.try_to_solve(&moves, limits) } else { Err(0) };
        let report = match (solved, &moves.placements[..]) {
            (Ok(report), _) => report,
            // The solver could not show that a pass is better.
            (Err(nodes), &[only]) => Report { nodes, ..Report::without_search(Move::Place(only)) },
            (Err(nodes), _) => {
                let report = self.search(&moves, &limits.after(nodes));
                Report { nodes: nodes + report.nodes, ..report }
            }
        };
        self.recorder.record(position, &report);
        report
    }

    fn ponder(&mut self, position: &Position, limits: &SearchLimits, stop: &AtomicBool) {
        let moves = RootMoves::list(position);
        let is_stopped = || stop.load(Ordering::Relaxed) || limits.is_reached(0);
        // The old tree is worth more than a part of the new one.
        if moves.placements.is_empty() || !self.move_root(&moves, Keep::Whole, &is_stopped) {
            return;
        }
        // A full tree ends the search: it can be pruned better when the opponent has moved.
        let mut workers = self.workers(position);
        let params = Params { early_stop: false, ..self.params };
        TimeManager::new(limits.clone(), params, stop).run(self.tree.tree(), &self.history, &mut workers);
    }
}

impl MctsPlayer {
    /// Creates a player with these parameters.
    pub fn with_params(options: &Options, params: Params) -> Self {
        Self { params, ..Self::new(options) }
    }

    /// Returns the root moves of the last search, also by `ponder`, with their visits, in no particular order. Returns
    /// none if no search followed the last forced, book or solved answer, `new_game` or `set_param`.
    pub fn candidates(&self) -> impl Iterator<Item = (Placement, u32)> {
        let tree = self.tree.tree();
        let root = self.has_searched.then_some(Tree::ROOT);
        root.into_iter().flat_map(|root| tree.children(root)).map(|child| (child.placement(), child.visits()))
    }

    /// Returns the move of the opening book. With experience there is none, because only searched moves add to it.
    fn book_move(&self, position: &Position) -> Option<Report> {
        if !self.params.book || self.options.experience.is_some() {
            return None;
        }
        let BookMove { placement, win, margin, .. } = self.options.model.book.find(position)?;
        Some(Report {
            evaluation: Some(Evaluation { win, margin }),
            line: vec![placement.into()],
            ..Report::without_search(placement.into())
        })
    }

    fn search(&mut self, moves: &RootMoves<'_>, limits: &SearchLimits) -> Report {
        self.move_root(moves, Keep::AsMuchAsPossible, &copy_deadline(limits));
        let mut workers = self.workers(moves.position);
        let never = AtomicBool::new(false);
        let time = TimeManager::new(limits.clone(), self.params, &never);
        search(&mut self.tree, &self.history, limits, &time, &mut workers);
        report(self.tree.tree(), &workers, moves.position, &self.params)
    }

    /// Makes a position the root of the tree, see [`ReusedTree::move_root`].
    fn move_root(&mut self, moves: &RootMoves<'_>, keep: Keep, must_stop: &dyn Fn() -> bool) -> bool {
        let experience = self.recorder.lookup(moves.position);
        let context = RootContext { model: &self.options.model, params: &self.params, experience: &experience };
        let is_moved = self.tree.move_root(moves, &context, keep, must_stop);
        self.has_searched |= is_moved;
        is_moved
    }

    fn forget_tree(&mut self) {
        self.tree.forget();
        self.has_searched = false;
    }

    /// Creates a worker per thread, with the parameters of this turn, and clears the move history.
    fn workers(&mut self, position: &Position) -> Vec<Worker> {
        self.history.clear();
        // A second search of the same position draws other playouts.
        let visits = self.tree.tree().node(Tree::ROOT).visits();
        let seed = (self.options.seed ^ position.zobrist_hash()).wrapping_add(u64::from(visits));
        let threads = self.options.threads.max(1) as u64;
        let (model, params) = (&self.options.model, self.params.at(position.turn()));
        (0..threads).map(|n| Worker::new(position, Arc::clone(model), &params, seed.wrapping_add(n))).collect()
    }
}

#[cfg(test)]
impl MctsPlayer {
    /// Creates a small player without an opening book.
    pub(super) fn without_book(memory: usize) -> Self {
        let options = Options { memory, ..Options::default() };
        Self::with_params(&options, Params { book: false, ..Params::default() })
    }

    pub(super) fn tree(&self) -> &ReusedTree {
        &self.tree
    }

    pub(super) fn tree_mut(&mut self) -> &mut ReusedTree {
        &mut self.tree
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::test_positions::start;
    use super::*;

    fn player() -> MctsPlayer {
        MctsPlayer::without_book(16 << 20)
    }

    fn root_visits(player: &MctsPlayer) -> u32 {
        player.tree.tree().node(Tree::ROOT).visits()
    }

    #[test]
    fn pondering_grows_the_next_tree() {
        let (mut player, mut position) = (player(), start());
        position.play(player.choose(&position, &SearchLimits::nodes(200)).mv);
        player.ponder(&position, &SearchLimits::nodes(200), &AtomicBool::new(false));
        let tree = player.tree.tree();
        let expected = tree.node(tree.most_visited_child(Tree::ROOT).unwrap()).placement();
        position.play(Move::Place(expected));
        let known = player.tree.find(&position).map(|node| player.tree.tree().node(node).visits()).unwrap();
        player.choose(&position, &SearchLimits::nodes(1));
        assert!(known > 0 && (known..=known + 1).contains(&root_visits(&player)));
    }

    #[test]
    fn endless_pondering_stops() {
        let (mut player, stop) = (player(), AtomicBool::new(false));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(20));
                stop.store(true, Ordering::Relaxed);
            });
            player.ponder(&start(), &SearchLimits::UNLIMITED, &stop);
        });
    }

    #[test]
    fn stopped_pondering_keeps_the_old_tree() {
        let (mut player, mut position) = (player(), start());
        position.play(player.choose(&position, &SearchLimits::nodes(2000)).mv);
        let nodes = player.tree.tree().len();
        player.ponder(&position, &SearchLimits::UNLIMITED, &AtomicBool::new(true));
        assert!(player.tree.find(&start()) == Some(Tree::ROOT) && player.tree.tree().len() == nodes);
    }

    #[test]
    fn pondering_keeps_to_its_limit() {
        let never = AtomicBool::new(false);
        let pondered = || {
            let (mut player, mut position) = (player(), start());
            position.play(player.choose(&position, &SearchLimits::nodes(200)).mv);
            let known = player.tree.find(&position).map(|node| player.tree.tree().node(node).visits()).unwrap();
            player.ponder(&position, &SearchLimits::nodes(500), &never);
            assert_eq!(root_visits(&player), known + 500);
            player
        };
        assert!(pondered().candidates().eq(pondered().candidates()), "one thread repeats its search");
    }
}
