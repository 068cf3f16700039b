//! Games as Pentobi's files, `.blksgf`.
//!
//! They are Smart Game Format in UTF-8 with properties of Pentobi (*Pentobi SGF Files* in its sources): the game
//! `GM[Blokus Two-Player]` or, with four players, `GM[Blokus]`, the moves `1[…]` to `4[…]` of blue, yellow, red and
//! green with the points of [`protocol::gtp`], setup by `A1` to `A4`, `AE` and `PL`, comments `C`, players `PB` and
//! `PW`. Our own properties add the rest; Pentobi keeps and ignores them:
//!
//! | property | where | meaning |
//! |---|---|---|
//! | `RU[2027 PENTO_W]` | root | the rules of a season and its start piece; without it the game is classic |
//! | `BP[2027 PENTO_W 4 BYRG - …]` | root | the start in our notation, which is more exact than the setup |
//! | `GN[…]` | root | the name of the game at its source |
//! | `FAULT[ONE late …]` | root | the team that lost by a fault, and the fault |
//! | `PASS[2]` | node | a voluntary pass. Colours that cannot move need no node |
//! | `ENG[win 0.53 …]` | node | the player's figures about its move |
//!
//! Everything else is kept as [properties](crate::Note::properties) of the note.

mod charset;
mod read;
mod setup;
mod syntax;
mod write;

pub use charset::decode;
pub(crate) use charset::is_likely;
pub use read::read;
pub(crate) use syntax::is_foreign;
pub use write::write;
