//! A client for the Software-Challenge Germany with a player of our own.

mod own_player;

use std::process::ExitCode;

use client::player::boxed;
use own_player::OwnPlayer;

fn main() -> ExitCode {
    client::program::run(boxed::<OwnPlayer>)
}
