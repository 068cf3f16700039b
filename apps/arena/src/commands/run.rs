//! `arena run`

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::ensure;
use arena::cluster::QueueArguments;
use arena::database::Store;
use arena::plan::{Part, Plan};
use arena::records::Records;
use game::printable;

use super::playing::{self, PlayingArguments};
use super::{DATABASE, counted};

/// Average number of moves of a game after its opening.
const MEAN_PLIES: f64 = 75.0;

#[derive(clap::Args)]
pub struct RunArguments {
    /// The file with the plan
    plan: PathBuf,
    /// Print the number of games and the expected duration, and play nothing
    #[arg(long)]
    dry_run: bool,
    /// Play part K of N independent parts of the plan; `arena merge` joins them
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with = "url")]
    part: Option<Part>,
    /// The database of the part
    #[arg(long, value_name = "FILE", requires = "part", conflicts_with = "database")]
    out: Option<PathBuf>,
    #[command(flatten)]
    playing: PlayingArguments,
    /// Database of all games; games of the plan in it are not played again
    #[arg(short, long, value_name = "FILE", default_value = DATABASE)]
    database: PathBuf,
    #[command(flatten)]
    queue: QueueArguments,
}

pub fn run(arguments: &RunArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let plan = Plan::read(&arguments.plan)?;
    if arguments.dry_run {
        return describe(&plan, arguments, out);
    }
    ensure!(
        arguments.part.is_none() || plan.swiss_rounds.is_none(),
        "a Swiss tournament cannot be played in parts, because its pairings depend on all results"
    );
    playing::warn_of_few_openings(&plan);
    let database = arguments.out.as_ref().unwrap_or(&arguments.database);
    let key = plan.key()?;
    let mut queue = None;
    if arguments.queue.is_given() {
        queue = arguments.queue.coordinator(&plan, &key, out)?;
        if queue.is_none() {
            return Ok(());
        }
    }
    let part = arguments.part.unwrap_or(Part::WHOLE);
    let records = Records::of_plan(plan, key, part, Store::open(database)?)?;
    playing::play(records, queue, &arguments.playing, database, out)
}

/// Prints the games of a plan and their expected duration.
fn describe(plan: &Plan, arguments: &RunArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let (games, contestants) = (plan.games(), plan.contestants.len());
    let system = match plan.swiss_rounds {
        None => "round robin".to_owned(),
        Some(rounds) => counted(rounds, "Swiss round"),
    };
    writeln!(out, "{games} games, {} per pairing: {contestants} contestants, {system}", 2 * plan.pairs)?;
    if plan.sprt.is_some() {
        writeln!(out, "fewer games if the sequential test ends the match earlier")?;
    }
    match plan.contestants.iter().find(|entrant| entrant.spec.budget().time.is_none()) {
        Some(entrant) => writeln!(out, "the duration is unknown: {} has no time limit", printable(&entrant.name))?,
        None => {
            let times = plan.contestants.iter().filter_map(|entrant| entrant.spec.budget().time);
            // Every contestant makes the same share of all moves.
            let mean = times.sum::<Duration>().as_secs_f64() / contestants as f64;
            let (hours, concurrency) = (games as f64 * MEAN_PLIES * mean / 3600.0, arguments.playing.concurrency(plan));
            writeln!(
                out,
                "about {hours:.2} hours with one game at a time, {:.2} with {concurrency}",
                hours / concurrency as f64
            )?;
        }
    }
    for entrant in &plan.contestants {
        if let Some(permit) = entrant.permit()? {
            writeln!(out, "{} is a program; workers need --allow {permit}", printable(&entrant.name))?;
        }
    }
    writeln!(out, "fingerprint {}", plan.fingerprint()?)?;
    Ok(())
}
