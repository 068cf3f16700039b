//! Counting leaves on several threads, and the reference counts to compare with.
//!
//! The counting itself is [`game::perft`].

pub mod divide;
pub mod reference;
