//! `arena book`: searches on this machine, or by the workers of a queue.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, ensure};
use arena::cluster::{Coordinator, RequestArguments, RunRequest, gather_searches};
use arena::interrupt;
use arena::openings::book::{BookRequest, Claim, Effort, Folder, Line, Searched};
use cli::Output;
use game::{Position, Rules};
use player::bench;
use player::model::{Model, Origin};

use super::{counted, open_queue, parse};

/// Time between two looks for something to do.
const WAIT: Duration = Duration::from_secs(1);

/// Maximum number of positions in the queue; each keeps a file open.
const MOST_CLAIMS: usize = 256;

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
        BookCommand::Search(arguments) => search(arguments, out),
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

#[derive(clap::Args)]
struct SearchArguments {
    /// Folder for the results
    folder: PathBuf,
    /// The rules: 2021, 2027 or classic
    #[arg(short, long, default_value = "2027", value_parser = parse::rules)]
    season: Rules,
    /// Simulations of a search at most
    #[arg(short, long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum number of first placements in the book; 8 are two rounds
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    plies: u8,
    /// Number of alternatives followed in each position besides the best move
    #[arg(short, long, default_value_t = 3, value_parser = clap::value_parser!(u8))]
    others: u8,
    /// MiB that a search may take
    #[arg(short, long, value_name = "MIB", default_value_t = 700, value_parser = clap::value_parser!(u16).range(1..))]
    memory: u16,
    #[command(flatten)]
    queue: RequestArguments,
}

impl SearchArguments {
    fn effort(&self) -> Effort {
        Effort { nodes: self.nodes, memory: usize::from(self.memory) << 20 }
    }

    fn request(&self) -> BookRequest {
        BookRequest { plies: self.plies.into(), others: self.others.into() }
    }

    fn starts(&self) -> anyhow::Result<Vec<Position>> {
        let pieces = self.season.start_pieces();
        let start = |piece| Ok(Position::new(self.season, piece)?);
        match pieces.is_empty() {
            true => Ok(vec![start(None)?]),
            false => pieces.iter().map(|piece| start(Some(piece))).collect(),
        }
    }
}

fn search(arguments: &SearchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (effort, wanted) = (arguments.effort(), arguments.request());
    let request = || {
        let fingerprint = bench::fingerprint_of_search(Model::built_in())?;
        Ok(RunRequest::of_searches(effort, arguments.season, wanted, fingerprint))
    };
    let Some(mut queue) = open_queue(&arguments.queue, "arena book search", request, out)? else { return Ok(()) };
    // On this machine, each result may decide the next position.
    let most = if queue.is_some() { MOST_CLAIMS } else { 1 };
    let folder = Folder::make(&arguments.folder)?;
    let starts = arguments.starts()?;
    let stop = interrupt::stop_on_signal()?;
    while !stop.load(Ordering::Relaxed) {
        let missing = wanted.missing(&starts, |line| folder.find(line))?;
        if missing.is_empty() {
            writeln!(out, "{} in {}", counted(folder.all()?.len(), "position"), arguments.folder.display())?;
            break;
        }
        let claimed = claim(&folder, missing, most)?;
        if claimed.is_empty() {
            // Other processes search all missing positions, but may be killed.
            std::thread::sleep(WAIT);
            continue;
        }
        let mut keep = |claim, searched: Searched| {
            folder.keep(claim, &searched)?;
            writeln!(out, "{searched}")?;
            Ok(out.flush()?)
        };
        match &mut queue {
            None => search_here(claimed, effort, &mut keep)?,
            Some(coordinator) => search_over_queue(coordinator, claimed, &stop, &mut keep)?,
        }
    }
    let is_interrupted = stop.load(Ordering::Relaxed);
    if let Some(coordinator) = queue {
        coordinator.finish("position", &stop, out)?;
    }
    ensure!(!is_interrupted, "interrupted; the same command resumes");
    Ok(())
}

/// Claims up to `most` of the missing positions that no other process searches.
fn claim(folder: &Folder, missing: Vec<Line>, most: usize) -> io::Result<Vec<(Line, Claim)>> {
    let claim = |line: Line| match folder.claim(&line) {
        // Another process may have finished it meanwhile.
        Ok(Some(claim)) => folder.find(&line).map(|found| found.is_none().then_some((line, claim))).transpose(),
        Ok(None) => None,
        Err(error) => Some(Err(error)),
    };
    missing.into_iter().filter_map(claim).take(most).collect()
}

/// Callback for the result of a search.
type Keep<'a> = dyn FnMut(Claim, Searched) -> anyhow::Result<()> + 'a;

fn search_here(claimed: Vec<(Line, Claim)>, effort: Effort, keep: &mut Keep) -> anyhow::Result<()> {
    for (line, claim) in claimed {
        let searched = Searched::search(&line, effort);
        keep(claim, searched.with_context(|| format!("no move after {:?}", line.placements()))?)?;
    }
    Ok(())
}

fn search_over_queue(
    coordinator: &mut Coordinator,
    claimed: Vec<(Line, Claim)>,
    stop: &AtomicBool,
    keep: &mut Keep,
) -> anyhow::Result<()> {
    let lines: Vec<Line> = claimed.iter().map(|(line, _)| line.clone()).collect();
    let mut claims: HashMap<u64, Claim> = claimed.into_iter().map(|(line, claim)| (line.number(), claim)).collect();
    gather_searches(coordinator, &lines, stop, &mut |searched| {
        // Each result comes once.
        claims.remove(&searched.line.number()).map_or(Ok(()), |claim| keep(claim, searched))
    })
}
