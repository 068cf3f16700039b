//! `trainer measure`

use std::io::Write;
use std::path::PathBuf;

use anyhow::ensure;
use player::model::Model;
use record::selfplay::{self, Reader};
use trainer::measure::{COLUMNS, Errors, STAGES};

#[derive(clap::Args)]
pub struct MeasureArguments {
    /// The folder of the games, which `trainer play` has written.
    folder: PathBuf,
    /// Weights of the player instead of the built-in ones; can be given several times.
    #[arg(short, long, value_name = "FILE")]
    weights: Vec<PathBuf>,
    /// Measure one game of this many, by its number. `python -m blokus.train` holds out one of 20.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Draw no progress bar.
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &MeasureArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let model = Model::with_files(&arguments.weights)?;
    let bar = super::bar(0, "{pos} games measured", arguments.quiet);
    let mut stages = [Errors::default(); STAGES.len()];
    for path in selfplay::files(&arguments.folder)? {
        for game in Reader::open(&path)? {
            let (game, positions) = game?;
            if game.number.is_multiple_of(arguments.every) {
                Errors::add(&mut stages, &game, &positions, &model);
                bar.inc(1);
            }
        }
    }
    let games = bar.position();
    bar.finish_and_clear();
    let all: Errors = stages.iter().sum();
    ensure!(
        all.positions > 0,
        "{}: none of the games measured ({games}) has a full search in turns {} to {}",
        arguments.folder.display(),
        STAGES[0].start,
        STAGES[STAGES.len() - 1].end - 1
    );
    writeln!(out, "turns     positions {}", COLUMNS.map(|column| format!("{column:>10}")).concat())?;
    let named = STAGES.iter().map(|turns| format!("{} to {}", turns.start, turns.end - 1));
    for (name, errors) in named.chain(["all".to_owned()]).zip(stages.iter().chain([&all])) {
        let none = || ["-"; COLUMNS.len()].map(|none| format!("{none:>10}"));
        let means = errors.means().map_or_else(none, |means| means.map(|mean| format!("{mean:>10.4}"))).concat();
        writeln!(out, "{name:<10}{:>9} {means}", errors.positions)?;
    }
    Ok(())
}
