//! Pictures of positions, for people.
//!
//! ```
//! use game::{Position, Rules};
//! use picture::svg::Svg;
//!
//! let position = Position::new(Rules::Classic, None)?;
//! assert!(Svg::new(&position).to_string().starts_with("<svg"));
//! # Ok::<(), game::SetupError>(())
//! ```
//!
//! [`Picture`] draws with text: letters where there are no colours, blocks of colour where there
//! are, as large as the terminal allows and never larger. [`Terminal`] detects what standard output supports. [`svg`]
//! draws a board for pages, notebooks and files; pages can change that drawing in place.
//!
//! The crate has no rules and prints nothing: it returns text.

mod labels;
mod layout;
mod line;
mod palette;
mod remaining;
pub mod svg;
mod terminal;
mod text;
pub mod tray;

pub use labels::Labels;
pub use palette::{ColorDepth, Paint};
pub use terminal::Terminal;
pub use text::{Canvas, Picture, ShownEvaluation, ShownPlayer};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
