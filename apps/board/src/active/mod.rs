//! A game that people and programs play: a state machine without I/O, threads and clock.
//!
//! A host passes [events](Event) to [`ActiveGame::handle`] and carries out the [`Effects`]: it saves the game, shows it
//! to viewers and runs the jobs of the engine. The service, the terminal and the static site are such hosts.

mod analysis;
pub mod jobs;
mod settings;

use std::sync::Arc;

use game::{Color, Move, Position};
use serde::Serialize;

use crate::refused::Refused;
use crate::session::{Action, By, Insight, Millis, Seat, Session};
use analysis::Analysis;
pub use analysis::AnalysisProgress;
use jobs::{EngineCommand, EngineJob, JobReport, JobResult, Priority, Work};
pub use settings::GameSettings;
#[cfg(feature = "service")]
pub(crate) use settings::unknown_program;

/// Default pace of games between programs, in milliseconds.
const PROGRAMS_PACE: u64 = 1_500;

/// An input of the state machine.
#[derive(Clone, Debug)]
pub enum Event {
    /// Somebody acts, provided that the session still has version `on`.
    Act {
        /// The action.
        action: Action,
        /// The role of the acting person.
        by: By,
        /// The expected version of the session; `None` for any.
        on: Option<u64>,
    },
    /// Somebody asks for a hint.
    Hint {
        /// The position.
        position: Box<Position>,
        /// Milliseconds; `None` for the usual time.
        time: Option<u64>,
    },
    /// Somebody asks for an analysis of the moves that lead to the current position.
    Analyse {
        /// Milliseconds for each position.
        time: u64,
    },
    /// Somebody stops the hint and the analysis.
    Stop,
    /// Somebody asks the engine to play its move at once.
    MoveNow,
    /// Somebody sets the minimum time between two moves of programs.
    SetPace {
        /// Milliseconds.
        time: u64,
    },
    /// The engine reports about a job.
    Report(JobReport),
    /// Time has passed, or a host has opened the game.
    Tick,
    /// Another process has changed the stored game.
    Replace(Box<Session>),
    /// The host could not save the move of the engine.
    NotSaved(String),
}

/// The host's tasks after an event, in this order.
#[derive(Default, Debug)]
pub struct Effects {
    /// Save the session before anybody sees it. If that fails, drop the game that handled the event.
    pub saves_session: bool,
    /// Save this insight under its [key](Session::insights).
    pub insight: Option<(String, Insight)>,
    /// Send a new view to all viewers.
    pub is_visible: bool,
    /// Pass these to the engine. Then send [`Event::Tick`] after [`ActiveGame::time_left`].
    pub commands: Vec<EngineCommand>,
}

/// The session has another version than expected.
pub(crate) const STALE: Refused = Refused::of("stale", "the game has changed meanwhile");
const NO_ENGINE: Refused = Refused::of("no_engine", "no program is to move");
const BUSY: Refused = Refused::of("busy", "an analysis is running already");

/// An error of an engine. It stops the game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct EngineError {
    /// The colour that the engine plays.
    pub color: Color,
    /// The message.
    pub text: String,
}

/// The purpose of a job. A game has at most one job of each.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JobPurpose {
    Turn,
    Hint,
    Analysis,
}

impl JobPurpose {
    const ALL: [Self; 3] = [Self::Turn, Self::Hint, Self::Analysis];
}

/// A game that people and programs play. Clones share all parts that do not change.
#[derive(Clone)]
pub struct ActiveGame {
    session: Session,
    settings: Arc<GameSettings>,
    /// Minimum milliseconds between two moves of programs; `None` for the default.
    pace: Option<u64>,
    /// A requested hint: the position and the milliseconds.
    hint: Option<(Box<Position>, u64)>,
    analysis: Option<Arc<Analysis>>,
    engine_error: Option<EngineError>,
    /// Version of the session whose engine move could not be saved. The engine stays idle until the version changes.
    unsaved: Option<u64>,
    /// The jobs of the engine by [`JobPurpose`].
    jobs: [Option<Arc<EngineJob>>; 3],
    last_job: u64,
}

impl ActiveGame {
    /// Creates a game. The host opens it with [`Event::Tick`].
    pub fn new(session: Session, settings: Arc<GameSettings>) -> Self {
        Self {
            session,
            settings,
            pace: None,
            hint: None,
            analysis: None,
            engine_error: None,
            unsaved: None,
            jobs: Default::default(),
            last_job: 0,
        }
    }

    /// Returns the session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the progress of the analysis, if one is running.
    pub fn progress(&self) -> Option<AnalysisProgress> {
        self.analysis.as_ref().map(|analysis| analysis.progress)
    }

