//! Matches between Blokus engines, and statistics about their strength.
//!
//! An [engine](engines) plays one side of a [game](games); a [match](mod@matches) is many pairs of games, and
//! [`ratings`] turns results into Elo with intervals. A [`plan`] describes matches and tournaments in a file, the
//! [`database`] stores every game, and [`reports`] draws both as a page. [`tuning`] searches for better parameters by
//! playing, [`openings`] provides balanced openings and builds opening books. [`suite`] compares engines on positions
//! instead of games.
//!
//! The library never prints.

#[cfg(feature = "queue")]
pub mod cluster;
pub mod database;
pub mod defaults;
pub mod engines;
pub mod files;
pub mod games;
pub mod league;
pub mod lock;
pub mod matches;
pub mod openings;
pub mod plan;
pub mod ratings;
pub mod records;
pub mod reports;
pub mod suite;
pub mod text;
pub mod tuning;
