//! Tests across the crates.

mod board_terminal;
mod demo_terminal;
mod documented_commands;
mod fuzz_corpus;
mod matches;
mod network;
mod notation;
mod oracle;
mod perft_counts;
mod recorded_messages;
mod recorded_sessions;
mod replays;
mod rules_agree;
mod server_bad_clients;
mod support;
