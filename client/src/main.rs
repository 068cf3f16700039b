//! The program `client`; see `client --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    client::program::run(client::algorithm::default_player)
}
