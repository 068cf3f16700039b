//! Games as Pentobi's files, `.blksgf`.
//!
//! They are Smart Game Format in UTF-8 with the properties that Pentobi defines (*Pentobi SGF
//! Files*, in its sources): the game `GM[Blokus Two-Player]` or, of four players, `GM[Blokus]`, moves `1[…]` to `4[…]` of blue, yellow,
//! red and green, whose values are points as in [`protocol::gtp`], pieces set up by `A1` to `A4`,
//! `AE` and `PL`, comments `C`, the players `PB` and `PW`. What it leaves open is said by
//! properties of our own, which Pentobi keeps and ignores:
//!
//! | property | where | meaning |
//! |---|---|---|
//! | `RU[2027 PENTO_W]` | root | the rules of a season and its start piece; without it the game is classic |
//! | `BP[2027 PENTO_W 4 BYRG - …]` | root | the start in our notation, which says more than pieces that are set up |
//! | `GN[…]` | root | what the game is called where it was played |
//! | `FAULT[ONE late …]` | root | the team that lost by a fault, and the fault |
//! | `PASS[2]` | node | a colour passes although it could move. Colours that cannot move need no node |
//! | `ENG[win 0.53 …]` | node | what the player said about its move |
//!
//! Everything else is kept as [properties](crate::Note::properties) of the note.

mod charset;
mod names;
mod read;
mod setup;
mod syntax;
mod write;

pub use charset::decode;
pub(crate) use charset::is_likely;
pub(crate) use names::is_foreign;
pub use read::{read, read_main_line};
pub use write::write;
