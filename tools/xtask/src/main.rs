//! Tasks around the workspace: `cargo xtask --help`.

mod changelog;
mod release;
mod site;
mod workspace;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use release::ReleaseArguments;
use workspace::Workspace;

/// Tasks around the workspace.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Build the contest file target/contest/blokus-client.zip.
    Package,
    /// Build client, arena and board for other systems and pack them into target/archives.
    Release(ReleaseArguments),
    /// Build the board as a static site, a folder for any web host.
    Site {
        /// Folder [default: target/site]
        folder: Option<PathBuf>,
    },
    /// Print the changes of a version from CHANGELOG.md.
    Changes {
        /// Version, with or without a leading "v"
        version: String,
    },
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Package => package(),
        Task::Release(arguments) => release::run(&arguments),
        Task::Site { folder } => site::build(folder),
        Task::Changes { version } => {
            print!("{}", changelog::changes(&Workspace::find()?, &version)?);
            Ok(())
        }
    }
}

fn package() -> anyhow::Result<()> {
    let packed = pack::pack(&Workspace::find()?.client())?;
    println!("{}: {} bytes, client {} bytes", packed.path.display(), packed.bytes, packed.program_bytes);
    Ok(())
}
