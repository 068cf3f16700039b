//! A game in progress, without I/O, clock and threads.
//!
//! [`Session::act`] applies an [`Action`] of [somebody](By). Clients draw a [`View`], and show a [`Review`], a
//! [`territory`] or an answer of [`why_not`]. All of them have a form in JSON.
//!
//! | file | content |
//! |---|---|
//! | `action` | actions, permissions and refusals |
//! | `seat` | the player of a colour |
//! | `clock` | time controls |
//! | `state` | the state of the game, and the effect of each action |
//! | `log` | the session: undo, redo, running clocks |
//! | `document` | a session as text |
//! | `insight` | the result of a search |
//! | `played` | moves with their colours and cells |
//! | `review` | the cost of each move |
//! | `territory` | the cells that colours can still reach |
//! | `explain` | the rule that forbids a placement |
//! | `shapes` | tables of the pieces |
//! | `view` | everything that a client draws |
//! | `summary` | an entry in the list of games |
//! | `encoding` | forms in JSON |
//!
//! Cells are numbers: x + 20 y from 0 at the upper left. Moves are in the notation of the crate `game`, for example
//! `PENTO_W-RIGHT@3,4` or `PASS`; colours, teams, pieces and rules have their names.

mod action;
mod clock;
mod document;
pub(crate) mod encoding;
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

pub use action::{Action, By};
pub use clock::{Clock, TimeControl};
pub use explain::{WhyNot, rule_name, why_not};
pub use insight::{CandidateMove, Insight};
pub use log::{Millis, Session};
pub use played::PlayedMove;
pub use review::{Mark, MoveReview, Recheck, Review, rechecks};
pub use seat::{Seat, Seats};
pub use shapes::{Shapes, shapes};
pub(crate) use state::{MAX_COMMENT, MAX_COMMENTS, MAX_NAME};
pub use summary::Summary;
pub use territory::{TerritoryOfColor, territory};
pub use view::{ColorView, PlyView, TeamView, View};
