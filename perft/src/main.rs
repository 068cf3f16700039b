//! The program `perft`; `perft --help` explains it.

mod bench;
mod suite;

use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Result, bail, ensure};
use clap::Parser;
use game::{Piece, Position, Rules};
use perft::divide;

/// Counts the leaves of the game tree.
///
/// Passing is not counted while a colour can place a piece; the turn of a colour that cannot is
/// one node.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Turns from the position to the leaves
    #[arg(required_unless_present_any = ["suite", "bench"])]
    depth: Option<u32>,

    /// The rules of the game: 2021, 2027 or classic
    #[arg(long, default_value = "2027", value_parser = rules)]
    rules: Rules,

    /// The first piece of every colour, for example PENTO_W or W [default where one is drawn: PENTO_L]
    #[arg(long, value_name = "PIECE", value_parser = piece)]
    start: Option<Piece>,

    /// A position in the notation of the game crate instead of the start of a game
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["rules", "start"])]
    position: Option<Position>,

    /// Show the leaves below each placement
    #[arg(long)]
    divide: bool,

    /// Threads to count on
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,

    /// Compare with all reference counts that are reached within seconds
    #[arg(long, conflicts_with_all = ["depth", "rules", "start", "position", "divide", "bench"])]
    suite: bool,

    /// With --suite: all reference counts
    #[arg(long, requires = "suite")]
    deep: bool,

    /// Measure the speed of the rules on the start and in the middle game
    #[arg(long, conflicts_with_all = ["depth", "rules", "start", "position", "divide"])]
    bench: bool,

    /// With --bench: how often each figure is taken; the best is shown
    #[arg(long, value_name = "N", default_value = "10", requires = "bench")]
    repeats: NonZeroUsize,
}

fn rules(name: &str) -> Result<Rules, &'static str> {
    Rules::from_name(name).ok_or("the rules are 2021, 2027 and classic")
}

fn piece(name: &str) -> Result<Piece, &'static str> {
    Piece::from_name(name).ok_or("no such piece")
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    if arguments.bench {
        return bench::run(arguments.repeats.get());
    }
    let Some(depth) = arguments.depth else {
        return suite::run(arguments.deep, arguments.threads);
    };
    let position = arguments.position()?;
    if arguments.divide {
        for (placement, leaves) in divide::divide(&position, depth, arguments.threads) {
            println!("{placement} {leaves}");
        }
    }
    for depth in 1..=depth {
        let start = Instant::now();
        let leaves = divide::count(&position, depth, arguments.threads);
        let seconds = start.elapsed().as_secs_f64();
        println!("depth {depth}: {leaves} leaves in {seconds:.3} s, {:.1} M/s", speed(leaves, seconds));
    }
    Ok(())
}

/// Millions of leaves per second.
fn speed(leaves: u64, seconds: f64) -> f64 {
    leaves as f64 / seconds.max(1e-9) / 1e6
}

impl Arguments {
    fn position(&self) -> Result<Position> {
        let Some(position) = self.position else {
            let drawn = !self.rules.start_pieces().is_empty();
            let start = self.start.or(drawn.then_some(Piece::PentoL));
            return Ok(Position::new(self.rules, start)?);
        };
        let color = position.color();
        ensure!(position.is_over() || position.in_play().contains(color), "{color} is on turn but out of play");
        if !position.is_over() && !position.board().has_placement(color) {
            bail!("{color} is on turn but cannot place anything; it should be out of play");
        }
        Ok(position)
    }
}
