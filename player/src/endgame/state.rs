//! A position as the endgame search sees it.

use std::ops::Range;

use game::{ByColor, Color, ColorSet, Piece, PieceSet, Team};

use super::bound::Gain;
use super::cells::Cells;
use super::puzzle::{Candidate, List, Puzzle};
use crate::table::Key;

/// A colour in a [`State`].
#[derive(Clone, Copy)]
pub struct Side {
    open: Cells,
    anchors: Cells,
    left: PieceSet,
    /// How many turns the colour has before the turn limit.
    turns: usize,
    /// Where the candidates that are still possible stand in the list of the search: from the
    /// first, those that are legal now come before the second, and there are none from the third on.
    live: [u32; 3],
    /// The same for the same candidates that are still possible, and for the same that are legal.
    signatures: [u64; 2],
    /// All cells that any sequence of placements can cover, and maybe some more. Nothing outside
    /// matters to the colour, and it never covers a cell outside.
    pub reach: Cells,
    /// No sequence of placements brings more points than this.
    gain: Gain,
}

impl Side {
    pub fn new(open: Cells, anchors: Cells, left: PieceSet, turns: usize) -> Self {
        Self {
            open,
            anchors,
            left,
            turns,
            live: [0; 3],
            signatures: [0; 2],
            reach: Cells::EMPTY,
            gain: Gain::default(),
        }
    }

    fn use_turn(&mut self) {
        self.turns = self.turns.saturating_sub(1);
    }

    /// Takes notice of a placement of a colour, its own or another.
    fn place(&mut self, candidate: &Candidate, own: bool) {
        self.open = self.open.without(candidate.cells);
        if own {
            self.open = self.open.without(candidate.sides);
            self.anchors = self.anchors | candidate.corners;
            self.left.remove(candidate.piece);
        }
        self.anchors = self.anchors & self.open;
    }

    /// Works out the future of the colour anew, from the candidates of `list` in `from` without one
    /// that may be `excluded`. Those that are still possible are appended to the list.
    fn look_ahead(&mut self, puzzle: &Puzzle, list: &mut List, from: Range<usize>, excluded: Option<u16>) {
        let candidate = |index: u16| &puzzle.candidates[usize::from(index)];
        let first = list.len();
        let (mut legal, mut anchors) = (first, self.anchors);
        self.reach = Cells::EMPTY;
        for at in from {
            let index = list[at];
            let candidate = candidate(index);
            if self.turns > 0
                && excluded != Some(index)
                && self.left.contains(candidate.piece)
                && candidate.cells.is_subset(self.open)
            {
                list.push(index);
                if candidate.cells.intersects(self.anchors) {
                    let last = list.len() - 1;
                    list.swap(legal, last);
                    legal += 1;
                    self.reach = self.reach | candidate.cells;
                    anchors = anchors | candidate.corners;
                }
            }
        }
        let mut live = legal;
        loop {
            let before = live;
            for at in before..list.len() {
                let candidate = candidate(list[at]);
                if candidate.cells.intersects(anchors) {
                    list.swap(live, at);
                    live += 1;
                    self.reach = self.reach | candidate.cells;
                    anchors = anchors | candidate.corners;
                }
            }
            if live == before {
                break;
            }
        }
        list.truncate(live);
        self.live = [first, legal, live].map(|at| at as u32);
        let signature = |list: &[u16]| list.iter().fold(0, |all, &index| all ^ candidate(index).signature);
        let of_legal = signature(&list[first..legal]);
        self.signatures = [of_legal ^ signature(&list[legal..]), of_legal];
        let possible = list[first..].iter().map(|&index| candidate(index));
        self.gain = Gain::bound(possible, self.reach, self.left, self.turns);
    }

    /// What describes the future of the colour.
    ///
    /// Of the anchors it is enough to know which candidates they make legal: such a candidate stays
    /// legal as long as it is possible, and one that is not legal yet covers no anchor of today.
    fn words(&self) -> [u64; 3] {
        let [possible, legal] = self.signatures;
        [possible, legal, u64::from(self.left.bits())]
    }

