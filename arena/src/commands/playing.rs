//! Playing what a plan asks for, with records of all games.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::matches::{GameId, Job, play_jobs};
use arena::plan::{Part, Plan, Scale};
use arena::played::PlayedGame;
use arena::statistics::Tally;
use arena::store::{Store, StoreError, StoredGame};
use game::Team;

use super::defaults;
use super::progress::Progress;
use super::summary::Summary;

/// The games of a plan as they come in.
pub struct Records {
    pub plan: Plan,
    pub part: Part,
    /// `None` if no games are kept.
    store: Option<Store>,
    /// The key of the plan if it is known by it, see [`Plan::key`]; a match of `arena match` is known by its number alone.
    key: Option<String>,
    /// The numbers in the database of those matches that have games. A match is added with its first game: one of which
    /// no game is played, because a contestant cannot be started, is none.
    ids: BTreeMap<u32, i64>,
    /// How the matches stand that have games.
    pub tallies: BTreeMap<u32, Tally>,
    finished: HashSet<(u32, GameId)>,
}

impl Records {
    /// A plan of which nothing was played yet.
    pub fn new(plan: Plan, store: Option<Store>) -> Self {
        let (ids, tallies, finished) = Default::default();
        Self { plan, part: Part::WHOLE, store, key: None, ids, tallies, finished }
    }

    /// A match that was begun before.
    pub fn of_match(store: Store, id: i64) -> Result<Self, StoreError> {
        let plan = Plan::of_match(&store.plan(id)?);
        let mut records = Self::new(plan, Some(store));
        records.read(0, id)?;
        Ok(records)
    }

    /// A plan that goes on if a part of it was played before.
    pub fn of_plan(plan: Plan, part: Part, mut store: Store) -> anyhow::Result<Self> {
        let key = plan.key()?;
        let run = store.find_run(&key)?;
        if let Some(run) = &run {
            store.update_run(run.id, &plan)?;
        }
        let mut records = Self { part, key: Some(key), ..Self::new(plan, Some(store)) };
        for (number, id) in run.into_iter().flat_map(|run| run.matches) {
            records.read(number, id)?;
        }
        Ok(records)
    }

    fn read(&mut self, number: u32, id: i64) -> Result<(), StoreError> {
        let Some(store) = &self.store else { return Ok(()) };
        let tally = self.tallies.entry(number).or_default();
        for StoredGame { record, .. } in store.games(id)? {
            tally.add(&record);
            self.finished.insert((number, id_of(&record)));
        }
        self.ids.insert(number, id);
        Ok(())
    }

    /// Counts a game and keeps it.
    fn save(&mut self, number: u32, game: &PlayedGame) -> Result<(), StoreError> {
        if let Some(store) = &mut self.store {
            let id = match (self.ids.get(&number), &self.key) {
                (Some(&id), _) => id,
                (None, Some(key)) => store.add_run_match(key, &self.plan, self.part, number)?,
                (None, None) => store.add_match(&self.plan.match_plan(number))?,
            };
            self.ids.insert(number, id);
            store.add_game(id, game, None)?;
        }
        self.finished.insert((number, id_of(game)));
        self.tallies.entry(number).or_default().add(game);
        Ok(())
    }

    /// Whether both games of a pair are there.
    #[cfg(feature = "queue")]
    pub fn has(&self, Job { number, pair }: Job) -> bool {
        [false, true].iter().all(|&swapped| self.finished.contains(&(number, (pair, swapped))))
    }

    /// The pairs of games of the part, also those that are finished.
    fn jobs(&self) -> Vec<Job> {
        self.part.of(&self.plan.jobs())
    }

    /// Whether the test of the plan needs no more games. A part alone decides nothing.
    pub fn is_decided(&self) -> bool {
        let sprt = self.plan.sprt.filter(|_| self.part == Part::WHOLE);
        sprt.is_some_and(|sprt| self.tallies.get(&0).is_some_and(|tally| sprt.is_decided(&tally.pairs)))
    }
}

/// A game in its match.
fn id_of(game: &PlayedGame) -> GameId {
    (game.pair, game.team_of_a == Team::Two)
}

