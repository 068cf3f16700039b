//! `arena book`

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, bail};
use arena::openings::book::{BookFolder, BookRequest, Claim, OpeningLine, Searched};
use cli::OutputFile;
use game::{Position, Rules};
use player::bench;
use player::model::{Model, Origin};

use super::{counted, parse};

/// Interval between checks for missing positions.
const WAIT: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub struct BookArguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(clap::Subcommand)]
enum BookCommand {
    /// Search opening positions that are missing in the folder. Any number of processes may share a folder
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
        BookCommand::Search(arguments) => search(arguments, out),
        BookCommand::Write(arguments) => write(arguments, out),
    }
}

fn write(arguments: &WriteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (book, [least, most]) = BookFolder::open(&arguments.folder).book()?;
    let positions = counted(book.lines().len(), "position");
    let origin = Origin {
        command: "arena book search; arena book write".to_owned(),
        data: format!("{positions}, {least} to {most} simulations each"),
        engine: bench::fingerprint_of_search(Model::built_in()),
    };
    let bytes = book.to_file(origin).to_bytes();
    let path = arguments.output.display();
    let searches: Vec<PathBuf> = fs::read_dir(&arguments.folder)?.flatten().map(|entry| entry.path()).collect();
    OutputFile::new(&arguments.output, &searches)?.write(&bytes)?;
    writeln!(out, "{path}: {positions}, {} bytes", bytes.len())?;
    Ok(())
}

#[derive(clap::Args)]
struct SearchArguments {
    /// Folder for the results
    folder: PathBuf,
    /// The rules: 2021, 2027 or classic
    #[arg(short, long, default_value = "2027", value_parser = parse::rules)]
    season: Rules,
    /// Maximum number of simulations per search; stored positions are not searched again
    #[arg(short, long, default_value_t = 2_000_000, value_parser = cli::number(1u64..))]
    nodes: u64,
    /// Maximum number of first placements in the book; 8 are two rounds
    #[arg(short, long, default_value_t = 2, value_parser = cli::number(1..=8u8))]
    plies: u8,
    /// Number of alternatives followed in each position besides the best move
    #[arg(short, long, default_value_t = 3, value_parser = cli::number(0..=u8::MAX))]
    others: u8,
    /// Maximum memory of a search in MiB
    #[arg(short, long, value_name = "MIB", default_value_t = 700, value_parser = cli::number(1..=u16::MAX))]
    memory: u16,
}

fn search(arguments: &SearchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let wanted = BookRequest { plies: arguments.plies.into(), others: arguments.others.into() };
    let folder = BookFolder::make(&arguments.folder)?;
    let pieces = arguments.season.start_pieces().iter().map(Some);
    let pieces = if arguments.season.start_pieces().is_empty() { vec![None] } else { pieces.collect() };
    let start = |piece| Position::new(arguments.season, piece);
    let starts = pieces.into_iter().map(start).collect::<Result<Vec<_>, _>>()?;
    let stop = cli::stop_on_signal()?;
    while !stop.load(Ordering::Relaxed) {
        let missing = wanted.missing(&starts, |line| folder.find(line))?;
        if missing.is_empty() {
            writeln!(out, "{} in {}", counted(folder.all()?.len(), "position"), arguments.folder.display())?;
            return Ok(());
        }
        let Some((line, claim)) = claim(&folder, missing)? else {
            // Other processes search all missing positions, but may be killed.
            std::thread::sleep(WAIT);
            continue;
        };
        let searched = Searched::search(&line, arguments.nodes, usize::from(arguments.memory) << 20);
        let searched = searched.with_context(|| format!("no move after {:?}", line.placements()))?;
        folder.keep(claim, &searched)?;
        writeln!(out, "{searched}")?;
        out.flush()?;
    }
    bail!("interrupted; the same command resumes")
}

/// Claims the first of the missing positions that no other process searches.
fn claim(folder: &BookFolder, missing: Vec<OpeningLine>) -> io::Result<Option<(OpeningLine, Claim)>> {
    for line in missing {
        // Another process may have finished it meanwhile.
        if let Some(claim) = folder.claim(&line)?
            && folder.find(&line)?.is_none()
        {
            return Ok(Some((line, claim)));
        }
    }
    Ok(None)
}
