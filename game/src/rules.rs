//! Differences between the seasons of the Software-Challenge and the boxed game.

use crate::bitboard::Bitboard;
use crate::cell::{BOARD_SIZE, Cell};
use crate::color::Color;
use crate::name::named;
use crate::piece::{MAX_PIECE_SIZE, Piece, PieceSet};

/// A rule set. Its methods list the differences between the rule sets.
///
/// ```
/// use game::{Color, Rules};
///
/// assert_eq!("2027".parse(), Ok(Rules::Season2027));
/// assert_eq!(Rules::Season2027.start_cells(Color::Blue).len(), 76);
/// assert_eq!(Rules::Season2027.start_pieces().len(), 12);
/// assert_eq!(Rules::Season2027.turn_limit(), Some(96));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum Rules {
    /// Software-Challenge 2020/21: the first piece is one of eleven pentominoes, the same for all colours, and covers a
    /// corner of the board.
    Season2021,
    /// Software-Challenge 2026/27: the first piece is one of twelve pentominoes, the same for all colours, and covers a
    /// cell at the border of the board.
    Season2027,
    /// Blokus for two players as in the box: each colour has a corner of its own, any piece may be first, and the game
    /// lasts until nobody can move. Unlike in the box, a colour may pass although it can place a piece.
    Classic,
    /// The same for four players: each colour plays for itself.
    FourPlayers,
}

/// The cells along the border of the board.
const BORDER: Bitboard = {
    let mut rows = [1 | 1 << (BOARD_SIZE - 1); BOARD_SIZE];
    (rows[0], rows[BOARD_SIZE - 1]) = (u32::MAX, u32::MAX);
    Bitboard::from_rows(rows)
};

impl Rules {
    /// All rule sets.
    pub const ALL: &[Self] = &[Self::Season2021, Self::Season2027, Self::Classic, Self::FourPlayers];

    /// The rule sets for two players.
    pub const TWO_PLAYERS: &[Self] = &[Self::Season2021, Self::Season2027, Self::Classic];

    /// Returns the start cells: the first piece of `color` covers at least one of them.
    pub fn start_cells(self, color: Color) -> Bitboard {
        let last = BOARD_SIZE as i32 - 1;
        let corners = [(0, 0), (last, 0), (last, last), (0, last)];
        let cells = |corners: &[(i32, i32)]| corners.iter().filter_map(|&(x, y)| Cell::new(x, y)).collect();
        match self {
            Self::Season2021 => cells(&corners),
            Self::Season2027 => BORDER,
            Self::Classic | Self::FourPlayers => cells(&corners[color as usize..][..1]),
        }
    }

    /// Returns the candidates for the common first piece; one is drawn. Empty if the players choose freely.
    pub fn start_pieces(self) -> PieceSet {
        let pentominoes = Piece::ALL.into_iter().filter(|piece| piece.size() == MAX_PIECE_SIZE);
        match self {
            Self::Season2021 => pentominoes.filter(|&piece| piece != Piece::PentoX).collect(),
            Self::Season2027 => pentominoes.collect(),
            Self::Classic | Self::FourPlayers => PieceSet::EMPTY,
        }
    }

    /// Returns the turn number at which the game is over whatever the position, if there is one.
    ///
    /// The official servers end the game when the round after the last would begin; in season 2027 that is after 24
    /// rounds although 25 are documented.
    pub const fn turn_limit(self) -> Option<u16> {
        match self {
            Self::Season2021 => Some(100),
            Self::Season2027 => Some(96),
            Self::Classic | Self::FourPlayers => None,
        }
    }

    /// Returns `true` if the points of two colours count together.
    pub const fn has_teams(self) -> bool {
        !matches!(self, Self::FourPlayers)
    }

    /// Returns `2021`, `2027`, `classic` or `classic-4`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Season2021 => "2021",
            Self::Season2027 => "2027",
            Self::Classic => "classic",
            Self::FourPlayers => "classic-4",
        }
    }
}

named!(Rules, Rules::ALL, "rules", "2021, 2027, classic or classic-4");
