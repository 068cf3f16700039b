//! Engines that speak the Go Text Protocol with Blokus colours and points.
//!
//! The dialect is Pentobi's (*Pentobi GTP interface* in its manual): colours are the numbers 1 to
//! 4 in turn order, a piece is the list of its points, points are a1 to t20 from the bottom left,
//! and colours that cannot move are skipped without a command.

use std::time::{Duration, Instant};

use game::{BOARD_SIZE, Bitboard, Cell, Move, Placement, Position};

use super::{Answer, Budget, Contestant, GameStart, StartError, placeholder};
use crate::process::{LineProcess, ReadError};
use crate::record::{Fault, FaultKind};

/// An engine in a process of its own, which plays one game after the other.
pub struct GtpEngine {
    command: String,
    lines: Vec<String>,
    budget: Budget,
    connection: Option<Connection>,
}

/// How long an engine may take for anything but a move. Reserving memory can take a while.
const HOUSEKEEPING: Duration = Duration::from_secs(60);

impl GtpEngine {
    /// The engine that the shell starts by `command`. `lines` are sent at the start of every game.
    pub fn new(command: &str, lines: Vec<String>, budget: Budget) -> Self {
        Self { command: command.to_owned(), lines, budget, connection: None }
    }

    fn prepare(&mut self, game: &GameStart) -> Result<(), String> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(&self.command)?,
        };
        let position = &game.position;
        let known = [
            ("set_game", Some(placeholder::game_name(position.rules()).to_owned())),
            ("clear_board", Some(String::new())),
            ("start_piece", position.start_piece().map(|piece| piece.name().to_owned())),
            ("time_per_move", self.budget.time.map(|time| time.as_millis().to_string())),
            ("nodes_per_move", self.budget.nodes.map(|nodes| nodes.to_string())),
        ];
        for (name, argument) in known {
            if let Some(argument) = argument
                && connection.knows(name)
            {
                connection.ask(format!("{name} {argument}").trim(), HOUSEKEEPING).map_err(|fault| fault.detail)?;
            }
        }
        for line in &self.lines {
            let line = placeholder::fill(line, game, &self.budget);
            connection.ask(&line, HOUSEKEEPING).map_err(|fault| fault.detail)?;
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// Asks, and forgets the engine if it does not answer in time or at all; the next game starts
    /// it anew.
    fn ask(&mut self, command: &str, patience: Duration) -> Result<String, Fault> {
        let gone = || Fault::new(FaultKind::Left, "the engine has ended");
        let answer = self.connection.as_mut().ok_or_else(gone)?.ask(command, patience);
        if let Err(Fault { kind: FaultKind::Late | FaultKind::Left, .. }) = answer {
            self.connection = None;
        }
        answer
    }
}

impl Contestant for GtpEngine {
    fn begin(&mut self, game: &GameStart) -> Result<(), StartError> {
        self.prepare(game).map_err(|reason| StartError { contestant: self.command.clone(), reason })
    }

    fn note(&mut self, before: &Position, mv: Move, own: bool) -> Result<(), Fault> {
        if own {
            return Ok(());
        }
        let color = before.color() as usize + 1;
        self.ask(&format!("play {color} {}", write_move(mv)), HOUSEKEEPING).map(|_| ())
    }

    fn choose(&mut self, position: &Position, patience: Duration) -> Result<Answer, Fault> {
        let answer = self.ask(&format!("genmove {}", position.color() as usize + 1), patience)?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Fault::new(FaultKind::Resigned, "resign"));
        }
        let mv = read_move(&answer);
        mv.map(Answer::bare)
            .ok_or_else(|| Fault::new(FaultKind::Illegal, format!("`{answer}` is no list of points of a piece")))
    }
}

/// A running engine.
struct Connection {
    process: LineProcess,
    commands: Vec<String>,
}

impl Connection {
    fn open(command: &str) -> Result<Self, String> {
        let process = LineProcess::start(command).map_err(|error| error.to_string())?;
        let mut connection = Self { process, commands: Vec::new() };
        let commands = connection.ask("list_commands", HOUSEKEEPING).map_err(|fault| fault.detail)?;
        connection.commands = commands.lines().map(str::to_owned).collect();
        Ok(connection)
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// The answer to a command, without the leading `=`.
    fn ask(&mut self, command: &str, patience: Duration) -> Result<String, Fault> {
        let deadline = Instant::now() + patience;
        let fault = |error: ReadError| match error {
            ReadError::Timeout => {
                Fault::new(FaultKind::Late, format!("no answer to `{command}` within {} s", patience.as_secs_f32()))
            }
            ReadError::Ended => Fault::new(FaultKind::Left, format!("the engine ended at `{command}`")),
        };
        self.process.send(command).map_err(|_| fault(ReadError::Ended))?;
        let mut lines: Vec<String> = Vec::new();
        loop {
            let line = self.process.line(deadline).map_err(fault)?;
            match (line.trim(), lines.is_empty()) {
                ("", true) => {}
                ("", false) => break,
                (line, _) => lines.push(line.to_owned()),
            }
        }
        let answer = lines.join("\n");
        match answer.strip_prefix('=') {
            Some(answer) => Ok(answer.trim().to_owned()),
            None => Err(Fault::new(FaultKind::Illegal, format!("`{command}` was answered by `{answer}`"))),
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // The process is ended anyhow; engines that listen may tidy up first.
        let _ = self.process.send("quit");
    }
}

fn write_move(mv: Move) -> String {
    match mv {
        Move::Pass => "pass".to_owned(),
        Move::Place(placement) => {
            let points: Vec<String> = placement.cells().iter().map(write_point).collect();
            points.join(",")
        }
    }
}

fn write_point(cell: Cell) -> String {
    format!("{}{}", (b'a' + cell.x() as u8) as char, BOARD_SIZE - cell.y())
}

fn read_move(text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(Move::Pass);
    }
    let cells = text.split(',').map(|point| read_point(point.trim())).collect::<Option<Bitboard>>()?;
    Placement::of_cells(cells).map(Move::Place)
}

fn read_point(text: &str) -> Option<Cell> {
    let column = text.chars().next()?.to_ascii_lowercase();
    let row: i32 = text.get(1..)?.parse().ok()?;
    let x = column as i32 - 'a' as i32;
    Cell::new(x, BOARD_SIZE as i32 - row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_count_from_the_bottom_left() {
        let mono = |x, y| Move::Place(Placement::of_cells(Bitboard::only(Cell::new(x, y).unwrap())).unwrap());
        for (text, x, y) in [("a1", 0, 19), ("t20", 19, 0), ("c18", 2, 2)] {
            assert_eq!(read_move(text), Some(mono(x, y)));
            assert_eq!(write_move(mono(x, y)), text);
        }
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        for placement in Placement::all().step_by(97) {
            assert_eq!(read_move(&write_move(Move::Place(placement))), Some(Move::Place(placement)));
        }
        assert_eq!(read_move("PASS"), Some(Move::Pass));
        for text in ["", "a0", "a21", "u1", "a1,a3", "a1,b2", "é1", "a", "a1,", "a99999999999"] {
            assert_eq!(read_move(text), None, "{text}");
        }
    }
}
