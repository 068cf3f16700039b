//! `arena book search`: on this machine, or by the workers of a queue.

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context, ensure};
#[cfg(feature = "queue")]
use arena::cluster::{Coordinator, RequestArguments};
use arena::interrupt;
use arena::openings::book::{BookRequest, Claim, Effort, Folder, FolderError, Line, Searched};
use game::{Position, Rules};

use super::super::{counted, parse};
#[cfg(feature = "queue")]
use super::workers;

/// Time between two looks for something to do.
const WAIT: Duration = Duration::from_secs(1);

/// Maximum number of positions in the queue; each keeps a file open.
#[cfg(feature = "queue")]
const MOST_CLAIMS: usize = 256;

#[derive(clap::Args)]
pub struct SearchArguments {
    /// Folder for the results
    folder: PathBuf,
    /// The rules: 2021, 2027 or classic.
    #[arg(short, long, default_value = "2027", value_parser = parse::rules)]
    season: Rules,
    /// Simulations of a search at most.
    #[arg(short, long, default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Maximum number of first placements in the book; 8 are two rounds
    #[arg(short, long, default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=8))]
    plies: u8,
    /// Number of alternatives followed in each position besides the best move
    #[arg(short, long, default_value_t = 3, value_parser = clap::value_parser!(u8))]
    others: u8,
    /// MiB that a search may take.
    #[arg(short, long, value_name = "MIB", default_value_t = 700, value_parser = clap::value_parser!(u16).range(1..))]
    memory: u16,
    #[cfg(feature = "queue")]
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

/// Who searches.
enum Place {
    /// This process.
    Here,
    /// Workers.
    #[cfg(feature = "queue")]
    Queue(Box<Coordinator>),
}

impl Place {
    /// `None` if workers are not to search any more.
    #[cfg(feature = "queue")]
    fn of(arguments: &SearchArguments) -> anyhow::Result<Option<Self>> {
        if !arguments.queue.is_given() {
            return Ok(Some(Self::Here));
        }
        let (effort, wanted) = (arguments.effort(), arguments.request());
        let coordinator = workers::coordinator(&arguments.queue, effort, arguments.season, wanted)?;
        Ok(coordinator.map(|coordinator| Self::Queue(Box::new(coordinator))))
    }

    #[cfg(not(feature = "queue"))]
    fn of(_: &SearchArguments) -> anyhow::Result<Option<Self>> {
        Ok(Some(Self::Here))
    }

    /// Returns the number of positions to search before the list is updated.
    fn most(&self) -> usize {
        match self {
            // What comes next may depend on it.
            Self::Here => 1,
            #[cfg(feature = "queue")]
            Self::Queue(_) => MOST_CLAIMS,
        }
    }
}

pub fn run(arguments: &SearchArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let Some(mut place) = Place::of(arguments)? else {
        writeln!(out, "Withdrawn.")?;
        return Ok(());
    };
    let folder = Folder::make(&arguments.folder)?;
    let request = arguments.request();
    let starts = arguments.starts()?;
    let stop = interrupt::stop_on_interrupt()?;
    while !stop.load(Ordering::Relaxed) {
        let missing = request.missing(&starts, |line| folder.find(line))?;
        if missing.is_empty() {
            writeln!(out, "{} in {}", counted(folder.all()?.len(), "position"), arguments.folder.display())?;
            break;
        }
        let claimed = claim(&folder, missing, place.most())?;
        if claimed.is_empty() {
            // All that is missing is being searched by others, who may yet be ended.
            std::thread::sleep(WAIT);
            continue;
        }
        let mut keep = |claim, searched: Searched| {
            folder.keep(claim, &searched)?;
            writeln!(out, "{searched}")?;
            Ok(out.flush()?)
        };
        match &mut place {
            Place::Here => search_here(claimed, arguments.effort(), &mut keep)?,
            #[cfg(feature = "queue")]
            Place::Queue(coordinator) => workers::search(coordinator, claimed, &stop, &mut keep)?,
        }
    }
    #[cfg(feature = "queue")]
    if let Place::Queue(coordinator) = place {
        workers::end(&coordinator, &stop, out)?;
    }
    ensure!(!stop.load(Ordering::Relaxed), "interrupted; the same command resumes");
    Ok(())
}

/// The positions, up to `most` of them, that nobody else searches meanwhile.
fn claim(folder: &Folder, missing: Vec<Line>, most: usize) -> Result<Vec<(Line, Claim)>, FolderError> {
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
