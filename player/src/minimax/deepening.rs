//! Iterative deepening, aspiration windows, and threads.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use game::{Move, Position};

use super::Params;
use super::candidates::{Cache, Choice, candidates_among};
use super::evaluate::Evaluate;
use super::search::{MinimaxSearch, Shared, Stopped, key};
use super::statistics::Statistics;
use super::window::{INFINITY, Window};
use crate::api::Limit;
use crate::model::Model;
use crate::model::handcrafted::POINT;
use crate::threads::search_together;
use crate::transposition_table::{MoveCode, TranspositionTable};

/// A search with its table and evaluation.
///
/// ```
/// # use game::{Piece, Position, Rules};
/// # let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// use player::Limit;
/// use player::minimax::{HandCrafted, Minimax, Params};
/// use player::model::Model;
///
/// let params = Params::default();
/// let mut minimax = Minimax::new(params, Box::new(HandCrafted), Model::built_in(), 1 << 20, 1);
/// let outcome = minimax.search(&position, &Limit::nodes(500), 2);
/// assert!(position.check(outcome.mv).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Minimax {
    params: Params,
    evaluate: Box<dyn Evaluate>,
    model: Arc<Model>,
    table: TranspositionTable,
    /// One for each thread.
    caches: Vec<Cache>,
}

/// What a search found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinimaxResult {
    /// The best move.
    pub mv: Move,
    /// Its value for the team on turn, in hundredths of a point.
    pub value: i32,
    /// The depth of the last iteration that was completed, in plies; less likely moves were searched less deep.
    pub depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// How well the search of all threads worked.
    pub statistics: Statistics,
}

/// Half the width of the first window of an iteration.
const ASPIRATION: i32 = 3 * POINT;

impl Minimax {
    /// More plies than a game has left; also the most that the table can tell apart.
    pub const MAX_DEPTH: u32 = 250;

    /// The caches of all threads may take one of this many parts of the memory.
    const CACHE_PARTS: usize = 4;

    /// A search by this many threads, but at least one, whose candidates are chosen by the model.
    /// Its table and caches together take at most `memory` bytes, if that is enough for a bucket and a place in each
    /// cache.
    pub fn new(params: Params, evaluate: Box<dyn Evaluate>, model: Arc<Model>, memory: usize, threads: usize) -> Self {
        let threads = threads.max(1);
        let caches: Vec<_> = (0..threads).map(|_| Cache::new(memory / Self::CACHE_PARTS / threads)).collect();
        let cached = caches.iter().map(Cache::bytes).sum();
        Self { params, evaluate, model, table: TranspositionTable::new(memory.saturating_sub(cached)), caches }
    }

    /// Changes how the search works and what it ends in, and forgets everything.
    pub fn set(&mut self, params: Params, evaluate: Box<dyn Evaluate>) {
        (self.params, self.evaluate) = (params, evaluate);
        self.clear();
    }

    /// Uses the memory of the table, if it has not been used yet, until `stop`.
    pub fn prepare(&self, stop: &AtomicBool) {
        self.table.prepare(stop);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.table.clear();
        self.caches.iter_mut().for_each(Cache::clear);
    }

    /// Searches a position that is not over one ply deep, two plies deep and so on to `max_depth`,
    /// until the limit is reached. If the limit leaves no choice the move is a pass.
    ///
    /// The threads search the same position independently, half of them one ply ahead, and help
    /// each other through the table alone ("lazy SMP"). With one thread and without a deadline the
    /// outcome is always the same after the same searches since the last [`clear`](Self::clear).
    pub fn search(&mut self, position: &Position, limit: &Limit, max_depth: u32) -> MinimaxResult {
        self.table.next_search();
        let shared = Shared {
            params: self.params,
            evaluate: &*self.evaluate,
            model: &self.model,
            table: &self.table,
            limit: limit.clone(),
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        };
        let max_depth = max_depth.min(Self::MAX_DEPTH);
        let shared = &shared;
        let (first, others) = search_together((0..).zip(&mut self.caches).map(|(i, cache)| {
            move || {
                let outcome = deepen(shared, cache, position, max_depth.min(1 + i % 2)..=max_depth);
                if i == 0 {
                    shared.stop.store(true, Relaxed);
                }
                outcome
            }
        }));
        let mut outcome = others.into_iter().fold(first, |best, other| {
            let statistics = best.statistics + other.statistics;
            MinimaxResult { statistics, ..if other.depth > best.depth { other } else { best } }
        });
        outcome.nodes = shared.nodes.load(Relaxed);
        outcome
    }

    /// The moves that the table expects after `first`, at most this many with it.
    pub fn line(&self, position: &Position, first: Move, length: u32) -> Vec<Move> {
        let (mut position, mut line, mut next) = (*position, Vec::new(), Some(first));
        while let Some(mv) = next {
            line.push(mv);
            position.play(mv);
            let entry = self.table.get(key(&position)).filter(|_| line.len() < length as usize);
            let code = entry.and_then(|entry| entry.mv).filter(|_| !position.is_over());
            next = code.and_then(|code| position.legal_moves().into_iter().find(|&mv| MoveCode::from(mv) == code));
        }
        line
    }
}

/// What one thread does. The nodes are added up elsewhere.
fn deepen(shared: &Shared, cache: &mut Cache, position: &Position, depths: RangeInclusive<u32>) -> MinimaxResult {
    let mut search = MinimaxSearch::new(shared, cache);
    let choice = Choice { model: shared.model, width: 1, look: false };
    let first = candidates_among(position, choice, &shared.limit).first().copied().unwrap_or(Move::Pass);
    let value = shared.evaluate.evaluate(position, position.color().team());
    let mut outcome = MinimaxResult { mv: first, value, depth: 0, nodes: 0, statistics: Statistics::default() };
    // The team that moved last looks better than it is, so that values go up and down from depth to depth (odd-even
    // effect): the best guess is the value two plies before.
    let mut values = [None; 2];
    for depth in depths {
        if let Move::Place(best) = outcome.mv {
            shared.limit.publish(best);
        }
        let result = search.iteration(position, depth, outcome.mv, values[0]);
        if let Some((mv, value)) = search.best {
            (outcome.mv, outcome.value) = (mv, value);
        }
        let Ok(value) = result else { break };
        outcome.depth = depth;
        values = [values[1], Some(value)];
        if search.saw_everything {
            break;
        }
    }
    search.flush_nodes();
    MinimaxResult { statistics: search.statistics, ..outcome }
}

impl MinimaxSearch<'_> {
    /// One iteration to a depth: the value of the root, whose best move lies in
    /// [`best`](Self::best) even if the iteration was stopped, unless that was too early.
    fn iteration(&mut self, root: &Position, depth: u32, first: Move, guess: Option<i32>) -> Result<i32, Stopped> {
        self.begin_iteration(first);
        let mut reach = ASPIRATION;
        let mut window = match guess.filter(|_| self.uses_aspiration()) {
            Some(guess) => Window { alpha: guess - reach, beta: guess + reach },
            None => Window::FULL,
        };
        loop {
            let Window { alpha, beta } = window;
            let value = self.value(root, depth, 0, window)?;
            reach = reach.saturating_mul(4);
            if value <= alpha && alpha > -INFINITY {
                // A search in another window may find that what failed high before is no better after all.
                self.best = None;
                window.alpha = value.saturating_sub(reach).max(-INFINITY);
            } else if value >= beta && beta < INFINITY {
                window.beta = value.saturating_add(reach).min(INFINITY);
                // The move that failed high must not be lost if the time is up before it is searched again.
                self.begin_with_best();
            } else {
                return Ok(value);
            }
        }
    }
}
