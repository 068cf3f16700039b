//! A state of the endgame search.

use game::{ByColor, Color, ColorSet, Piece, Progress, Team, bonus};

use super::candidate::{CandidateId, CandidateList, Candidates};
use super::cells::CellSet;
use super::color_state::ColorState;
use crate::transposition_table::Key;

/// The turn, and the state of each colour.
#[derive(Clone, Copy)]
pub struct EndgameState {
    pub colors: ByColor<ColorState>,
    progress: Progress,
    /// Number of consecutive passes.
    passes: u8,
}

impl EndgameState {
    /// Creates a state before [`list_candidates`](Self::list_candidates).
    pub fn new(colors: ByColor<ColorState>, progress: Progress) -> Self {
        Self { colors, progress, passes: 0 }
    }

    /// Finds the possible candidates of all colours, and appends them to the list of the search.
    pub fn list_candidates(
        mut self,
        candidates: &Candidates,
        lists: &ByColor<CandidateList>,
        list: &mut CandidateList,
    ) -> Self {
        for color in self.in_play().iter() {
            let first = list.len();
            list.extend(&lists[color]);
            self.colors[color].list_candidates(candidates, list, first..list.len(), None);
        }
        self.remove_stuck_colors();
        self
    }

    /// Returns the colour to move.
    pub fn color(&self) -> Color {
        self.progress.color()
    }

    /// Returns `true` if the game is over. Without a turn limit it also ends when all colours have passed in
    /// succession.
    pub fn is_over(&self) -> bool {
        let all_passed = || usize::from(self.passes) >= self.in_play().len();
        self.progress.is_over() || self.progress.turn_limit.is_none() && all_passed()
    }

    /// Returns the state after a placement or pass of the colour to move.
    pub fn after(&self, candidates: &Candidates, list: &mut CandidateList, placement: Option<CandidateId>) -> Self {
        let mut next = match placement {
            Some(id) => Self { passes: 0, ..self.with(candidates, list, self.color(), id) },
            None => {
                let mut next = Self { passes: self.passes.saturating_add(1), ..*self };
                next.colors[self.color()].use_turn();
                next
            }
        };
        next.progress.end_turn();
        next.remove_stuck_colors();
        next
    }

    /// Returns the state after a placement of any colour.
    pub fn with(&self, candidates: &Candidates, list: &mut CandidateList, mover: Color, id: CandidateId) -> Self {
        let mut next = *self;
        let candidate = &candidates[id];
        next.colors[mover].use_turn();
        for color in self.in_play().iter().filter(|&color| self.colors[color].reach.intersects(candidate.cells)) {
            let color_state = &mut next.colors[color];
            color_state.place(candidate, color == mover);
            color_state.list_candidates(candidates, list, self.colors[color].live(), None);
        }
        next
    }

    /// Returns the state without a candidate of a colour.
    pub fn without(&self, candidates: &Candidates, list: &mut CandidateList, color: Color, id: CandidateId) -> Self {
        let mut next = *self;
        next.colors[color].list_candidates(candidates, list, self.colors[color].live(), Some(id));
        next
    }

    /// Returns the points of a placement.
    pub fn points_of(&self, candidates: &Candidates, color: Color, id: CandidateId) -> i32 {
        let (piece, mut remaining) = (candidates[id].piece, self.colors[color].remaining);
        remaining.remove(piece);
        piece.size() as i32 + bonus(remaining, piece == Piece::Mono)
    }

    /// Returns the state with only these colours in play.
    pub fn with_only(&self, colors: ColorSet) -> Self {
        let mut rest = Self { passes: 0, ..*self };
        rest.progress.in_play = self.in_play().intersection(colors);
        rest.remove_stuck_colors();
        rest
    }

    /// Removes the colours that cannot place any more, for lack of placements or turns, and skips to the next one that
    /// can.
    ///
    /// The rules remove them at their turn; the result is the same, because turns of removed colours count too.
    fn remove_stuck_colors(&mut self) {
        let can_place = |&color: &Color| self.colors[color].turns > 0 && !self.colors[color].legal().is_empty();
        self.progress.in_play = self.in_play().iter().filter(can_place).collect();
        self.progress.skip_removed_colors();
    }

