//! Blokus for people: games against our players, with others and between programs, and what to learn from them.
//!
//! Layers, of which each knows only those below: a game [`session`] without input or output; a [`thinker`] that has
//! opinions about positions; the [`service`] that keeps sessions and lets engines think in them; and faces: the
//! [`terminal`], and the page in the folder `page`.

pub mod service;
pub mod session;
pub mod terminal;
pub mod thinker;
