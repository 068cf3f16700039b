//! Progress of a game: the turn, the colours in play, and the score.

use crate::board::Board;
use crate::color::{Color, ColorSet, Team};
use crate::piece::{Piece, PieceSet};
use crate::rules::Rules;
use crate::score::points;

/// Everything about a game that is not on its board. A [`Position`](crate::Position) is a board and a `Progress`.
///
/// ```
/// use game::{Color, Progress, Rules};
///
/// let progress = Progress { turn: 6, ..Progress::new(Rules::Season2027) };
/// assert_eq!((progress.color(), progress.is_over()), (Color::Red, false));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Progress {
    /// The turn number, from 0. Turns of removed colours are counted, too.
    pub turn: u16,
    /// The turn number at which the game is over, if there is one.
    pub turn_limit: Option<u16>,
    /// The colours that have not been removed.
    pub in_play: ColorSet,
    /// The colours that have placed all pieces, the monomino last.
    pub mono_last: ColorSet,
}

const _: () = assert!(size_of::<Progress>() == 8, "searches copy it all the time");

impl Progress {
    /// Creates the start of a game.
    pub const fn new(rules: Rules) -> Self {
        Self { turn: 0, turn_limit: rules.turn_limit(), in_play: ColorSet::ALL, mono_last: ColorSet::EMPTY }
    }

    /// Returns the colour to move.
    #[inline(always)]
    pub const fn color(&self) -> Color {
        Color::from_turn(self.turn)
    }

    /// Returns `true` if the game is over: no colour is in play, or the turn limit is reached.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.in_play.is_empty() || self.turn_limit.is_some_and(|limit| self.turn >= limit)
    }

    /// Updates `mono_last` after a placement of the colour to move; `remaining` are its pieces afterwards.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn note_placement(&mut self, piece: Piece, remaining: PieceSet) {
        if remaining.is_empty() && matches!(piece, Piece::Mono) {
            self.mono_last.insert(self.color());
        }
    }

    /// Ends the turn after a placement or a pass. The next colour may be out of play.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn end_turn(&mut self) {
        // Wraps around in an endless game without a turn limit; four divides the number of values.
        self.turn = self.turn.wrapping_add(1);
    }

    /// Skips colours out of play until one in play is to move. Keeps the turn if there is none.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn skip_removed_colors(&mut self) {
        while !self.in_play.is_empty() && !self.in_play.contains(self.color()) {
            self.end_turn();
        }
    }

    /// Advances to the next colour with a legal placement and removes the colours before it from play.
    #[doc(hidden)]
    #[inline(always)]
    pub fn remove_stuck_colors(&mut self, can_place: impl Fn(Color) -> bool) {
        loop {
            self.skip_removed_colors();
            let color = self.color();
            if self.in_play.is_empty() || can_place(color) {
                return;
            }
            self.in_play.remove(color);
        }
    }

    /// Returns the [`points`] of a colour on this board.
    #[inline]
    pub fn points(&self, board: &Board, color: Color) -> i32 {
        points(board.remaining_pieces(color), self.mono_last.contains(color))
    }

    /// Returns the points of both colours of a team on this board.
    #[inline]
    pub fn team_points(&self, board: &Board, team: Team) -> i32 {
        team.colors().into_iter().map(|color| self.points(board, color)).sum()
    }

    /// Returns the lead of a team in points on this board; negative if it is behind.
    #[inline]
    pub fn margin(&self, board: &Board, team: Team) -> i32 {
        self.team_points(board, team) - self.team_points(board, team.opponent())
    }
}
