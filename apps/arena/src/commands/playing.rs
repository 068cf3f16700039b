//! Playing the games of a plan on this machine or through a queue, and reporting the results.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::ensure;
use arena::defaults;
use arena::games::live::Live;
use arena::interrupt;
use arena::matches::records::Records;
use arena::plan::{Plan, Scale};

#[cfg(feature = "queue")]
use super::cluster;
use super::progress::Progress;
use super::summary::Summary;
use super::table::Table;

/// Where games are played.
pub enum Place {
    /// On this machine.
    Here,
    /// On any machines, by workers of a queue.
    #[cfg(feature = "queue")]
    Queue(Box<arena::cluster::Coordinator>),
}

impl Place {
    fn interruption(&self) -> &'static str {
        match self {
            Self::Here => "interrupted; the same command resumes",
            #[cfg(feature = "queue")]
            Self::Queue(_) => "interrupted; the workers continue, and the same command collects their games",
        }
    }
}

/// How games are played.
pub struct Manner {
    pub place: Place,
    /// Number of games at the same time; `None` to suit this machine.
    pub concurrency: Option<u16>,
    /// Draw no progress bar.
    pub quiet: bool,
}

/// Plays the missing games and prints the results. `database` is the path of the records.
pub fn play(mut records: Records, mut manner: Manner, database: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = interrupt::stop_on_interrupt()?;
    let concurrency = defaults::concurrency(manner.concurrency, records.plan().threads());
    let progress = Progress::new(records.games(), records.plan().sprt, manner.quiet);
    let on_game = |records: &Records| progress.show(records.tallies());
    let played = match &mut manner.place {
        Place::Here => play_here(&mut records, database, concurrency, &stop, on_game, out),
        #[cfg(feature = "queue")]
        Place::Queue(coordinator) => cluster::play(coordinator, &mut records, &stop, on_game, out),
    };
    progress.finish();
    if played.is_ok() || records.count() > 0 {
        write_summary(&records, out)?;
    }
    for id in records.ids() {
        writeln!(out, "This is match {id} of {}.", database.display())?;
    }
    if let Some(id) = records.ids().next().filter(|_| records.plan().contestants.len() > 2) {
        writeln!(out, "`arena report {id} --tournament` writes a page with the table and all games.")?;
    }
    played?;
    ensure!(!stop.load(Ordering::Relaxed) || records.left().is_empty(), manner.place.interruption());
    Ok(())
}

fn play_here(
    records: &mut Records,
    database: &Path,
    concurrency: usize,
    stop: &AtomicBool,
    on_game: impl FnMut(&Records),
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if records.left().is_empty() {
        return Ok(());
    }
    let scale = Scale::here(records.plan(), concurrency);
    if scale != Scale::NONE {
        let factor = scale.factor();
        writeln!(out, "Times are {factor:.2} times as long as in the plan, because of the speed of this machine.")?;
    }
    if records.are_kept() {
        records.show(Live::beside(database)?);
    }
    Ok(records.play(scale, concurrency, stop, on_game)?)
}

fn write_summary(records: &Records, out: &mut impl Write) -> anyhow::Result<()> {
    let plan = records.plan();
    if plan.contestants.len() == 2 {
        write!(out, "{}", Summary { plan: &plan.match_plan(0), tally: &records.tally(0) })?;
    } else {
        write!(out, "{}", Table { plan, tallies: records.tallies() })?;
    }
    Ok(())
}

/// Warns if there are fewer openings than pairs.
pub fn warn_of_few_openings(plan: &Plan) {
    if let Some(count) = plan.opening.count().filter(|&count| count < plan.pairs as usize) {
        log::warn!("{} pairs of games with {count} openings: some are played more than once", plan.pairs);
    }
}
