//! Opening books made by long searches.
//!
//! A [`Folder`] keeps what was searched, one file for each position, so that whoever ends the program loses at most the
//! search in progress; any number of processes may work in one folder. Which positions are searched follows from what
//! is known: from every start the best moves, and beside them lines in which one move is another likely one, see
//! [`Wish::missing`]. [`page`] shows a book.

mod folder;
mod line;
mod page;
mod plan;
mod searched;

pub use folder::{Claim, Folder, FolderError};
pub use line::Line;
pub use page::page;
pub use plan::Wish;
pub use searched::{Alternative, Effort, Searched};