    fn live(&self) -> Range<usize> {
        self.live[0] as usize..self.live[2] as usize
    }

    /// Where the legal candidates stand in the list of the search.
    pub fn legal(&self) -> Range<usize> {
        self.live[0] as usize..self.live[1] as usize
    }
}

/// Whose turn it is, and what the colours in play can still do.
#[derive(Clone, Copy)]
pub struct State {
    pub sides: ByColor<Side>,
    turn: u16,
    in_play: ColorSet,
    /// How many moves before this one were passes.
    passes: u8,
}

impl State {
    /// A state in which the colours have not [looked ahead](Self::look_ahead) yet.
    pub fn new(sides: ByColor<Side>, turn: u16, in_play: ColorSet) -> Self {
        Self { sides, turn, in_play, passes: 0 }
    }

    /// Works out the futures of all colours from the lists of their candidates, and writes those
    /// that are possible into the list of the search.
    pub fn look_ahead(mut self, puzzle: &Puzzle, candidates: &ByColor<List>, list: &mut List) -> Self {
        for color in self.in_play.iter() {
            let first = list.len();
            list.extend(&candidates[color]);
            self.sides[color].look_ahead(puzzle, list, first..first + candidates[color].len(), None);
        }
        self.remove_stuck_colors();
        self
    }

    /// The colour on turn.
    pub fn color(&self) -> Color {
        Color::of_turn(self.turn)
    }

    /// Whether nobody gains points any more. Where the rules set no limit to the number of turns,
    /// that is also when everybody has passed in succession.
    pub fn is_over(&self, puzzle: &Puzzle) -> bool {
        self.in_play.is_empty()
            || match puzzle.turn_limit {
                Some(limit) => self.turn >= limit,
                None => usize::from(self.passes) >= self.in_play.len(),
            }
    }

    /// The state after the colour on turn made a placement, or passed.
    pub fn after(&self, puzzle: &Puzzle, list: &mut List, placement: Option<u16>) -> Self {
        let mut next = match placement {
            Some(index) => Self { passes: 0, ..self.with(puzzle, list, self.color(), index) },
            None => {
                let mut next = Self { passes: self.passes.saturating_add(1), ..*self };
                next.sides[self.color()].use_turn();
                next
            }
        };
        next.turn += 1;
        next.remove_stuck_colors();
        next
    }

    /// The state with a placement of a colour, whoever is on turn.
    pub fn with(&self, puzzle: &Puzzle, list: &mut List, mover: Color, index: u16) -> Self {
        let mut next = *self;
        let candidate = &puzzle.candidates[usize::from(index)];
        next.sides[mover].use_turn();
        for color in self.in_play.iter().filter(|&color| self.sides[color].reach.intersects(candidate.cells)) {
            let side = &mut next.sides[color];
            side.place(candidate, color == mover);
            side.look_ahead(puzzle, list, self.sides[color].live(), None);
        }
        next
    }

    /// The state in which a colour will never make a placement.
    pub fn without(&self, puzzle: &Puzzle, list: &mut List, color: Color, index: u16) -> Self {
        let mut next = *self;
        next.sides[color].look_ahead(puzzle, list, self.sides[color].live(), Some(index));
        next
    }

    /// The points that a placement brings by itself.
    pub fn points_of(&self, puzzle: &Puzzle, color: Color, index: u16) -> i32 {
        let piece = puzzle.candidates[usize::from(index)].piece;
        let bonus = match (self.sides[color].left.len(), piece) {
            (1, Piece::Mono) => 20,
            (1, _) => 15,
            _ => 0,
        };
        piece.size() as i32 + bonus
    }

    /// The state in which only these colours are in play.
    pub fn with_only(&self, colors: ColorSet) -> Self {
        let mut rest = Self { in_play: self.in_play.intersection(colors), passes: 0, ..*self };
        rest.remove_stuck_colors();
        rest
    }

