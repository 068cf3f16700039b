//! Blokus for people: games against our players, with others and between programs, and what to learn from them.
//!
//! Layers, of which each knows only those below: a game [`session`] without input or output; a [`thinker`] that has
//! opinions about positions; the files of the [`page`] and the [`sheet`] that is made of them; the [`service`] that keeps
//! sessions and lets engines think in them; and faces: the [`terminal`], and the page in the folder `page`.

pub mod page;
pub mod service;
pub mod session;
pub mod sheet;
pub mod terminal;
pub mod thinker;
