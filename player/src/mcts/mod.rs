//! Monte Carlo tree search with RAVE, the history of moves, priors and playouts.
//!
//! What is known before any search comes from the [`model`](crate::model): the prior of moves, and the evaluation of
//! positions. The game of a simulation, in the tree and after it ends, is a [`playout`](crate::playout).
//!
//! The parts: `search` is one simulation (select, expand, evaluate, play out, back up) in one screen; `tree` holds
//! what is known, `expansion` makes the children of a leaf; `rave` is what a node learns of its children from later
//! moves, `history` what is learnt of a move in all games of a search, and `shortlist` which of the root's children a
//! simulation chooses from; `params` are all the numbers that change how well it plays. This file is the player: it
//! lets threads search one tree until `control` says that it is enough, and reports what they found; `reuse` is what
//! is kept of the tree from one move to the next, and when it is full; `win` says what a value means. `neural` is the
//! same search without playouts.

mod atomic;
mod control;
mod expansion;
mod history;
mod link;
mod neural;
mod params;
mod rave;
mod reuse;
mod search;
mod shortlist;
mod tree;
mod win;

use std::sync::atomic::{AtomicBool, Ordering};
use web_time::{Duration, Instant};

use game::{Move, Placement, Position, Team};

pub use self::neural::NeuralPlayer;
pub use self::params::Params;

use self::control::Control;
use self::history::History;
use self::reuse::{Keep, KeptTree, Known, time_to_tidy};
use self::search::Worker;
use self::tree::{Node, Tree};
use self::win::win_probability;
use crate::endgame::Solver;
use crate::experience::Diary;
use crate::model::BookMove;
use crate::model::evaluation::likely_margin;
use crate::pass::may_choose;
use crate::{Evaluation, FromOptions, Limit, Options, Param, ParamError, Player, Report};

/// The Monte Carlo player. Besides the memory of its options it takes 1.4 MiB for the history of moves, 0.1 MiB for
/// each thread while it searches, and 8 to 16 bytes for each node with children while a tree is copied.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::{FromOptions, Limit, MctsPlayer, Options, Player};
///
/// let mut player = MctsPlayer::new(&Options { memory: 16 << 20, ..Options::default() });
/// player.set_param("exploration", "0.5")?;
/// // The first move would come from the opening book, without a search.
/// player.set_param("book", "0")?;
/// let report = player.choose(&position, &Limit::nodes(50));
/// assert!(player.candidates().any(|(placement, visits)| report.mv == placement.into() && visits > 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct MctsPlayer {
    options: Options,
    params: Params,
    kept: KeptTree,
    /// Whether the last question was answered by a search, so that the tree is that of its position.
    has_searched: bool,
    /// That of the current search, or of the last one.
    history: History,
    solver: Solver,
    /// What becomes experience when the game is over.
    diary: Diary,
}

impl FromOptions for MctsPlayer {
    fn new(options: &Options) -> Self {
        let part = options.memory / 16;
        Self {
            options: options.clone(),
            params: Params::default(),
            kept: KeptTree::new(7 * part),
            has_searched: false,
            history: History::new(),
            solver: Solver::new(2 * part),
            diary: Diary::new(options.experience.clone()),
        }
    }
}

impl Player for MctsPlayer {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn new_game(&mut self) {
        self.forget_tree();
        self.solver.clear();
        self.diary.close();
    }

    fn prepare(&mut self, stop: &AtomicBool) {
        self.kept.prepare(stop);
        self.solver.prepare(stop);
    }

    fn params(&self) -> Vec<Param> {
        self.params.list()
    }

    fn set_param(&mut self, name: &str, value: &str) -> Result<(), ParamError> {
        self.params.set(name, value)?;
        // What the tree knows was found with other parameters.
        self.forget_tree();
        Ok(())
    }

