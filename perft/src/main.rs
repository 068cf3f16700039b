//! The program `perft`; `perft --help` explains it.

mod bench;
mod suite;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Result;
use clap::Parser;
use game::{Piece, Position, Rules};
use perft::divide;

/// Counts the leaves of the game tree.
///
/// Passing is not counted while a colour can place a piece; the turn of a colour that cannot is one node.
#[derive(Parser)]
#[command(version)]
struct Cli {
    /// Turns from the position to the leaves
    #[arg(required_unless_present_any = ["suite", "bench"], value_parser = cli::number(1u32..))]
    depth: Option<u32>,

    /// The rules of the game: 2021, 2027, classic or classic-4
    #[arg(short, long, value_name = "RULES", default_value = "2027")]
    season: Rules,

    /// The first piece of every colour, for example PENTO_W or W [default where one is drawn: PENTO_L]
    #[arg(long, value_name = "PIECE")]
    start: Option<Piece>,

    /// A position in the notation of the game crate instead of the start of a game
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["season", "start"])]
    position: Option<Position>,

    /// Show the leaves below each placement
    #[arg(long)]
    divide: bool,

    /// Threads to count on
    #[arg(long, value_name = "N", default_value = "1", value_parser = cli::number(NonZeroUsize::MIN..))]
    threads: NonZeroUsize,

    /// Compare with all reference counts that are reached within seconds
    #[arg(long, conflicts_with_all = ["depth", "season", "start", "position", "divide", "bench"])]
    suite: bool,

    /// With --suite: all reference counts
    #[arg(long, requires = "suite", conflicts_with = "depth")]
    deep: bool,

    /// Measure the speed of the rules on the start and in the middle game
    #[arg(long, conflicts_with_all = ["depth", "season", "start", "position", "divide", "threads"])]
    bench: bool,

    /// Number of benchmark runs; prints the best
    #[arg(long, value_name = "N", default_value = "10", requires = "bench", conflicts_with = "depth")]
    #[arg(value_parser = cli::number(NonZeroUsize::MIN..))]
    repeats: NonZeroUsize,
}

fn main() -> ExitCode {
    cli::conclude("perft", run(&cli::parse::<Cli>(std::env::args_os()), &mut io::stdout().lock()))
}

fn run(cli: &Cli, out: &mut impl Write) -> Result<()> {
    if cli.bench {
        return bench::run(cli.repeats.get(), out);
    }
    let Some(depth) = cli.depth else {
        return suite::run(cli.deep, cli.threads, out);
    };
    let position = cli.position()?;
    if cli.divide {
        for (placement, leaves) in divide::divide(&position, depth, cli.threads) {
            writeln!(out, "{placement} {leaves}")?;
        }
    }
    for depth in 1..=depth {
        let start = Instant::now();
        let leaves = divide::count(&position, depth, cli.threads);
        let seconds = start.elapsed().as_secs_f64();
        writeln!(out, "depth {depth}: {leaves} leaves in {seconds:.3} s, {:.1} M/s", speed(leaves, seconds))?;
    }
    Ok(())
}

/// Returns millions of leaves per second.
fn speed(leaves: u64, seconds: f64) -> f64 {
    leaves as f64 / seconds.max(1e-9) / 1e6
}

impl Cli {
    fn position(&self) -> Result<Position> {
        if let Some(position) = self.position {
            return Ok(position);
        }
        let drawn = !self.season.start_pieces().is_empty();
        let start = self.start.or(drawn.then_some(Piece::PentoL));
        Ok(Position::new(self.season, start)?)
    }
}
