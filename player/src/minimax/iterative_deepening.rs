//! Iterative deepening, aspiration windows, and threads.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use game::{Move, Position};

use super::candidates::{CandidateCache, CandidateFilter, candidates};
use super::evaluation::Evaluate;
use super::params::Params;
use super::search::{MinimaxSearch, SharedSearch, Stopped, key};
use super::window::{INFINITY, Window};
use crate::api::SearchLimits;
use crate::model::Model;
use crate::model::handcrafted::POINT;
use crate::threads::run_together;
use crate::transposition_table::{MoveCode, TranspositionTable};

/// A minimax search with its table and evaluation.
pub struct Minimax {
    /// A search with other parameters needs a [cleared](Self::clear) table.
    pub params: Params,
    evaluate: Box<dyn Evaluate>,
    model: Arc<Model>,
    table: TranspositionTable,
    /// One for each thread.
    caches: Vec<CandidateCache>,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinimaxResult {
    /// Best move.
    pub mv: Move,
    /// Value for the team to move, in hundredths of a point.
    pub value: i32,
    /// Depth of the last completed iteration in plies. Unlikely moves are searched less deep.
    pub depth: u32,
    /// Positions visited by all threads.
    pub nodes: u64,
}

/// Half the width of the first window of an iteration.
const ASPIRATION: i32 = 3 * POINT;

impl Minimax {
    /// More plies than a game has, and the maximum depth of a table entry.
    pub const MAX_DEPTH: u32 = 250;

    /// Part of the memory for the caches of all threads.
    const CACHE_PARTS: usize = 4;

    /// Creates a search with at least one thread. Table and caches together take at most `memory` bytes, but at least
    /// one bucket and one slot per cache.
    pub fn new(params: Params, evaluate: Box<dyn Evaluate>, model: Arc<Model>, memory: usize, threads: usize) -> Self {
        let threads = threads.max(1);
        let caches: Vec<_> = (0..threads).map(|_| CandidateCache::new(memory / Self::CACHE_PARTS / threads)).collect();
        let cached = caches.iter().map(CandidateCache::bytes).sum();
        Self { params, evaluate, model, table: TranspositionTable::new(memory.saturating_sub(cached)), caches }
    }

    /// Touches the memory of the table, until `stop`.
    pub fn prepare(&self, stop: &AtomicBool) {
        self.table.prepare(stop);
    }

    /// Clears table and caches.
    pub fn clear(&mut self) {
        self.table.clear();
        self.caches.iter_mut().for_each(CandidateCache::clear);
    }

    /// Searches a position that is not over with increasing depth up to `max_depth`, until the limits.
    ///
    /// Threads search independently, half of them one ply ahead, and share only the table ("lazy SMP"). With one thread
    /// and without a deadline, the same searches since the last [`clear`](Self::clear) give the same result.
    pub fn search(&mut self, position: &Position, limits: &SearchLimits, max_depth: u32) -> MinimaxResult {
        self.table.next_search();
        let shared = SharedSearch {
            params: self.params,
            evaluate: &*self.evaluate,
            model: &self.model,
            table: &self.table,
            limits: limits.clone(),
            position,
            nodes: AtomicU64::new(0),
            stop: AtomicBool::new(false),
        };
        let max_depth = max_depth.min(Self::MAX_DEPTH);
        let shared = &shared;
        let (first, others) = run_together((0..).zip(&mut self.caches).map(|(i, cache)| {
            move || {
                let result = deepen(shared, cache, max_depth.min(1 + i % 2)..=max_depth);
                if i == 0 {
                    shared.stop.store(true, Relaxed);
                }
                result
            }
        }));
        let deeper = |best: MinimaxResult, other: MinimaxResult| if other.depth > best.depth { other } else { best };
        MinimaxResult { nodes: shared.nodes.load(Relaxed), ..others.into_iter().fold(first, deeper) }
    }

    /// Returns the principal variation from the table, beginning with `first`, of at most `length` moves.
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

/// Runs one thread. Its result omits the nodes.
fn deepen(shared: &SharedSearch, cache: &mut CandidateCache, depths: RangeInclusive<u32>) -> MinimaxResult {
    let mut search = MinimaxSearch::new(shared, cache);
    let position = shared.position;
    let filter = CandidateFilter { model: shared.model, width: 1, uses_policy_net: false };
    let first = candidates(position, filter)[0];
    let value = shared.evaluate.evaluate(position, position.color().team());
    let mut result = MinimaxResult { mv: first, value, depth: 0, nodes: 0 };
    // Values alternate with the depth, because the team that moved last looks better (odd-even effect). So the best
    // guess is the value two plies before.
    let mut values = [None; 2];
    for depth in depths {
        if let Move::Place(best) = result.mv {
            shared.limits.publish(best);
        }
        let value = search.iteration(position, depth, result.mv, values[0]);
        if let Some((mv, value)) = search.best {
            (result.mv, result.value) = (mv, value);
        }
        let Ok(value) = value else { break };
        result.depth = depth;
        values = [values[1], Some(value)];
        if search.is_exhaustive {
            break;
        }
    }
    search.flush_nodes();
    result
}

impl MinimaxSearch<'_> {
    /// Runs an iteration and returns the value of the root. The best move is in [`best`](Self::best), even of most
    /// interrupted iterations.
    fn iteration(&mut self, root: &Position, depth: u32, first: Move, guess: Option<i32>) -> Result<i32, Stopped> {
        self.begin_iteration(first);
        let mut width = ASPIRATION;
        let mut window = match guess {
            Some(guess) => Window { alpha: guess - width, beta: guess + width },
            None => Window::FULL,
        };
        loop {
            let Window { alpha, beta } = window;
            let value = self.value(root, depth, 0, window)?;
            width = width.saturating_mul(4);
            if value <= alpha && alpha > -INFINITY {
                // Another window may refute the move that failed high.
                self.best = None;
                window.alpha = value.saturating_sub(width).max(-INFINITY);
            } else if value >= beta && beta < INFINITY {
                window.beta = value.saturating_add(width).min(INFINITY);
                // Keeps the move that failed high if time runs out in the next search.
                self.begin_with_best();
            } else {
                return Ok(value);
            }
        }
    }
}
