//! Principal variation search.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use game::{Bitboard, Color, Move, Position};

use super::Params;
use super::candidates::{Cache, Choice, candidates, candidates_among};
use super::evaluate::{Evaluate, margin};
use super::killers::Killers;
use super::statistics::Statistics;
use super::window::{INFINITY, Window};
use crate::api::Limit;
use crate::model::Model;
use crate::model::evaluation::TURNS;
use crate::transposition_table::{Bound, Entry, Key, TranspositionTable};

/// The limit was reached before the search was complete.
pub struct Stopped;

/// What the threads of a search share.
pub struct Shared<'a> {
    pub params: Params,
    pub evaluate: &'a dyn Evaluate,
    pub model: &'a Model,
    pub table: &'a TranspositionTable,
    pub limit: Limit,
    /// The nodes of all threads, up to date to [`NODES_PER_CHECK`] for each.
    pub nodes: AtomicU64,
    pub stop: AtomicBool,
}

impl Shared<'_> {
    /// By what candidates are chosen in positions that are searched to this depth, this many plies after the root.
    fn choice(&self, depth: u32, ply: usize) -> Choice<'_> {
        let Params { root_width, inner_width, policy_depth, .. } = self.params;
        let width = if ply == 0 { root_width } else { inner_width };
        Choice { model: self.model, width: width as usize, look: (1..=depth).contains(&policy_depth) }
    }
}

/// How many nodes a thread searches at most between two looks at the clock; a node takes some microseconds, but one
/// that the convolutional network looks at some hundred, so that the clock is asked after each of these.
const NODES_PER_CHECK: u64 = 16;

/// One thread of a search.
///
/// Values are for the team on turn, in hundredths of a point. It is not always the opponents' turn
/// next: colours without placements are skipped, so the sign of a child's value depends on who is
/// on turn there.
pub struct MinimaxSearch<'a> {
    shared: &'a Shared<'a>,
    killers: Killers,
    cache: &'a mut Cache,
    /// Nodes that are not yet in the shared count.
    fresh_nodes: u64,
    /// How many more nodes are searched before the clock is asked.
    nodes_to_check: u64,
    pub statistics: Statistics,
    /// The root move that is searched first.
    first: Option<Move>,
    /// The best root move of the current iteration and its value.
    pub best: Option<(Move, i32)>,
    /// Whether the current iteration came to the end of the game everywhere, so that there is
    /// nothing to be gained by going deeper.
    pub saw_everything: bool,
}

impl<'a> MinimaxSearch<'a> {
    pub fn new(shared: &'a Shared<'a>, cache: &'a mut Cache) -> Self {
        Self {
            shared,
            killers: Killers::new(shared.params.killers),
            cache,
            fresh_nodes: 0,
            nodes_to_check: NODES_PER_CHECK,
            statistics: Statistics::default(),
            first: None,
            best: None,
            saw_everything: false,
        }
    }

    /// Prepares for an iteration in which `first` is the first root move.
    pub fn begin_iteration(&mut self, first: Move) {
        self.first = Some(first);
        self.best = None;
        self.saw_everything = true;
    }

    /// Searches the best root move so far first from now on.
    pub fn begin_with_best(&mut self) {
        self.first = self.best.map(|(mv, _)| mv).or(self.first);
    }

    pub fn uses_aspiration(&self) -> bool {
        self.shared.params.aspiration
    }

