//! Perft: counting the leaves of the game tree to a depth, the standard check and benchmark of a
//! move generator.

use std::ops::ControlFlow;

use crate::placement::{Move, Placement};
use crate::position::Position;

/// The number of move sequences of `depth` plies from a position.
///
/// Passing counts only where a colour cannot place anything: a position that is over has one
/// child, itself. The last ply is counted without being played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    if depth == 0 || position.is_over() {
        return 1;
    }
    if depth == 1 {
        return position.board().count_placements(position.color()) as u64;
    }
    let mut nodes = 0;
    let _: ControlFlow<()> = position.board().visit_placements(position.color(), |shape, roots| {
        for root in roots {
            nodes += perft(&after(position, Placement::new(shape, root)), depth - 1);
        }
        ControlFlow::Continue(())
    });
    nodes
}

/// The leaves below every legal placement of a position; [`perft`] is their sum for `depth` >= 1
/// unless the game is over.
pub fn divide(position: &Position, depth: u32) -> Vec<(Placement, u64)> {
    let mut placements = Vec::new();
    if depth > 0 && !position.is_over() {
        position.board().list_placements(position.color(), &mut placements);
    }
    placements.into_iter().map(|placement| (placement, perft(&after(position, placement), depth - 1))).collect()
}

fn after(position: &Position, placement: Placement) -> Position {
    let mut child = *position;
    child.play(Move::Place(placement));
    child
}
