//! Engines that speak the Go Text Protocol, with colours and moves as in [`protocol::gtp`].
//!
//! Colours that cannot move are skipped without a command.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use game::{Move, Position, excerpt};
use player::{Evaluation, Report};
use protocol::gtp::{read_move, write_color, write_game, write_move};
use record::{Fault, FaultKind};

use super::{Budget, Contestant, GameStart, StartError, placeholder};
use crate::engines::process::{LineProcess, STARTUP_TIMEOUT, WARN_AFTER};

/// An engine in its own process. It plays all games of a match.
pub struct GtpEngine {
    command: String,
    lines: Vec<String>,
    budget: Budget,
    /// The running engine, or the reason why none runs.
    connection: Result<Connection, Fault>,
}

/// Timeout for all commands except moves. Allocating memory can take a while.
const COMMAND_TIMEOUT: Duration = STARTUP_TIMEOUT;

/// Maximum length of an answer in bytes.
const MAX_ANSWER: usize = 1 << 20;

impl GtpEngine {
    /// Creates an engine that the shell starts with `command`. Sends it `lines` at the start of every game.
    pub fn new(command: &str, lines: Vec<String>, budget: Budget) -> Self {
        Self { command: command.to_owned(), lines, budget, connection: Err(not_started()) }
    }

    fn start(&mut self) -> Result<(), String> {
        // The old engine ends before the new one allocates memory.
        self.connection = Err(not_started());
        self.connection = Ok(Connection::open(&self.command)?);
        Ok(())
    }

    fn prepare(&mut self, game: &GameStart) -> Result<(), Fault> {
        let position = &game.position;
        let settings = [
            ("set_game", Some(write_game(position.rules()).to_owned())),
            ("clear_board", Some(String::new())),
            ("start_piece", position.start_piece().map(|piece| piece.name().to_owned())),
            ("time_per_move", self.budget.time.map(|time| time.as_millis().to_string())),
            ("nodes_per_move", self.budget.nodes.map(|nodes| nodes.to_string())),
        ];
        for (name, argument) in settings {
            if let Some(argument) = argument
                && self.supports(name)
            {
                self.ask(format!("{name} {argument}").trim(), COMMAND_TIMEOUT)?;
            }
        }
        let lines: Vec<String> = self.lines.iter().map(|line| placeholder::fill(line, game, &self.budget)).collect();
        lines.iter().try_for_each(|line| self.ask(line, COMMAND_TIMEOUT).map(|_| ()))
    }

    fn supports(&self, command: &str) -> bool {
        self.connection.as_ref().is_ok_and(|connection| connection.commands.iter().any(|known| known == command))
    }

    /// Sends a command. After an invalid answer it drops the engine, and the next game starts it again.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<String, Fault> {
        let connection = self.connection.as_mut().map_err(|reason| reason.clone())?;
        connection.ask(command, timeout).unwrap_or_else(|fault| {
            self.connection = Err(fault.clone());
            Err(fault)
        })
    }

    /// Returns the move with its evaluation and other search data, if the engine supports our commands.
    fn report_with_search_data(&mut self, mv: Move) -> Report {
        let mut lines = String::new();
        for command in ["evaluation", "search_info"] {
            if self.supports(command) {
                // An engine without an evaluation refuses the command. An engine that dies here loses the game only
                // when it is needed again.
                lines += &self.ask(command, COMMAND_TIMEOUT).unwrap_or_default();
                lines.push('\n');
            }
        }
        let number = |name: &str| lines.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<f64>().ok());
        let evaluation = number("win ").zip(number("margin "));
        let mut report = Report::without_search(mv);
        report.evaluation = evaluation.and_then(|(win, margin)| Evaluation::checked(win as f32, margin as f32));
        report.nodes = number("nodes ").unwrap_or(0.0) as u64;
        report.depth = number("depth ").unwrap_or(0.0) as u32;
        report
    }
}

