//! `trainer train`

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use cli::Output;
use player::bench;
use player::mcts::Params;
use player::model::{Model, Origin, WeightsFile};
use record::selfplay::{self, Header, Reader};
use trainer::games::Plan;
use trainer::{evaluation, prior};

#[derive(clap::Args)]
pub struct TrainArguments {
    #[command(subcommand)]
    part: Part,
}

#[derive(clap::Subcommand)]
enum Part {
    /// Train the prior, which predicts the moves that a search visits, on games of its own.
    Prior(PriorArguments),
    /// Train the evaluation, which predicts the result, on games of `trainer play`.
    Evaluation(EvaluationArguments),
}

#[derive(clap::Args)]
struct PriorArguments {
    #[command(flatten)]
    common: CommonArguments,
    /// Number of games to train on.
    #[arg(short, long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Nodes per move.
    #[arg(short, long, default_value_t = 3_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Play only the first plies of each game; with 4 only first pieces are trained.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    plies: Option<u16>,
}

#[derive(clap::Args)]
struct EvaluationArguments {
    #[command(flatten)]
    common: CommonArguments,
    /// The folder of the games.
    #[arg(long, value_name = "FOLDER")]
    from: PathBuf,
    /// Train the weights of the player further instead of starting from scratch.
    #[arg(long)]
    further: bool,
}

#[derive(clap::Args)]
struct CommonArguments {
    /// The file of weights to write. Programs with an option --weights play with it; as prior.weights or
    /// value_net.weights in player/src/model/weights it becomes part of the next build.
    file: PathBuf,
    /// Weights of the player instead of the built-in ones; can be given several times.
    #[arg(short, long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// A parameter of the player, for example temperature=6 for a flat prior; can be given several times. Unless set, book
    /// is 0 (no opening book), policy_visits is 0 (no policy network) and early_stop is 1.
    #[arg(short, long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// Seed of games, first weights and the order of samples.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draw no progress bar.
    #[arg(short, long)]
    quiet: bool,
}

/// Result of the training.
struct Trained {
    /// The weights, of no origin yet.
    weights: WeightsFile,
    /// Source of the games.
    games: String,
    /// Errors on held-out positions.
    report: String,
}

pub fn run(TrainArguments { part }: &TrainArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (Part::Prior(PriorArguments { common, .. }) | Part::Evaluation(EvaluationArguments { common, .. })) = part;
    let mut params = Params::default();
    for (name, value) in super::params_of_short_searches(&common.params)? {
        params.set(&name, &value)?;
    }
    let output = Output::new(&common.file)?;
    let model = Arc::new(Model::with_files(&common.weights)?);
    let Trained { weights, games, report } = match part {
        Part::Prior(arguments) => train_prior(arguments, params, &model)?,
        Part::Evaluation(arguments) => train_evaluation(arguments, &params, &model)?,
    };
    let origin = Origin {
        command: super::command_line(),
        data: format!("{games}: {}", report.trim_end().replace('\n', "; ")),
        engine: bench::fingerprint_of_search(model)?,
    };
    output.write(WeightsFile { origin, ..weights }.to_bytes())?;
    writeln!(out, "{report}wrote {}", common.file.display())?;
    Ok(())
}

fn train_prior(arguments: &PriorArguments, params: Params, model: &Arc<Model>) -> anyhow::Result<Trained> {
    let &PriorArguments { ref common, games, nodes, plies } = arguments;
    let plan = Plan { games, nodes, params, seed: common.seed, model: model.clone() };
    let bar = super::bar(games.into(), "{wide_bar:.cyan/dim} {pos}/{len} games", common.quiet);
    let trained = prior::train(&plan, plies.map_or(usize::MAX, usize::from), &mut || bar.inc(1))?;
    bar.finish_and_clear();
    let (prior, report) = trained.with_context(|| {
        let plies = plies.map_or_else(String::new, |plies| format!(" --plies {plies}"));
        format!("--games {games}{plies}: the games have no position to train on")
    })?;
    let games = format!("{games} of the player's own games, {nodes} simulations per move");
    Ok(Trained { weights: prior.to_file(Origin::default()), games, report })
}

fn train_evaluation(arguments: &EvaluationArguments, params: &Params, model: &Model) -> anyhow::Result<Trained> {
    let EvaluationArguments { common, from, further } = arguments;
    let files = selfplay::files(from)?;
    // Invalid files are found before any game is read. Only one file is open at a time, because there may be thousands.
    let mut headers: Vec<String> = Vec::new();
    for path in &files {
        let Header { engine, settings, seed: _ } = Reader::open(path)?.header().clone();
        let header = format!("engine {engine}, {}", serde_json::to_string(&settings)?);
        if !headers.contains(&header) {
            headers.push(header);
        }
    }
    let bar = super::bar(0, "{pos} games read", common.quiet);
    let trained = evaluation::train(&files, params, model, *further, common.seed, &mut || bar.inc(1))?;
    let games = bar.position();
    bar.finish_and_clear();
    let (evaluation, report) =
        trained.with_context(|| format!("{}: its games ({games}) have no position to train on", from.display()))?;
    let games = format!("{games} games of self-play ({})", headers.join("; "));
    Ok(Trained { weights: evaluation.to_file(Origin::default()), games, report })
}
