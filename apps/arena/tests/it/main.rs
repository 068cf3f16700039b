//! Integration tests.

mod book;
mod database;
mod engines;
mod folder;
mod league;
mod plans;
mod serve;
mod suite;
mod tune;
