//! `arena book`

mod search;
#[cfg(feature = "queue")]
mod workers;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use arena::openings::book::{Folder, Searched};
use cli::Output;
use player::bench;
use player::model::{Book, Model, Origin};

use super::counted;
use search::SearchArguments;

#[derive(clap::Args)]
pub struct BookArguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(clap::Subcommand)]
enum BookCommand {
    /// Search opening positions that are missing in the folder. Any number of processes or queue workers may share a
    /// folder.
    Search(Box<SearchArguments>),
    /// Write the searches of a folder as a book, which `--weights` and the contestants' `weights` accept.
    Write(WriteArguments),
}

#[derive(clap::Args)]
struct WriteArguments {
    /// The folder.
    folder: PathBuf,
    /// The file to write.
    output: PathBuf,
}

pub fn run(arguments: &BookArguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        BookCommand::Search(arguments) => search::run(arguments, out),
        BookCommand::Write(arguments) => write(arguments, out),
    }
}

fn write(arguments: &WriteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let searched = Folder::open(&arguments.folder).all()?;
    let folder = arguments.folder.display();
    ensure!(!searched.is_empty(), "{folder} has no searches");
    let lines: Option<Vec<_>> = searched.iter().map(Searched::book_line).collect();
    let lines = lines.with_context(|| format!("a search in {folder} has texts that are no moves"))?;
    let illegal = |number| anyhow::anyhow!("search {number} in {folder} has illegal moves");
    let book = Book::new(lines).map_err(illegal)?;
    let simulations = searched.iter().map(|searched| searched.simulations);
    let (least, most) = (simulations.clone().min().unwrap_or(0), simulations.max().unwrap_or(0));
    let positions = counted(book.lines().len(), "position");
    let origin = Origin {
        command: "arena book search; arena book write".to_owned(),
        data: format!("{positions}, {least} to {most} simulations each"),
        engine: bench::fingerprint_of_search(Model::built_in())?,
    };
    let bytes = book.to_file(origin).to_bytes();
    let path = arguments.output.display();
    Output::new(&arguments.output)?.write(&bytes)?;
    writeln!(out, "{path}: {positions}, {} bytes", bytes.len())?;
    Ok(())
}