    /// Returns the error of an engine that stopped the game.
    pub fn engine_error(&self) -> Option<&EngineError> {
        self.engine_error.as_ref()
    }

    /// Returns the minimum milliseconds between two moves of programs.
    pub fn pace(&self) -> u64 {
        self.pace.unwrap_or(if self.has_only_programs() { PROGRAMS_PACE } else { 0 })
    }

    /// Returns `true` if programs play all colours.
    pub fn has_only_programs(&self) -> bool {
        Color::ALL.into_iter().all(|color| self.session.seat(color).is_engine())
    }

    /// Returns `true` if the engine has a job of this game.
    pub fn is_busy(&self) -> bool {
        self.jobs.iter().any(Option::is_some)
    }

    /// Handles an event.
    ///
    /// # Errors
    /// [`Refused`]; the game is unchanged.
    pub fn handle(&mut self, event: Event, now: Millis) -> Result<Effects, Refused> {
        let mut effects = Effects::default();
        match event {
            Event::Act { action, by, on } => {
                if on.is_some_and(|on| on != self.session.version()) {
                    return Err(STALE);
                }
                if let Action::Sit { seat, .. } = &action {
                    self.settings.check_seat(seat)?;
                }
                self.act(&action, by, now, &mut effects)?;
                self.engine_error.take_if(|_| !self.session.is_paused());
            }
            Event::Hint { position, time } => self.hint = Some((position, time.unwrap_or(self.settings.hint_time))),
            Event::Analyse { .. } if self.analysis.is_some() => return Err(BUSY),
            Event::Analyse { time } => {
                let analysis = Analysis::new(&self.session, time);
                self.analysis = analysis.next().map(|_| Arc::new(analysis));
                effects.is_visible = true;
            }
            Event::Stop => {
                (self.hint, self.analysis) = (None, None);
                effects.is_visible = true;
            }
            Event::MoveNow => {
                let job = self.jobs[JobPurpose::Turn as usize].as_ref().ok_or(NO_ENGINE)?;
                effects.commands.push(EngineCommand::Finish(job.number));
            }
            Event::SetPace { time } => {
                effects.is_visible = self.pace() != time;
                self.pace = Some(time);
                // The next move may still wait for the old pace.
                let turn = self.jobs[JobPurpose::Turn as usize].take_if(|_| effects.is_visible);
                effects.commands.extend(turn.map(|job| EngineCommand::Cancel(job.number)));
            }
            Event::Report(report) => self.take_report(report, now, &mut effects),
            Event::Tick => self.check_time(now, &mut effects),
            Event::Replace(session) => {
                self.session.replace(*session);
                self.engine_error = None;
                effects.is_visible = true;
                // The host may have dropped their commands.
                let jobs = self.jobs.iter_mut().filter_map(Option::take);
                effects.commands.extend(jobs.map(|job| EngineCommand::Cancel(job.number)));
            }
            Event::NotSaved(text) => {
                let color = self.session.position().color();
                self.engine_error = Some(EngineError { color, text });
                self.unsaved = Some(self.session.version());
                effects.is_visible = true;
            }
        }
        self.update_jobs(&mut effects.commands);
        Ok(effects)
    }

    /// Returns the milliseconds until the team to move has used its time; `None` if no clock runs.
    pub fn time_left(&self, now: Millis) -> Option<Millis> {
        let team = self.session.position().color().team();
        self.session.time_left(team, now).filter(|_| self.session.clock_runs())
    }

    fn act(&mut self, action: &Action, by: By, now: Millis, effects: &mut Effects) -> Result<(), Refused> {
        self.session.act(action, by, now)?;
        (effects.saves_session, effects.is_visible) = (true, true);
        Ok(())
    }

    /// Ends the game if the time of the team to move is up.
    fn check_time(&mut self, now: Millis, effects: &mut Effects) {
        // Refused while time is left or nobody is to move.
        _ = self.act(&Action::TimeUp, By::Clock, now, effects);
    }

