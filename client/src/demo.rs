//! A game to watch, with nothing but this machine.

use std::io::{self, IsTerminal, Write};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow};
use arena::referee::{self, Referee};
use game::{Labels, Picture, Position};
use player::{Options, Player};
use protocol::Season;

use crate::options::random_seed;
use crate::session::{Entry, Event, Settings, play};
use crate::{Outcome, connection};

/// The player on the other side.
const OPPONENT: &str = "heuristic";

/// How to show the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Show {
    /// Thinking time per move. A game has about eighty moves, half of them the opponent's, which
    /// takes no time.
    pub time: Duration,
    /// Whether to colour the board with ANSI escape codes.
    pub ansi: bool,
}

impl Show {
    /// As it suits standard output, with so little time that the game takes ten seconds.
    pub fn on_stdout() -> Self {
        Self { time: Duration::from_millis(250), ansi: io::stdout().is_terminal() }
    }
}

/// Starts a server on a free port of this machine, lets `own` and another player join it, and shows
/// the board after each round and the result.
///
/// # Errors
/// If a port cannot be opened, a session fails, or the output cannot be written.
///
/// ```
/// use client::demo::{Show, show};
/// use player::{HeuristicPlayer, Options, Player};
///
/// let mut player = HeuristicPlayer::new(&Options::default());
/// let mut output = Vec::new();
/// show(Show { time: std::time::Duration::from_millis(10), ansi: false }, &mut player, &mut output)?;
/// assert!(String::from_utf8(output)?.contains("played team"));
/// # Ok::<(), anyhow::Error>(())
/// ```
pub fn show(how: Show, own: &mut dyn Player, output: &mut dyn Write) -> anyhow::Result<()> {
    let options = Options { seed: random_seed(), ..Options::default() };
    let mut opponent = player::by_name(OPPONENT, &options)?;
    let referee = Referee::start(referee::Options::default()).context("cannot start a server on this machine")?;
    let address = referee.address();
    writeln!(output, "{} against {} on a server at {address}", own.name(), opponent.name())?;
    let opponent = thread::spawn(move || join(address, how.time, &mut *opponent, &mut |_| {}));
    let mut boards = Boards { output, ansi: how.ansi, round: 1, written: Ok(()) };
    let outcome = join(address, how.time, own, &mut |event| {
        if let Event::State(state) = event {
            boards.show(&state.position);
        }
    })?;
    boards.written?;
    opponent.join().map_err(|_| anyhow!("the opponent panicked"))??;
    let team = outcome.team.map_or("no team", |team| team.name());
    writeln!(output, "\n{} played team {team} and {outcome}", own.name())?;
    Ok(())
}

fn join(
    address: SocketAddr,
    time: Duration,
    player: &mut dyn Player,
    watch: &mut dyn FnMut(Event),
) -> anyhow::Result<Outcome> {
    let stream = connection::connect(&address.ip().to_string(), address.port())?;
    let settings = Settings { season: Season::default(), entry: Entry::Any, time, nodes: None, ponder: false };
    Ok(play(&settings, player, &stream, &stream, watch)?)
}

/// Draws boards until that fails, while the game goes on.
struct Boards<'a> {
    output: &'a mut dyn Write,
    ansi: bool,
    round: u16,
    written: io::Result<()>,
}

impl Boards<'_> {
    /// Draws the position if it is the first of a round or the last of the game.
    fn show(&mut self, position: &Position) {
        if self.written.is_ok() && (position.round() > self.round || position.is_over()) {
            self.round = position.round();
            let picture = Picture { position, ansi: self.ansi, labels: Labels::Coordinates };
            self.written = write!(self.output, "\n{picture}");
        }
    }
}
