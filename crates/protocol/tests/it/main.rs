//! Integration tests.

mod moves_of_clients;
mod round_trips;
mod unreadable_cells;