    /// Goes on to the next colour that can make a placement, and removes all that never can again.
    ///
    /// The rules remove them when their turn comes. That makes no difference, because turns of
    /// colours that are out of play are counted, too.
    fn remove_stuck_colors(&mut self) {
        self.in_play = self.in_play.iter().filter(|&color| !self.sides[color].legal().is_empty()).collect();
        while !self.in_play.is_empty() && !self.in_play.contains(self.color()) {
            self.turn += 1;
        }
    }

    /// The colours that may still gain points, in groups: colours of different groups never get in
    /// each other's way, whatever they do.
    pub fn groups(&self) -> impl Iterator<Item = ColorSet> {
        let [blue, yellow, red, green] = &self.sides.0;
        let reach = [blue.reach, yellow.reach, red.reach, green.reach];
        let mut rest = self.in_play;
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
        self.in_play
    }

    /// Whether all colours that may still gain points are of one team.
    pub fn is_one_team(&self) -> bool {
        let team = self.color().team();
        self.in_play.iter().all(|color| color.team() == team)
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
        for color in team.colors().into_iter().filter(|&color| self.in_play.contains(color)) {
            let side = &self.sides[color];
            cells += side.gain.cells;
            bonus += side.gain.bonus;
            reach = reach | side.reach;
        }
        cells.min(reach.len() as i32) + bonus
    }

    /// Points that a team gains if it wants to, whatever the others do: a bound from below.
    ///
    /// A legal placement of which no other colour can cover a cell can be made at any later time, and
    /// several such placements that are not in each other's way can all be made. The colour on turn can
    /// make any one at once.
    pub fn safe_points_of(&self, puzzle: &Puzzle, list: &List, team: Team) -> i32 {
        let colors = team.colors().into_iter().filter(|&color| self.in_play.contains(color));
        colors.map(|color| self.safe_points(puzzle, list, color)).sum()
    }

    fn safe_points(&self, puzzle: &Puzzle, list: &List, color: Color) -> i32 {
        let side = &self.sides[color];
        let others = self.in_play.iter().filter(|&other| other != color);
        let mut barred = others.fold(Cells::EMPTY, |cells, other| cells | self.sides[other].reach);
        let (mut pieces, mut safe, mut largest) = (PieceSet::EMPTY, 0, 0);
        for &index in &list[side.legal()] {
            let candidate = &puzzle.candidates[usize::from(index)];
            let size = candidate.piece.size() as i32;
            largest = largest.max(size);
            if pieces.len() < side.turns && !pieces.contains(candidate.piece) && !candidate.cells.intersects(barred) {
                pieces.insert(candidate.piece);
                barred = barred | candidate.cells | candidate.sides;
                safe += size;
            }
        }
        if color == self.color() { safe.max(largest) } else { safe }
    }

    /// The cells that matter to a colour.
    pub fn reach(&self, color: Color) -> Cells {
        if self.in_play.contains(color) { self.sides[color].reach } else { Cells::EMPTY }
    }

    /// A key of all that the points still to be gained depend on.
    ///
    /// Neither cells that nobody can cover nor points gained before have a part in it, and of a
    /// team by itself only the number of its turns: the states of one group are found again
    /// whatever happened elsewhere.
    pub fn key(&self, puzzle: &Puzzle) -> Key {
        let turns = |color| {
            let side: &Side = &self.sides[color];
            side.turns.min(side.left.len()) as u64
        };
        let time = match puzzle.turn_limit {
            _ if self.is_one_team() => self.in_play.iter().fold(0, |time, color| time << 8 | turns(color)),
            None => self.color() as u64 | u64::from(self.passes) << 4,
            Some(_) => u64::from(self.turn),
        };
        let limit = u64::from(puzzle.turn_limit.unwrap_or(u16::MAX));
        let words = [limit << 32 | time << 4 | u64::from(self.in_play.bits())];
        let futures = self.in_play.iter().flat_map(|color| self.sides[color].words());
        Key::of_words(words.into_iter().chain(futures))
    }
}
