//! The wire format of the Software-Challenge's game server, in both directions and for both seasons of Blokus: bytes
//! become messages, and messages bytes. There are no sockets and no clock here.
//!
//! Each direction of a connection is one XML document with root `<protocol>` whose children are the messages. A
//! [`Framer`] cuts the bytes, in whatever pieces they arrive, into [`Element`]s; [`ServerMessage`] and
//! [`ClientMessage`] parse and write elements. [`Season`] has everything that differs between the seasons.
//!
//! ```
//! use protocol::{ClientMessage, Frame, Framer, OPENING, Season, ServerMessage};
//!
//! let mut framer = Framer::default();
//! framer.push(b"<protocol>\n  <joined room");
//! assert!(framer.next_frame()?.is_none());
//! framer.push(b"Id='abc'/>");
//! let Some(Frame::Element(element)) = framer.next_frame()? else { panic!() };
//! let message = ServerMessage::parse(&element, Season::Season2027)?;
//! assert_eq!(message, ServerMessage::Joined { room: "abc".to_owned() });
//!
//! let join = ClientMessage::Join { game_type: Some(Season::Season2027.game_type().to_owned()) };
//! let bytes = format!("{OPENING}{}", join.to_element(Season::Season2027).to_xml(1));
//! assert_eq!(bytes, "<protocol>\n  <join gameType=\"swc_2027_blokus\"/>");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Replay`] is a file of such messages. [`gtp`] reads and writes moves as engines with the Go Text Protocol do.

mod board;
mod client;
mod element;
mod error;
mod framer;
pub mod gtp;
mod moves;
mod official_move;
mod official_xml;
mod replay;
mod result;
mod season;
mod server;
mod state;

pub use client::{ClientMessage, DEFAULT_PASSWORD, Slot};
pub use element::{Element, XmlError};
pub use error::{ClientMessageError, MessageError};
pub use framer::{Frame, FrameError, Framer, MAX_DEPTH};
pub use moves::{PieceMove, WireMove};
pub use replay::{LineError, Replay, ReplayError};
// Hidden items serve the other crates of the workspace; minor versions may change them.
#[doc(hidden)]
pub use result::NO_NAME;
pub use result::{Cause, GameResult, Score};
pub use season::Season;
pub use server::{GameError, RoomData, ServerMessage};
pub use state::{Inconsistency, State};

/// Text that either side sends before its first message.
pub const OPENING: &str = "<protocol>";

/// Text that either side sends after its last message.
pub const CLOSING: &str = "\n</protocol>";

// Users share these types between threads.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    is_send_and_sync::<(Framer, Frame, Element, ServerMessage, ClientMessage, State, GameResult, Replay)>();
    is_send_and_sync::<(FrameError, XmlError, MessageError, ClientMessageError, ReplayError, Inconsistency)>();
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
