//! Tasks around the workspace: `cargo xtask --help`.

mod archive;
mod build;
mod licences;
mod test;

use std::fs;
use std::path::Path;

use anyhow::Context;
use cargo_metadata::MetadataCommand;
use clap::{Parser, Subcommand};

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
    /// Run all tests, and say at the end what they left out.
    Test {
        /// Fail if they left out anything.
        #[arg(long)]
        complete: bool,
    },
}

fn main() -> anyhow::Result<()> {
    match Cli::parse().task {
        Task::Package => package(),
        Task::Test { complete } => test::run(complete),
    }
}

fn package() -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .other_options(["--filter-platform", build::TARGET].map(str::to_owned))
        .exec()
        .context("cannot ask Cargo for the packages of the workspace")?;
    let target = metadata.target_directory.as_std_path();
    let folder = target.join("contest");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let program = build::Workshop { root: &root, target, output: &folder }.client()?;
    let contents = archive::Contents {
        program: fs::read(&program).with_context(|| format!("cannot read {}", program.display()))?,
        licences: licences::gather(&root, &metadata)?,
    };
    let zip = archive::pack(&contents)?;
    let path = folder.join("blokus-client.zip");
    fs::write(&path, &zip).with_context(|| format!("cannot write {}", path.display()))?;
    println!(
        "{}: {} bytes, of which the client takes {} when unpacked",
        path.display(),
        zip.len(),
        contents.program.len()
    );
    Ok(())
}
