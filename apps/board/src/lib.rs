//! Blokus for people: games against programs, with others and between programs, and their analysis.
//!
//! From the lowest layer up: a [`session`] is a game with undo, variations and clocks; the [`engine`] searches
//! positions; an [`active`] game is the state machine that combines both, and [`messages`] connect it to pages. Games
//! are created by [`new_game`] and [saved](save) as files; [`page`] contains the files of the page, [`sheet`] a page
//! about one game. Each refuses impossible actions with a [`Refused`](refused::Refused). The [`service`] and the
//! [`terminal`] are hosts of games; so is the crate `site`.
//!
//! Without the feature `service` the crate needs no network, disk or thread.

pub mod active;
pub mod engine;
pub mod messages;
pub mod new_game;
pub mod page;
pub mod refused;
pub mod save;
#[cfg(feature = "service")]
pub mod service;
pub mod session;
pub mod sheet;
pub mod study;
#[cfg(feature = "service")]
pub mod terminal;
