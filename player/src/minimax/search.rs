//! Principal variation search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use game::{Bitboard, Color, Move, Position};

use super::candidates::{CandidateCache, CandidateFilter, candidates};
use super::evaluation::{Evaluate, final_margin};
use super::killers::Killers;
use super::params::Params;
use super::window::{INFINITY, Window};
use crate::api::SearchLimits;
use crate::model::Model;
use crate::model::value_net::TURNS;
use crate::transposition_table::{Bound, Key, TableEntry, TranspositionTable};

/// The search was interrupted.
pub struct Stopped;

/// State that the threads of a search share.
pub struct SharedSearch<'a> {
    pub params: Params,
    pub evaluate: &'a dyn Evaluate,
    pub model: &'a Model,
    pub table: &'a TranspositionTable,
    pub limits: SearchLimits,
    /// The root.
    pub position: &'a Position,
    /// Nodes of all threads, except up to [`NODES_PER_CHECK`] of each.
    pub nodes: AtomicU64,
    pub stop: AtomicBool,
}

impl SharedSearch<'_> {
    /// Returns the choice of candidates at a depth and a distance from the root.
    fn filter(&self, depth: u32, ply: usize) -> CandidateFilter<'_> {
        let Params { root_width, inner_width, policy_depth, .. } = self.params;
        let width = if ply == 0 { root_width } else { inner_width };
        CandidateFilter {
            model: self.model,
            width: width as usize,
            uses_policy_net: (1..=depth).contains(&policy_depth),
        }
    }
}

/// Maximum number of nodes of a thread between two checks of the clock. A node takes a few microseconds; one with the
/// policy network about 100, so the thread checks the clock right after it.
const NODES_PER_CHECK: u64 = 16;

/// One thread of a search.
///
/// Values belong to the team to move, in hundredths of a point. Colours without placements are skipped, so the sign of
/// a child's value depends on the colour to move there.
pub struct MinimaxSearch<'a> {
    shared: &'a SharedSearch<'a>,
    killers: Killers,
    cache: &'a mut CandidateCache,
    /// Nodes not yet added to the shared count.
    fresh_nodes: u64,
    /// Nodes until the next check of the clock.
    nodes_to_check: u64,
    /// Root move to search first.
    first: Option<Move>,
    /// Best root move of the current iteration and its value.
    pub best: Option<(Move, i32)>,
    /// `true` if all lines of the iteration reached the end of the game, so that a deeper search is useless.
    pub is_exhaustive: bool,
}

impl<'a> MinimaxSearch<'a> {
    pub fn new(shared: &'a SharedSearch<'a>, cache: &'a mut CandidateCache) -> Self {
        Self {
            shared,
            killers: Killers::default(),
            cache,
            fresh_nodes: 0,
            nodes_to_check: NODES_PER_CHECK,
            first: None,
            best: None,
            is_exhaustive: false,
        }
    }

    /// Begins an iteration with `first` as the first root move.
    pub fn begin_iteration(&mut self, first: Move) {
        self.first = Some(first);
        self.best = None;
        self.is_exhaustive = true;
    }

    /// Makes the best root move so far the first.
    pub fn begin_with_best(&mut self) {
        self.first = self.best.map(|(mv, _)| mv).or(self.first);
    }

    /// Searches a position to a depth; `ply` is the distance from the root.
    pub fn value(&mut self, position: &Position, depth: u32, ply: usize, window: Window) -> Result<i32, Stopped> {
        let Window { alpha, beta } = window;
        self.count_node()?;
        let team = position.color().team();
        if position.is_over() {
            return Ok(final_margin(position, team));
        }
        if depth == 0 {
            self.is_exhaustive = false;
            return Ok(self.shared.evaluate.evaluate(position, team));
        }
        let key = key(position);
        let known = self.shared.table.get(key);
        // Only the same depth counts, because values and candidates alternate with it.
        let same_depth = known.filter(|entry| u32::from(entry.depth) == depth && ply > 0);
        if let Some(value) = same_depth.and_then(|entry| entry.cutoff(alpha, beta)) {
            self.is_exhaustive = false;
            return Ok(value);
        }
        let params = &self.shared.params;
        // Evaluations of other turns are not comparable with the leaves.
        if ply > 0 && window.is_null() && params.may_prune(depth) && TURNS.contains(&position.turn()) {
            let evaluation = self.shared.evaluate.evaluate(position, team);
            if let Some(bound) = params.futility_bound(evaluation, depth, window) {
                self.is_exhaustive = false;
                return Ok(bound);
            }
        }
        let filter = self.shared.filter(depth, ply);
        if filter.uses_policy_net {
            self.nodes_to_check = 0;
        }
        let mut moves = match ply {
            0 => candidates(position, filter),
            _ => self.cache.candidates(position, key, filter),
        };
        // A deeper search uses the policy network here and may choose other candidates.
        if params.policy_depth > 0 && !filter.uses_policy_net && moves.len() >= filter.width {
            self.is_exhaustive = false;
        }
        let first = if ply == 0 { self.first.map(Move::into) } else { known.and_then(|entry| entry.mv) };
        self.killers.sort(&mut moves, ply, first);
        let (value, best) = self.best_of(&moves, position, depth, ply, window)?;
        // A root has other candidates than the same position below a root.
        if ply > 0 {
            let bound = Bound::of(value, alpha, beta);
            let entry = TableEntry { value, bound, depth: depth as u8, mv: best.map(Move::into) };
            self.shared.table.put(key, entry);
        }
        Ok(value)
    }