    fn choose(&mut self, position: &Position, limit: &Limit) -> Report {
        self.has_searched = false;
        let placements = limit.placements(position);
        if placements.is_empty() {
            return Report::without_thought(Move::Pass);
        }
        // Whoever asks about one move wants an opinion.
        let is_free = !limit.is_restricted();
        if let [only] = placements[..]
            && is_free
            && !may_choose(position, Move::Pass)
        {
            return Report::without_thought(Move::Place(only));
        }
        if let Some(report) = self.booked(position, limit) {
            return report;
        }
        let mut spent = 0;
        if self.params.endgame {
            // Also asked about a single placement, because to pass may be better.
            match self.solver.attempt(position, limit) {
                Ok(report) => return self.noted(position, limit, report),
                Err(nodes) => spent = nodes,
            }
        }
        let report = match placements[..] {
            [only] if is_free => Report::without_thought(Move::Place(only)),
            _ => self.search(position, &limit.after(spent)),
        };
        self.noted(position, limit, Report { nodes: spent + report.nodes, ..report })
    }

    fn ponder(&mut self, position: &Position, limit: &Limit, stop: &AtomicBool) {
        let is_enough = || stop.load(Ordering::Relaxed) || limit.is_reached(0);
        // The old tree is worth more than a part of the new one.
        if !self.move_root(position, limit, Keep::Whole, &is_enough) {
            return;
        }
        // Nothing has to be decided. A full tree is tidied up when the move is known; most of it can go then.
        let workers = &mut self.workers(position);
        Control::new(limit.clone(), false, stop).run(self.kept.tree(), &self.history, workers);
    }
}

/// Time before the deadline that is too short for making room in a full tree.
const TIDY_TIME: Duration = Duration::from_millis(150);

impl MctsPlayer {
    /// A player with parameters of its own.
    pub fn with_params(options: &Options, params: Params) -> Self {
        Self { params, ..Self::new(options) }
    }

    /// The moves that the last search considered, with how often it visited each, in no order; none if the last answer
    /// came without one (forced, from the book, or of a solved endgame), nor after `new_game` and `set_param`.
    pub fn candidates(&self) -> impl Iterator<Item = (Placement, u32)> {
        self.candidates_after(&[])
    }

    /// The same after a line of placements from the position of that search; none where the search has not gone.
    pub fn candidates_after(&self, line: &[Placement]) -> impl Iterator<Item = (Placement, u32)> {
        let tree = self.kept.tree();
        let child = |node, placement: &Placement| {
            let n = tree.children(node).iter().position(|child| child.placement() == *placement)?;
            Some(tree.child_index(node, n))
        };
        let node = self.has_searched.then(|| line.iter().try_fold(Tree::ROOT, child)).flatten();
        node.into_iter().flat_map(|node| tree.children(node)).map(|child| (child.placement(), child.visits()))
    }

    /// Makes a position the root of the tree, see [`KeptTree::move_root`].
    fn move_root(&mut self, position: &Position, limit: &Limit, keep: Keep, is_enough: &dyn Fn() -> bool) -> bool {
        let lessons = self.diary.recall(position);
        let known = Known { model: &self.options.model, params: &self.params, lessons: &lessons };
        let is_moved = self.kept.move_root(position, limit, &known, keep, is_enough);
        self.has_searched |= is_moved;
        is_moved
    }

    /// Keeps nothing of the tree for the next search.
    fn forget_tree(&mut self) {
        self.kept.forget();
        self.has_searched = false;
    }

    /// A report, which the diary notes unless somebody only wanted an opinion.
    fn noted(&mut self, position: &Position, limit: &Limit, report: Report) -> Report {
        if limit.leaves_choice() {
            self.diary.note(position, &report);
        }
        report
    }

    /// What the opening book says, if the limit allows it. Whoever leaves no choice wants an opinion of a search, and
    /// whoever gathers experience would have none of a move that was not searched.
    fn booked(&self, position: &Position, limit: &Limit) -> Option<Report> {
        if !self.params.book || self.options.experience.is_some() {
            return None;
        }
        let BookMove { placement, win, margin, .. } = self.options.model.book.find(position)?;
        (limit.leaves_choice() && limit.allows(placement)).then(|| Report {
            evaluation: Some(Evaluation { win, margin }),
            line: vec![placement.into()],
            ..Report::without_thought(placement.into())
        })
    }

