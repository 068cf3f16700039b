//! `arena book`

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, ensure};
use arena::book::{Folder, Searched, Wish, page};
use arena::interrupt;
use game::{Placement, Position, Rules};
use player::model::{Book, Origin, WeightsFile};
use player::{FromOptions, MctsPlayer, Options, bench};

use super::{counted, parse};

/// Time between two looks for something to do.
const WAIT: Duration = Duration::from_secs(1);

#[derive(clap::Args)]
pub struct BookArguments {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(clap::Subcommand)]
enum BookCommand {
    /// Search positions of openings, as far as they are not in the folder yet; any number of processes may do so at the
    /// same time.
    Search(SearchArguments),
    /// Write the searches of a folder as a book, which `--weights` and the contestants' `weights` accept.
    Write(WriteArguments),
    /// Write a page that shows a book.
    Page(PageArguments),
}

#[derive(clap::Args)]
struct SearchArguments {
    /// Folder that keeps what was searched.
    folder: PathBuf,
    /// The rules: 2021, 2027 or classic.
    #[arg(short, long, default_value = "2027", value_parser = parse::rules)]
    season: Rules,
    /// Simulations of a search at most.
    #[arg(short, long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// How many first placements the book knows at most; 8 are two rounds.
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    plies: u8,
    /// How many moves besides the best one are followed in each position.
    #[arg(short, long, default_value_t = 3, value_parser = clap::value_parser!(u8))]
    others: u8,
    /// MiB that a search may take.
    #[arg(short, long, value_name = "MIB", default_value_t = 700, value_parser = clap::value_parser!(u16).range(1..))]
    memory: u16,
}

#[derive(clap::Args)]
struct WriteArguments {
    /// The folder.
    folder: PathBuf,
    /// The file to write.
    output: PathBuf,
}

#[derive(clap::Args)]
struct PageArguments {
    /// The page to write.
    output: PathBuf,
    /// File of a book instead of the one that is built in.
    #[arg(short, long, value_name = "FILE")]
    book: Option<PathBuf>,
}

pub fn run(arguments: &BookArguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        BookCommand::Search(arguments) => search(arguments, out),
        BookCommand::Write(arguments) => write(arguments, out),
        BookCommand::Page(arguments) => write_page(arguments, out),
    }
}

fn search(arguments: &SearchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let folder = Folder::open(&arguments.folder)?;
    let wish = Wish { plies: arguments.plies.into(), others: arguments.others.into() };
    let pieces = arguments.season.start_pieces();
    let start = |piece| Position::new(arguments.season, piece);
    let starts: Vec<Position> = match pieces.is_empty() {
        true => vec![start(None)?],
        false => pieces.iter().map(|piece| start(Some(piece))).collect::<Result<_, _>>()?,
    };
    let stop = interrupt::stop_on_interrupt()?;
    let memory = usize::from(arguments.memory) << 20;
    while !stop.load(Ordering::Relaxed) {
        let missing = missing(&folder, &wish, &starts)?;
        if missing.is_empty() {
            writeln!(out, "{} in {}", counted(folder.all()?.len(), "position"), arguments.folder.display())?;
            break;
        }
        let mut has_searched = false;
        for (start, line) in missing {
            let Some(claim) = folder.claim(&start, &line)? else { continue };
            // Another process may have finished it meanwhile.
            if folder.find(&start, &line)?.is_none() {
                let searched = Searched::search(&start, &line, arguments.nodes, memory);
                let searched = searched.with_context(|| format!("no move after {line:?}"))?;
                folder.keep(claim, &searched)?;
                writeln!(out, "{searched}")?;
                out.flush()?;
            }
            // What comes next may depend on it.
            has_searched = true;
            break;
        }
        if !has_searched {
            // All that is missing is being searched by others, who may yet be ended.
            std::thread::sleep(WAIT);
        }
    }
    Ok(())
}

/// The positions that have not been searched yet.
fn missing(folder: &Folder, wish: &Wish, starts: &[Position]) -> anyhow::Result<Vec<(Position, Vec<Placement>)>> {
    let mut failure = None;
    let missing = wish.missing(starts, |start, line| {
        folder.find(start, line).unwrap_or_else(|error| {
            failure = Some(error);
            None
        })
    });
    failure.map_or(Ok(missing), |error| Err(error.into()))
}

fn write(arguments: &WriteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let searched = Folder::open(&arguments.folder)?.all()?;
    ensure!(!searched.is_empty(), "{} has no searches", arguments.folder.display());
    let lines: Option<Vec<_>> = searched.iter().map(Searched::line).collect();
    let lines = lines.context("a search of the folder has texts that are no moves")?;
    let book = Book::new(lines).map_err(|number| anyhow::anyhow!("search {number} of the folder has illegal moves"))?;
    let simulations = searched.iter().map(|searched| searched.simulations);
    let (least, most) = (simulations.clone().min().unwrap_or(0), simulations.max().unwrap_or(0));
    let positions = counted(book.lines().len(), "position");
    let origin = Origin {
        command: "arena book search; arena book write".to_owned(),
        data: format!("{positions}, {least} to {most} simulations each"),
        engine: fingerprint()?,
    };
    let bytes = book.to_file(origin).to_bytes();
    let path = arguments.output.display();
    fs::write(&arguments.output, &bytes).with_context(|| format!("cannot write {path}"))?;
    writeln!(out, "{path}: {positions}, {} bytes", bytes.len())?;
    Ok(())
}

/// The fingerprint of the search that makes books.
fn fingerprint() -> anyhow::Result<String> {
    let mut player = MctsPlayer::new(&Options { seed: 1, ..Options::default() });
    Ok(format!("{:016x}", bench::fingerprint(&bench::samples(&mut player, bench::NODES)?)))
}

fn write_page(arguments: &PageArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let file = match &arguments.book {
        Some(path) => {
            let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
            WeightsFile::from_bytes(&bytes).with_context(|| format!("cannot use {}", path.display()))?
        }
        None => Book::built_in_file(),
    };
    let origin = file.origin.clone();
    let book = Book::from_file(file)?;
    let path = arguments.output.display();
    fs::write(&arguments.output, page(&book, &origin)).with_context(|| format!("cannot write {path}"))?;
    writeln!(out, "{path}")?;
    Ok(())
}
