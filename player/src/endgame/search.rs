//! Exact search of what is left of a game.

use game::{Move, Placement, Team};

use super::state::State;
use crate::Limit;
use crate::table::{Bound, Entry, Table};

/// The limit was reached before the result was certain.
pub struct OutOfTime;

/// More than any margin.
pub const INFINITY: i32 = 1_000;

/// A depth-first search to the end of the game.
pub struct Search<'a> {
    pub table: &'a Table,
    pub limit: Limit,
    pub nodes: u64,
}

/// Between two looks at the clock so many nodes are searched, well under a millisecond.
const NODES_PER_CLOCK: u64 = 16;

impl Search<'_> {
    /// The points that `team` will gain more than its opponents from here on, if everybody plays
    /// best for its team: exactly, if that lies between `alpha` and `beta`, else a bound beyond.
    ///
    /// Groups of colours that do not get in each other's way are searched one by one. Nothing a
    /// group does changes the turns of another: turns of colours that are out of play are counted,
    /// too.
    pub fn value(&mut self, state: &State, team: Team, alpha: i32, beta: i32) -> Result<i32, OutOfTime> {
        if state.is_over() {
            return Ok(0);
        }
        let (low, high) = state.bounds(team);
        if high <= alpha || low == high {
            return Ok(high);
        }
        if low >= beta {
            return Ok(low);
        }
        let mut groups = state.groups().peekable();
        let first = groups.next();
        if groups.peek().is_none() {
            return self.value_of_group(state, team, alpha, beta);
        }
        let (mut low_rest, mut high_rest, mut sum) = (low, high, 0);
        for group in first.into_iter().chain(groups) {
            let part = state.with_only(group);
            let (low, high) = part.bounds(team);
            low_rest -= low;
            high_rest -= high;
            let (alpha, beta) = (alpha - sum - high_rest, beta - sum - low_rest);
            let value = self.value(&part, team, alpha, beta)?;
            sum += value;
            if value <= alpha {
                return Ok(sum + high_rest);
            }
            if value >= beta {
                return Ok(sum + low_rest);
            }
        }
        Ok(sum)
    }

    fn value_of_group(&mut self, state: &State, team: Team, alpha: i32, beta: i32) -> Result<i32, OutOfTime> {
        if state.position.color().team() != team {
            return Ok(-self.value_for_mover(state, -beta, -alpha)?);
        }
        self.value_for_mover(state, alpha, beta)
    }

    fn value_for_mover(&mut self, state: &State, alpha: i32, beta: i32) -> Result<i32, OutOfTime> {
        let key = state.key();
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| entry.cutoff(alpha, beta)) {
            return Ok(value);
        }
        let (value, mv) = self.best_move(state, alpha, beta)?;
        let bound = Bound::of(value, alpha, beta);
        let depth = state.position.board().left(state.position.color()).len() as u8;
        self.table.put(key, Entry { value, bound, depth, mv: Some(mv.into()) });
        Ok(value)
    }

    /// The best move of the colour on turn and the points that its team will gain more than its
    /// opponents, in the sense of [`value`](Self::value).
    ///
    /// Passing is tried unless the colour is alone in its group. Then it can only lose by it: the
    /// placements that follow a pass are possible without it, and earlier.
    pub fn best_move(&mut self, state: &State, mut alpha: i32, beta: i32) -> Result<(i32, Move), OutOfTime> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CLOCK) && self.limit.is_reached(self.nodes) {
            return Err(OutOfTime);
        }
        let position = &state.position;
        let team = position.color().team();
        let (_, high) = state.bounds(team);
        let (mut best_value, mut best) = (-INFINITY, Move::Pass);
        for mv in self.moves(state) {
            let next = state.after(mv);
            let gain = next.position.points(position.color()) - position.points(position.color());
            // The first move gets the whole window; the others must show that they are better.
            let mut value = if best_value > -INFINITY && beta - alpha > 1 {
                gain + self.value(&next, team, alpha - gain, alpha + 1 - gain)?
            } else {
                gain + self.value(&next, team, alpha - gain, beta - gain)?
            };
            if best_value > -INFINITY && alpha < value && value < beta {
                value = gain + self.value(&next, team, alpha - gain, beta - gain)?;
            }
            if value > best_value {
                (best_value, best) = (value, mv);
                alpha = alpha.max(value);
                if value >= beta.min(high) {
                    break;
                }
            }
        }
        Ok((best_value, best))
    }

    /// The moves of the colour on turn, the most promising first: the best move of an earlier
    /// search, then large pieces in the way of opponents and out of the way of the partner.
    fn moves(&self, state: &State) -> Vec<Move> {
        let position = &state.position;
        let color = position.color();
        let known = self.table.get(state.key()).and_then(|entry| entry.mv);
        let mut placements = Vec::new();
        position.board().list_placements(color, &mut placements);
        let (opponents, partner) = state.reach_of_others(color);
        let score = |&placement: &Placement| {
            let cells = placement.cells();
            let promise = 4 * cells.len() + 2 * (cells & opponents).len() + 4 - (cells & partner).len().min(4);
            let is_known = known == Some(Move::Place(placement).into());
            std::cmp::Reverse((is_known, promise))
        };
        placements.sort_by_cached_key(score);
        let mut moves: Vec<Move> = placements.into_iter().map(Move::Place).collect();
        let alone = state.active().len() == 1;
        if position.may_pass() && (!alone || moves.is_empty()) {
            let at = if known == Some(Move::Pass.into()) { 0 } else { moves.len() };
            moves.insert(at, Move::Pass);
        }
        moves
    }
}
