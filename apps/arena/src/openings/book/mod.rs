//! Opening books made by long searches.
//!
//! A [`Folder`] stores one file per searched position, so a stopped program loses at most the search in progress, and
//! several processes may share a folder. [`BookRequest::missing`] chooses the positions: the best moves from every
//! start, plus lines with one other likely move.

mod folder;
mod line;
mod plan;
mod searched;

pub use folder::{Claim, Folder};
pub use line::Line;
pub use plan::BookRequest;
pub use searched::{Alternative, Effort, Searched};