    fn search(&mut self, position: &Position, limit: &Limit) -> Report {
        self.move_root(position, limit, Keep::AsMuchAsPossible, &time_to_tidy(limit));
        let mut workers = self.workers(position);
        let never = AtomicBool::new(false);
        let control = Control::new(limit.clone(), self.params.early_stop, &never);
        loop {
            control.run(self.kept.tree(), &self.history, &mut workers);
            if !self.kept.tree().is_full() || control.is_done() {
                break;
            }
            if limit.deadline.is_some_and(|deadline| Instant::now() + TIDY_TIME > deadline) {
                self.kept.tree_mut().freeze();
            } else {
                self.kept.prune(limit);
            }
        }
        self.report(position, &workers)
    }

    /// One worker per thread, with the parameters for this turn, and an empty history. What a kept tree knows was
    /// found with the parameters of earlier turns.
    fn workers(&mut self, position: &Position) -> Vec<Worker> {
        self.history.clear();
        // A search that goes on from an earlier one of the same position draws other playouts.
        let visits = self.kept.tree().node(Tree::ROOT).visits();
        let seed = (self.options.seed ^ position.hash()).wrapping_add(u64::from(visits));
        let threads = self.options.threads.max(1) as u64;
        let params = self.params.at(position.turn());
        (0..threads).map(|n| Worker::new(position, self.options.model.clone(), &params, seed.wrapping_add(n))).collect()
    }

    fn report(&self, position: &Position, workers: &[Worker]) -> Report {
        let mut line = Vec::new();
        let mut value = 0.5;
        let (tree, mut node) = (self.kept.tree(), Tree::ROOT);
        while let Some((n, child)) = most_visited(tree.children(node)) {
            if line.is_empty() {
                value = child.value();
            } else if child.visits() == 0 {
                break;
            }
            line.push(Move::Place(child.placement()));
            node = tree.child_index(node, n);
        }
        let win = win_probability(value);
        let simulations = workers.iter().map(|worker| worker.simulations).sum();
        let playouts: u64 = workers.iter().map(|worker| worker.playouts).sum();
        let margin = if playouts == 0 || !self.params.playouts {
            likely_margin(win, position.turn())
        } else {
            let of_one = workers.iter().map(|worker| worker.margin_sum).sum::<f64>() / playouts as f64;
            (if position.color().team() == Team::One { of_one } else { -of_one }) as f32
        };
        Report {
            mv: line.first().copied().unwrap_or(Move::Pass),
            evaluation: Some(Evaluation { win, margin }),
            line,
            nodes: simulations,
            depth: workers.iter().map(|worker| worker.depth).max().unwrap_or(0),
        }
    }
}

