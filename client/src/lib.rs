//! A client for the game servers of the Software-Challenge Germany.
//!
//! ```no_run
//! use client::Settings;
//! use player::{FromOptions, HeuristicPlayer, Options};
//!
//! let mut player = HeuristicPlayer::new(&Options::default());
//! let stream = client::connection::connect("localhost", 13050)?;
//! let stop = client::stop_on_signal()?;
//! let outcome = client::play(&Settings::default(), &mut player, &stream, &stream, &stop, &mut |_| {})?;
//! println!("{outcome}");
//! # Ok::<(), anyhow::Error>(())
//! ```
//!
//! [`play`] joins a game over any reader and writer, asks a [`Player`](player::Player) for the moves, and leaves when
//! the game is over. [`program`] is a whole program around a player: options, the TCP [`connection`], signals
//! ([`stop_on_signal`]), a log that cannot block the game, and exit codes ([`exit`]). The program can also show a game on
//! this machine, run as an engine for other programs ([`gtp`]), measure the search, and choose machine code for the
//! processor.

#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod algorithm;
mod answer;
mod bench;
mod build;
pub mod connection;
mod demo;
pub mod exit;
pub mod gtp;
// For the Python package.
#[doc(hidden)]
pub mod logging;
mod memory;
mod move_timer;
mod options;
mod outcome;
mod pace;
mod player_thread;
mod priority;
pub mod program;
mod session;
mod settings;
mod silence;

// Clients of your own then depend on this crate alone.
#[cfg(feature = "pack")]
pub use pack;
pub use {game, player, protocol};

pub use answer::choose;
pub use cli::stop_on_signal;
pub use outcome::{GameOutcome, SessionError};
pub use pace::DEFAULT_TIME;
pub use session::{play, play_owned};
pub use settings::{JoinMode, LINGER, SessionEvent, Settings};

// Users share these types between threads.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync>() {}
    const fn is_send<T: Send>() {}
    is_send_and_sync::<(Settings, JoinMode, SessionEvent<'static>, GameOutcome, SessionError)>();
    is_send::<gtp::Engine>();
};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