/// Where games are played.
pub enum Place {
    /// On this machine, so many at the same time.
    Here,
    /// On any machines, by workers of a queue.
    #[cfg(feature = "queue")]
    Queue(Box<super::queue::QueuePlace>),
}

/// How games are played.
pub struct Manner {
    pub place: Place,
    pub concurrency: Option<u16>,
    /// Draw no progress bar.
    pub quiet: bool,
}

/// Plays what is not there yet, and writes what has come of it. `database` is where the records are kept.
pub fn play(mut records: Records, manner: &Manner, database: &Path, out: &mut impl Write) -> anyhow::Result<()> {
    let stop = defaults::stop_on_interrupt()?;
    let concurrency = defaults::concurrency(manner.concurrency, records.plan.threads());
    let jobs = records.jobs();
    let progress = Progress::new(2 * jobs.len() as u64, records.plan.sprt, manner.quiet);
    let mut incoming = Incoming { records: &mut records, progress, unsaved: Ok(()) };
    let played = match &manner.place {
        Place::Here => play_here(&mut incoming, &jobs, concurrency, &stop, out),
        #[cfg(feature = "queue")]
        Place::Queue(queue) => queue.play(&mut incoming, &jobs, concurrency, &stop, out),
    };
    incoming.progress.finish();
    let unsaved = incoming.unsaved;
    let count: u64 = records.tallies.values().map(Tally::count).sum();
    if played.is_ok() || count > 0 {
        write_summary(&records, out)?;
    }
    if stop.load(Ordering::Relaxed) {
        writeln!(out, "{}", manner.place.farewell())?;
    }
    for id in records.ids.values() {
        writeln!(out, "This is match {id} of {}.", database.display())?;
    }
    unsaved?;
    played
}

impl Place {
    /// What an interruption means.
    fn farewell(&self) -> &'static str {
        match self {
            Self::Here => "Interrupted; games in progress are lost.",
            #[cfg(feature = "queue")]
            Self::Queue(_) => "Interrupted; workers go on, and the same command gathers what they have played.",
        }
    }
}

/// Games that are taken into the records as they come.
pub struct Incoming<'a> {
    pub records: &'a mut Records,
    progress: Progress,
    unsaved: Result<(), StoreError>,
}

impl Incoming<'_> {
    /// Takes a game, unless it is there already. Breaks if no more are wanted.
    pub fn take(&mut self, number: u32, game: &PlayedGame) -> ControlFlow<()> {
        if !self.records.finished.contains(&(number, id_of(game))) {
            self.unsaved = self.records.save(number, game);
        }
        self.progress.show(&self.records.tallies);
        // There is no sense in games that are lost.
        if self.unsaved.is_ok() && !self.records.is_decided() {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

fn play_here(
    incoming: &mut Incoming,
    jobs: &[Job],
    concurrency: usize,
    stop: &AtomicBool,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let records = &*incoming.records;
    if records.is_decided() {
        return Ok(());
    }
    let scale = Scale::here(&records.plan, concurrency);
    if scale != Scale::NONE {
        let factor = scale.factor();
        writeln!(out, "Times are {factor:.2} times as long as in the plan, because of the speed of this machine.")?;
    }
    let (plan, finished) = (scale.plan(&records.plan), records.finished.clone());
    let is_finished = |number, id| finished.contains(&(number, id));
    let on_game = |number, game| incoming.take(number, &scale.game(game));
    Ok(play_jobs(&|number| plan.match_plan(number), jobs, &is_finished, concurrency, stop, on_game)?)
}

fn write_summary(records: &Records, out: &mut impl Write) -> anyhow::Result<()> {
    let none = Tally::default();
    for number in 0..records.plan.matches() {
        let tally = records.tallies.get(&number).unwrap_or(&none);
        write!(out, "{}", Summary { plan: &records.plan.match_plan(number), tally })?;
    }
    Ok(())
}

/// A match with fewer openings than pairs may not be what was meant.
pub fn warn_of_few_openings(plan: &Plan) {
    if let Some(count) = plan.opening.count().filter(|&count| count < plan.pairs as usize) {
        log::warn!("{} pairs of games with {count} openings: some are played more than once", plan.pairs);
    }
}
