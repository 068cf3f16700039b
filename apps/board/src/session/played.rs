//! Moves with their colours and cells.

use game::{Color, Move, Position};
use record::Node;
use serde::Serialize;

use super::encoding::numbers;

/// A move with its colour and cells, in JSON `{"color":"BLUE","move":"DOMINO@0,0","cells":[0,1]}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayedMove {
    /// The colour that moves.
    pub color: Color,
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The covered cells; none for a pass.
    pub cells: Vec<u16>,
}

impl PlayedMove {
    pub(crate) fn new(color: Color, mv: Move) -> Self {
        let cells = mv.placement().map(|placement| numbers(placement.cells())).unwrap_or_default();
        Self { color, mv, cells }
    }

    /// Returns the move of a node; `None` at the start.
    pub(super) fn of(node: &Node) -> Option<Self> {
        Some(Self::new(node.color()?, node.mv()?))
    }

    /// Plays moves from a position up to the first illegal one.
    pub fn line(position: &Position, moves: &[Move]) -> Vec<Self> {
        let mut position = *position;
        let mut line = Vec::new();
        for &mv in moves {
            let color = position.color();
            if position.try_play(mv).is_err() {
                break;
            }
            line.push(Self::new(color, mv));
        }
        line
    }
}
