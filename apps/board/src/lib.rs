//! Blokus for people: games against our players, with others and between programs, and what to learn from them.
//!
//! Layers, of which each knows only those below: a game [`session`] without input or output; a [`thinker`] that has
//! opinions about positions, and the [`study`] of a whole game; how games [`begin`] and are [saved](save), the files of
//! the [`page`] and the [`sheet`] that is made of them, and how a page and whoever keeps a session [`talk`]; the
//! [`service`] that keeps sessions and lets engines think in them; and faces: the [`terminal`], and the page in the
//! folder `page`.
//!
//! The service and the terminal need the feature `service`, which is on by default. Without it nothing here needs a
//! network, a disk or a thread.

pub mod begin;
pub mod page;
pub mod save;
#[cfg(feature = "service")]
pub mod service;
pub mod session;
pub mod sheet;
pub mod study;
pub mod talk;
#[cfg(feature = "service")]
pub mod terminal;
pub mod thinker;
