//! `arena learn`

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::learning::games::Plan;
use arena::learning::{evaluation, prior};
use clap::ValueEnum;
use indicatif::{ProgressBar, ProgressDrawTarget};
use player::mcts::params::Params;

#[derive(clap::Args)]
pub struct Arguments {
    /// What to learn.
    model: Model,
    /// The source file to write, player/src/mcts/prior_weights.rs or evaluation_network.rs.
    file: PathBuf,
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
enum Model {
    /// Which moves a search will visit.
    Prior,
    /// How games that go on from a position end.
    Evaluation,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (games, nodes) = match arguments.model {
        Model::Prior => (1_000, 3_000),
        Model::Evaluation => (20_000, 400),
    };
    let (games, nodes) = (arguments.games.unwrap_or(games), arguments.nodes.unwrap_or(nodes));
    if let (Model::Evaluation, Some(plies)) = (arguments.model, arguments.plies) {
        bail!("--plies {plies}: the evaluation learns how games end, so its games are played to the end");
    }
    let plan = Plan { games, nodes, params: params(&arguments.params)?, seed: arguments.seed };
    let file = &arguments.file;
    let cannot_write = || format!("cannot write {}", file.display());
    // Better to fail now than after the games.
    OpenOptions::new().create(true).append(true).open(file).with_context(cannot_write)?;
    let bar = ProgressBar::new(games.into());
    if arguments.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let (source, report) = match arguments.model {
        Model::Prior => prior::learn(&plan, arguments.plies.map_or(usize::MAX, usize::from), &mut || bar.inc(1))?,
        Model::Evaluation => evaluation::learn(&plan, &mut || bar.inc(1))?,
    };
    bar.finish_and_clear();
    fs::write(file, source).with_context(cannot_write)?;
    write!(out, "{report}")?;
    writeln!(out, "wrote {}", file.display())?;
    Ok(())
}

fn params(given: &[String]) -> anyhow::Result<Params> {
    let mut params = Params::default();
    for text in given {
        let (name, value) = text.split_once('=').with_context(|| format!("`{text}`: expected NAME=VALUE"))?;
        let value = value.parse().with_context(|| format!("`{text}`: expected a number"))?;
        params.set(name, value)?;
    }
    Ok(params)
}
