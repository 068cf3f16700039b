//! A session with those who look at it and the programs that play in it.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use game::{Color, Move, Position, Team};
use thiserror::Error;
use tokio::sync::watch;

use super::engines::Priority;
use super::house::House;
use super::programs::{Playing, Programs};
use super::store::StoreError;
use crate::session::{Action, ActionError, By, Insight, Millis, Seat, Session};
use crate::talk::Progress;
use crate::thinker::Thinker;

/// Why something that was asked for is not done.
#[derive(Debug, Error)]
pub(crate) enum RoomError {
    #[error(transparent)]
    Action(#[from] ActionError),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Somebody else was faster.
    #[error("the game has changed meanwhile")]
    Stale,
    #[error("no program plays here that could be asked to move")]
    NoEngine,
    #[error("the service was told of no program `{0}` when it was started")]
    UnknownProgram(String),
    #[error("an analysis is running already")]
    Busy,
}

impl RoomError {
    /// The error in one word.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Action(error) => error.name(),
            Self::Store(_) => "store",
            Self::Stale => "stale",
            Self::NoEngine => "no_engine",
            Self::UnknownProgram(_) => "unknown_program",
            Self::Busy => "busy",
        }
    }
}

/// A turn of a program.
struct Turn {
    color: Color,
    seat: Seat,
    position: Position,
    /// The version of the session.
    version: u64,
}

struct Analysis {
    stop: Arc<AtomicBool>,
    progress: Progress,
}

/// An analysis that is running; it ends when this is dropped, also if the engine panics or its queue is closed.
struct Running(Arc<Room>);

