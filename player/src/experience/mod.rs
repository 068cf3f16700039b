//! Experience: results of earlier games that improve later searches of the same positions.
//!
//! A search evaluates a move at one moment. The rest of the game reveals more, with the effort of a whole game's
//! searches. [`Experience`] stores the actual results where the two differ, and a player uses them in the same
//! position, or an image of it, before its first simulation (persistent learning: A. L. Samuel, Some studies in machine
//! learning using the game of checkers, 1959).

// `table` holds the results, `file` stores the table in a file that several processes share, `shared` connects both for
// the players of a process. A `GameRecorder` turns a game into results.

mod file;
mod game_recorder;
mod shared;
mod table;

pub use self::file::ExperienceError;
pub(crate) use self::game_recorder::GameRecorder;
pub use self::shared::Experience;
pub use self::table::MoveExperience;
