//! Engines that speak the Go Text Protocol, with colours and moves as in [`protocol::gtp`].
//!
//! Sends no command for colours that cannot move.

use std::time::{Duration, Instant};

use game::{Move, Position, excerpt};
use player::{Evaluation, Report};
use protocol::gtp::{read_move, write_color, write_game, write_move};
use record::{Fault, FaultKind};

use super::{Budget, Contestant, GameStart, StartError, placeholder};
use crate::engines::process::{LineProcess, NoLine, STARTUP_TIMEOUT, WARN_AFTER};

/// An engine in its own process. It plays all games of a match.
pub struct GtpEngine {
    /// Name in messages.
    name: String,
    command: String,
    setup_commands: Vec<String>,
    budget: Budget,
    /// The running engine, or the reason why none runs.
    engine: Result<EngineProcess, Fault>,
}

/// Timeout for all commands except moves. Allocating memory can take a while.
const COMMAND_TIMEOUT: Duration = STARTUP_TIMEOUT;

/// The command whose answer names the commands of an engine.
const LIST_COMMANDS: &str = "list_commands";

/// Maximum length of an answer in bytes.
const MAX_ANSWER: usize = 1 << 20;

impl GtpEngine {
    /// Creates an engine that the shell starts with `command`. Sends it `setup_commands` at the start of every game.
    pub fn new(name: &str, command: &str, setup_commands: Vec<String>, budget: Budget) -> Self {
        let (name, command) = (name.to_owned(), command.to_owned());
        Self { name, command, setup_commands, budget, engine: Err(not_started()) }
    }

    fn start(&mut self) -> Result<(), String> {
        // The old engine ends before the new one allocates memory.
        self.engine = Err(not_started());
        self.engine = Ok(EngineProcess::open(&self.name, &self.command)?);
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
        let filled = self.setup_commands.iter().map(|command| placeholder::fill(command, game, &self.budget));
        let filled: Vec<String> = filled.collect();
        filled.iter().try_for_each(|command| self.ask(command, COMMAND_TIMEOUT).map(|_| ()))
    }

    fn supports(&self, command: &str) -> bool {
        self.engine.as_ref().is_ok_and(|engine| engine.commands.iter().any(|known| known == command))
    }

    /// Sends a command. After an invalid answer it drops the engine, and the next game starts it again.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<String, Fault> {
        let engine = self.engine.as_mut().map_err(|reason| reason.clone())?;
        match engine.ask(command, timeout) {
            Ok(answer) => accepted(command, &answer),
            Err(fault) => {
                self.engine = Err(fault.clone());
                Err(fault)
            }
        }
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
        if self.engine.is_ok() {
            match self.prepare(game) {
                Ok(()) => return Ok(()),
                Err(fault) => log::warn!("restarting {}: {}", excerpt(&self.name), fault.detail),
            }
        }
        let started = self.start().and_then(|()| self.prepare(game).map_err(|fault| fault.detail));
        started.map_err(|reason| StartError { contestant: self.name.clone(), reason })
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
        let unreadable = || Fault::new(FaultKind::Illegal, format!("`{}` is not a move", excerpt(&answer)));
        let mv = read_move(&answer).ok_or_else(unreadable)?;
        Ok((self.report_with_search_data(mv), Some(time)))
    }
}

/// A running engine.
struct EngineProcess {
    process: LineProcess,
    /// Excerpt of its name, for messages.
    name: String,
    commands: Vec<String>,
    /// `true` after the warning about a slow answer, which appears once.
    has_warned: bool,
}

impl EngineProcess {
    fn open(name: &str, command: &str) -> Result<Self, String> {
        let process = LineProcess::start(command).map_err(|error| error.to_string())?;
        let mut engine = Self { process, name: excerpt(name), commands: Vec::new(), has_warned: false };
        let answer = engine.ask(LIST_COMMANDS, COMMAND_TIMEOUT);
        let commands =
            answer.and_then(|answer| accepted(LIST_COMMANDS, &answer)).map_err(|fault| match fault.kind {
                FaultKind::Left => fault.detail,
                _ => fault.detail + &engine.process.program.exit_report(),
            })?;
        engine.commands = commands.lines().map(str::to_owned).collect();
        Ok(engine)
    }

    /// Sends a command and reads its answer with the leading `=` or `?`.
    ///
    /// # Errors
    /// The fault of an engine that gave no complete and valid answer. It cannot be used any longer: the rest would be
    /// read as the answer to the next command.
    fn ask(&mut self, command: &str, timeout: Duration) -> Result<String, Fault> {
        let begin = Instant::now();
        if self.process.send(command).is_err() {
            return Err(self.ended(command));
        }
        let mut answer = String::new();
        loop {
            let next_timeout = if self.has_warned { timeout } else { timeout.min(WARN_AFTER) };
            let line = match self.process.next_line(begin + next_timeout) {
                Ok(line) => line,
                Err(NoLine::Ended) => return Err(self.ended(command)),
                Err(NoLine::Unreadable(reason)) => {
                    let detail = format!("a line of the answer to `{command}` {reason}");
                    return Err(Fault::new(FaultKind::Illegal, detail));
                }
                Err(NoLine::Timeout) if next_timeout < timeout => {
                    self.has_warned = true;
                    let seconds = timeout.as_secs();
                    log::warn!("{} has not answered `{command}` yet; waiting for {seconds} s at most", self.name);
                    continue;
                }
                Err(NoLine::Timeout) => {
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
                let detail = format!("the answer to `{command}` is longer than {MAX_ANSWER} bytes");
                return Err(Fault::new(FaultKind::Illegal, detail));
            }
        }
    }

    fn ended(&mut self, command: &str) -> Fault {
        let exit_report = self.process.program.exit_report();
        Fault::new(FaultKind::Left, format!("the engine ended at `{command}`{exit_report}"))
    }
}

/// Returns an answer without the leading `=`, or the fault of an engine that refuses the command.
fn accepted(command: &str, answer: &str) -> Result<String, Fault> {
    let accepted = answer.trim().strip_prefix('=').map(|text| text.trim().to_owned());
    accepted.ok_or_else(|| invalid_answer(command, answer))
}

fn not_started() -> Fault {
    Fault::new(FaultKind::Left, "the engine is not running")
}

fn invalid_answer(command: &str, answer: &str) -> Fault {
    Fault::new(FaultKind::Illegal, format!("invalid answer to `{command}`: `{}`", excerpt(answer.trim())))
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // Lets the engine tidy up before the process is killed.
        let _ = self.process.send("quit");
    }
}
