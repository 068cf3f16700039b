//! `trainer learn`

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget};
use player::mcts::Params;
use player::model::{Model, Origin};
use player::{MctsPlayer, Options, Player, bench};
use trainer::games::Plan;
use trainer::{evaluation, prior};

#[derive(clap::Args)]
pub struct LearnArguments {
    /// What to learn.
    part: Part,
    /// The file of weights to write. Programs with an option --weights play with it; as prior.weights or
    /// evaluation.weights in player/src/model/weights it counts from the next build on.
    file: PathBuf,
    /// Weights of the player instead of those that are built in; can be given several times.
    #[arg(short, long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// How many games to learn from [default: 1000 for the prior, 20000 for the evaluation].
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Nodes per move [default: 3000 for the prior, 400 for the evaluation].
    #[arg(short, long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// For the prior, play only the first plies of each game; with 4 it learns about first pieces alone.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,
    /// A parameter of the player, for example temperature=6 for a flat prior; can be given several
    /// times.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Seed of openings, deviations and players.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw no progress bar.
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Part {
    /// Which moves a search will visit.
    Prior,
    /// How games that go on from a position end.
    Evaluation,
}

pub fn run(arguments: &LearnArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (games, nodes) = match arguments.part {
        Part::Prior => (1_000, 3_000),
        Part::Evaluation => (20_000, 400),
    };
    let (games, nodes) = (arguments.games.unwrap_or(games), arguments.nodes.unwrap_or(nodes));
    if let (Part::Evaluation, Some(plies)) = (arguments.part, arguments.plies) {
        bail!("--plies {plies}: the evaluation learns how games end, so its games are played to the end");
    }
    let model = Arc::new(Model::with_files(&arguments.weights)?);
    let plan = Plan { games, nodes, params: params(&arguments.params)?, seed: arguments.seed, model };
    let file = &arguments.file;
    let cannot_write = || format!("cannot write {}", file.display());
    // Better to fail now than after the games.
    OpenOptions::new().create(true).append(true).open(file).with_context(cannot_write)?;
    let bar = ProgressBar::new(games.into());
    if arguments.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let (weights, report) = match arguments.part {
        Part::Prior => {
            let plies = arguments.plies.map_or(usize::MAX, usize::from);
            let (prior, report) = prior::learn(&plan, plies, &mut || bar.inc(1))?;
            (prior.to_file(origin(&plan, &report)?), report)
        }
        Part::Evaluation => {
            let (evaluator, report) = evaluation::learn(&plan, &mut || bar.inc(1))?;
            (evaluator.to_file(origin(&plan, &report)?), report)
        }
    };
    bar.finish_and_clear();
    fs::write(file, weights.to_bytes()).with_context(cannot_write)?;
    write!(out, "{report}")?;
    writeln!(out, "wrote {}", file.display())?;
    Ok(())
}

/// What makes the weights: this command, its games, and the player with the weights that it has.
fn origin(plan: &Plan, report: &str) -> anyhow::Result<Origin> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Plan { games, nodes, model, .. } = plan;
    let report: Vec<&str> = report.lines().collect();
    let mut player = MctsPlayer::new(&Options { seed: 1, model: model.clone(), ..Options::default() });
    let samples = bench::samples(&mut player, bench::NODES)?;
    Ok(Origin {
        command: format!("trainer {}", arguments.join(" ")),
        data: format!("{games} of the player's own games, {nodes} simulations per move: {}", report.join("; ")),
        engine: format!("{:016x}", bench::fingerprint(&samples)),
    })
}

fn params(given: &[String]) -> anyhow::Result<Params> {
    let mut params = Params::default();
    for text in given {
        let (name, value) = text.split_once('=').with_context(|| format!("`{text}`: expected NAME=VALUE"))?;
        params.set(name, value)?;
    }
    Ok(params)
}
