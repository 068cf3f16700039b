//! Playing the games of a plan on this machine or through a queue, and reporting the results.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use arena::cluster::Coordinator;
use arena::defaults;
use arena::engines::Budget;
use arena::games::live::Live;
use arena::openings::Opening;
use arena::plan::{Entrant, Plan};
use arena::records::Records;
use game::{Piece, Rules};

use super::{parse, progress, results};

/// The options that decide games.
#[derive(clap::Args)]
pub struct GameArguments {
    /// Time per move in milliseconds (100 if there is no --nodes either)
    #[arg(short, long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    time: Option<u64>,
    /// Nodes per move
    #[arg(short, long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// An answer later than this loses the game [default: 2000, as on the official server, or
    /// twice the time per move, or 60000 if only nodes are limited]
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub timeout: Option<u64>,
    /// The rules: 2021, 2027 or classic
    #[arg(short, long, default_value = "2027", value_parser = parse::rules)]
    pub season: Rules,
    /// The start piece of all games instead of a drawn one
    #[arg(long, value_parser = parse::piece)]
    pub start: Option<Piece>,
    /// Opening of the games, see the end of `arena match --help`
    #[arg(short, long, default_value_t = Opening::default())]
    pub opening: Opening,
    /// Seed of openings and players
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl GameArguments {
    /// Returns the limits of a move.
    pub fn budget(&self) -> Budget {
        defaults::budget(self.time, self.nodes)
    }

    /// Returns the plan of `pairs` pairs of games.
    pub fn plan(&self, contestants: Vec<Entrant>, pairs: u32) -> anyhow::Result<Plan> {
        let plan = Plan {
            rules: self.season,
            start_piece: self.start,
            opening: self.opening.clone(),
            pairs,
            seed: self.seed,
            timeout: self.timeout.map(Duration::from_millis),
            ..Plan::new(contestants)
        };
        plan.check_opening()?;
        Ok(plan)
    }
}

/// The options of programs that play games.
#[derive(clap::Args)]
pub struct PlayingArguments {
    /// Number of games played at the same time [default: physical cores / threads per player]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// Draw no progress bar
    #[arg(short, long)]
    pub quiet: bool,
}

impl PlayingArguments {
    /// Returns the number of simultaneous games.
    pub fn concurrency(&self, plan: &Plan) -> usize {
        defaults::concurrency(self.concurrency, plan.threads())
    }
}

/// Plays the missing games, on this machine without a `queue`, and prints the results. `database` is the path of the
/// records.
pub fn play(
    mut records: Records,
    queue: Option<Coordinator>,
    arguments: &PlayingArguments,
    database: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let stop = cli::stop_on_signal()?;
    let bar = progress::bar(records.games(), "games", arguments.quiet);
    let on_game = |records: &Records| {
        bar.set_position(records.count());
        let tallies = records.tallies();
        // The score of a single match.
        if let Some(tally) = tallies.values().next().filter(|_| tallies.len() == 1 && !bar.is_hidden()) {
            bar.set_message(progress::standing(tally, records.plan().sprt));
        }
    };
    let has_queue = queue.is_some();
    let played = match queue {
        None => {
            let concurrency = arguments.concurrency(records.plan());
            play_here(&mut records, database, concurrency, &stop, on_game)
        }
        Some(mut coordinator) => play_over_queue(&mut coordinator, &mut records, &stop, on_game, out),
    };
    bar.finish_and_clear();
    if played.is_ok() || records.count() > 0 {
        let plan = records.plan();
        match plan.contestants.len() {
            2 => results::write_match(&plan.match_plan(0), &records.tally(0), out)?,
            _ => results::write_tournament(plan, records.tallies(), out)?,
        }
    }
    for id in records.ids() {
        writeln!(out, "This is match {id} of {}.", database.display())?;
    }
    if let Some(id) = records.ids().next().filter(|_| records.plan().contestants.len() > 2) {
        writeln!(out, "`arena report {id} --tournament` writes a page with the table and all games.")?;
    }
    played?;
    if !stop.load(Ordering::Relaxed) || records.remaining_jobs().is_empty() {
        return Ok(());
    }
    match records.ids().next() {
        _ if has_queue => bail!("interrupted; the workers continue, and the same command collects their games"),
        _ if records.are_of_plan() => bail!("interrupted; the same command resumes"),
        Some(id) => bail!("interrupted; `arena match --resume {id}` resumes"),
        None => bail!("interrupted before the first game ended"),
    }
}

fn play_here(
    records: &mut Records,
    database: &Path,
    concurrency: usize,
    stop: &AtomicBool,
    on_game: impl FnMut(&Records),
) -> anyhow::Result<()> {
    if records.remaining_jobs().is_empty() {
        return Ok(());
    }
    let live = Live::beside(database)?;
    Ok(records.play(Some(&live), concurrency, stop, on_game)?)
}

/// Collects the missing games from workers.
fn play_over_queue(
    coordinator: &mut Coordinator,
    records: &mut Records,
    stop: &AtomicBool,
    mut on_game: impl FnMut(&Records),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    // The next round of a Swiss tournament is known after the previous one.
    while !stop.load(Ordering::Relaxed) {
        let jobs = records.remaining_jobs();
        if jobs.is_empty() {
            break;
        }
        coordinator.gather(&jobs, stop, &mut |number, game| {
            let flow = records.take(number, &game)?;
            on_game(records);
            Ok(flow)
        })?;
    }
    Ok(coordinator.finish(stop, out)?)
}

/// Warns if there are fewer openings than pairs.
pub fn warn_of_few_openings(plan: &Plan) {
    if let Some(count) = plan.opening.count().filter(|&count| count < plan.pairs as usize) {
        log::warn!("fewer openings ({count}) than pairs of games ({}): some are played more than once", plan.pairs);
    }
}
