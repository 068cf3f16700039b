//! The host of one game: a task that owns the game, and handles that send it events.
//!
//! The task saves the game before it publishes a snapshot. Viewers wait for nothing: they read the last snapshot
//! while the task waits for the database.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use record::{Fault, Game};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::block_in_place;
use tokio::time::{Instant, sleep, sleep_until};

use super::failure::{NO_LINK, RequestError};
use super::job_runner::{JobRunner, ProgramKey, Reported};
use super::programs::ExternalProgram;
use super::state::ServiceState;
use crate::active::jobs::{EngineCommand, EngineJob, Work};
use crate::active::{ActiveGame, Effects, Event, STALE};
use crate::refused::Refused;
use crate::session::{Action, By, Millis, Session};

type Outcome = Result<(), RequestError>;

const CONTINUED: Refused = Refused::of("continued", "somebody has continued the game here");

/// An event and the channel for its outcome. Boxed: an idle channel keeps memory for 32.
type PendingEvent = Box<(Event, oneshot::Sender<Outcome>)>;

/// A handle of a game.
pub(crate) struct GameHandle {
    mailbox: mpsc::UnboundedSender<PendingEvent>,
    snapshots: watch::Sender<Arc<ActiveGame>>,
    is_deleted: watch::Sender<bool>,
}

/// Returns the time in milliseconds since 1970.
pub(crate) fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as Millis)
}

impl GameHandle {
    /// Starts the task of a stored game with a channel for the reports of its engines.
    pub(super) fn start(
        (reports, reported): (mpsc::UnboundedSender<Reported>, mpsc::UnboundedReceiver<Reported>),
        id: i64,
        session: Session,
        service: Arc<ServiceState>,
    ) -> Self {
        let game = Arc::new(ActiveGame::new(session, Arc::clone(&service.settings)));
        let (mailbox, messages) = mpsc::unbounded_channel();
        let snapshots = watch::Sender::new(Arc::clone(&game));
        let is_deleted = watch::Sender::new(false);
        let actor = GameActor {
            id,
            game,
            snapshots: snapshots.clone(),
            is_deleted: is_deleted.clone(),
            reports,
            programs: HashMap::new(),
            jobs: HashMap::new(),
            tick: None,
            service: Arc::clone(&service),
        };
        service.runtime.spawn(actor.run(messages, reported));
        Self { mailbox, snapshots, is_deleted }
    }

    /// Returns the last snapshot of the game.
    pub fn game(&self) -> Arc<ActiveGame> {
        Arc::clone(&self.snapshots.borrow())
    }

    /// Returns a receiver of snapshots.
    pub fn watch(&self) -> watch::Receiver<Arc<ActiveGame>> {
        self.snapshots.subscribe()
    }

    /// Ends the task, because the game is deleted.
    pub fn delete(&self) {
        self.is_deleted.send_replace(true);
    }

    /// Returns when the task has ended.
    pub async fn ended(&self) {
        self.mailbox.closed().await;
    }

    /// Returns `true` if the task has panicked or the game is deleted.
    pub fn is_dead(&self) -> bool {
        self.mailbox.is_closed()
    }

    /// Returns `true` if nobody watches and no engine runs.
    pub fn is_idle(&self) -> bool {
        self.snapshots.receiver_count() == 0 && !self.game().is_busy()
    }

    /// Sends an event to the game. Returns when its effects are saved and visible.
    pub async fn send(&self, event: Event) -> Outcome {
        self.post(event).await.unwrap_or_else(|_| self.gone())
    }

    /// Blocks until an event is handled.
    pub fn send_and_wait(&self, event: Event) -> Outcome {
        let outcome = self.post(event);
        block_in_place(|| outcome.blocking_recv()).unwrap_or_else(|_| self.gone())
    }

    /// Returns the outcome of events after the end of the task.
    fn gone(&self) -> Outcome {
        if *self.is_deleted.borrow() { Err(NO_LINK.into()) } else { Err(RequestError::Panicked) }
    }

    fn post(&self, event: Event) -> oneshot::Receiver<Outcome> {
        let (sender, receiver) = oneshot::channel();
        _ = self.mailbox.send(Box::new((event, sender)));
        receiver
    }

    /// Blocks until an action is done.
    pub fn act(&self, action: Action, by: By, on: Option<u64>) -> Outcome {
        self.send_and_wait(Event::Act { action, by, on })
    }

    /// Copies the new moves and the end of a game that is played elsewhere.
    pub fn follow(&self, game: &Game) -> Outcome {
        let act = |action| self.act(action, By::Server, None);
        let known = self.game();
        let moves = known.session().moves();
        if !moves.iter().copied().eq(game.moves().take(moves.len())) {
            return Err(CONTINUED.into());
        }
        game.moves().skip(moves.len()).try_for_each(|mv| act(Action::Play { mv }))?;
        match &game.fault {
            Some((team, Fault { kind, detail, .. })) => {
                act(Action::Forfeit { team: *team, kind: *kind, detail: detail.clone() })
            }
            None => Ok(()),
        }
    }
}

