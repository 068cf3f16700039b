//! What earlier games taught: how games went on after moves that were made before.
//!
//! A search judges a move by what it sees at the time. How the game then went says more, and says it for a whole game's
//! worth of searches; where both differ, the [`Experience`] keeps what really happened, and a player that comes to the
//! position again, or to an image of it, knows it before its first simulation. Persistent learning of this kind is old
//! in checkers and chess (A. L. Samuel, Some studies in machine learning using the game of checkers, 1959).
//!
//! `lessons` is what is known, as a table and as text; `file` keeps it safely in a file that several processes share;
//! `shared` is what all players of a process know of both; the [`Diary`] of a player makes lessons of the games that it
//! plays.

mod diary;
mod file;
mod lessons;
mod shared;

pub use self::diary::Diary;
pub use self::file::ExperienceError;
pub use self::lessons::Lesson;
pub use self::shared::Experience;
