//! The analysis of a whole game in the calling thread.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::active::jobs::{EngineCommand, RunningJob};
use crate::active::{ActiveGame, AnalysisProgress, Event, GameSettings};
use crate::engine::SearchEngine;
use crate::session::{Millis, Session};

/// Analyses every position of a session for `time` and returns the session with the results, complete or up to `stop`.
pub fn study(
    engine: &mut SearchEngine,
    session: Session,
    time: Millis,
    stop: &AtomicBool,
    mut on_progress: impl FnMut(AnalysisProgress),
) -> Session {
    let mut game = ActiveGame::new(session, GameSettings::default().into());
    let mut event = Event::Analyse { time };
    // A game without a clock refuses neither the analysis nor a report.
    while let Ok(mut effects) = game.handle(event, 0)
        && let Some(EngineCommand::Start(job)) = effects.commands.pop()
    {
        if let Some(progress) = game.progress() {
            on_progress(progress);
        }
        let mut job = RunningJob::new(*job);
        let report = std::iter::from_fn(|| (!stop.load(Ordering::Relaxed)).then(|| job.step(engine)));
        let Some(report) = report.flatten().next() else { break };
        event = Event::Report(report);
    }
    game.session().clone()
}