    fn take_report(&mut self, report: JobReport, now: Millis, effects: &mut Effects) {
        let is_reported =
            |purpose: &JobPurpose| self.jobs[*purpose as usize].as_ref().is_some_and(|job| job.number == report.number);
        // A cancelled job may still report.
        let Some(purpose) = JobPurpose::ALL.into_iter().find(is_reported) else { return };
        let slot = &mut self.jobs[purpose as usize];
        let Some(job) = (if report.is_done { slot.take() } else { slot.clone() }) else { return };
        match (purpose, report.result) {
            (JobPurpose::Turn, result) => self.take_turn(&job, result, now, effects),
            (JobPurpose::Hint, JobResult::Insight(insight)) => {
                self.session.add_insight(&job.position, insight);
                effects.is_visible = true;
                if report.is_done {
                    self.hint = None;
                    effects.insight = self.session.keyed_insight(&job.position);
                }
            }
            (JobPurpose::Analysis, JobResult::Insight(insight)) => {
                let Some(analysis) = &mut self.analysis else { return };
                let changed = Arc::make_mut(analysis).take(insight, &mut self.session);
                effects.insight = changed.and_then(|position| self.session.keyed_insight(&position));
                effects.is_visible = true;
                self.analysis.take_if(|analysis| analysis.next().is_none());
            }
            (JobPurpose::Hint, _) => self.hint = None,
            (JobPurpose::Analysis, _) => {
                self.analysis = None;
                effects.is_visible = true;
            }
        }
    }

    /// Plays the move of the engine to move. If that fails, pauses the game: after [`Action::Resume`] the engine tries
    /// again, and [`Action::Undo`] takes back the move before.
    fn take_turn(&mut self, job: &EngineJob, result: JobResult, now: Millis, effects: &mut Effects) {
        self.check_time(now, effects);
        if self.session.is_over() {
            return;
        }
        let by = By::Engine(job.position.color());
        let mv = match result {
            JobResult::Move(mv) => Ok(mv),
            JobResult::Insight(insight) => {
                let mv = insight.line.first().copied().unwrap_or(Move::Pass);
                self.session.add_insight(&job.position, insight);
                effects.insight = self.session.keyed_insight(&job.position);
                Ok(mv)
            }
            JobResult::Failed(text) => Err(text),
        };
        let played =
            mv.and_then(|mv| self.act(&Action::Play { mv }, by, now, effects).map_err(|error| error.to_string()));
        if let Err(text) = played {
            self.engine_error = Some(EngineError { color: job.position.color(), text });
            effects.is_visible = true;
            if self.act(&Action::Pause, by, now, effects).is_err() {
                self.unsaved = Some(self.session.version());
            }
        }
    }

    /// Starts the jobs that the game needs now, and cancels those that it no longer needs.
    fn update_jobs(&mut self, commands: &mut Vec<EngineCommand>) {
        for purpose in JobPurpose::ALL {
            let needed = self.needed(purpose);
            let running = self.jobs[purpose as usize].take();
            let is_same = |job: &Arc<EngineJob>| {
                needed.as_ref().is_some_and(|(position, work, _)| *position == job.position && *work == job.work)
            };
            if running.as_ref().is_some_and(is_same) {
                self.jobs[purpose as usize] = running;
                continue;
            }
            commands.extend(running.map(|job| EngineCommand::Cancel(job.number)));
            let Some((position, work, priority)) = needed else { continue };
            self.last_job += 1;
            let mut delay = 0;
            if purpose == JobPurpose::Turn {
                // A hint must not delay the engine's move.
                (self.hint, delay) = (None, self.pace());
            }
            let job = EngineJob { number: self.last_job, priority, delay, position, work };
            self.jobs[purpose as usize] = Some(Arc::new(job.clone()));
            commands.push(EngineCommand::Start(Box::new(job)));
        }
    }

    fn needed(&self, purpose: JobPurpose) -> Option<(Position, Work, Priority)> {
        match purpose {
            JobPurpose::Turn => {
                let (_, seat) =
                    self.session.engine_on_turn().filter(|_| self.unsaved != Some(self.session.version()))?;
                let priority = if self.has_only_programs() { Priority::Watched } else { Priority::Answer };
                Some((*self.session.position(), self.work_of(seat)?, priority))
            }
            JobPurpose::Hint => {
                let (position, time) = self.hint.as_ref()?;
                Some((**position, Work::Hint { time: *time }, Priority::Hint))
            }
            JobPurpose::Analysis => {
                let (position, time) = self.analysis.as_ref()?.next()?;
                Some((position, Work::Search { time }, Priority::Analysis))
            }
        }
    }

    fn work_of(&self, seat: &Seat) -> Option<Work> {
        match seat {
            Seat::Level { level } if level.is_timed() => Some(Work::Search { time: self.settings.move_time }),
            Seat::Level { level } => Some(Work::Level { level: *level }),
            Seat::Program { name } => {
                let (start, moves) = (*self.session.start(), self.session.moves());
                Some(Work::Program { name: name.clone(), start, moves })
            }
            Seat::Person | Seat::Guest => None,
        }
    }
}

#[cfg(test)]
mod tests;