    /// The value of a position by search to a depth. `ply` is the distance from the root.
    pub fn value(&mut self, position: &Position, depth: u32, ply: usize, window: Window) -> Result<i32, Stopped> {
        let Window { alpha, beta } = window;
        self.count_node()?;
        let team = position.color().team();
        if position.is_over() {
            return Ok(margin(position, team));
        }
        if depth == 0 {
            self.saw_everything = false;
            return Ok(self.shared.evaluate.evaluate(position, team));
        }
        let key = self.shared.params.table.then(|| key(position));
        let known = key.and_then(|key| self.look_up(key));
        // Only the very same depth will do: values go up and down with it, and so do the candidates.
        let same_depth = known.filter(|entry| u32::from(entry.depth) == depth && ply > 0);
        if let Some(value) = same_depth.and_then(|entry| entry.cutoff(alpha, beta)) {
            self.statistics.table_cutoffs += 1;
            self.saw_everything = false;
            return Ok(value);
        }
        let params = &self.shared.params;
        // Other turns have evaluations that cannot be compared with those at the ends of the lines.
        if ply > 0 && window.is_null() && params.may_prune(depth) && TURNS.contains(&position.turn()) {
            let evaluation = self.shared.evaluate.evaluate(position, team);
            if let Some(bound) = params.futility_bound(evaluation, depth, window) {
                self.saw_everything = false;
                return Ok(bound);
            }
        }
        let choice = self.shared.choice(depth, ply);
        if choice.look {
            self.nodes_to_check = 0;
        }
        let mut moves = match key {
            _ if ply == 0 => candidates_among(position, choice, &self.shared.limit),
            Some(key) => self.cache.candidates(position, key, choice),
            None => candidates(position, choice),
        };
        // Where the network has not looked yet, a deeper search has other candidates, if any are left out.
        if params.policy_depth > 0 && !choice.look && moves.len() >= choice.width {
            self.saw_everything = false;
        }
        let first = if ply == 0 { self.first.map(Move::into) } else { known.and_then(|entry| entry.mv) };
        self.killers.sort(&mut moves, ply, first);
        let (value, best) = self.best_of(&moves, position, depth, ply, window)?;
        // A root has other candidates than the same position inside a tree.
        if let Some(key) = key.filter(|_| ply > 0) {
            let bound = Bound::of(value, alpha, beta);
            let entry = Entry { value, bound, depth: depth as u8, mv: best.map(Move::into) };
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
                    self.statistics.beta_cutoffs += 1;
                    self.statistics.first_move_beta_cutoffs += u64::from(number == 0);
                    self.killers.add(mv, ply);
                    break;
                }
            }
        }
        Ok((best_value, best))
    }

    /// The value of the candidate at this place in the order; for a later one only a bound, if that suffices.
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
        if self.shared.params.scout && number > 0 && !window.is_null() {
            // Later moves need only show that they are no better.
            let value = self.child_value(position, &child, depth, ply, null)?;
            if value <= window.alpha || value >= window.beta {
                return Ok(value);
            }
        }
        self.child_value(position, &child, depth, ply, window)
    }

    /// The value of a child for the team on turn in its parent, searched one ply less deep than `depth`.
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

    fn look_up(&mut self, key: Key) -> Option<Entry> {
        self.statistics.probes += 1;
        let known = self.shared.table.get(key);
        self.statistics.hits += u64::from(known.is_some());
        known
    }

    fn count_node(&mut self) -> Result<(), Stopped> {
        self.fresh_nodes += 1;
        self.nodes_to_check = self.nodes_to_check.saturating_sub(1);
        if self.nodes_to_check > 0 {
            return Ok(());
        }
        self.nodes_to_check = NODES_PER_CHECK;
        let nodes = self.flush_nodes();
        if self.shared.stop.load(Relaxed) || self.shared.limit.is_reached(nodes) {
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

/// The key of a position in the table, whatever game it is from: the check is made of the board
/// itself and does not depend on the hash.
pub fn key(position: &Position) -> Key {
    let cells = Color::ALL.map(|color| position.board().covered(color));
    let words = cells.iter().flat_map(Bitboard::words).copied();
    let rules = position.rules() as u64 | position.start_piece().map_or(0, |piece| piece as u64 + 1) << 8;
    let colors = u64::from(position.in_play().bits() | position.mono_last().bits() << 4);
    let rest = rules | colors << 16 | u64::from(position.turn()) << 32;
    // They do not follow from the cells where a position was set up.
    let hands = Color::ALL.map(|color| u64::from(position.board().left(color).bits()));
    Key { place: position.hash(), check: Key::of_words(words.chain(hands).chain([rest])).check }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::PieceSet;

    #[test]
    fn positions_that_differ_in_the_pieces_in_hand_alone_have_different_checks() {
        for position in crate::bench::positions().expect("a list") {
            for color in Color::ALL {
                let mut setup = position.setup();
                setup.left[color] = PieceSet::EMPTY;
                let other = setup.position().expect("hands are free");
                assert_eq!(key(&other).check == key(&position).check, other == position);
            }
        }
    }
}
