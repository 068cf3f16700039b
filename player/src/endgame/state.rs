//! A position as the endgame search sees it.

use game::{Bitboard, ByColor, Color, ColorSet, Move, Position, Rules, Team};

use super::prospect::{Prospect, own_turns};
use crate::table::Key;

/// A position and the futures of the colours that are in play in it.
#[derive(Clone, Copy)]
pub struct State {
    pub position: Position,
    prospects: ByColor<Prospect>,
    /// How many moves before this one were passes.
    passes: u8,
}

impl State {
    pub fn new(position: &Position) -> Self {
        let prospects = ByColor::from_fn(|color| {
            if position.in_play().contains(color) { Prospect::of(position, color) } else { Prospect::NONE }
        });
        Self { position: *position, prospects, passes: 0 }
    }

    /// Whether nobody gains points any more. Where the rules set no limit to the number of turns,
    /// that is also when everybody has passed in succession.
    pub fn is_over(&self) -> bool {
        self.position.is_over()
            || self.position.rules().turn_limit().is_none() && usize::from(self.passes) >= self.active().len()
    }

    /// The state after a move.
    pub fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        next.position.play(mv);
        next.passes = if mv == Move::Pass { self.passes + 1 } else { 0 };
        let placed = mv.placement().map_or(Bitboard::EMPTY, |placement| placement.cells());
        for color in self.position.in_play().iter() {
            if !next.position.in_play().contains(color) {
                next.prospects[color] = Prospect::NONE;
            } else if self.prospects[color].reach.intersects(placed) {
                // The mover's own reach always holds what it placed.
                next.prospects[color] = Prospect::of(&next.position, color);
            }
        }
        next
    }

    /// The state in which only these colours are in play.
    pub fn with_only(&self, colors: ColorSet) -> Self {
        let position = self.position.with_only(colors);
        let prospects =
            ByColor::from_fn(
                |color| {
                    if position.in_play().contains(color) { self.prospects[color] } else { Prospect::NONE }
                },
            );
        Self { position, prospects, passes: 0 }
    }

    /// The colours that may still gain points.
    pub fn active(&self) -> ColorSet {
        Color::ALL.into_iter().filter(|&color| self.prospects[color].gain > 0).collect()
    }

    /// The active colours in groups: colours of different groups never get in
    /// each other's way, whatever they do.
    pub fn groups(&self) -> impl Iterator<Item = ColorSet> {
        let reach = self.prospects.0.map(|prospect| prospect.reach);
        let mut rest = self.active();
        std::iter::from_fn(move || {
            let first = rest.iter().next()?;
            let (mut group, mut cells) = (ColorSet::EMPTY, reach[first as usize]);
            while let Some(color) = rest.iter().find(|&color| reach[color as usize].intersects(cells)) {
                rest.remove(color);
                group.insert(color);
                cells |= reach[color as usize];
            }
            Some(group)
        })
    }

    /// Bounds of the points that a team will gain more than its opponents.
    pub fn bounds(&self, team: Team) -> (i32, i32) {
        let most = |team: Team| team.colors().into_iter().map(|color| self.prospects[color].gain).sum::<i32>();
        (-most(team.opponent()), most(team))
    }

    /// The cells that matter to the opponents of a colour, and those that matter to its partner.
    pub fn reach_of_others(&self, color: Color) -> (Bitboard, Bitboard) {
        let [first, second] = color.team().opponent().colors();
        (self.prospects[first].reach | self.prospects[second].reach, self.prospects[color.partner()].reach)
    }

    /// A key of all that the points still to be gained depend on.
    ///
    /// Neither cells that nobody can cover nor points gained before have a part in it, and of a
    /// colour by itself only the number of its turns: the states of one group are found again
    /// whatever happened elsewhere.
    pub fn key(&self) -> Key {
        let position = &self.position;
        let active = self.active();
        let time = match (active.len(), position.rules()) {
            (1, _) => u64::from(own_turns(position, position.color())),
            (_, Rules::Classic) => position.color() as u64 | u64::from(self.passes) << 8,
            (_, Rules::Season2021 | Rules::Season2027) => u64::from(position.turn()),
        };
        let rules = position.rules() as u64 | position.start_piece().map_or(0, |piece| piece as u64 + 1) << 8;
        let futures = active.iter().map(|color| self.prospects[color].key).flat_map(|key| [key.place, key.check]);
        Key::of_words(futures.chain([time | rules << 32]))
    }
}
