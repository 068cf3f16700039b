//! Exact search to the end of the game.

use std::cmp::Reverse;

use game::{MAX_POINTS, Move, Team};

use super::candidate::CandidateId;
use super::context::{LimitReached, SolverContext};
use super::state::EndgameState;
use crate::transposition_table::{Bound, MoveCode, TableEntry};

/// A bound above any margin.
pub const INFINITY: i32 = 1_000;

const _: () = assert!(INFINITY > 2 * MAX_POINTS, "a team has two colours");

/// A depth-first search to the end of the game.
pub struct EndgameSearch<'a> {
    pub context: SolverContext<'a>,
    /// Number of refutations by each candidate (J. Schaeffer, The history heuristic, 1983).
    refutations: Vec<u32>,
}

impl<'a> EndgameSearch<'a> {
    pub fn new(context: SolverContext<'a>) -> Self {
        Self { refutations: vec![0; context.candidates.len()], context }
    }

    /// Returns the margin that `team` will gain with perfect play: exact between `alpha` and `beta`, otherwise a bound.
    ///
    /// Independent groups of colours are searched separately. Turns of colours out of play count too, so a group never
    /// changes the turns of another.
    pub fn value(&mut self, state: &EndgameState, team: Team, alpha: i32, beta: i32) -> Result<i32, LimitReached> {
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
        let safe =
            [team, team.opponent()].map(|team| state.safe_points_of(self.context.candidates, &self.context.list, team));
        if high - safe[1] <= alpha {
            return Ok(high - safe[1]);
        }
        if low + safe[0] >= beta {
            return Ok(low + safe[0]);
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

    fn value_of_group(&mut self, state: &EndgameState, team: Team, alpha: i32, beta: i32) -> Result<i32, LimitReached> {
        if state.color().team() != team {
            return Ok(-self.value_for_mover(state, -beta, -alpha)?);
        }
        self.value_for_mover(state, alpha, beta)
    }

    fn value_for_mover(&mut self, state: &EndgameState, alpha: i32, beta: i32) -> Result<i32, LimitReached> {
        let key = state.key();
        let known = self.context.table.get(key);
        if let Some(value) = known.and_then(|entry| entry.cutoff(alpha, beta)) {
            return Ok(value);
        }
        let (value, mv) = self.best_of(state, known.and_then(|entry| entry.mv), alpha, beta)?;
        let bound = Bound::of(value, alpha, beta);
        let depth = state.max_points().min(255) as u8;
        self.context.table.put(key, TableEntry { value, bound, depth, mv: Some(mv.into()) });
        Ok(value)
    }

    /// Returns the margin that the team to move gains and its best move, in a state of one group.
    pub fn best_of_group(&mut self, state: &EndgameState) -> Result<(i32, Move), LimitReached> {
        self.best_of(state, None, -INFINITY, INFINITY)
    }

    fn best_of(
        &mut self,
        state: &EndgameState,
        known: Option<MoveCode>,
        alpha: i32,
        beta: i32,
    ) -> Result<(i32, Move), LimitReached> {
        if state.is_one_team() {
            self.context.best_packing(state, alpha)
        } else {
            self.best_move(state, known, alpha, beta)
        }
    }

    /// Returns the margin of the team to move and its best move in a group of both teams, see [`value`](Self::value).
    /// `known` is searched first.
    fn best_move(
        &mut self,
        state: &EndgameState,
        known: Option<MoveCode>,
        mut alpha: i32,
        beta: i32,
    ) -> Result<(i32, Move), LimitReached> {
        self.context.count_node()?;
        let team = state.color().team();
        let (_, high) = state.bounds(team);
        let (mut best_value, mut best) = (-INFINITY, Move::Pass);
        let end = self.context.list.len();
        for placement in self.moves(state, known) {
            let next = state.after(self.context.candidates, &mut self.context.list, placement);
            let gain = placement.map_or(0, |id| state.points_of(self.context.candidates, state.color(), id));
            // Searches later moves with a null window first.
            let mut value = if best_value > -INFINITY && beta - alpha > 1 {
                gain + self.value(&next, team, alpha - gain, alpha + 1 - gain)?
            } else {
                gain + self.value(&next, team, alpha - gain, beta - gain)?
            };
            if best_value > -INFINITY && alpha < value && value < beta {
                value = gain + self.value(&next, team, alpha - gain, beta - gain)?;
            }
            self.context.list.truncate(end);
            if value > best_value {
                (best_value, best) = (value, placement.map_or(Move::Pass, |id| self.context.candidates.mv(id)));
                alpha = alpha.max(value);
                if value >= beta.min(high) {
                    if let Some(id) = placement {
                        self.refutations[usize::from(id)] += 1;
                    }
                    break;
                }
            }
        }
        Ok((best_value, best))
    }

    /// Lists the moves of the colour to move: the best move of an earlier search, frequent refutations, large pieces,
    /// pieces that hinder opponents but not the partner, and a pass (`None`) last.
    fn moves(
        &self,
        state: &EndgameState,
        known: Option<MoveCode>,
    ) -> impl Iterator<Item = Option<CandidateId>> + use<> {
        let color = state.color();
        let [first, second] = color.team().opponent().colors();
        let opponents = state.reach(first) | state.reach(second);
        let partner = state.reach(color.partner());
        let mut moves: Vec<_> = self.context.list[state.colors[color].legal()]
            .iter()
            .map(|&id| {
                let candidate = &self.context.candidates[id];
                let (hindrance, loss) = ((candidate.cells & opponents).len(), (candidate.cells & partner).len());
                let success = (self.refutations[usize::from(id)] + 1).ilog2();
                let size = candidate.piece.size();
                let order_score = 8 * success as i32 + 4 * size as i32 + 2 * hindrance as i32 - loss as i32;
                let is_known = known == Some(self.context.candidates.mv(id).into());
                (Reverse(order_score + if is_known { INFINITY } else { 0 }), Some(id))
            })
            .collect();
        let is_known = known == Some(Move::Pass.into());
        moves.push((Reverse(if is_known { INFINITY } else { -INFINITY }), None));
        moves.sort_unstable();
        moves.into_iter().map(|(_, id)| id)
    }
}
