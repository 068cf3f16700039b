//! A client for the game servers of the Software-Challenge Germany.
//!
//! [`play`] is the heart: it joins a game over any pair of reader and writer, asks a [`Player`](player::Player) for a
//! move whenever the server does, and leaves when the game is over. Around it lie the options of the program
//! ([`options`]), the TCP connection ([`connection`]), signals that end it ([`interrupt`]), logging that cannot block
//! the game ([`logging`]), what the program says when it ends ([`exit`]), a game to watch on this machine alone
//! ([`demo`]), an engine for programs that are not servers of the contest ([`gtp`]), a benchmark of the search
//! ([`bench`](mod@bench)), and the choice of machine code for the processor ([`build`]). [`program`] is all of it
//! around a player of one's own.

pub mod algorithm;
mod answer;
pub mod bench;
pub mod build;
pub mod connection;
pub mod demo;
pub mod exit;
pub mod gtp;
pub mod interrupt;
pub mod logging;
pub mod memory;
pub mod options;
mod outcome;
mod pace;
mod player_thread;
mod priority;
pub mod program;
mod session;
mod silence;
mod thinking;

// For clients of one's own, which then depend on this crate alone.
#[cfg(feature = "pack")]
pub use pack;
pub use {game, player};

pub use answer::choose;
pub use outcome::{GameOutcome, SessionError};
pub use pace::DEFAULT_TIME;
pub use session::{Entry, Event, PARTING, Settings, play};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
