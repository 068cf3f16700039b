//! Tasks around the workspace: `cargo xtask --help`.

mod documents;
mod release;
mod site;
mod workspace;

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

use release::ReleaseArguments;

/// Tasks around the workspace.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the client and pack everything that a contest system needs into
    /// target/contest/blokus-client.zip.
    Package,
    /// Build client, arena and board for other systems and pack them, with checksums, into target/archives.
    Release(ReleaseArguments),
    /// Build the board as a static site, a folder that any web host can serve.
    Site {
        /// The folder; target/site if none is given.
        folder: Option<PathBuf>,
    },
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Package => package(),
        Task::Release(arguments) => release::run(&arguments),
        Task::Site { folder } => site::build(folder),
    }
}

fn package() -> anyhow::Result<()> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let packed = pack::pack(&pack::Order { manifest: &manifest, package: "blokus-client", program: "client" })?;
    println!(
        "{}: {} bytes, of which the client takes {} when unpacked",
        packed.path.display(),
        packed.bytes,
        packed.program_bytes
    );
    Ok(())
}
