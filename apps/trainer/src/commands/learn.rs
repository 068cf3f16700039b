//! `trainer learn`

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::ValueEnum;
use cli::Output;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use player::bench;
use player::mcts::Params;
use player::model::{Model, Origin, WeightsFile};
use record::selfplay::{self, Header, Reader};
use trainer::evaluation::Begin;
use trainer::games::Plan;
use trainer::{evaluation, prior};

#[derive(clap::Args)]
pub struct LearnArguments {
    /// What to learn.
    part: Part,
    /// The file of weights to write. Programs with an option --weights play with it; as prior.weights or
    /// value_net.weights in player/src/model/weights it counts from the next build on.
    file: PathBuf,
    /// Learn the evaluation from the games in this folder, which `trainer play` has written, and play none.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["games", "nodes", "plies"])]
    from: Option<PathBuf>,
    /// With --from, change the weights of the player instead of learning from scratch.
    #[arg(long, requires = "from")]
    further: bool,
    /// Weights of the player instead of those that are built in; can be given several times.
    #[arg(short, long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Number of games to train on [default: 1000 for the prior, 20000 for the evaluation].
    #[arg(short, long, value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Nodes per move [default: 3000 for the prior, 400 for the evaluation].
    #[arg(short, long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// For the prior, play only the first plies of each game; with 4 it learns about first pieces alone.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,
    /// A parameter of the player, for example temperature=6 for a flat prior; can be given several times. Unless they
    /// are set, book is 0, so that there is no opening book, policy_visits is 0, so that the convolutional network does not
    /// look, and early_stop is 1.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Seed of openings, deviations and players; with --from, of the first weights and of the order to learn in.
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
    /// Predicted result of games from a position.
    Evaluation,
}

pub fn run(arguments: &LearnArguments, out: &mut impl Write) -> anyhow::Result<()> {
    match (arguments.part, arguments.plies, &arguments.from) {
        (Part::Evaluation, Some(plies), _) => {
            bail!("--plies {plies}: the evaluation learns how games end, so its games are played to the end")
        }
        (Part::Prior, _, Some(folder)) => {
            bail!("--from {}: only the evaluation is learnt from games in files", folder.display())
        }
        _ => {}
    }
    let model = Arc::new(Model::with_files(&arguments.weights)?);
    let mut params = Params::default();
    for (name, value) in super::params_of_short_searches(&arguments.params)? {
        params.set(&name, &value)?;
    }
    let output = Output::new(&arguments.file)?;
    let bar = ProgressBar::new(0);
    if arguments.quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let Learnt { weights, games, report } = match (&arguments.from, arguments.part) {
        (Some(folder), Part::Evaluation) => from_games(arguments, folder, &params, &model, &bar)?,
        (_, part) => from_own_games(arguments, part, params, &model, &bar)?,
    };
    bar.finish_and_clear();
    let weights = WeightsFile { origin: origin(&model, &games, &report)?, ..weights };
    output.write(weights.to_bytes())?;
    write!(out, "{report}")?;
    writeln!(out, "wrote {}", arguments.file.display())?;
    Ok(())
}

/// Result of the training.
struct Learnt {
    /// The weights, of no origin yet.
    weights: WeightsFile,
    /// Source of the games.
    games: String,
    /// How well they predict positions that were held out.
    report: String,
}

/// Plays games, and learns from them.
fn from_own_games(
    arguments: &LearnArguments,
    part: Part,
    params: Params,
    model: &Arc<Model>,
    bar: &ProgressBar,
) -> anyhow::Result<Learnt> {
    let (games, nodes) = match part {
        Part::Prior => (1_000, 3_000),
        Part::Evaluation => (20_000, 400),
    };
    let (games, nodes) = (arguments.games.unwrap_or(games), arguments.nodes.unwrap_or(nodes));
    let plan = Plan { games, nodes, params, seed: arguments.seed, model: model.clone() };
    bar.set_length(games.into());
    let mut done = || bar.inc(1);
    let nothing = || {
        let plies = arguments.plies.map_or_else(String::new, |plies| format!(" --plies {plies}"));
        format!("--games {games}{plies}: the games have no position to learn from")
    };
    let (weights, report) = match part {
        Part::Prior => {
            let plies = arguments.plies.map_or(usize::MAX, usize::from);
            let (prior, report) = prior::learn(&plan, plies, &mut done)?.with_context(nothing)?;
            (prior.to_file(Origin::default()), report)
        }
        Part::Evaluation => {
            let (evaluator, report) = evaluation::learn(&plan, &mut done)?.with_context(nothing)?;
            (evaluator.to_file(Origin::default()), report)
        }
    };
    Ok(Learnt { weights, games: format!("{games} of the player's own games, {nodes} simulations per move"), report })
}

/// Learns the evaluation from all games of self-play in a folder.
fn from_games(
    arguments: &LearnArguments,
    folder: &Path,
    params: &Params,
    model: &Model,
    bar: &ProgressBar,
) -> anyhow::Result<Learnt> {
    let files = selfplay::files(folder)?;
    // What differs between the files is told, too. A wrong file is found here, before any game is read; only one file
    // is open at a time, for there may be thousands.
    let mut headers: Vec<String> = Vec::new();
    for path in &files {
        let Header { engine, settings, seed: _ } = Reader::open(path)?.header().clone();
        let header = format!("engine {engine}, {}", serde_json::to_string(&settings)?);
        if !headers.contains(&header) {
            headers.push(header);
        }
    }
    bar.set_style(ProgressStyle::with_template("{pos} games read")?);
    let begin = if arguments.further { Begin::Further } else { Begin::Untaught };
    let mut games = 0;
    let mut done = || {
        bar.inc(1);
        games += 1;
    };
    let learnt = evaluation::learn_from_files(&files, params, model, begin, arguments.seed, &mut done)?;
    let (evaluator, report) =
        learnt.with_context(|| format!("{}: its games ({games}) have no position to learn from", folder.display()))?;
    let games = format!("{games} games of self-play ({})", headers.join("; "));
    Ok(Learnt { weights: evaluator.to_file(Origin::default()), games, report })
}

/// What makes the weights: this command, its games, and the player with the weights that it has.
fn origin(model: &Arc<Model>, games: &str, report: &str) -> anyhow::Result<Origin> {
    let report: Vec<&str> = report.lines().collect();
    Ok(Origin {
        command: super::command_line(),
        data: format!("{games}: {}", report.join("; ")),
        engine: bench::fingerprint_of_search(model.clone())?,
    })
}
