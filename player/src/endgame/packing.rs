//! The most that a team can gain where no opponent gets in its way.

use game::{Color, Piece};

use super::puzzle::Puzzle;
use super::search::{OutOfTime, Search};
use super::state::State;

/// A search for the set of placements that brings a team the most points.
///
/// Without opponents it does not matter in which order a team makes its placements, nor which of its
/// colours moves first, but for two things: a colour should place its monomino last, and it has
/// only so many turns. So this is no game but a packing problem, solved by branch and bound: a
/// placement that is legal now is either in the set, and then it may as well come first, or it is
/// out for good. In this way no set is looked at twice.
///
/// The monomino is taken only if nothing else is legal. So it comes last in every set in which it
/// can.
///
/// A colour that gets nothing in the best set passes, which happens if it could only be in its
/// partner's way.
pub struct Packing<'a, 'b> {
    search: &'a mut Search<'b>,
    chosen: Vec<u16>,
    /// The best set found, in an order in which its placements are legal.
    pub best: Vec<u16>,
    /// The points that the best set brings, or the number that was to be exceeded.
    pub gain: i32,
}

impl<'a, 'b> Packing<'a, 'b> {
    /// The best set of those that bring more than `floor` points.
    pub fn solve(search: &'a mut Search<'b>, state: &State, floor: i32) -> Result<Self, OutOfTime> {
        let mut packing = Self { search, chosen: Vec::new(), best: Vec::new(), gain: floor };
        packing.extend(*state, 0)?;
        Ok(packing)
    }

    /// Tries all sets that contain the chosen placements, which bring `gain` points.
    fn extend(&mut self, mut state: State, gain: i32) -> Result<(), OutOfTime> {
        self.search.count_node()?;
        if gain > self.gain {
            self.gain = gain;
            self.best.clone_from(&self.chosen);
        }
        let puzzle = self.search.puzzle;
        let end = self.search.list.len();
        while gain + state.most_points() > self.gain {
            let Some((color, index)) = self.most_promising(&state) else { break };
            let before = self.search.list.len();
            let next = state.with(puzzle, &mut self.search.list, color, index);
            self.chosen.push(index);
            self.extend(next, gain + state.points_of(puzzle, color, index))?;
            self.chosen.pop();
            self.search.list.truncate(before);
            state = state.without(puzzle, &mut self.search.list, color, index);
        }
        self.search.list.truncate(end);
        Ok(())
    }

    /// The legal placement of the largest piece, of several the one that takes the least room from
    /// others.
    fn most_promising(&self, state: &State) -> Option<(Color, u16)> {
        let puzzle: &Puzzle = self.search.puzzle;
        let mut best = None;
        for color in state.in_play().iter() {
            let (own, partner) = (state.reach(color), state.reach(color.partner()));
            for &index in &self.search.list[state.sides[color].legal()] {
                let candidate = &puzzle.candidates[usize::from(index)];
                let room = (candidate.sides & own).len() + 2 * (candidate.cells & partner).len();
                let promise = 16 * candidate.piece.size() as i32
                    - room as i32
                    - if candidate.piece == Piece::Mono { 1_000 } else { 0 };
                if best.is_none_or(|(most, _)| promise > most) {
                    best = Some((promise, (color, index)));
                }
            }
        }
        best.map(|(_, choice)| choice)
    }
}