    fn best_of(
        &mut self,
        moves: &[Move],
        position: &Position,
        depth: u32,
        ply: usize,
        mut window: Window,
    ) -> Result<(i32, Option<Move>), Stopped> {
        let (mut best_value, mut best) = (-INFINITY, None);
        for (number, &mv) in moves.iter().enumerate() {
            let value = self.candidate_value(position, mv, number, depth, ply, window)?;
            if value > best_value {
                best_value = value;
                best = Some(mv);
                if ply == 0 && value > window.alpha {
                    self.best = Some((mv, value));
                }
                window.alpha = window.alpha.max(value);
                if value >= window.beta {
                    self.killers.add(mv, ply);
                    break;
                }
            }
        }
        Ok((best_value, best))
    }

    /// Searches a candidate by its number; a later one only for a bound, if that suffices.
    fn candidate_value(
        &mut self,
        position: &Position,
        mv: Move,
        number: usize,
        depth: u32,
        ply: usize,
        window: Window,
    ) -> Result<i32, Stopped> {
        let child = position.after(mv);
        let null = Window::null(window.alpha);
        let reduction = self.shared.params.reduction(number, depth);
        if reduction > 0 {
            let value = self.child_value(position, &child, depth - reduction, ply, null)?;
            if value <= window.alpha {
                return Ok(value);
            }
        }
        if number > 0 && !window.is_null() {
            // A null window suffices to show that the move is no better.
            let value = self.child_value(position, &child, depth, ply, null)?;
            if value <= window.alpha || value >= window.beta {
                return Ok(value);
            }
        }
        self.child_value(position, &child, depth, ply, window)
    }

    /// Searches a child one ply less deep than `depth`, and returns its value for the team to move in the parent.
    fn child_value(
        &mut self,
        parent: &Position,
        child: &Position,
        depth: u32,
        ply: usize,
        window: Window,
    ) -> Result<i32, Stopped> {
        if child.color().team() == parent.color().team() {
            self.value(child, depth - 1, ply + 1, window)
        } else {
            Ok(-self.value(child, depth - 1, ply + 1, window.of_opponents())?)
        }
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        self.fresh_nodes += 1;
        self.nodes_to_check = self.nodes_to_check.saturating_sub(1);
        if self.nodes_to_check > 0 {
            return Ok(());
        }
        self.nodes_to_check = NODES_PER_CHECK;
        let nodes = self.flush_nodes();
        if self.shared.stop.load(Relaxed) || self.shared.limits.is_reached(nodes) {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Adds the nodes to the shared count and returns it.
    pub fn flush_nodes(&mut self) -> u64 {
        let fresh = std::mem::take(&mut self.fresh_nodes);
        fresh + self.shared.nodes.fetch_add(fresh, Relaxed)
    }
}

/// Returns the key of a position in the table. The check comes from the whole position, not from its hash.
pub fn key(position: &Position) -> Key {
    let cells = Color::ALL.map(|color| position.board().covered(color));
    let words = cells.iter().flat_map(Bitboard::words).copied();
    let rules = position.rules() as u64 | position.start_piece().map_or(0, |piece| piece as u64 + 1) << 8;
    let colors = u64::from(position.in_play().bits() | position.mono_last().bits() << 4);
    let rest = rules | colors << 16 | u64::from(position.turn()) << 32;
    // Remaining pieces do not follow from the cells of a position that was set up.
    let remaining = Color::ALL.map(|color| u64::from(position.board().remaining_pieces(color).bits()));
    Key { slot: position.zobrist_hash(), check: Key::of_words(words.chain(remaining).chain([rest])).check }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::PieceSet;

    #[test]
    fn checks_depend_on_remaining_pieces() {
        for position in crate::bench::positions() {
            for color in Color::ALL {
                let mut setup = position.setup();
                setup.remaining_pieces[color] = PieceSet::EMPTY;
                let other = setup.position().expect("any remaining pieces");
                assert_eq!(key(&other).check == key(&position).check, other == position);
            }
        }
    }
}
