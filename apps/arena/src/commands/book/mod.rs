//! `arena book`

mod search;

use std::io::Write;
use std::path::PathBuf;

use arena::openings::book::Folder;
use cli::Output;
use player::bench;
use player::model::{Model, Origin};

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
    /// folder
    Search(Box<SearchArguments>),
    /// Write the searches of a folder as a book, which `--weights` and the contestants' `weights` accept
    Write(WriteArguments),
}

#[derive(clap::Args)]
struct WriteArguments {
    /// The folder
    folder: PathBuf,
    /// The file to write
    output: PathBuf,
}

pub fn run(arguments: &BookArguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        BookCommand::Search(arguments) => search::run(arguments, out),
        BookCommand::Write(arguments) => write(arguments, out),
    }
}

fn write(arguments: &WriteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (book, [least, most]) = Folder::open(&arguments.folder).book()?;
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
