//! Points of placed pieces.

use crate::piece::PieceSet;

/// The points of a colour for the cells of all its pieces.
const CELL_POINTS: i32 = PieceSet::ALL.cells() as i32;

/// Bonus for placing all pieces.
const ALL_PLACED_BONUS: i32 = 15;

/// Further bonus if the monomino is placed last.
const MONO_LAST_BONUS: i32 = 5;

/// The most points that a colour can have.
///
/// ```
/// assert_eq!(game::MAX_POINTS, 109);
/// ```
pub const MAX_POINTS: i32 = CELL_POINTS + ALL_PLACED_BONUS + MONO_LAST_BONUS;

/// Returns the points of a colour with the given remaining pieces: its covered cells plus the [`bonus`]. `mono_last` is
/// `true` if the monomino was the last piece placed.
///
/// ```
/// use game::{MAX_POINTS, Piece, PieceSet, points};
///
/// assert_eq!(points(PieceSet::ALL, false), 0);
/// assert_eq!(points(PieceSet::only(Piece::PentoW), false), 84);
/// assert_eq!([false, true].map(|mono_last| points(PieceSet::EMPTY, mono_last)), [104, MAX_POINTS]);
/// ```
#[inline]
pub const fn points(remaining: PieceSet, mono_last: bool) -> i32 {
    CELL_POINTS - remaining.cells() as i32 + bonus(remaining, mono_last)
}

/// Returns the bonus of a colour: 0 while pieces remain. `mono_last` is `true` if the monomino was or will be the last
/// piece placed.
///
/// ```
/// use game::{Piece, PieceSet, bonus};
///
/// assert_eq!(bonus(PieceSet::only(Piece::Mono), false), 0);
/// assert_eq!([false, true].map(|mono_last| bonus(PieceSet::EMPTY, mono_last)), [15, 20]);
/// ```
#[inline]
pub const fn bonus(remaining: PieceSet, mono_last: bool) -> i32 {
    match (remaining.is_empty(), mono_last) {
        (false, _) => 0,
        (true, false) => ALL_PLACED_BONUS,
        (true, true) => ALL_PLACED_BONUS + MONO_LAST_BONUS,
    }
}
