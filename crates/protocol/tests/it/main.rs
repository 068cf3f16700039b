//! Integration tests.

mod moves_of_clients;
mod replays;
mod round_trips;
mod unreadable_cells;
