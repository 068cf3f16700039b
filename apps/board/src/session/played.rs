//! Moves with who made them and what they covered, as faces draw them.

use game::{Color, Move, Position};
use record::Node;
use serde::Serialize;

use super::words::numbers;

/// A move with who made it and what it covered, in JSON `{"color":"BLUE","move":"DOMINO@0,0","cells":[0,1]}`.
///
/// ```
/// use board::session::PlayedMove;
/// use game::{Position, Rules};
///
/// let start = Position::new(Rules::Classic, None)?;
/// let line = PlayedMove::line(&start, &["DOMINO@0,0".parse()?, "MONO@19,0".parse()?]);
/// assert_eq!((line[0].color, line[0].cells.as_slice(), line[1].color), ("BLUE", &[0, 1][..], "YELLOW"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayedMove {
    /// The colour that makes it.
    pub color: &'static str,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The cells that it covers; none for a pass.
    pub cells: Vec<u16>,
}

impl PlayedMove {
    fn new(color: Color, mv: Move) -> Self {
        let cells = mv.placement().map(|placement| numbers(placement.cells())).unwrap_or_default();
        Self { color: color.name(), mv: mv.to_string(), cells }
    }

    /// The move that led to a place of a game; none at the start.
    pub(super) fn of(node: &Node) -> Option<Self> {
        Some(Self::new(node.color()?, node.mv()?))
    }

    /// Moves that follow each other from a position, up to the first that is not legal.
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
