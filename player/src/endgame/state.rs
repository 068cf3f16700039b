//! A position as the endgame search sees it.

use game::{ByColor, Color, ColorSet, Piece, Progress, Team, bonus};

use super::candidate::{Candidates, Id, List};
use super::cells::Cells;
use super::side::Side;
use crate::transposition_table::Key;

/// Whose turn it is, and what the colours in play can still do.
#[derive(Clone, Copy)]
pub struct EndgameState {
    pub sides: ByColor<Side>,
    progress: Progress,
    /// How many moves in succession before this one were passes.
    passes: u8,
}

impl EndgameState {
    /// A state in which the colours have not [looked ahead](Self::look_ahead) yet.
    pub fn new(sides: ByColor<Side>, progress: Progress) -> Self {
        Self { sides, progress, passes: 0 }
    }

    /// Computes the futures of all colours from the lists of their candidates, and appends those
    /// that are possible to the list of the search.
    pub fn look_ahead(mut self, candidates: &Candidates, lists: &ByColor<List>, list: &mut List) -> Self {
        for color in self.in_play().iter() {
            let first = list.len();
            list.extend(&lists[color]);
            self.sides[color].look_ahead(candidates, list, first..list.len(), None);
        }
        self.remove_stuck_colors();
        self
    }

    /// The colour on turn.
    pub fn color(&self) -> Color {
        self.progress.color()
    }

    /// Whether nobody gains points any more. Where the rules do not limit the number of turns,
    /// that is also so when everybody has passed in succession.
    pub fn is_over(&self) -> bool {
        let all_passed = || usize::from(self.passes) >= self.in_play().len();
        self.progress.is_over() || self.progress.turn_limit.is_none() && all_passed()
    }

    /// The state after the colour on turn made a placement, or passed.
    pub fn after(&self, candidates: &Candidates, list: &mut List, placement: Option<Id>) -> Self {
        let mut next = match placement {
            Some(id) => Self { passes: 0, ..self.with(candidates, list, self.color(), id) },
            None => {
                let mut next = Self { passes: self.passes.saturating_add(1), ..*self };
                next.sides[self.color()].use_turn();
                next
            }
        };
        next.progress.end_turn();
        next.remove_stuck_colors();
        next
    }

    /// The state with a placement of a colour, whoever is on turn.
    pub fn with(&self, candidates: &Candidates, list: &mut List, mover: Color, id: Id) -> Self {
        let mut next = *self;
        let candidate = &candidates[id];
        next.sides[mover].use_turn();
        for color in self.in_play().iter().filter(|&color| self.sides[color].reach.intersects(candidate.cells)) {
            let side = &mut next.sides[color];
            side.place(candidate, color == mover);
            side.look_ahead(candidates, list, self.sides[color].live(), None);
        }
        next
    }

    /// The state in which a colour will never make a placement.
    pub fn without(&self, candidates: &Candidates, list: &mut List, color: Color, id: Id) -> Self {
        let mut next = *self;
        next.sides[color].look_ahead(candidates, list, self.sides[color].live(), Some(id));
        next
    }

    /// The points that a placement earns by itself.
    pub fn points_of(&self, candidates: &Candidates, color: Color, id: Id) -> i32 {
        let (piece, mut left) = (candidates[id].piece, self.sides[color].left);
        left.remove(piece);
        piece.size() as i32 + bonus(left, piece == Piece::Mono)
    }

    /// The state in which only these colours are in play.
    pub fn with_only(&self, colors: ColorSet) -> Self {
        let mut rest = Self { passes: 0, ..*self };
        rest.progress.in_play = self.in_play().intersection(colors);
        rest.remove_stuck_colors();
        rest
    }

    /// Goes on to the next colour that can make a placement, and removes all that never can again: for want of placements
    /// or, after a pass in their last turn, of turns.
    ///
    /// The rules remove them when their turn comes. That makes no difference, because the turns of
    /// colours out of play are counted, too.
    fn remove_stuck_colors(&mut self) {
        let can_place = |&color: &Color| self.sides[color].turns > 0 && !self.sides[color].legal().is_empty();
        self.progress.in_play = self.in_play().iter().filter(can_place).collect();
        self.progress.skip_removed_colors();
    }

    /// The colours that may still gain points, in groups: colours of different groups never get in
    /// each other's way, whatever they do.
    pub fn groups(&self) -> impl Iterator<Item = ColorSet> {
        let [blue, yellow, red, green] = &self.sides.0;
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

    /// The colours that can still make a placement.
    pub fn in_play(&self) -> ColorSet {
        self.progress.in_play
    }

    /// Whether all colours that may still gain points are of one team.
    pub fn is_one_team(&self) -> bool {
        let team = self.color().team();
        self.in_play().iter().all(|color| color.team() == team)
    }

    /// Bounds of the points that a team will gain more than its opponents.
    pub fn bounds(&self, team: Team) -> (i32, i32) {
        (-self.most_points_of(team.opponent()), self.most_points_of(team))
    }

    /// A bound of the points that both teams together will gain.
    pub fn most_points(&self) -> i32 {
        self.most_points_of(Team::One) + self.most_points_of(Team::Two)
    }

    fn most_points_of(&self, team: Team) -> i32 {
        let (mut cells, mut bonus, mut reach) = (0, 0, Cells::EMPTY);
        for color in team.colors().into_iter().filter(|&color| self.in_play().contains(color)) {
            let side = &self.sides[color];
            cells += side.gain.cells;
            bonus += side.gain.bonus;
            reach = reach | side.reach;
        }
        cells.min(reach.len() as i32) + bonus
    }

    /// Points that a team can gain whatever the others do: a bound from below.
    ///
    /// What no other colour can cover can be placed at any later time, and the colour on turn can make
    /// any one placement at once.
    pub fn safe_points_of(&self, candidates: &Candidates, list: &List, team: Team) -> i32 {
        let colors = team.colors().into_iter().filter(|&color| self.in_play().contains(color));
        let points = colors.map(|color| {
            let others = self.in_play().iter().filter(|&other| other != color);
            let contested = others.fold(Cells::EMPTY, |cells, other| cells | self.sides[other].reach);
            let (safe, largest) = self.sides[color].safe_points(candidates, list, contested);
            if color == self.color() { safe.max(largest) } else { safe }
        });
        points.sum()
    }

    /// The cells that matter to a colour.
    pub fn reach(&self, color: Color) -> Cells {
        if self.in_play().contains(color) { self.sides[color].reach } else { Cells::EMPTY }
    }

    /// A key of everything that the points still to be gained depend on.
    ///
    /// Cells that nobody can cover and points gained before do not count, and of the turns of a team on
    /// its own only their number: the states of a group are found again whatever happened elsewhere.
    pub fn key(&self) -> Key {
        let turns = |color| {
            let side: &Side = &self.sides[color];
            side.turns.min(side.left.len()) as u64
        };
        let time = match self.progress.turn_limit {
            _ if self.is_one_team() => self.in_play().iter().fold(0, |time, color| time << 8 | turns(color)),
            None => self.color() as u64 | u64::from(self.passes) << 4,
            Some(_) => u64::from(self.progress.turn),
        };
        let limit = u64::from(self.progress.turn_limit.unwrap_or(u16::MAX));
        let words = [limit << 32 | time << 4 | u64::from(self.in_play().bits())];
        let futures = self.in_play().iter().flat_map(|color| self.sides[color].words());
        Key::of_words(words.into_iter().chain(futures))
    }
}