impl Contestant for GtpEngine {
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
        // An engine that exited after its last move must not end the match.
        if self.connection.is_ok() {
            match self.prepare(game) {
                Ok(()) => return Ok(()),
                Err(fault) => log::warn!("restarting {}: {}", excerpt(&self.command), fault.detail),
            }
        }
        let started = self.start().and_then(|()| self.prepare(game).map_err(|fault| fault.detail));
        started.map_err(|reason| StartError { contestant: self.command.clone(), reason })
    }

    fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
        if own {
            return Ok(());
        }
        let command = format!("play {} {}", write_color(before.color()), write_move(mv));
        self.ask(&command, COMMAND_TIMEOUT).map(|_| ())
    }

    fn choose(&mut self, position: &Position, timeout: Duration) -> Result<(Report, Option<Duration>), Fault> {
        let asked = Instant::now();
        let answer = self.ask(&format!("genmove {}", write_color(position.color())), timeout)?;
        let time = asked.elapsed();
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(FaultKind::Resigned, "resign"));
        }
        let unreadable =
            || Fault::new(FaultKind::Illegal, format!("`{}` is not a list of points of a piece", excerpt(&answer)));
        let mv = read_move(&answer).ok_or_else(unreadable)?;
        Ok((self.report_with_search_data(mv), Some(time)))
    }
}

/// A running engine.
struct Connection {
    process: LineProcess,
    /// Its command, for messages.
    name: String,
    commands: Vec<String>,
}

impl Connection {
    fn open(command: &str) -> Result<Self, String> {
        let process = LineProcess::start(command).map_err(|error| error.to_string())?;
        let mut connection = Self { process, name: excerpt(command), commands: Vec::new() };
        let commands =
            connection.ask("list_commands", COMMAND_TIMEOUT).flatten().map_err(|fault| match fault.kind {
                FaultKind::Left => fault.detail,
                _ => fault.detail + &connection.process.program.last_words(),
            })?;
        connection.commands = commands.lines().map(str::to_owned).collect();
        Ok(connection)
    }

    /// Sends a command. Returns the answer without the leading `=`, or the fault of an engine that refuses the command.
    ///
    /// # Errors
    /// The fault of an engine that gave no valid answer and cannot be used any longer.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<Result<String, Fault>, Fault> {
        let answer = self.read_answer(command, timeout)?;
        let accepted = answer.trim().strip_prefix('=').map(|text| text.trim().to_owned());
        Ok(accepted.ok_or_else(|| invalid_answer(command, &answer)))
    }

    /// Sends a command and reads its answer with the leading `=` or `?`. An incomplete answer is an error, because its
    /// rest would be read as the answer to the next command.
    fn read_answer(&mut self, command: &str, timeout: Duration) -> Result<String, Fault> {
        let begin = Instant::now();
        if self.process.send(command).is_err() {
            return Err(self.ended(command));
        }
        let mut answer = String::new();
        let mut has_warned = false;
        loop {
            let timeout_now = if has_warned { timeout } else { timeout.min(WARN_AFTER) };
            let line = match self.process.line(begin + timeout_now) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(command)),
                Err(RecvTimeoutError::Timeout) if timeout_now < timeout => {
                    has_warned = true;
                    let seconds = timeout.as_secs();
                    log::warn!("{} has not answered `{command}` yet; waiting for {seconds} s at most", self.name);
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let detail = format!("no answer to `{command}` within {} s", timeout.as_secs_f32());
                    return Err(Fault::new(FaultKind::Late, detail));
                }
            };
            match (line.trim(), answer.is_empty()) {
                ("", true) => {}
                ("", false) => return Ok(answer),
                // An answer starts with `=` or `?`.
                (line, true) if !line.starts_with(['=', '?']) => return Err(invalid_answer(command, line)),
                (line, _) => answer = answer + line + "\n",
            }
            if answer.len() > MAX_ANSWER {
                return Err(Fault::new(
                    FaultKind::Left,
                    format!("the answer to `{command}` is longer than {MAX_ANSWER} bytes"),
                ));
            }
        }
    }

    fn ended(&mut self, command: &str) -> Fault {
        let last_words = self.process.program.last_words();
        Fault::new(FaultKind::Left, format!("the engine ended at `{command}`{last_words}"))
    }
}

fn not_started() -> Fault {
    Fault::new(FaultKind::Left, "the engine is not running")
}

fn invalid_answer(command: &str, answer: &str) -> Fault {
    Fault::new(FaultKind::Illegal, format!("`{command}` was answered by `{}`", excerpt(answer.trim())))
}

impl Drop for Connection {
    fn drop(&mut self) {
        // Lets the engine tidy up before the process is killed.
        let _ = self.process.send("quit");
    }
}
