//! Playing the games of a plan on this machine or through a queue, and reporting the results.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::bail;
use arena::cluster::Coordinator;
use arena::defaults;
use arena::engines::{Budget, shell_quote};
use arena::matches::live::Live;
use arena::openings::Opening;
use arena::plan::{Entrant, Plan};
use arena::records::Records;
use game::{Piece, Rules};

use super::{DATABASE, parse, progress, results};

/// Options of the games.
#[derive(clap::Args)]
pub struct GameArguments {
    /// Time per move in milliseconds [default: 100 without --nodes]
    #[arg(short, long, value_name = "MS", value_parser = cli::number(1u64..))]
    time: Option<u64>,
    /// Nodes per move
    #[arg(short, long, value_parser = cli::number(1u64..))]
    nodes: Option<u64>,
    /// Milliseconds after which an answer loses the game [default: the largest of 2000, twice the time per move, and
    /// 60000 if a player is limited only by nodes]
    #[arg(long, value_name = "MS", value_parser = cli::number(1u64..))]
    pub timeout: Option<u64>,
    /// The rules: 2021, 2027 or classic
    #[arg(short = 's', long = "season", value_name = "SEASON", default_value = "2027", value_parser = parse::rules)]
    pub rules: Rules,
    /// Start piece of all games [default: drawn for each pair]
    #[arg(long, value_parser = parse::piece)]
    pub start: Option<Piece>,
    /// Opening of the games, see the end of `arena match --help`
    #[arg(short, long, default_value_t = Opening::default())]
    pub opening: Opening,
    /// Seed of openings and players
    #[arg(long, default_value_t = 1, value_parser = cli::number(0u64..))]
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
            rules: self.rules,
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

/// Options of commands that play games.
#[derive(clap::Args)]
pub struct PlayingArguments {
    /// Number of games played at the same time [default: physical cores / threads per player]
    #[arg(short, long, value_parser = cli::number(1..=1024u16))]
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

/// Plays the missing games through `queue`, or on this machine if it is `None`, and prints the results. `database` is
/// the path of the records.
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
        if !bar.is_hidden()
            && let Some(standing) = standing_of_match(records)
        {
            bar.set_message(standing);
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
        write_results(&records, database, out)?;
    }
    played?;
    if stop.load(Ordering::Relaxed) && !records.remaining_jobs().is_empty() {
        bail!(interruption(&records, has_queue, database));
    }
    Ok(())
}

/// Returns the result of a plan's only match so far.
fn standing_of_match(records: &Records) -> Option<String> {
    let tally = records.tallies().get(&0).filter(|_| records.plan().contestants.len() == 2)?;
    Some(progress::standing(tally, records.plan().sprt))
}

/// Writes the results and where they are stored.
fn write_results(records: &Records, database: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let plan = records.plan();
    let is_tournament = plan.contestants.len() > 2;
    if is_tournament {
        results::write_tournament(plan, records.tallies(), out)?;
    } else {
        results::write_match(&plan.match_plan(0), &records.tally(0), out)?;
    }
    let ids: BTreeSet<i64> = records.ids().collect();
    if !ids.is_empty() {
        writeln!(out, "{} of {}.", name_matches(&ids), database.display())?;
    }
    if let Some(id) = ids.first().filter(|_| is_tournament) {
        let option = database_option(database);
        writeln!(out, "`arena report {id} --tournament{option}` writes a page with the table and all games.")?;
    }
    Ok(())
}

/// Names the matches with these numbers, as the start of a sentence.
fn name_matches(ids: &BTreeSet<i64>) -> String {
    let all = |separator: &str| ids.iter().map(i64::to_string).collect::<Vec<_>>().join(separator);
    match (ids.first(), ids.last()) {
        (Some(first), Some(last)) if ids.len() > 2 && last - first < ids.len() as i64 => {
            format!("These are matches {first} to {last}")
        }
        _ if ids.len() == 1 => format!("This is match {}", all("")),
        _ => format!("These are matches {}", all(", ")),
    }
}

/// Returns the message about an interruption. It says how to resume.
fn interruption(records: &Records, has_queue: bool, database: &Path) -> String {
    match records.ids().next() {
        _ if has_queue => "interrupted; the workers continue, and the same command collects their games".to_owned(),
        _ if records.are_of_plan() => "interrupted; the same command resumes".to_owned(),
        Some(id) => format!("interrupted; `arena match --resume {id}{}` resumes", database_option(database)),
        None => "interrupted before the first game ended".to_owned(),
    }
}

/// Returns the option for a database as the end of a command; empty for the default one.
fn database_option(database: &Path) -> String {
    if database == Path::new(DATABASE) {
        String::new()
    } else {
        format!(" --database {}", shell_quote(&database.to_string_lossy()))
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

#[cfg(test)]
mod tests {
    use arena::database::Store;

    use super::*;

    #[test]
    fn only_single_match_has_standing() {
        let folder = tempfile::tempdir().unwrap();
        for (contestants, has_standing) in [(2, true), (3, false)] {
            let contestants = vec!["random".parse::<arena::engines::Spec>().unwrap().into(); contestants];
            let plan = Plan { pairs: 1, ..Plan::new(contestants) };
            let path = folder.path().join(format!("{has_standing}.sqlite"));
            let mut records = Records::new(plan, Store::open(&path).unwrap());
            let mut shown = Vec::new();
            records
                .play(None, 1, &AtomicBool::new(false), |records| shown.push(standing_of_match(records).is_some()))
                .unwrap();
            assert_eq!(shown, vec![has_standing; records.games() as usize]);
        }
    }

    #[test]
    fn names_matches_in_one_line() {
        for (ids, text) in [
            (&[7][..], "This is match 7"),
            (&[7, 8], "These are matches 7, 8"),
            (&[3, 1, 2], "These are matches 1 to 3"),
            (&[1, 2, 4], "These are matches 1, 2, 4"),
        ] {
            assert_eq!(name_matches(&ids.iter().copied().collect()), text);
        }
    }
}
