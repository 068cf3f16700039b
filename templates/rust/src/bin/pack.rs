//! Makes the file for the contest: `cargo contest`.

use std::path::Path;
use std::process::ExitCode;

use client::pack::{Order, pack};

fn main() -> ExitCode {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let name = env!("CARGO_PKG_NAME");
    match pack(&Order {
        manifest: &manifest,
        package: name,
        program: name,
    }) {
        Ok(packed) => {
            println!("{}: {} bytes", packed.path.display(), packed.bytes);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
