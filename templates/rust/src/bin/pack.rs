//! Builds the contest file: `cargo contest`.

use std::path::Path;
use std::process::ExitCode;

use client::pack::{Client, pack};

fn main() -> ExitCode {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let name = env!("CARGO_PKG_NAME");
    match pack(&Client {
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
