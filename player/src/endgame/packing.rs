//! Packing: the maximum points of a team without opponents.
//!
//! Without opponents the order of placements does not matter, nor which colour begins, except for the monomino bonus
//! and the turn limit. So this is a packing problem, solved by branch and bound: a legal placement is either in the
//! best set, and then can come first, or is excluded. No set is searched twice.
//!
//! The monomino is placed only if nothing else is legal, so that it comes last where possible.

use game::{Color, Move, Piece};

use super::candidate::CandidateId;
use super::context::{LimitReached, SolverContext};
use super::state::EndgameState;
use crate::transposition_table::{Bound, TableEntry};

/// A candidate, and the colour that places it.
type ColoredCandidate = (Color, CandidateId);

impl SolverContext<'_> {
    /// Returns the points that the team gains and a best move of the colour to move, if they exceed `floor`; otherwise
    /// a bound.
    ///
    /// A colour without a placement in the best set passes, because it could only hinder its partner.
    pub fn best_packing(&mut self, state: &EndgameState, floor: i32) -> Result<(i32, Move), LimitReached> {
        let (value, mut first) = self.pack(state, floor)?;
        let (mut rest, mut value_of_rest) = (*state, value);
        // Placements of the partner come before it, so it is legal already.
        while let Some((color, id)) = first {
            if color == state.color() {
                return Ok((value, self.candidates.mv(id)));
            }
            value_of_rest -= rest.points_of(self.candidates, color, id);
            rest = rest.with(self.candidates, &mut self.list, color, id);
            (_, first) = self.pack(&rest, value_of_rest - 1)?;
        }
        Ok((value, Move::Pass))
    }

    /// Returns the points that the team can gain and a first placement, if they exceed `floor`; otherwise a bound.
    fn pack(&mut self, state: &EndgameState, floor: i32) -> Result<(i32, Option<ColoredCandidate>), LimitReached> {
        let most = state.max_points();
        if most <= floor {
            return Ok((most, None));
        }
        if most == 0 {
            return Ok((0, None));
        }
        let mut groups = state.groups();
        if let (Some(one), Some(other)) = (groups.next(), groups.next()) {
            let (one, other) = (state.with_only(one), state.with_only(other));
            let (gain, first) = self.pack(&one, floor - other.max_points())?;
            let (more, second) = self.pack(&other, floor - gain)?;
            return Ok((gain + more, first.or(second)));
        }
        let key = state.key();
        let known = self.table.get(key);
        if let Some(value) = known.and_then(|entry| entry.cutoff(floor, floor + 1)).filter(|&value| value <= floor) {
            return Ok((value, None));
        }
        self.count_node()?;
        let (mut best, mut first) = (0, None);
        let (mut rest, end) = (*state, self.list.len());
        while rest.max_points() > best.max(floor) {
            let Some((color, id)) = self.most_promising(&rest) else { break };
            let before = self.list.len();
            let next = rest.with(self.candidates, &mut self.list, color, id);
            let points = rest.points_of(self.candidates, color, id);
            let (gain, _) = self.pack(&next, best.max(floor) - points)?;
            self.list.truncate(before);
            if points + gain > best.max(floor) {
                (best, first) = (points + gain, Some((color, id)));
            }
            rest = rest.without(self.candidates, &mut self.list, color, id);
        }
        self.list.truncate(end);
        let (value, bound) = if best > floor { (best, Bound::Exact) } else { (floor, Bound::Upper) };
        self.table.put(key, TableEntry { value, bound, depth: most.min(255) as u8, mv: None });
        Ok((value, first))
    }

    /// Returns the legal placement of the largest piece; of equals, the least obstructive one.
    fn most_promising(&self, state: &EndgameState) -> Option<ColoredCandidate> {
        let mut best = None;
        for color in state.in_play().iter() {
            let (own, partner) = (state.reach(color), state.reach(color.partner()));
            for &id in &self.list[state.colors[color].legal()] {
                let candidate = &self.candidates[id];
                let room = (candidate.sides & own).len() + 2 * (candidate.cells & partner).len();
                let size = if candidate.piece == Piece::Mono { 0 } else { 16 * candidate.piece.size() };
                let order_score = size as i32 - room as i32;
                if best.is_none_or(|(most, _)| order_score > most) {
                    best = Some((order_score, (color, id)));
                }
            }
        }
        best.map(|(_, placement)| placement)
    }
}