struct GameActor {
    id: i64,
    game: Arc<ActiveGame>,
    snapshots: watch::Sender<Arc<ActiveGame>>,
    /// `true` ends the task.
    is_deleted: watch::Sender<bool>,
    reports: mpsc::UnboundedSender<Reported>,
    /// External programs that wait for their next turn.
    programs: HashMap<ProgramKey, ExternalProgram>,
    /// Running jobs by number; `true` asks a job to finish with its current result. Removing an entry cancels the job.
    jobs: HashMap<u64, Arc<AtomicBool>>,
    /// The time of the next [`Event::Tick`].
    tick: Option<Instant>,
    service: Arc<ServiceState>,
}

impl GameActor {
    async fn run(
        mut self,
        mut messages: mpsc::UnboundedReceiver<PendingEvent>,
        mut reports: mpsc::UnboundedReceiver<Reported>,
    ) {
        let mut deleted = self.is_deleted.subscribe();
        self.handle_internal(Event::Tick);
        while !*deleted.borrow() {
            let tick = self.tick;
            let ticked = async {
                match tick {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                _ = deleted.changed() => {}
                message = messages.recv() => {
                    let Some(message) = message else { return };
                    let (event, reply) = *message;
                    // The sender may have left.
                    drop(reply.send(self.handle(event)));
                }
                Some(reported) = reports.recv() => {
                    let (report, program) = *reported;
                    self.programs.extend(program);
                    self.handle_internal(Event::Report(report));
                }
                () = ticked => self.handle_internal(Event::Tick),
            }
        }
    }

    /// Handles an event of the engine or the clock.
    fn handle_internal(&mut self, event: Event) {
        let is_report = matches!(event, Event::Report(_));
        let Err(error) = self.handle(event) else { return };
        log::error!("game {}: {error}", self.id);
        if let (RequestError::Store(error), true) = (error, is_report) {
            // This event needs no disk.
            _ = self.handle(Event::NotSaved(error.to_string()));
        } else {
            // Retry in a second.
            self.tick = self.tick.map(|_| Instant::now() + Duration::from_secs(1));
        }
    }

    fn handle(&mut self, event: Event) -> Outcome {
        // A clone is cheap: it shares all unchanged parts.
        let mut next = ActiveGame::clone(&self.game);
        let effects = next.handle(event, now())?;
        if effects.saves_session && !block_in_place(|| self.service.store.save(self.id, next.session()))? {
            // Keep the other process's change.
            let Some(session) = block_in_place(|| self.service.store.load(self.id))? else {
                self.is_deleted.send_replace(true);
                return Err(NO_LINK.into());
            };
            let mut next = ActiveGame::clone(&self.game);
            let effects = next.handle(Event::Replace(session.into()), now())?;
            self.publish(next, effects);
            return Err(STALE.into());
        }
        self.publish(next, effects);
        Ok(())
    }

    fn publish(&mut self, game: ActiveGame, effects: Effects) {
        if let Some((position, insight)) = effects.insight
            && let Err(error) = block_in_place(|| self.service.store.save_insight(self.id, &position, &insight))
        {
            // It can be searched again; the game itself is safe.
            log::warn!("game {}: {error}", self.id);
        }
        if game.session().is_over() {
            self.programs.clear();
        }
        let time_left = game.time_left(now());
        self.tick = time_left.map(|time| Instant::now() + Duration::from_millis(time + 1));
        self.game = Arc::new(game);
        self.snapshots.send_if_modified(|snapshot| {
            snapshot.clone_from(&self.game);
            effects.is_visible
        });
        for command in effects.commands {
            match command {
                EngineCommand::Start(job) => self.start(*job),
                EngineCommand::Finish(number) => {
                    if let Some(is_finishing) = self.jobs.get(&number) {
                        is_finishing.store(true, Ordering::Relaxed);
                    }
                }
                EngineCommand::Cancel(number) => drop(self.jobs.remove(&number)),
            }
        }
    }

    fn start(&mut self, job: EngineJob) {
        self.jobs.retain(|_, is_finishing| Arc::weak_count(is_finishing) > 0);
        let is_finishing = Arc::downgrade(self.jobs.entry(job.number).or_default());
        let program = match &job.work {
            Work::Program { name, .. } => self.programs.remove(&(name.clone(), job.position.color().team())),
            _ => None,
        };
        let service = Arc::clone(&self.service);
        let (priority, delay) = (job.priority, job.delay);
        let runner = JobRunner { reports: self.reports.clone(), is_finishing, service: Arc::clone(&service) };
        let submit = move || match job.work {
            Work::Program { .. } => service.program_threads.submit(priority, move |()| runner.ask(job, program)),
            _ => service.engines.submit(priority, move |engine| runner.search(job, engine)),
        };
        if delay == 0 {
            return submit();
        }
        self.service.runtime.spawn(async move {
            sleep(Duration::from_millis(delay)).await;
            submit();
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::active::jobs::JobResult;
    use crate::session::{Seat, TimeControl};
    use game::{ByColor, Position, Rules};
    use player::Level;
    use std::path::Path;
    use std::sync::Weak;

    fn start(folder: &Path, seat: &Seat) -> (Arc<ServiceState>, GameHandle, mpsc::UnboundedSender<Reported>) {
        let service = ServiceState::for_test(folder);
        // The tests send the reports of the engine themselves.
        service.close();
        let game = Game::new(Position::new(Rules::Classic, None).unwrap());
        let session = Session::with(game, ByColor([(); 4].map(|()| seat.clone())), TimeControl::None);
        let id = service.store.create(&session, "host").unwrap();
        let (reports, reported) = mpsc::unbounded_channel();
        let handle = GameHandle::start((reports.clone(), reported), id, session, Arc::clone(&service));
        (service, handle, reports)
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn panic_of_an_engine_pauses_its_game() {
        let folder = tempfile::tempdir().unwrap();
        let (service, handle, reports) = start(folder.path(), &Seat::Level { level: Level::new(1).unwrap() });
        let runner = JobRunner { reports, is_finishing: Weak::new(), service };
        let panicked = std::thread::spawn(move || runner.report_panic(1, || panic!("an engine fails")));
        assert!(panicked.join().is_err(), "the thread has to get a new engine");
        let mut changes = handle.watch();
        let game = changes.wait_for(|game| game.engine_error().is_some()).await.unwrap();
        assert!(game.session().is_paused() && game.engine_error().unwrap().text.contains("see the log"));
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn full_disk_stops_only_the_engine() {
        let folder = tempfile::tempdir().unwrap();
        let (service, handle, reports) = start(folder.path(), &Seat::Level { level: Level::new(1).unwrap() });
        let other = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
        other
            .execute_batch("CREATE TRIGGER full BEFORE UPDATE ON game BEGIN SELECT raise(ABORT, 'full'); END")
            .unwrap();
        let runner = JobRunner { reports, is_finishing: Weak::new(), service };
        runner.report(1, JobResult::Move("MONO@0,0".parse().unwrap()), None);
        let mut changes = handle.watch();
        let game = changes.wait_for(|game| game.engine_error().is_some()).await.unwrap().clone();
        assert!(game.session().position().turn() == 0 && game.engine_error().unwrap().text.contains("full"));
        other.execute_batch("DROP TRIGGER full").unwrap();
        handle.send(Event::Act { action: Action::Pause, by: By::Host, on: None }).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn viewers_see_game_during_slow_save() {
        let folder = tempfile::tempdir().unwrap();
        let (_, handle, _) = start(folder.path(), &Seat::Person);
        let other = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let action = Action::Play { mv: "MONO@0,0".parse().unwrap() };
        let act = handle.send(Event::Act { action, by: By::Host, on: Some(0) });
        let mut act = std::pin::pin!(act);
        assert!(tokio::time::timeout(Duration::from_millis(20), act.as_mut()).await.is_err());
        assert_eq!(handle.game().session().position().turn(), 0);
        other.execute_batch("COMMIT").unwrap();
        act.await.unwrap();
        assert_eq!(handle.game().session().position().turn(), 1);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn keeps_change_of_another_process() {
        let folder = tempfile::tempdir().unwrap();
        let (service, handle, _) = start(folder.path(), &Seat::Person);
        let mut session = handle.game().session().clone();
        session.act(&Action::Play { mv: "DOMINO@0,0".parse().unwrap() }, By::Host, 0).unwrap();
        assert!(service.store.save(1, &session).unwrap());
        let action = Action::Play { mv: "MONO@0,0".parse().unwrap() };
        let error = handle.send(Event::Act { action, by: By::Host, on: Some(0) }).await.unwrap_err();
        assert!(error.name() == "stale" && handle.game().session().stands_as(&session), "{error}");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn deleted_game_ends_its_task() {
        let folder = tempfile::tempdir().unwrap();
        let (service, handle, _) = start(folder.path(), &Seat::Person);
        // Another process deletes it.
        service.store.delete(1).unwrap();
        for _ in 0..2 {
            let action = Action::Play { mv: "MONO@0,0".parse().unwrap() };
            let error = handle.send(Event::Act { action, by: By::Host, on: None }).await.unwrap_err();
            assert_eq!(error.name(), "no_link");
            handle.ended().await;
        }
        assert!(handle.is_dead());
    }
}
