//! Which parts of the search are in use.

use super::candidates::Width;

/// Which parts of the search are in use, and how many moves it looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// Remember positions in a table.
    pub table: bool,
    /// Try moves first that cut off positions at the same distance from the root.
    pub killers: bool,
    /// Try moves early that cut off positions anywhere.
    pub history: bool,
    /// Search later moves with a null window first.
    pub scout: bool,
    /// Begin an iteration with a small window (aspiration window) around the value of one before.
    pub aspiration: bool,
    /// How many moves are looked at.
    pub width: Width,
}
