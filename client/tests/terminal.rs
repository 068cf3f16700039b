//! The game that is shown without a server, in a terminal.

#![cfg(unix)]

use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::process::Child;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use pty_process::Size;
use pty_process::blocking::{Command, Pty, open};
use vt100::{Color, Parser};

/// What a test waits for comes much sooner; without it, the test ends, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// What stands at the end of a picture that is drawn in place.
const END_FRAME: &[u8] = b"\x1b[?2026l";

/// Keeps the first position on the screen.
const HALTED: &[&str] = &["demo", "--player", "random", "--opponent", "random", "--delay", "3600000"];

/// As fast as it can be.
const FAST: &[&str] = &["demo", "--player", "random", "--opponent", "random", "--time", "1", "--delay", "0"];

fn size(cells: u16) -> NonZeroU16 {
    NonZeroU16::new(cells).unwrap()
}

/// The program in a terminal.
struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    output: Receiver<Vec<u8>>,
    /// What the terminal shows.
    parser: Parser,
    /// Everything that was written.
    written: Vec<u8>,
}

impl Terminal {
    fn start((columns, rows): (u16, u16), variables: &[(&str, &str)], arguments: &[&str]) -> Self {
        let (pty, pts) = open().unwrap();
        pty.resize(Size::new(rows, columns)).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_client"));
        for name in ["CI", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "NO_COLOR"] {
            command = command.env_remove(name);
        }
        let command = command.env("TERM", "xterm-256color").envs(variables.iter().copied()).args(arguments);
        let child = command.spawn(pts).unwrap();
        let (pty, (sender, output)) = (Arc::new(pty), channel());
        let reader = pty.clone();
        thread::spawn(move || {
            let mut buffer = [0; 1 << 16];
            // When the program has ended, reading from its terminal is an error.
            while let Ok(length @ 1..) = (&*reader).read(&mut buffer) {
                _ = sender.send(buffer[..length].to_vec());
            }
        });
        Self { pty, child, output, parser: Parser::new(size(rows), size(columns), 0), written: Vec::new() }
    }

    /// Takes output in; false when there will be no more.
    fn read(&mut self) -> bool {
        match self.output.recv_timeout(PATIENCE) {
            Ok(bytes) => {
                self.parser.process(&bytes);
                self.written.extend(bytes);
                true
            }
            Err(error) => {
                assert_eq!(error, std::sync::mpsc::RecvTimeoutError::Disconnected, "{}", self.text());
                false
            }
        }
    }

    /// Takes output in until a whole picture is there that contains a text.
    fn wait_for(&mut self, text: &str) {
        while !(self.written.ends_with(END_FRAME) && self.text().contains(text)) {
            assert!(self.read(), "no {text} in\n{}", self.text());
        }
        self.assert_nothing_is_too_long();
    }

    fn assert_nothing_is_too_long(&self) {
        let screen = self.parser.screen();
        let wrapped = (0..screen.size().0.get()).find(|&row| screen.row_wrapped(row));
        assert_eq!(wrapped, None, "a line is too long:\n{}", self.text());
    }

    /// Presses Ctrl-C.
    fn interrupt(&self) {
        (&*self.pty).write_all(b"\x03").unwrap();
    }

    /// Reads to the end, looks whether the terminal is as it was, and gives the exit code.
    fn end(&mut self) -> Option<i32> {
        while self.read() {}
        self.assert_nothing_is_too_long();
        let screen = self.parser.screen();
        assert!(!screen.hide_cursor() && !screen.alternate_screen());
        assert_eq!((screen.fgcolor(), screen.bgcolor(), screen.bold()), (Color::Default, Color::Default, false));
        assert_eq!(screen.cursor_position().1, 0, "the cursor is at the beginning of a line");
        self.child.wait().unwrap().code()
    }

    fn text(&self) -> String {
        self.parser.screen().contents()
    }

    fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.screen_mut().set_size(size(rows), size(columns));
        self.pty.resize(Size::new(rows, columns)).unwrap();
    }
}

#[test]
fn boards_take_the_place_of_each_other_and_the_last_one_stays() {
    for size in [(80, 24), (120, 40)] {
        let mut terminal = Terminal::start(size, &[], FAST);
        assert_eq!(terminal.end(), Some(0));
        let text = terminal.text();
        assert!(text.starts_with("   0 1 2 3 4 5 6 7 8 9"), "{text}");
        assert!(text.contains("the game is over") && text.contains("played team"), "{text}");
        assert_eq!(text.matches("GREEN").count(), 1, "{text}");
    }
}

#[test]
fn the_board_is_in_colour_and_fills_the_terminal() {
    let mut terminal = Terminal::start((80, 24), &[], HALTED);
    terminal.wait_for("BLUE      0 points  to move");
    let screen = terminal.parser.screen();
    let board = Color::Idx(235);
    for (row, column, expected) in [(0, 5, Color::Default), (1, 3, board), (20, 42, board), (20, 43, Color::Default)] {
        assert_eq!(screen.cell(row, column).unwrap().bgcolor(), expected, "row {row}, column {column}");
    }
    // The pieces in hand.
    assert_eq!([46, 47].map(|column| screen.cell(2, column).unwrap().contents()), ["▀", "█"]);
    assert_eq!(screen.cell(2, 46).unwrap().fgcolor(), Color::Idx(32));
    terminal.child.kill().unwrap();
    terminal.child.wait().unwrap();
}

#[test]
fn ctrl_c_leaves_the_terminal_usable() {
    for arguments in [HALTED, &[]] {
        let mut terminal = Terminal::start((80, 24), &[], arguments);
        terminal.wait_for("to move");
        terminal.interrupt();
        assert_eq!(terminal.end(), Some(130));
        assert!(terminal.text().ends_with("stopped from outside; the game is given up"), "{}", terminal.text());
    }
}

#[test]
fn another_size_gets_another_picture() {
    let mut terminal = Terminal::start((80, 24), &[], HALTED);
    terminal.wait_for("to move");
    for (columns, rows, expected) in [
        (120, 50, "  0   1   2   3   4 "),
        (60, 24, " B   0   Y   0   R   0   G   0  turn 0"),
        (15, 3, " B   0   Y   0"),
        (80, 24, "BLUE      0 points  to move"),
    ] {
        terminal.resize(columns, rows);
        terminal.wait_for(expected);
        let text = terminal.text();
        assert!(text.lines().count() <= rows.into() && text.matches("GREEN").count() <= 1, "{text}");
    }
    terminal.interrupt();
    assert_eq!(terminal.end(), Some(130));
}

#[test]
fn who_wants_no_colours_gets_plain_text() {
    for variables in [[("NO_COLOR", "1")], [("TERM", "dumb")]] {
        let mut terminal = Terminal::start((80, 24), &variables, FAST);
        assert_eq!(terminal.end(), Some(0));
        assert!(!terminal.written.contains(&b'\x1b'));
        let text = String::from_utf8(std::mem::take(&mut terminal.written)).unwrap().replace("\r\n", "\n");
        let boards: Vec<&str> = text.split("\n\n").collect();
        assert!(boards.len() > 10, "{text}");
        assert!(boards.iter().all(|board| board.lines().count() < 24), "with the empty line it is one more: {text}");
    }
}
