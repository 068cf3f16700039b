//! The subcommands of `arena`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use arena::cluster::WorkArguments;
use arena::database::Store;
use arena::text::counted;

pub mod book;
pub mod export;
pub mod league;
pub mod matches;
pub mod merge;
pub mod openings;
pub mod parse;
mod playing;
mod progress;
pub mod report;
mod results;
pub mod run;
pub mod serve;
pub mod stored;
pub mod suite;
pub mod tune;

/// The default database, in the current folder.
pub const DATABASE: &str = "arena.sqlite";

#[derive(clap::Args)]
struct DatabaseArgument {
    /// The database
    #[arg(id = "database", short = 'd', long = "database", value_name = "FILE", default_value = DATABASE)]
    path: PathBuf,
}

impl DatabaseArgument {
    /// Opens the database, which must exist.
    fn open(&self) -> anyhow::Result<Store> {
        existing_store(&self.path)
    }
}

/// `arena work`
pub fn work(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    Ok(arguments.run(&*cli::stop_on_signal()?, out)?)
}

/// Opens an existing database.
fn existing_store(path: &Path) -> anyhow::Result<Store> {
    ensure_exists(path)?;
    Ok(Store::open(path)?)
}

fn ensure_exists(database: &Path) -> anyhow::Result<()> {
    ensure!(database.exists(), "there is no database {}", database.display());
    Ok(())
}
