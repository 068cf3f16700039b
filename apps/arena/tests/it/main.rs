//! Integration tests.

mod book;
mod database;
#[cfg(unix)]
mod endless_files;
mod engines;
mod folder;
mod league;
mod plans;
mod serve;
mod suite;
mod tune;