/// The child to play, and its number: the most visited, for visits are what the search trusts.
fn most_visited(children: &[Node]) -> Option<(usize, &Node)> {
    children
        .iter()
        .enumerate()
        .max_by(|(_, a), (_, b)| a.visits().cmp(&b.visits()).then(a.value().total_cmp(&b.value())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HeuristicPlayer;
    use crate::experience::Experience;
    use crate::playout::Playout;
    use game::{Piece, Rules};
    use std::collections::BTreeMap;

    pub(super) fn start() -> Position {
        Position::new(Rules::Season2027, Some(Piece::PentoW)).unwrap()
    }

    /// A position of the benchmark after 20 plies.
    pub(super) fn middle() -> Position {
        crate::bench::positions().unwrap().into_iter().find(|position| position.turn() == 20).unwrap()
    }

    /// A player that searches from the first move on.
    pub(super) fn searcher(options: &Options) -> MctsPlayer {
        MctsPlayer::with_params(options, Params { book: false, ..Params::default() })
    }

    pub(super) fn player(options: Options) -> MctsPlayer {
        searcher(&Options { memory: 16 << 20, ..options })
    }

    /// Plays some moves with a player and lists them.
    fn moves(mut player: MctsPlayer, plies: usize) -> Vec<Move> {
        let mut position = start();
        let mut moves = Vec::new();
        for _ in 0..plies {
            let report = player.choose(&position, &Limit::nodes(300));
            position.try_play(report.mv).unwrap();
            moves.push(report.mv);
        }
        moves
    }

    #[test]
    fn one_seed_and_a_node_limit_give_the_same_moves() {
        let same = Options { seed: 1, ..Options::default() };
        assert_eq!(moves(player(same.clone()), 8), moves(player(same.clone()), 8));
        assert_ne!(moves(player(same), 8), moves(player(Options { seed: 2, ..Options::default() }), 8));
    }

    #[test]
    fn moves_of_the_book_are_made_without_search_as_far_as_the_limit_allows() {
        let mut player = MctsPlayer::new(&Options { memory: 16 << 20, ..Options::default() });
        let limit = Limit::nodes(50);
        let report = player.choose(&start(), &limit);
        let booked = Options::default().model.book.find(&start()).expect("a start");
        assert_eq!((report.mv, report.nodes), (booked.placement.into(), 0));
        assert_eq!(report.line, [report.mv]);
        assert!(report.evaluation.is_some_and(|evaluation| (0.0..=1.0).contains(&evaluation.win)));
        let others = start().legal_moves().into_iter().filter_map(Move::placement).filter(|&mv| mv != booked.placement);
        assert!(player.choose(&start(), &limit.clone().among(others)).nodes > 0);
        assert!(player.choose(&start(), &limit.clone().among([booked.placement])).nodes > 0);
        player.set_param("book", "0").unwrap();
        assert!(player.choose(&start(), &limit).nodes > 0);
        // Nothing would be learnt of a move that was not searched.
        let learner = Options { memory: 16 << 20, experience: Some(Experience::default()), ..Options::default() };
        assert!(MctsPlayer::new(&learner).choose(&start(), &limit).nodes > 0);
    }

    #[test]
    fn parameters_change_with_the_stage_of_the_game() {
        let positions = crate::bench::positions().unwrap();
        for (turn, is_same) in [(8, true), (32, false)] {
            let position = positions.iter().find(|position| position.turn() == turn).unwrap();
            let visits = |factor| {
                let mut player = player(Options::default());
                player.set_param("late_exploration_factor", factor).unwrap();
                player.choose(position, &Limit::nodes(300));
                player.candidates().collect::<Vec<_>>()
            };
            assert_eq!(visits("1") == visits("3"), is_same, "turn {turn}");
        }
    }

    #[test]
    fn a_new_game_begins_with_nothing_of_the_last() {
        let mut player = player(Options::default());
        let first = player.choose(&start(), &Limit::nodes(500));
        let mut other = start();
        other.play(first.mv);
        player.choose(&other, &Limit::nodes(500));
        player.new_game();
        assert_eq!(player.choose(&start(), &Limit::nodes(500)), first);
    }

    #[test]
    fn a_colour_that_was_set_up_as_out_of_play_moves_when_on_turn() {
        let mut position = start();
        moves(player(Options::default()), 12).into_iter().for_each(|mv| position.play(mv));
        let mut setup = position.setup();
        setup.in_play.remove(position.color());
        let mut position = setup.position().unwrap();
        // And only then.
        let report = player(Options::default()).choose(&position, &Limit::nodes(5000));
        assert!(report.line.len() > 4 && report.line[0] == report.mv, "{report:?}");
        report.line.iter().for_each(|&mv| position.try_play(mv).unwrap());
    }

    #[test]
    fn what_is_learnt_by_pondering_is_kept_and_pondering_stops_at_once() {
        let mut player = player(Options::default());
        let mut position = start();
        position.play(player.choose(&position, &Limit::nodes(200)).mv);
        let stop = AtomicBool::new(false);
        let stopped = std::thread::scope(|scope| {
            let stopping = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(200));
                stop.store(true, Ordering::Relaxed);
                Instant::now()
            });
            player.ponder(&position, &Limit::UNLIMITED, &stop);
            stopping.join().unwrap()
        });
        // Some microseconds, but the machine may be busy with other things.
        assert!(stopped.elapsed() < Duration::from_secs(2));
        let expected = most_visited(player.kept.tree().children(Tree::ROOT)).unwrap().1.placement();
        position.play(Move::Place(expected));
        let known = player.kept.find(&position).map(|node| player.kept.tree().node(node).visits()).unwrap();
        player.choose(&position, &Limit::nodes(1));
        let visits = player.kept.tree().node(Tree::ROOT).visits();
        assert!(known > 0 && (known..=known + 1).contains(&visits), "{known}, {visits}");

        // Nothing is lost if there is no time to begin.
        let nodes = player.kept.tree().len();
        let root = position;
        position.play(player.choose(&position, &Limit::nodes(2000)).mv);
        player.ponder(&position, &Limit::UNLIMITED, &AtomicBool::new(true));
        assert!(player.kept.find(&root) == Some(Tree::ROOT) && player.kept.tree().len() > nodes);
    }

    #[test]
    fn pondering_ends_at_its_limit_and_is_the_same_each_time() {
        let (mut root, never) = (start(), AtomicBool::new(false));
        let mut player = player(Options::default());
        root.play(player.choose(&root, &Limit::nodes(200)).mv);
        let mut again = self::player(Options::default());
        again.choose(&start(), &Limit::nodes(200));
        let known = player.kept.find(&root).map(|node| player.kept.tree().node(node).visits()).unwrap();
        for player in [&mut player, &mut again] {
            player.ponder(&root, &Limit::nodes(500), &never);
        }
        assert_eq!(player.kept.tree().node(Tree::ROOT).visits(), known + 500);
        assert!(player.candidates().eq(again.candidates()) && !never.load(Ordering::Relaxed));
    }

    #[test]
    fn there_are_candidates_of_the_last_answer_alone() {
        let mut player = MctsPlayer::new(&Options { memory: 16 << 20, ..Options::default() });
        let known = |player: &MctsPlayer| player.candidates().count();
        player.choose(&middle(), &Limit::nodes(100));
        assert!(known(&player) > 0);
        // From the book.
        player.choose(&start(), &Limit::nodes(100));
        assert_eq!(known(&player), 0);
        player.choose(&middle(), &Limit::nodes(100));
        assert!(known(&player) > 0);
        player.new_game();
        assert_eq!((known(&player), player.candidates_after(&[]).count()), (0, 0));
        player.choose(&middle(), &Limit::nodes(100));
        assert!(known(&player) > 0);
        // Solved.
        let (mut end, mut heuristic) = (middle(), HeuristicPlayer::new(&Options::default()));
        while end.turn() < 64 {
            end.play(heuristic.choose(&end, &Limit::UNLIMITED).mv);
        }
        assert!(player.choose(&end, &Limit::nodes(1_000_000)).nodes > 0);
        assert_eq!(known(&player), 0);
    }

    #[test]
    fn getting_ready_changes_no_move() {
        let never = AtomicBool::new(false);
        let mut ready = player(Options::default());
        ready.prepare(&never);
        ready.new_game();
        let report = ready.choose(&start(), &Limit::nodes(500));
        assert_eq!(report, player(Options::default()).choose(&start(), &Limit::nodes(500)));
        // Nor in the middle of a game.
        let next = start().after(report.mv);
        let mut other = player(Options::default());
        other.choose(&start(), &Limit::nodes(500));
        ready.prepare(&never);
        assert_eq!(ready.choose(&next, &Limit::nodes(500)), other.choose(&next, &Limit::nodes(500)));
    }

    #[test]
    fn threads_search_one_tree() {
        let mut player = player(Options { threads: 3, ..Options::default() });
        let report = player.choose(&start(), &Limit::nodes(3000));
        assert!(start().check(report.mv).is_ok());
        assert_eq!(report.nodes, 3000);
        let visits: u32 = player.candidates().map(|(_, visits)| visits).sum();
        assert!(u64::from(visits) >= report.nodes * 9 / 10);
    }

    #[test]
    fn a_forced_move_is_made_at_once() {
        // In classic Blokus the only placement must be made, in the seasons the colour may also pass.
        for (rules, is_forced) in [(Rules::Classic, true), (Rules::Season2027, false)] {
            let mut position = Position::new(rules, rules.start_pieces().iter().next()).unwrap();
            let mut random = crate::RandomPlayer::new(&Options::default());
            while position.board().count_placements(position.color()) != 1 {
                position.play(random.choose(&position, &Limit::nodes(1)).mv);
            }
            let report = player(Options::default()).choose(&position, &Limit::nodes(5000));
            assert_eq!(report.nodes == 0, is_forced, "{position}: {report:?}");
            assert!(position.check(report.mv).is_ok());
        }
    }

    #[test]
    fn positions_with_a_colour_that_has_not_begun_are_played_out() {
        let position = middle();
        let mut setup = position.setup();
        let late = position.color().next();
        (setup.covered[late], setup.left[late]) = (game::Bitboard::EMPTY, start().board().left(late));
        let position = setup.position().unwrap();
        assert!(
            position.board().is_first(late)
                && Playout::new(&position).evaluate(&Options::default().model.evaluation, false).is_none()
        );
        let report = player(Options::default()).search(&position, &Limit::nodes(500));
        assert_eq!(position.check(report.mv), Ok(()));
    }

    #[test]
    fn the_line_can_be_played() {
        for position in crate::bench::positions().unwrap() {
            let report = player(Options::default()).search(&position, &Limit::nodes(2000));
            assert!(report.line.len() > 1 && report.line[0] == report.mv);
            let mut after = position;
            report.line.iter().for_each(|&mv| after.try_play(mv).unwrap());
        }
    }

    #[test]
    fn visits_can_be_read_along_a_line() {
        let mut player = player(Options::default());
        let report = player.choose(&start(), &Limit::nodes(3000));
        let line: Vec<Placement> = report.line.iter().filter_map(|mv| mv.placement()).collect();
        let mut before = 3000;
        for (n, &placement) in line.iter().enumerate() {
            let visits: BTreeMap<_, _> = player.candidates_after(&line[..n]).collect();
            assert!(visits.values().sum::<u32>() <= before);
            assert_eq!(visits.values().max(), Some(&visits[&placement]));
            before = visits[&placement];
        }
        assert_eq!(player.candidates().map(|(_, visits)| visits).sum::<u32>(), 3000);
        assert_eq!(player.candidates_after(&[line[0], line[0]]).count(), 0);
    }

    #[test]
    fn the_tree_is_deep_early() {
        let report = player(Options::default()).choose(&start(), &Limit::nodes(3000));
        assert!(report.depth >= 4, "{}", report.depth);
    }

    #[test]
    fn a_deadline_in_the_past_still_gives_a_move() {
        let report = player(Options::default()).choose(&start(), &Limit::deadline(Instant::now()));
        assert!(start().check(report.mv).is_ok());
    }

    #[test]
    fn a_won_endgame_is_seen_as_won_by_its_winner() {
        // A random game to its last third: whoever is on turn, the value has the sign of the margin.
        let mut position = start();
        let mut random = crate::RandomPlayer::new(&Options::default());
        for _ in 0..44 {
            position.play(random.choose(&position, &Limit::nodes(1)).mv);
        }
        for _ in 0..2 {
            let report = player(Options::default()).search(&position, &Limit::nodes(3000));
            let evaluation = report.evaluation.unwrap();
            assert_eq!(evaluation.win > 0.5, evaluation.margin > 0.0, "{evaluation:?}");
            position.play(report.mv);
        }
    }
}
