//! A game in progress, without input or output: no files, no clock, no threads, no network.
//!
//! A [`Session`] is told what somebody [does](Action) and [who](By) it is, at a time that the caller brings, and says
//! what came of it. Everything that a face has to draw is a [`View`]; what a person should know about the game is a
//! [`Review`], a [`Territory`] or an answer to [`why_not`]. All of them have a shape in JSON, which stands with the
//! type, so that the service, the page and a program in the browser speak of the same things.
//!
//! | file | what |
//! |---|---|
//! | `action` | what can be done, by whom, and why it is refused |
//! | `seat` | who plays a colour |
//! | `clock` | time controls |
//! | `state` | the game as it stands, and what each action changes in it |
//! | `log` | the session: undo, redo, clocks that run |
//! | `document` | a session as text |
//! | `insight` | what an engine thinks of a position |
//! | `played` | moves as faces draw them |
//! | `doubt` | moves that are worth a second look |
//! | `review` | which moves cost how much |
//! | `territory` | where colours can still go |
//! | `explain` | the rule that forbids a placement |
//! | `shapes` | pieces as tables for faces |
//! | `view` | everything that a face draws |
//! | `summary` | what a list says of a game |
//! | `words` | names of the game's things in JSON |
//!
//! Cells are numbers: x + 20 y from 0 at the upper left. Moves are in the notation of the crate `game`, for example
//! `PENTO_W-RIGHT@3,4` or `PASS`; colours, teams, pieces and rules have their names.

mod action;
mod clock;
mod document;
mod doubt;
mod explain;
mod insight;
mod log;
mod played;
mod review;
mod seat;
mod shapes;
mod state;
mod summary;
mod territory;
mod view;
pub(crate) mod words;

pub use action::{Action, ActionError, By};
pub use clock::{Clock, TimeControl};
pub use document::DocumentError;
pub use doubt::Doubt;
pub use explain::{WhyNot, rule_name, why_not};
pub use insight::{Candidate, Insight};
pub use log::{Millis, Session};
pub use played::PlayedMove;
pub use review::{Mark, MoveReview, PHASES, Phase, Review, doubts};
pub use seat::{Seat, Seats};
pub use shapes::{Shapes, shapes};
pub use summary::Summary;
pub use territory::{Territory, TerritoryOfColor, territory};
pub use view::{ColorView, PlyView, TeamView, View};
