//! Names in JSON, and cells as numbers.

use game::{BOARD_SIZE, Bitboard, Cell};

/// Returns the number of a cell: x + 20 y.
pub(super) fn number(cell: Cell) -> u16 {
    (cell.x() + BOARD_SIZE * cell.y()) as u16
}

/// Returns the numbers of a set of cells.
pub(super) fn numbers(cells: Bitboard) -> Vec<u16> {
    cells.into_iter().map(number).collect()
}

/// For `#[serde(with = …)]` of a level.
pub(crate) mod level {
    use player::Level;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(level.number())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Level, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Level::new(number).ok_or_else(|| D::Error::custom(format!("expected a level from 1 to 9, found {number}")))
    }
}
