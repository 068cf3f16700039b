//! Draws the boards of a game.

use std::io::{self, Write};
use std::time::Duration;

use game::{Color, Move, Position, Team};
use picture::{Canvas, Picture, ShownEvaluation, ShownPlayer, Terminal};

use crate::options::{BoardOutput, DemoArguments};

/// Shows a game on an output.
///
/// On a screen each picture is written over the last one. No other state of the terminal changes, so that a program
/// that is killed leaves at most colours behind.
pub struct Display<'a> {
    demo: &'a DemoArguments,
    output: BoardOutput,
    /// The own player and the opponent.
    names: [&'a str; 2],
    writer: &'a mut dyn Write,
    position: Option<(Position, Option<(Color, Move)>)>,
    /// The own team, if known.
    own_team: Option<Team>,
    /// The evaluation by each team, team one first.
    evaluations: [Option<ShownEvaluation>; 2],
    note: String,
    /// The round of the last printed board.
    round: u16,
    /// The size of the screen at the last drawing.
    drawn_on: Option<Canvas>,
}

/// Between these a terminal collects a frame (synchronised output); older terminals ignore them.
const BEGIN_FRAME: &str = "\x1b[?2026h";
const END_FRAME: &str = "\x1b[?2026l";

const UPPER_LEFT: &str = "\x1b[H";
const CLEAR: &str = "\x1b[2J";
const CLEAR_REST_OF_LINE: &str = "\x1b[K";
const CLEAR_REST: &str = "\x1b[J";
const NO_COLORS: &str = "\x1b[0m";

impl<'a> Display<'a> {
    pub fn new(demo: &'a DemoArguments, names: [&'a str; 2], writer: &'a mut dyn Write) -> Self {
        let (output, own_team, evaluations, note) = (demo.output(), None, [None; 2], String::new());
        Self { demo, output, names, writer, position: None, own_team, evaluations, note, round: 1, drawn_on: None }
    }

    /// Returns the minimum time until the next position.
    pub fn delay(&self) -> Duration {
        match self.output {
            BoardOutput::Screen(_) => self.demo.delay(),
            BoardOutput::Rounds(_) => Duration::ZERO,
        }
    }

    /// Shows a position. With [`BoardOutput::Rounds`] only the first position of each round and the last.
    pub fn show(&mut self, position: Position, last: Option<(Color, Move)>) -> io::Result<()> {
        self.position = Some((position, last));
        match self.output {
            BoardOutput::Screen(terminal) => self.draw_in_place(terminal),
            BoardOutput::Rounds(canvas) if position.round() > self.round || position.is_over() => {
                self.round = position.round();
                let lines = self.lines(canvas);
                writeln!(self.writer, "\n{}", lines.join("\n"))?;
                self.writer.flush()
            }
            BoardOutput::Rounds(_) => Ok(()),
        }
    }

    /// Notes a player's evaluation for its team. Without a new one the last one stays.
    pub fn note_evaluation(&mut self, team: Team, is_own: bool, evaluation: Option<ShownEvaluation>) -> io::Result<()> {
        self.own_team = Some(if is_own { team } else { team.opponent() });
        if evaluation.is_some() {
            self.evaluations[team as usize] = evaluation;
        }
        match self.output {
            BoardOutput::Screen(terminal) => self.draw_in_place(terminal),
            BoardOutput::Rounds(_) => Ok(()),
        }
    }

    /// Redraws everything if the size of the screen has changed.
    pub fn follow_resizing(&mut self) -> io::Result<()> {
        match self.output {
            BoardOutput::Screen(terminal) if self.drawn_on.is_some_and(|canvas| canvas != terminal.canvas()) => {
                self.draw_in_place(terminal)
            }
            _ => Ok(()),
        }
    }

    /// Shows the result and leaves the cursor below it.
    pub fn end(&mut self, result: &str) -> io::Result<()> {
        match self.output {
            BoardOutput::Screen(terminal) => {
                self.note = result.to_owned();
                self.draw_in_place(terminal)?;
                self.leave()
            }
            BoardOutput::Rounds(canvas) => {
                writeln!(self.writer, "\n{}", canvas.wrap(result).join("\n"))?;
                self.writer.flush()
            }
        }
    }

    /// Redraws the picture, into which the terminal may have written `^C`, and leaves the cursor below it.
    pub fn abandon(&mut self) -> io::Result<()> {
        if let (BoardOutput::Screen(terminal), Some(_)) = (self.output, self.drawn_on) {
            self.draw_in_place(terminal)?;
        }
        self.leave()
    }

    /// Leaves the cursor below the picture.
    fn leave(&mut self) -> io::Result<()> {
        if self.drawn_on.is_some() {
            writeln!(self.writer, "{NO_COLORS}")?;
        }
        self.writer.flush()
    }

    fn draw_in_place(&mut self, terminal: Terminal) -> io::Result<()> {
        let canvas = terminal.canvas();
        // The previous content scrolls up and stays readable.
        let before = match self.drawn_on {
            None => "\n".repeat(canvas.rows),
            Some(size) if size != canvas => CLEAR.to_owned(),
            Some(_) => String::new(),
        };
        self.drawn_on = Some(canvas);
        // Terminals disagree on the cursor after the last column. At the end the last row is for the shell's prompt.
        let rows = if self.note.is_empty() { canvas.rows } else { canvas.rows.saturating_sub(1) };
        let lines = self.lines(Canvas { columns: canvas.columns.saturating_sub(1), rows, ..canvas });
        let lines = lines.join(&format!("{CLEAR_REST_OF_LINE}\r\n"));
        // In one piece, so that no half picture is visible.
        let frame = format!("{before}{BEGIN_FRAME}{UPPER_LEFT}{lines}{CLEAR_REST}{END_FRAME}");
        self.writer.write_all(frame.as_bytes())?;
        self.writer.flush()
    }

    fn lines(&self, canvas: Canvas) -> Vec<String> {
        let Some((position, last)) = self.position else { return Vec::new() };
        let sides = self.own_team.map(|own| {
            Team::ALL.map(|team| ShownPlayer {
                name: self.names[usize::from(team != own)],
                evaluation: self.evaluations[team as usize],
            })
        });
        let (letters, note) = (self.demo.letters, self.note.as_str());
        Picture { last, sides, letters, note, ..Picture::new(&position) }.lines(canvas)
    }
}
