//! `trainer train`

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use cli::OutputFile;
use player::bench;
use player::mcts::Params;
use player::model::{Model, Origin, WeightsFile};
use record::selfplay::{self, Header, ShardReader};
use trainer::{evaluation, prior};

#[derive(clap::Args)]
pub struct TrainArguments {
    #[command(subcommand)]
    part: ModelPart,
}

#[derive(clap::Subcommand)]
enum ModelPart {
    /// Train the prior, which predicts the moves that a search visits, on the full searches of `trainer play`
    Prior {
        #[command(flatten)]
        common: CommonArguments,
        /// Number of plies used per game; 4 trains first pieces only
        #[arg(long, value_parser = cli::number(1..=u16::MAX))]
        plies: Option<u16>,
    },
    /// Train the evaluation, which predicts the result, on games of `trainer play`
    Evaluation {
        #[command(flatten)]
        common: CommonArguments,
        /// Continue from the weights of the player instead of starting from scratch
        #[arg(long)]
        further: bool,
    },
}

#[derive(clap::Args)]
struct CommonArguments {
    /// Weights file to write
    file: PathBuf,
    /// Folder of the games
    #[arg(long, value_name = "FOLDER")]
    from: PathBuf,
    /// Weights of the player instead of the built-in ones; repeatable
    #[arg(short, long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Seed of initial weights and samples
    #[arg(long, default_value_t = 1, value_parser = cli::number(0u64..))]
    seed: u64,
    /// Draw no progress bar
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(TrainArguments { part }: &TrainArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (ModelPart::Prior { common, .. } | ModelPart::Evaluation { common, .. }) = part;
    let &CommonArguments { ref file, ref from, ref weights, seed, quiet } = common;
    let files = selfplay::files(from)?;
    let output = OutputFile::new(file, &[&files[..], weights].concat())?;
    let model = Arc::new(Model::with_files(weights)?);
    // Invalid files are found before any game is read. Only one file is open at a time, because there may be thousands.
    let mut headers: Vec<String> = Vec::new();
    for path in &files {
        let Header { engine, settings, seed: _ } = ShardReader::open(path)?.header;
        let header = format!("engine {engine}, {}", serde_json::to_string(&settings)?);
        if !headers.contains(&header) {
            headers.push(header);
        }
    }
    let bar = super::bar(0, "{pos} games read", quiet);
    let done = &mut || bar.inc(1);
    let trained = match part {
        ModelPart::Prior { plies, .. } => {
            let trained = prior::train(&files, plies.unwrap_or(u16::MAX), &model, seed, done)?;
            trained.map(|(prior, report)| (prior.to_file(Origin::default()), report))
        }
        ModelPart::Evaluation { further, .. } => {
            let trained = evaluation::train(&files, &Params::default(), &model, *further, seed, done)?;
            trained.map(|(evaluation, report)| (evaluation.to_file(Origin::default()), report))
        }
    };
    let games = bar.position();
    bar.finish_and_clear();
    let (weights, report) =
        trained.with_context(|| format!("{}: its games ({games}) have no position to train on", from.display()))?;
    let errors = report.trim_end().replace('\n', "; ");
    let origin = Origin {
        command: super::command_line(),
        data: format!("{games} games of self-play ({}): {errors}", headers.join("; ")),
        engine: bench::fingerprint_of_search(model),
    };
    output.write(WeightsFile { origin, ..weights }.to_bytes())?;
    writeln!(out, "{report}wrote {}", file.display())?;
    Ok(())
}