    /// Returns the independent groups of colours.
    pub fn groups(&self) -> impl Iterator<Item = ColorSet> {
        let [blue, yellow, red, green] = &self.colors.0;
        let reach = [blue.reach, yellow.reach, red.reach, green.reach];
        let mut rest = self.in_play();
        std::iter::from_fn(move || {
            let first = rest.iter().next()?;
            rest.remove(first);
            let (mut group, mut cells) = (ColorSet::from_iter([first]), reach[first as usize]);
            while let Some(color) = rest.iter().find(|&color| reach[color as usize].intersects(cells)) {
                rest.remove(color);
                group.insert(color);
                cells = cells | reach[color as usize];
            }
            Some(group)
        })
    }

    /// Returns the colours that can still place.
    pub fn in_play(&self) -> ColorSet {
        self.progress.in_play
    }

    /// Returns `true` if all colours in play belong to one team.
    pub fn is_one_team(&self) -> bool {
        let team = self.color().team();
        self.in_play().iter().all(|color| color.team() == team)
    }

    /// Returns bounds of the margin that a team will gain.
    pub fn bounds(&self, team: Team) -> (i32, i32) {
        (-self.max_points_of(team.opponent()), self.max_points_of(team))
    }

    /// Returns an upper bound of the points of both teams together.
    pub fn max_points(&self) -> i32 {
        self.max_points_of(Team::One) + self.max_points_of(Team::Two)
    }

    fn max_points_of(&self, team: Team) -> i32 {
        let (mut cells, mut bonus, mut reach) = (0, 0, CellSet::EMPTY);
        for color in team.colors().into_iter().filter(|&color| self.in_play().contains(color)) {
            let color_state = &self.colors[color];
            cells += color_state.gain.cells;
            bonus += color_state.gain.bonus;
            reach = reach | color_state.reach;
        }
        cells.min(reach.len() as i32) + bonus
    }

    /// Returns a lower bound of the points of a team.
    ///
    /// Placements on cells that no other colour can reach are safe, and the colour to move can make any placement at
    /// once.
    pub fn safe_points_of(&self, candidates: &Candidates, list: &CandidateList, team: Team) -> i32 {
        let colors = team.colors().into_iter().filter(|&color| self.in_play().contains(color));
        let points = colors.map(|color| {
            let others = self.in_play().iter().filter(|&other| other != color);
            let contested = others.fold(CellSet::EMPTY, |cells, other| cells | self.colors[other].reach);
            let (safe, largest) = self.colors[color].safe_points(candidates, list, contested);
            if color == self.color() { safe.max(largest) } else { safe }
        });
        points.sum()
    }

    /// Returns the cells that matter to a colour.
    pub fn reach(&self, color: Color) -> CellSet {
        if self.in_play().contains(color) { self.colors[color].reach } else { CellSet::EMPTY }
    }

    /// Returns a key of everything that affects the points still to be gained.
    ///
    /// Unreachable cells and earlier points do not count, and of the turns of a single team only their number. So
    /// states of a group are found again whatever happened elsewhere.
    pub fn key(&self) -> Key {
        let turns = |color| {
            let color_state: &ColorState = &self.colors[color];
            color_state.turns.min(color_state.remaining.len()) as u64
        };
        let time = match self.progress.turn_limit {
            _ if self.is_one_team() => self.in_play().iter().fold(0, |time, color| time << 8 | turns(color)),
            None => self.color() as u64 | u64::from(self.passes) << 4,
            Some(_) => u64::from(self.progress.turn),
        };
        let limit = u64::from(self.progress.turn_limit.unwrap_or(u16::MAX));
        let words = [limit << 32 | time << 4 | u64::from(self.in_play().bits())];
        let futures = self.in_play().iter().flat_map(|color| self.colors[color].key_parts());
        Key::of_words(words.into_iter().chain(futures))
    }
}
