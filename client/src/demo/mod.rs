//! A game to watch on this machine.

mod how;
mod stage;

use std::io::Write;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use game::{Color, Move, Position, Team};
use picture::Opinion;
use player::{Budget, Options, Player};
use protocol::{State, WireMove};
use server::{Clock, Server};

pub use self::how::{DEFAULT_OPPONENT, DEFAULT_TIME, Output, Show};
use self::stage::Stage;
use crate::{Event, GameOutcome, SessionError, Settings, connection, play_owned};

/// Interval at which the demo checks for resized terminals and the end.
const TICK: Duration = Duration::from_millis(50);

/// Starts a server on a free port of this machine, lets `own` and another player join it, and shows the boards and the
/// result.
///
/// # Errors
/// [`SessionError::Stopped`] if `how.stop` became true. Also if there is no opponent of that name, no port can be opened,
/// a session fails, or the output cannot be written.
///
/// ```
/// use std::time::Duration;
///
/// use client::demo::{Output, Show, show};
/// use picture::Canvas;
/// use player::{FromOptions, HeuristicPlayer, Options, Player};
///
/// let player = Box::new(HeuristicPlayer::new(&Options::default()));
/// let how = Show { time: Duration::from_millis(10), output: Output::Rounds(Canvas::PLAIN), ..Show::on_stdout() };
/// let mut output = Vec::new();
/// show(&how, player, &mut output)?;
/// assert!(String::from_utf8(output)?.contains("played team"));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn show(how: &Show, own: Box<dyn Player>, output: &mut dyn Write) -> anyhow::Result<()> {
    let opponent = player::by_name(&how.opponent, &Options { seed: how.seed, ..Options::default() })?;
    let server = Server::start(server_options(how)).context("cannot start a server on this machine")?;
    let address = server.address();
    let names = [own.name(), opponent.name()];
    writeln!(output, "{} against {} on a server at {address}", names[0], names[1])?;

    let (sender, news) = mpsc::channel();
    let settings = Settings { season: how.season, budget: Budget::time(how.time), ..Settings::default() };
    let spawn = |player: Box<dyn Player>, is_own: bool| {
        let mut reporter = Reporter { news: sender.clone(), is_own, team: None };
        let (settings, stop) = (settings.clone(), how.stop.clone());
        thread::spawn(move || join(address, &settings, player, &stop, &mut |event| reporter.report(event)))
    };
    let (own, opponent) = (spawn(own, true), spawn(opponent, false));
    drop(sender);

    let mut stage = Stage::new(how, names, output);
    let mut next = Instant::now();
    loop {
        if how.stop.load(Ordering::Relaxed) {
            stage.abandon()?;
            return Err(SessionError::Stopped.into());
        }
        stage.follow_resizing()?;
        let wait = next.saturating_duration_since(Instant::now());
        if !wait.is_zero() {
            thread::sleep(wait.min(TICK));
            continue;
        }
        match news.recv_timeout(TICK) {
            Ok(News::Position { position, last }) => {
                stage.show(*position, last)?;
                next = Instant::now() + stage.delay();
            }
            Ok(News::Opinion { team, is_own, opinion }) => stage.note_opinion(team, is_own, opinion)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let outcome = own.join().map_err(|_| anyhow!("the player panicked"))??;
    opponent.join().map_err(|_| anyhow!("the opponent panicked"))??;
    let team = outcome.team.map_or("no team", Team::name);
    stage.end(&format!("{} played team {team} and {outcome}", names[0]))?;
    Ok(())
}

/// The server gives players the contest's time, or unlimited time if theirs is longer.
fn server_options(how: &Show) -> server::Options {
    let clock = Clock::default();
    let clock = (how.time < clock.soft).then_some(clock);
    server::Options { season: how.season, clock, seed: Some(how.seed), ..server::Options::default() }
}

/// An event of the game.
enum News {
    /// The position has changed.
    Position { position: Box<Position>, last: Option<(Color, Move)> },
    /// A player has chosen a move and evaluated the position for its team.
    Opinion { team: Team, is_own: bool, opinion: Option<Opinion> },
}

/// Forwards the events of a session.
struct Reporter {
    news: Sender<News>,
    is_own: bool,
    /// The team on turn.
    team: Option<Team>,
}

impl Reporter {
    fn report(&mut self, event: Event<'_>) {
        let item = match event {
            Event::State(state) => {
                self.team = Some(state.position.color().team());
                // Both players report all positions.
                self.is_own.then(|| News::Position { position: Box::new(state.position), last: last_move(state) })
            }
            Event::Answer(report) => self.team.map(|team| {
                let opinion = report.evaluation.map(|expected| Opinion { win: expected.win, margin: expected.margin });
                News::Opinion { team, is_own: self.is_own, opinion }
            }),
            Event::Result(_) | Event::Over(_) => None,
        };
        if let Some(item) = item {
            // After the end nobody receives it.
            _ = self.news.send(item);
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
    watch: &mut dyn FnMut(Event),
) -> anyhow::Result<GameOutcome> {
    let stream = connection::connect(&address.ip().to_string(), address.port())?;
    Ok(play_owned(settings, player, &stream, &stream, stop, watch)?)
}
