//! Perft: counting the leaves of the game tree to a depth, the standard check and benchmark of a move generator.

use std::ops::ControlFlow;

use crate::placement::{Move, Placement};
use crate::position::Position;

/// Returns the number of leaves `depth` turns below a position.
///
/// A colour without a placement does not pass, but its turn counts as a ply with one child. (Only in a position that
/// was set up can such a colour be to move; that position has no leaves.) A finished position is a leaf at any depth.
/// The last ply is counted without being played.
///
/// ```
/// use game::{Piece, Position, Rules, perft::perft};
///
/// let start = Position::new(Rules::Season2021, Some(Piece::PentoW))?;
/// assert_eq!((0..=4).map(|depth| perft(&start, depth)).collect::<Vec<_>>(), [1, 8, 48, 192, 384]);
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    let (board, color) = (position.board(), position.color());
    if depth == 1 {
        return board.count_placements(color) as u64;
    }
    let mut leaves = 0;
    let _: ControlFlow<()> = board.visit_placements(color, |placements| {
        leaves += placements.iter().map(|placement| perft_after(position, placement, depth)).sum::<u64>();
        ControlFlow::Continue(())
    });
    leaves
}

/// Returns the leaves `depth` turns below a position that follow a placement; [`perft`] is the sum over the
/// legal ones if `depth` is not 0 and the game not over.
///
/// # Panics
/// With debug assertions, if the placement is illegal; see [`Position::play`].
///
/// ```
/// use game::{Piece, Position, Rules, perft::{perft, perft_after}};
///
/// let start = Position::new(Rules::Season2021, Some(Piece::PentoW))?;
/// let placements = start.placements();
/// let leaves: u64 = placements.iter().map(|&placement| perft_after(&start, placement, 3)).sum();
/// assert_eq!(leaves, perft(&start, 3));
/// # Ok::<(), game::SetupError>(())
/// ```
pub fn perft_after(position: &Position, placement: Placement, depth: u32) -> u64 {
    let child = position.after(Move::Place(placement));
    // `after` skips the turns of colours without a placement.
    let turns = child.turn().wrapping_sub(position.turn()).into();
    perft(&child, depth.saturating_sub(turns))
}
