//! A game to watch on this machine.

mod display;

use std::io::Write;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use game::{Color, Move, Position, Team};
use picture::ShownEvaluation;
use player::{Budget, Options, Player};
use protocol::{State, WireMove};
use server::{Server, TimeLimits};

use self::display::Display;
use crate::options::DemoArguments;
use crate::{GameOutcome, SessionError, SessionEvent, Settings, connection, play_owned};

/// Interval at which the demo checks for resized terminals and the end.
const TICK: Duration = Duration::from_millis(50);

/// Starts a server on a free port of this machine, lets `own` and another player join it, and shows the boards and the
/// result. `seed` is for the start piece and the opponent.
///
/// # Errors
/// [`SessionError::Stopped`] if `stop` became true. Also if there is no opponent of that name, no port can be
/// opened, a session fails, or the output cannot be written.
pub fn show(
    demo: &DemoArguments,
    own: Box<dyn Player>,
    seed: u64,
    stop: &Arc<AtomicBool>,
    writer: &mut dyn Write,
) -> anyhow::Result<()> {
    let opponent = player::by_name(&demo.opponent, &Options { seed, ..Options::default() })?;
    let server = Server::start(server_options(demo, seed)).context("cannot start a server on this machine")?;
    let address = server.address();
    let names = [own.name(), opponent.name()].map(str::to_owned);
    writeln!(writer, "{} against {} on a server at {address}", names[0], names[1])?;

    let (sender, events) = mpsc::channel();
    let settings = Settings { season: demo.season, budget: Budget::time(demo.time()), ..Settings::default() };
    let spawn = |player: Box<dyn Player>, is_own: bool| {
        let mut reporter = Reporter { events: sender.clone(), is_own, team: None };
        let (settings, stop) = (settings.clone(), stop.clone());
        thread::spawn(move || join(address, &settings, player, &stop, &mut |event| reporter.report(event)))
    };
    let (own, opponent) = (spawn(own, true), spawn(opponent, false));
    drop(sender);

    let mut display = Display::new(demo, names.each_ref().map(String::as_str), writer);
    let mut next = Instant::now();
    loop {
        if stop.load(Ordering::Relaxed) {
            display.abandon()?;
            return Err(SessionError::Stopped.into());
        }
        display.follow_resizing()?;
        let wait = next.saturating_duration_since(Instant::now());
        if !wait.is_zero() {
            thread::sleep(wait.min(TICK));
            continue;
        }
        match events.recv_timeout(TICK) {
            Ok(DemoEvent::Position { position, last }) => {
                display.show(*position, last)?;
                next = Instant::now() + display.delay();
            }
            Ok(DemoEvent::Evaluation { team, is_own, evaluation }) => {
                display.note_evaluation(team, is_own, evaluation)?
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let outcome = own.join().map_err(|_| anyhow!("the player panicked"))??;
    opponent.join().map_err(|_| anyhow!("the opponent panicked"))??;
    let team = outcome.team.map_or("no team", Team::name);
    display.end(&format!("{} played team {team} and {outcome}", names[0]))?;
    Ok(())
}

/// Returns the options of the server: players get the contest's time, or unlimited time if theirs is longer.
fn server_options(demo: &DemoArguments, seed: u64) -> server::ServerOptions {
    let limits = TimeLimits::default();
    let time_limits = (demo.time() < limits.soft).then_some(limits);
    server::ServerOptions { season: demo.season, time_limits, seed: Some(seed), ..server::ServerOptions::default() }
}

/// An event to display.
enum DemoEvent {
    /// The position has changed.
    Position { position: Box<Position>, last: Option<(Color, Move)> },
    /// A player has chosen a move and evaluated the position for its team.
    Evaluation { team: Team, is_own: bool, evaluation: Option<ShownEvaluation> },
}

/// Forwards the events of a session.
struct Reporter {
    events: Sender<DemoEvent>,
    is_own: bool,
    /// The team to move.
    team: Option<Team>,
}

impl Reporter {
    fn report(&mut self, event: SessionEvent<'_>) {
        let event = match event {
            SessionEvent::State(state) => {
                self.team = Some(state.position.color().team());
                // Both players report all positions.
                self.is_own.then(|| DemoEvent::Position { position: Box::new(state.position), last: last_move(state) })
            }
            SessionEvent::Answer(report) => self.team.map(|team| {
                let evaluation =
                    report.evaluation.map(|expected| ShownEvaluation { win: expected.win, margin: expected.margin });
                DemoEvent::Evaluation { team, is_own: self.is_own, evaluation }
            }),
            SessionEvent::Result(_) | SessionEvent::Over(_) => None,
        };
        if let Some(event) = event {
            // After the game the display has stopped receiving.
            _ = self.events.send(event);
        }
    }
}

fn last_move(state: &State) -> Option<(Color, Move)> {
    let last = state.last_move?;
    let mv = match last {
        WireMove::Set(set) => Move::Place(set.placement()?),
        WireMove::Skip { .. } => Move::Pass,
    };
    Some((last.color()?, mv))
}

fn join(
    address: SocketAddr,
    settings: &Settings,
    player: Box<dyn Player>,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(SessionEvent),
) -> anyhow::Result<GameOutcome> {
    let stream = connection::connect(&address.ip().to_string(), address.port())?;
    Ok(play_owned(settings, player, &stream, &stream, stop, watch)?)
}
