//! Perft: counting the leaves of the game tree to a depth, the standard check and benchmark of a
//! move generator.

use std::ops::ControlFlow;

use crate::placement::{Move, Placement};
use crate::position::Position;

/// The number of leaves `depth` turns below a position.
///
/// Nobody passes, but the turn of a colour that has no placement counts like any other: it has one
/// child. A position that is over is a leaf at any depth. The last turn is counted without being
/// played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    let (board, color) = (position.board(), position.color());
    if depth == 1 {
        return board.count_placements(color) as u64;
    }
    let mut leaves = 0;
    let _: ControlFlow<()> = board.visit_placements(color, |shape, roots| {
        leaves += roots.into_iter().map(|root| perft_after(position, Placement::new(shape, root), depth)).sum::<u64>();
        ControlFlow::Continue(())
    });
    leaves
}

/// The leaves `depth` turns below a position that follow a placement; [`perft`] is the sum over the
/// legal ones if `depth` is not 0 and the game not over.
pub fn perft_after(position: &Position, placement: Placement, depth: u32) -> u64 {
    let mut child = *position;
    child.play(Move::Place(placement));
    // The turns of colours without a placement are skipped in playing.
    let turns = child.turn().wrapping_sub(position.turn()).into();
    perft(&child, depth.saturating_sub(turns))
}
