//! A session with those who look at it and the programs that play in it.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
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
use crate::session::{Action, ActionError, By, Doubt, Insight, Millis, Seat, Session, doubts};
use crate::talk::{Progress, Trouble};
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
            Self::Store(error) => error.name(),
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
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Some(position) = rest.pop_front() else {
            let doubts = self.0.look(doubts);
            self.add(doubts.len());
            return self.look_again(doubts.into(), time, stop);
        };
        self.ask(move |running, thinker| {
            let insight = thinker.think(&position, time, &stop, |_| {});
            running.0.learn(&position, insight, time, &stop);
            running.count();
            running.next(rest, time, stop);
        });
    }

    /// When all positions are known, the moves that look bad are looked at again, one at a time.
    fn look_again(self, mut rest: VecDeque<Doubt>, time: Duration, stop: Arc<AtomicBool>) {
        let Some(doubt) = rest.pop_front() else { return };
        self.ask(move |running, thinker| {
            let looked = thinker.compare(&doubt, time, &stop);
            if !stop.load(Ordering::Relaxed) {
                running.0.settle(&doubt, &looked);
                running.count();
                running.look_again(rest, time, stop);
            }
        });
    }

    /// Lets an engine do the next part.
    fn ask(self, part: impl FnOnce(Self, &mut Thinker) + Send + 'static) {
        let engines = self.0.house.engines.clone();
        engines.ask(Priority::Analysis, move |thinker| {
            // Held from here on, so that a panic ends the analysis.
            let running = self;
            part(running, thinker);
        });
    }

    /// Notes that one part more is done.
    fn count(&self) {
        if let Some(analysis) = lock(&self.0.analysis).as_mut() {
            analysis.progress.done += 1;
        }
    }

    /// Notes that there is more to do.
    fn add(&self, more: usize) {
        if let Some(analysis) = lock(&self.0.analysis).as_mut() {
            analysis.progress.total += more;
        }
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
    /// Held while something is done and kept.
    acting: Mutex<()>,
    house: House,
    /// The programs that play, by name and team.
    playing: Mutex<HashMap<(String, Team), Playing>>,
    /// What went wrong with a program.
    trouble: Mutex<Option<Trouble>>,
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
            acting: Mutex::default(),
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

    /// Does something, if the session is still as it was `on`, and keeps it before anybody hears of it. Blocks until it
    /// is on the disk.
    pub fn act(self: &Arc<Self>, action: &Action, by: By, on: Option<u64>) -> Result<(), RoomError> {
        if let Action::Sit { seat, .. } = action {
            check_seat(seat, &self.house.programs)?;
        }
        let done = self.act_and_save(action, by, on);
        if !matches!(done, Ok(()) | Err(RoomError::Store(StoreError::Changed))) {
            return done;
        }
        if done.is_ok() && !self.look(Session::is_paused) {
            *lock(&self.trouble) = None;
        }
        self.tell();
        self.wake();
        // Another process plays this game, too; what it did stands.
        done.map_err(|_| RoomError::Stale)
    }

    /// One action at a time, for this waits for the disk. Who only looks at the session does not have to.
    fn act_and_save(&self, action: &Action, by: By, on: Option<u64>) -> Result<(), RoomError> {
        let _acting = lock(&self.acting);
        let mut after = self.look(Session::clone);
        if on.is_some_and(|on| on != after.version()) {
            return Err(RoomError::Stale);
        }
        after.act(action, by, now())?;
        let saved = self.house.store.save(self.game, &after);
        if matches!(saved, Err(StoreError::Changed)) {
            after = self.house.store.load(self.game)?;
        } else if saved.is_err() {
            return Ok(saved?);
        }
        lock(&self.session).replace(after);
        Ok(saved?)
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
        let think = move |thinker: &mut Thinker| room.survive(&turn, || room.think(thinker, &turn, &stop));
        match Duration::from_millis(self.pace.load(Ordering::Relaxed)) {
            Duration::ZERO => engines.ask(priority, think),
            // No thread of an engine waits for those who look on.
            pace => drop(self.house.runtime.spawn(async move {
                tokio::time::sleep(pace).await;
                engines.ask(priority, think);
            })),
        }
    }

    /// Lets an engine think about a turn; if it panics, the game stops and says so.
    fn survive(self: &Arc<Self>, turn: &Turn, think: impl FnOnce()) {
        if let Err(panic) = catch_unwind(AssertUnwindSafe(think)) {
            self.give_up(turn, "the engine has made a mistake; see the log");
            // Its thread takes another engine then.
            resume_unwind(panic);
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
            self.give_up(turn, &trouble);
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

    /// Stops the game because a program cannot go on, and says why. Whoever resumes it lets the program try again, and
    /// whoever undoes something takes back the move before the program's turn.
    fn give_up(self: &Arc<Self>, turn: &Turn, trouble: &str) {
        log::warn!("game {}: {}: {trouble}", self.game, turn.color);
        let trouble = Trouble { color: turn.color, text: trouble.to_owned() };
        match self.act(&Action::Pause, By::Engine(turn.color), Some(turn.version)) {
            Ok(()) => *lock(&self.trouble) = Some(trouble),
            Err(RoomError::Stale) => {}
            Err(error) => log::error!("game {}: {error}", self.game),
        }
        self.tell();
    }

    /// What went wrong with a program, as long as the game is stopped.
    pub fn trouble(&self) -> Option<Trouble> {
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
        lock(&self.session).learn(position, insight);
        self.keep_insight(position);
        self.tell();
    }

    /// Keeps what came of looking at both moves of a doubt, and tells of it.
    fn settle(&self, doubt: &Doubt, looked: &[Insight; 2]) {
        lock(&self.session).settle(doubt, looked);
        self.keep_insight(&doubt.position);
        self.tell();
    }

    fn keep_insight(&self, position: &Position) {
        let known = self.look(|session| session.keyed_insight(position));
        if let Some((key, insight)) = known
            && let Err(error) = self.house.store.keep_insight(self.game, &key, &insight)
        {
            // It can be thought again; the game itself is safe.
            log::warn!("game {}: {error}", self.game);
        }
    }

    /// Lets an engine think about a position, as long as hints take unless a time is given, and shows what it thinks
    /// while it does.
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

    /// Thinks about every position of the game that leads to where it stands, so long about each. What was thought
    /// about as long already is not thought about again.
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
    use crate::session::TimeControl;
    use game::{ByColor, Rules};
    use player::Level;
    use record::Game;
    use std::path::Path;
    use std::thread;

    /// A room with a game that is kept in a folder, in which one kind of player plays all colours.
    fn room(folder: &Path, seat: &Seat) -> Arc<Room> {
        let mut config = Config::new(folder.join("games.sqlite"));
        (config.threads, config.memory) = (1, 16 << 20);
        let house = House::open(&config, tokio::runtime::Handle::current()).unwrap();
        let game = Game::new(Position::new(Rules::Classic, None).unwrap());
        let session = Session::with(game, ByColor([(); 4].map(|()| seat.clone())), TimeControl::None);
        let game = house.store.create(&session, &[]).unwrap();
        Room::new(game, session, house)
    }

    #[tokio::test]
    async fn an_engine_that_panics_about_a_move_stops_the_game() {
        let folder = tempfile::tempdir().unwrap();
        let seat = Seat::Level { level: Level::new(1).unwrap() };
        let room = room(folder.path(), &seat);
        let turn = Turn { color: Color::Blue, seat, position: room.look(|session| *session.position()), version: 0 };
        let panicking = Arc::clone(&room);
        let mut changes = room.watch();
        room.house.engines.ask(Priority::Answer, move |_| panicking.survive(&turn, || panic!("an engine fails")));
        changes.changed().await.unwrap();
        assert!(room.look(Session::is_paused));
        // What it was is told a moment later.
        changes.wait_for(|_| room.trouble().is_some()).await.unwrap();
        let Trouble { color, text } = room.trouble().unwrap();
        assert!(color == Color::Blue && text.contains("the engine"), "{color}: {text}");
        room.act(&Action::Resume, By::Host, None).unwrap();
        changes.wait_for(|_| room.look(|session| session.position().turn()) > 0).await.unwrap();
        room.house.engines.close();
    }

    #[tokio::test]
    async fn an_action_that_waits_for_the_disk_keeps_nobody_from_looking_nor_what_is_learnt_from_being_kept() {
        let folder = tempfile::tempdir().unwrap();
        let room = room(folder.path(), &Seat::Person);
        let other = rusqlite::Connection::open(folder.path().join("games.sqlite")).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let (acting, start) = (Arc::clone(&room), room.look(|session| *session.position()));
        let play = Action::Play { mv: "MONO@0,0".parse().unwrap() };
        let done = thread::spawn(move || acting.act(&play, By::Host, Some(0)));
        while room.acting.try_lock().is_ok() {
            thread::yield_now();
        }
        assert_eq!(room.look(|session| session.position().turn()), 0);
        let insight = Insight { win: 0.5, margin: 0.0, nodes: 1, time: 0, line: Vec::new(), candidates: Vec::new() };
        room.show(&start, insight);
        other.execute_batch("COMMIT").unwrap();
        done.join().unwrap().unwrap();
        assert!(room.look(|session| session.position().turn() == 1 && session.insight(&start).is_some()));
        room.house.engines.close();
    }

    #[tokio::test]
    async fn an_engine_that_panics_ends_the_analysis() {
        let folder = tempfile::tempdir().unwrap();
        let room = room(folder.path(), &Seat::Person);
        let house = room.house.clone();
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
