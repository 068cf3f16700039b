//! `arena suite`

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail, ensure};
use arena::defaults;
use arena::engines::Spec;
use arena::suite::{Comparison, JudgedPosition, STAGES, Simulations, Suite, Trial, draw, is_undecided, judge};
use clap::Subcommand;
use record::{Game, file};

use super::{counted, progress};

#[derive(clap::Args)]
pub struct SuiteArguments {
    #[command(subcommand)]
    command: SuiteCommand,
}

#[derive(Subcommand)]
enum SuiteCommand {
    /// Draw undecided positions from games and value their best moves by long searches
    Make(SuiteMakeArguments),
    /// Measure the win probability that engines lose by their moves
    Run(Box<SuiteRunArguments>),
}

#[derive(clap::Args)]
struct SuiteMakeArguments {
    /// File for the positions; an existing file is extended
    suite: PathBuf,
    /// Files of games of season 2027
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Number of positions
    #[arg(short, long, default_value_t = 2000, value_parser = cli::number(1usize..))]
    positions: usize,
    /// Simulations that select the moves of a position
    #[arg(long, default_value_t = 150_000, value_parser = cli::number(1u64..))]
    root: u64,
    /// Simulations that value a move
    #[arg(long, default_value_t = 100_000, value_parser = cli::number(1u64..))]
    reply: u64,
    /// Seed of the drawn positions
    #[arg(long, default_value_t = 1, value_parser = cli::number(0u64..))]
    seed: u64,
}

#[derive(clap::Args)]
struct SuiteRunArguments {
    /// File with the positions
    suite: PathBuf,
    /// An engine, specified like a contestant of a match
    a: Spec,
    /// Another engine to compare it with
    b: Option<Spec>,
    /// Time per move in milliseconds (100 if there is no --nodes either)
    #[arg(short, long, value_name = "MS", value_parser = cli::number(1u64..))]
    time: Option<u64>,
    /// Nodes per move
    #[arg(short, long, value_parser = cli::number(1u64..))]
    nodes: Option<u64>,
    /// Use the first positions only
    #[arg(short, long, value_parser = cli::number(1u64..))]
    positions: Option<u64>,
    /// Searches of each position, with different seeds
    #[arg(short, long, default_value_t = 1, value_parser = cli::number(1u64..))]
    repeats: u64,
    /// Seed of the engines
    #[arg(long, default_value_t = 1, value_parser = cli::number(0u64..))]
    seed: u64,
    /// Draw no progress bar
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &SuiteArguments, out: &mut impl Write) -> anyhow::Result<()> {
    match &arguments.command {
        SuiteCommand::Make(arguments) => make(arguments, out),
        SuiteCommand::Run(arguments) => compare(arguments, out),
    }
}

fn make(arguments: &SuiteMakeArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut games: Vec<Game> = Vec::new();
    for path in &arguments.games {
        let read = file::open(path).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        games.extend(read.with_context(|| format!("cannot use {}", path.display()))?);
    }
    let mut suite =
        Suite::open(&arguments.suite).with_context(|| format!("cannot use {}", arguments.suite.display()))?;
    let effort = Simulations { root: arguments.root, reply: arguments.reply };
    let mut drawn = draw(&games, arguments.seed).map(Vec::into_iter);
    let stop = cli::stop_on_signal()?;
    ensure!(drawn.iter().any(|lines| lines.len() > 0), "the files contain no game of season 2027 that is long enough");
    let mut stage = 0;
    // A stage without positions left counts no more.
    while suite.positions().len() < arguments.positions && drawn.iter().any(|lines| lines.len() > 0) {
        stage = (stage + 1) % STAGES.len();
        for line in drawn[stage].by_ref() {
            if stop.load(Ordering::Relaxed) {
                bail!("interrupted; the same command resumes");
            }
            if suite.positions().iter().any(|judged| judged.line == line) {
                break;
            }
            let position = line.position();
            if is_undecided(&position) {
                let values = judge(&position, effort);
                // No move has enough visits.
                if values.is_empty() {
                    continue;
                }
                writeln!(out, "{} plies, {} legal moves: {values:?}", position.turn(), position.legal_moves().len())?;
                suite.add(JudgedPosition { line, values, effort })?;
                break;
            }
        }
    }
    ensure!(!suite.positions().is_empty(), "the games have no undecided position");
    writeln!(out, "{} in {}", counted(suite.positions().len(), "position"), arguments.suite.display())?;
    Ok(())
}

fn compare(arguments: &SuiteRunArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let mut positions =
        Suite::load(&arguments.suite).with_context(|| format!("cannot use {}", arguments.suite.display()))?;
    positions.truncate(arguments.positions.map_or(usize::MAX, |positions| positions as usize));
    ensure!(!positions.is_empty(), "{} has no positions", arguments.suite.display());
    let specs: Vec<&Spec> = [&arguments.a].into_iter().chain(&arguments.b).collect();
    let budget = defaults::budget(arguments.time, arguments.nodes);
    let mut engines: Vec<_> = specs.iter().map(|spec| spec.contestant(budget)).collect();
    let mut trial =
        Trial::new(defaults::time_limits(None, specs.iter().map(|&spec| spec.clone().or_budget(budget).budget())));
    let mut comparison = Comparison::default();
    let stop = cli::stop_on_signal()?;
    let bar = progress::bar(positions.len() as u64, "positions", arguments.quiet);
    for judged in &positions {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let position = judged.line.position();
        let mut regrets = [0.0; 2];
        for (engine, regret) in engines.iter_mut().zip(&mut regrets) {
            for seed in (arguments.seed..).take(arguments.repeats as usize) {
                let (mv, lost) = trial.regret(&mut **engine, judged, seed)?;
                *regret += lost / arguments.repeats as f64;
                log::info!("{} plies, seed {seed}: {mv:?} loses {lost:.4}", position.turn());
            }
        }
        log::info!("{} plies, {} legal moves: {regrets:?}", position.turn(), position.legal_moves().len());
        comparison.add(position.turn(), regrets);
        bar.inc(1);
    }
    bar.finish_and_clear();
    write_table(&specs, &comparison, out)?;
    ensure!(!stop.load(Ordering::Relaxed), "interrupted");
    Ok(())
}

/// Writes the mean regrets, in per cent of a win.
fn write_table(specs: &[&Spec], comparison: &Comparison, out: &mut impl Write) -> anyhow::Result<()> {
    for (name, spec) in ["A", "B"].iter().zip(specs) {
        writeln!(out, "{name}: {spec}")?;
    }
    writeln!(out, "Mean regret in per cent of a win, with 95 % intervals")?;
    let head = ["A", "B", "A - B"].map(|name| format!("{name:>14}"));
    let shown = if specs.len() == 2 { 3 } else { 1 };
    writeln!(out, "plies  positions{}", head[..shown].concat())?;
    for stage in (0..STAGES.len()).map(Some).chain([None]) {
        let sums = comparison.sums(stage);
        let plies =
            stage.map_or("all".to_owned(), |stage| format!("{}–{}", STAGES[stage].start(), STAGES[stage].end()));
        write!(out, "{plies:5}  {:9}", sums[0].count())?;
        for sum in &sums[..shown] {
            let (mean, error) = (sum.mean().unwrap_or(0.0), sum.standard_error().unwrap_or(0.0));
            write!(out, "{:>14}", format!("{:.2} ± {:.2}", 100.0 * mean, 196.0 * error))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