impl Running {
    /// One position at a time, so that moves and hints of all games come between.
    fn next(self, mut rest: VecDeque<Position>, time: Duration, stop: Arc<AtomicBool>) {
        let next = rest.pop_front().filter(|_| !stop.load(Ordering::Relaxed));
        let Some(position) = next else { return };
        let engines = self.0.house.engines.clone();
        engines.ask(Priority::Analysis, move |thinker| {
            // Held from here on, so that a panic ends the analysis.
            let running = self;
            let insight = thinker.think(&position, time, &stop, |_| {});
            running.0.learn(&position, insight, time, &stop);
            if let Some(analysis) = lock(&running.0.analysis).as_mut() {
                analysis.progress.done += 1;
            }
            running.next(rest, time, stop);
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        *lock(&self.0.analysis) = None;
        self.0.tell();
    }
}

pub(crate) struct Room {
    game: i64,
    session: Mutex<Session>,
    house: House,
    /// The programs that play, by name and team.
    playing: Mutex<HashMap<(String, Team), Playing>>,
    /// What went wrong with a program.
    trouble: Mutex<Option<String>>,
    /// Counts everything that those who look on should see.
    changes: watch::Sender<u64>,
    /// Ends the search for the next move.
    move_now: Mutex<Arc<AtomicBool>>,
    /// Ends the hint that is thought about.
    no_hint: Mutex<Arc<AtomicBool>>,
    analysis: Mutex<Option<Analysis>>,
    /// The least time between two moves of programs, in milliseconds.
    pace: AtomicU64,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Everything behind these locks is replaced as a whole, so a panic leaves nothing half done.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time now in milliseconds.
pub(crate) fn now() -> Millis {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as Millis)
}

/// Whether somebody of a seat can play here.
pub(super) fn check_seat(seat: &Seat, programs: &Programs) -> Result<(), RoomError> {
    match seat {
        Seat::Program { name } if !programs.contains_key(name) => Err(RoomError::UnknownProgram(game::excerpt(name))),
        Seat::Program { .. } | Seat::Person | Seat::Guest | Seat::Level { .. } => Ok(()),
    }
}

impl Room {
    pub fn new(game: i64, session: Session, house: House) -> Arc<Self> {
        Arc::new(Self {
            game,
            session: Mutex::new(session),
            house,
            playing: Mutex::default(),
            trouble: Mutex::default(),
            changes: watch::Sender::new(0),
            move_now: Mutex::default(),
            no_hint: Mutex::default(),
            analysis: Mutex::default(),
            pace: AtomicU64::new(0),
        })
    }

    /// Something about the session as it is now.
    pub fn look<T>(&self, look: impl FnOnce(&Session) -> T) -> T {
        look(&lock(&self.session))
    }

    /// Is told of every change.
    pub fn watch(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Whether nobody looks on and nothing is going on.
    pub fn is_idle(&self) -> bool {
        self.changes.receiver_count() == 0
            && lock(&self.analysis).is_none()
            && self.look(|session| session.engine_on_turn().is_none())
    }

    fn tell(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Does something, if the session is still as it was `on`, and keeps it before anybody hears of it. Blocks until it is
    /// on the disk.
    pub fn act(self: &Arc<Self>, action: &Action, by: By, on: Option<u64>) -> Result<(), RoomError> {
        if let Action::Sit { seat, .. } = action {
            check_seat(seat, &self.house.programs)?;
        }
        {
            let mut session = lock(&self.session);
            if on.is_some_and(|on| on != session.version()) {
                return Err(RoomError::Stale);
            }
            let mut after = session.clone();
            after.act(action, by, now())?;
            match self.house.store.save(self.game, &after) {
                Err(StoreError::Changed) => {
                    // Another process plays this game, too; what it did stands.
                    *session = self.house.store.load(self.game)?;
                    drop(session);
                    self.tell();
                    self.wake();
                    return Err(RoomError::Stale);
                }
                saved => saved?,
            }
            *session = after;
        }
        if *action == Action::Resume {
            *lock(&self.trouble) = None;
        }
        self.tell();
        self.wake();
        Ok(())
    }

    /// Lets the program on turn think, if there is one. What it thought about before is of no use any more.
    pub fn wake(self: &Arc<Self>) {
        let stop = Arc::new(AtomicBool::new(false));
        std::mem::replace(&mut *lock(&self.move_now), Arc::clone(&stop)).store(true, Ordering::Relaxed);
        let next = self.look(|session| {
            let (color, seat) = session.engine_on_turn()?;
            Some(Turn { color, seat: seat.clone(), position: *session.position(), version: session.version() })
        });
        let Some(turn) = next else {
            if self.look(Session::is_over) {
                lock(&self.playing).clear();
            }
            return;
        };
        // A hint must not keep the program waiting.
        lock(&self.no_hint).store(true, Ordering::Relaxed);
        let is_show = self.look(|session| Color::ALL.into_iter().all(|color| session.seat(color).is_engine()));
        let priority = if is_show { Priority::Show } else { Priority::Answer };
        let room = Arc::clone(self);
        let engines = self.house.engines.clone();
        let think = move |thinker: &mut Thinker| room.think(thinker, &turn, &stop);
        match Duration::from_millis(self.pace.load(Ordering::Relaxed)) {
            Duration::ZERO => engines.ask(priority, think),
            // No thread of an engine waits for those who look on.
            pace => drop(self.house.runtime.spawn(async move {
                tokio::time::sleep(pace).await;
                engines.ask(priority, think);
            })),
        }
    }

    fn think(self: &Arc<Self>, thinker: &mut Thinker, turn: &Turn, stop: &AtomicBool) {
        let is_current = || self.look(|session| session.version() == turn.version);
        if !is_current() {
            return;
        }
        let mv = match &turn.seat {
            Seat::Level { level } if level.is_timed() => {
                let insight = thinker.think(&turn.position, self.house.move_time, stop, |_| {});
                let mv = insight.line.first().copied().unwrap_or(Move::Pass);
                if is_current() {
                    self.learn(&turn.position, insight, self.house.move_time, stop);
                }
                Ok(mv)
            }
            Seat::Level { level } => Ok(thinker.move_of_level(*level, &turn.position)),
            Seat::Program { name } => self.ask_program(name, turn.color.team()),
            Seat::Person | Seat::Guest => return,
        };
        let done = mv.and_then(|mv| {
            let done = self.act(&Action::Play { mv }, By::Engine(turn.color), Some(turn.version));
            done.or_else(|error| if matches!(error, RoomError::Stale) { Ok(()) } else { Err(error.to_string()) })
        });
        if let Err(trouble) = done
            && is_current()
        {
            self.give_up(format!("{}: {trouble}", turn.color), turn.version);
        }
    }

    fn ask_program(&self, name: &str, team: Team) -> Result<Move, String> {
        let spec = self.house.programs.get(name);
        let spec = spec.ok_or_else(|| RoomError::UnknownProgram(name.to_owned()).to_string())?;
        let (start, moves) = self.look(|session| (*session.start(), session.moves()));
        let key = (name.to_owned(), team);
        let known = lock(&self.playing).remove(&key).filter(|playing| playing.knows(&start, &moves));
        let mut playing = match known {
            Some(playing) => playing,
            None => Playing::begin(spec, team, start, self.house.move_time)?,
        };
        let mv = playing.choose(&moves)?;
        lock(&self.playing).insert(key, playing);
        Ok(mv)
    }

    /// Stops the game because a program cannot go on, and says why. Whoever resumes it lets the program try again.
    fn give_up(self: &Arc<Self>, trouble: String, version: u64) {
        log::warn!("game {}: {trouble}", self.game);
        match self.act(&Action::Pause, By::Host, Some(version)) {
            Ok(()) => *lock(&self.trouble) = Some(trouble),
            Err(RoomError::Stale) => {}
            Err(error) => log::error!("game {}: {error}", self.game),
        }
        self.tell();
    }

    /// What went wrong with a program, as long as the game is stopped.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone().filter(|_| self.look(Session::is_paused))
    }

    /// Ends the thinking about the next move; the best move so far is made.
    pub fn move_now(&self) -> Result<(), RoomError> {
        if self.look(|session| session.engine_on_turn().is_none()) {
            return Err(RoomError::NoEngine);
        }
        lock(&self.move_now).store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The least time between two moves of programs.
    pub fn set_pace(&self, pace: Duration) {
        self.pace.store(pace.as_millis() as u64, Ordering::Relaxed);
    }

    /// Keeps what an engine thinks of a position after so long, unless it was stopped before, and tells of it.
    fn learn(&self, position: &Position, insight: Insight, time: Duration, stop: &AtomicBool) {
        if stop.load(Ordering::Relaxed) {
            return self.show(position, insight);
        }
        let insight = Insight { time: time.as_millis() as u64, ..insight };
        let kept = {
            let mut session = lock(&self.session);
            session.learn(position, insight);
            session.keyed_insight(position)
        };
        if let Some((key, insight)) = kept
            && let Err(error) = self.house.store.keep_insight(self.game, &key, &insight)
        {
            // It can be thought again; the game itself is safe.
            log::warn!("game {}: {error}", self.game);
        }
        self.tell();
    }

    /// Lets an engine think about a position, as long as hints take unless a time is given, and shows what it thinks while
    /// it does.
    pub fn hint(self: &Arc<Self>, position: Position, time: Option<Duration>) {
        let stop = Arc::new(AtomicBool::new(false));
        std::mem::replace(&mut *lock(&self.no_hint), Arc::clone(&stop)).store(true, Ordering::Relaxed);
        let room = Arc::clone(self);
        self.house.engines.ask(Priority::Hint, move |thinker| {
            let time = time.unwrap_or(room.house.hint_time);
            let insight = thinker.hint(&position, time, &stop, |insight| room.show(&position, insight.clone()));
            room.learn(&position, insight, time, &stop);
        });
    }

    /// Shows what an engine thinks so far, without keeping it.
    fn show(&self, position: &Position, insight: Insight) {
        lock(&self.session).learn(position, insight);
        self.tell();
    }

    /// How far the analysis has come, if one is running.
    pub fn progress(&self) -> Option<Progress> {
        lock(&self.analysis).as_ref().map(|analysis| analysis.progress)
    }

    /// Thinks about every position of the game that leads to where it stands, so long about each. What was thought about
    /// as long already is not thought about again.
    pub fn analyse(self: &Arc<Self>, time: Duration) -> Result<(), RoomError> {
        let unknown: Vec<Position> = self.look(|session| {
            let positions = session.path().into_iter().filter_map(|node| session.position_at(node).ok());
            let is_known = |insight: &Insight| u128::from(insight.time) >= time.as_millis();
            positions
                .filter(|position| !position.is_over() && !session.insight(position).is_some_and(is_known))
                .collect()
        });
        let stop = Arc::new(AtomicBool::new(false));
        let running = self.begin_analysis(unknown.len(), &stop)?;
        running.next(unknown.into(), time, stop);
        self.tell();
        Ok(())
    }

    /// Notes that an analysis is running, if none is.
    fn begin_analysis(self: &Arc<Self>, total: usize, stop: &Arc<AtomicBool>) -> Result<Running, RoomError> {
        let mut analysis = lock(&self.analysis);
        if analysis.is_some() {
            return Err(RoomError::Busy);
        }
        *analysis = Some(Analysis { stop: Arc::clone(stop), progress: Progress { done: 0, total } });
        Ok(Running(Arc::clone(self)))
    }

    /// Ends the analysis and the hint; what is done is kept.
    pub fn stop(&self) {
        if let Some(analysis) = &*lock(&self.analysis) {
            analysis.stop.store(true, Ordering::Relaxed);
        }
        lock(&self.no_hint).store(true, Ordering::Relaxed);
    }

    /// Ends the game if the time of the team on turn is up. The time until it will be; `None` if no clock runs.
    pub fn check_time(self: &Arc<Self>) -> Option<Duration> {
        let left = self.look(|session| {
            let team = session.position().color().team();
            session.time_left(team, now()).filter(|_| session.clock_runs())
        })?;
        if left > 0 {
            return Some(Duration::from_millis(left));
        }
        match self.act(&Action::TimeUp, By::Clock, None) {
            Err(RoomError::Action(ActionError::TimeLeft)) => Some(Duration::from_millis(1)),
            Err(error) => {
                log::warn!("game {}: {error}", self.game);
                Some(Duration::from_secs(1))
            }
            Ok(()) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Config;
    use crate::session::{Seats, TimeControl};
    use game::Rules;
    use record::Game;

    #[tokio::test]
    async fn an_engine_that_panics_ends_the_analysis() {
        let folder = tempfile::tempdir().unwrap();
        let mut config = Config::new(folder.path().join("games.sqlite"));
        (config.threads, config.memory) = (1, 16 << 20);
        let house = House::open(&config, tokio::runtime::Handle::current()).unwrap();
        let game = Game::new(Position::new(Rules::Classic, None).unwrap());
        let room = Room::new(1, Session::with(game, Seats::default(), TimeControl::None), house.clone());
        let mut changes = room.watch();
        let running = room.begin_analysis(1, &Arc::default()).unwrap();
        assert!(matches!(room.analyse(Duration::ZERO), Err(RoomError::Busy)));
        house.engines.ask(Priority::Analysis, move |_| {
            let _running = running;
            panic!("an engine fails");
        });
        changes.changed().await.unwrap();
        assert_eq!(room.progress(), None);
        room.analyse(Duration::from_millis(1)).unwrap();
        house.engines.close();
    }
}
