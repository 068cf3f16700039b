//! Integration tests.

mod book;
mod credentials;
mod database;
#[cfg(unix)]
mod endless_files;
mod engines;
mod folder;
mod league;
mod plans;
mod queue;
mod queue_access;
mod queue_server;
mod serve;
mod suite;
mod tune;
