//! Integration tests.

mod documented;
mod pentobi;
mod round_trips;
