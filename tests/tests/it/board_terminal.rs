//! The board in a terminal, used by keys and mouse.

#![cfg(unix)]

use std::path::Path;

use crate::support::program;
use crate::support::terminal::{self, Terminal};
use vt100::Color;

const ENTER: &str = "\r";
const ESCAPE: &str = "\x1b";
const LEFT: &str = "\x1b[D";
const RIGHT: &str = "\x1b[C";
const DOWN: &str = "\x1b[B";
const UP: &str = "\x1b[A";
const TAB: &str = "\t";
const SPACE: &str = " ";

/// Starts the program with the games of a folder.
fn start(folder: &Path, size: (u16, u16), language: &str) -> Terminal {
    start_as(folder, size, language, "xterm-256color")
}

/// Starts the program with the games of a folder in a terminal of the given type.
fn start_as(folder: &Path, size: (u16, u16), language: &str, kind: &str) -> Terminal {
    let command = terminal::command(program::path("board")).env("TERM", kind).env("LANG", language);
    Terminal::start(command.current_dir(folder).args(["terminal", "--threads", "1", "--memory", "16"]), size)
}

/// Resizes the terminal and clears it, so that only the new screen matches.
fn resize(terminal: &mut Terminal, columns: u16, rows: u16) {
    terminal.resize(columns, rows);
    terminal.parser.process(b"\x1b[2J");
}

/// Returns the column and row of a text.
fn find(terminal: &Terminal, text: &str) -> (u16, u16) {
    let screen = terminal.parser.screen();
    let (rows, columns) = screen.size();
    let rows = screen.rows(0, columns.get()).take(rows.get().into()).enumerate();
    let mut found = rows.filter_map(|(row, line)| {
        let start = line.find(text)?;
        Some((line[..start].chars().count() as u16, row as u16))
    });
    found.next().unwrap_or_else(|| panic!("no {text} in\n{}", terminal.text()))
}

/// Sends a mouse event: buttons are 0 left, 2 right, 35 none, 64 and 65 the wheel.
fn mouse(terminal: &Terminal, button: u8, (column, row): (u16, u16)) {
    terminal.press(&format!("\x1b[<{button};{};{}M", column + 1, row + 1));
}

fn terminate(terminal: &Terminal) {
    let pid = nix::unistd::Pid::from_raw(terminal.child.id() as i32);
    nix::sys::signal::kill(pid, nix::sys::signal::SIGTERM).unwrap();
}

/// Fills in the form of a new game with the number of steps for each line.
fn new_game(terminal: &mut Terminal, changes: &[i32]) {
    terminal.wait_for("New game");
    for &change in changes {
        let key = if change < 0 { LEFT } else { RIGHT };
        for _ in 0..change.unsigned_abs() {
            terminal.press_each(&[key]);
        }
        terminal.press_each(&[DOWN]);
    }
    terminal.press(ENTER);
    terminal.wait_for("round 1");
}

/// The changes of the form: classic rules, and people in all seats.
const PEOPLE: &[i32] = &[2, 0, 0, -1];

/// Classic rules, and a person against the lowest level.
const AGAINST_LEVEL_1: &[i32] = &[2];

/// Classic rules, and the lowest level in all seats.
const BOTS: &[i32] = &[2, 0, 1];

fn has_ended(text: &str) -> bool {
    text.lines().map(str::trim_end).any(|line| line.ends_with(" won") || line == "Draw")
}

/// Returns `true` if letters mark the colours on the board.
fn has_letters(text: &str) -> bool {
    let rows = text.lines().skip(1).take(20);
    rows.map(|row| row.chars().skip(3).take(40)).any(|mut cells| cells.any(|cell| "BYRG".contains(cell)))
}

#[test]
fn keys_play_and_save_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = start(folder.path(), (80, 24), "en_GB.UTF-8");
    new_game(&mut terminal, AGAINST_LEVEL_1);
    terminal.press_each(&["+", "+"]);
    terminal.wait_for("Delay between moves: none");
    // The message names the broken rule.
    terminal.press_each(&[TAB, ENTER]);
    terminal.wait_for("The first piece must cover a start cell.");
    terminal.press_each(&[ESCAPE]);
    for _ in 0..60 {
        terminal.wait("turn", |text| text.contains("your move") || has_ended(text));
        if has_ended(&terminal.text()) {
            break;
        }
        terminal.press_each(&[TAB, SPACE, ENTER]);
    }
    terminal.wait("end", has_ended);
    // The next key clears the message. Wait for each text, because other screens may come between.
    terminal.press("l");
    terminal.wait("letters", has_letters);
    terminal.press("l");
    terminal.wait("board without letters", |text| !has_letters(text));
    let end = terminal.text();
    terminal.press_each(&["u"]);
    terminal.wait("turn", |text| text.contains("your move"));
    terminal.press_each(&["U"]);
    terminal.wait("end", has_ended);
    terminal.wait("redo that restores exactly", |text| text == end);

    terminal.press_each(&["s"]);
    terminal.wait_for("Save as");
    terminal.press(ENTER);
    terminal.wait_for("Saved as blokus-1.blksgf");
    let saved = record::file::open(folder.path().join("blokus-1.blksgf")).unwrap().next().unwrap().unwrap();
    let position = saved.moves().fold(*saved.start(), |position, mv| position.after(mv));
    assert!(position.is_over() && saved.moves().count() > 30);
    let points = game::Team::ALL.map(|team| position.team_points(team));
    assert!(end.contains(&format!(" {} : {} ", points[0], points[1])), "{end}");

    terminal.press_each(&["s"]);
    terminal.wait_for("blokus-2.blksgf");
    terminal.press_each(&[ESCAPE]);
    // An opened file becomes a game of its own, and keeps the names of the players.
    terminal.press_each(&["o"]);
    terminal.press("blokus-1.blksgf\r");
    terminal.wait("opened game", |text| has_ended(text) && !text.contains("Saved as"));
    assert!(terminal.text().contains("level 1"), "{}", terminal.text());
    terminal.press_each(&["u"]);
    terminal.wait_for("There is nothing to undo.");
    terminal.press_each(&[UP]);
    terminal.wait_for("Another position");
    // A long message uses a second line.
    std::fs::write(folder.path().join("poem.txt"), "no game").unwrap();
    terminal.press_each(&["o"]);
    terminal.press("poem.txt\r");
    terminal.wait_for("poem.txt: this is not a replay");
    terminal.wait_for("it begins with `no game`");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn shows_fault_and_server_message() {
    let folder = tempfile::tempdir().unwrap();
    let mut game = record::Game::new(game::Position::new(game::Rules::Classic, None).unwrap());
    game.play(record::NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
    let fault = record::Fault::new(record::FaultKind::Left, "the connection has ended");
    game.fault = Some((game::Team::Two, fault));
    std::fs::write(folder.path().join("game.jsonl"), record::json::write(&game) + "\n").unwrap();
    let mut terminal = start(folder.path(), (80, 24), "de_DE.UTF-8");
    terminal.wait_for("Neue Partie");
    terminal.press_each(&["?"]);
    terminal.wait_for("Der erste Stein bedeckt ein Startfeld");
    // Escape leads from a list back to the menu.
    terminal.press_each(&[ESCAPE, "w"]);
    terminal.wait_for("Noch keine Partien");
    terminal.press_each(&[ESCAPE]);
    terminal.wait_for("Letzte Partien");
    terminal.press_each(&["o"]);
    terminal.press("game.jsonl\r");
    terminal.wait_for("Gelb und Grün haben die Partie verlassen");
    terminal.wait_for("Meldung des Servers: the connection has ended");
    terminal.press_each(&[UP]);
    terminal.wait("what was before", |text| !text.contains("Meldung des Servers"));
    terminal.press_each(&["s"]);
    terminal.press("\x7f\x7f\x7f\x7f\x7f\x7fpdf\r");
    terminal.wait_for("diese Endung kenne ich nicht: `pdf`");
    // A colour that wins alone is singular.
    terminal.press_each(&["o"]);
    terminal.press(&format!("classic-4 - 4 - - B19{}\r", "/20".repeat(19)));
    terminal.wait_for("Blau hat gewonnen");
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn mouse_handles_a_piece() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = start(folder.path(), (80, 24), "en_GB.UTF-8");
    new_game(&mut terminal, PEOPLE);
    let bar = find(&terminal, "▄▄▄▄▄");
    mouse(&terminal, 0, bar);
    terminal.wait_for("Pieces of Blue: PENTO_I");
    // The cell (0, 2), around which the upright bar reaches the corner.
    let cell = (3, 3);
    mouse(&terminal, 35, cell);
    terminal.wait_for("Legal; Enter places the piece");
    mouse(&terminal, 65, cell);
    terminal.wait_for("The piece does not fit on the board here.");
    mouse(&terminal, 64, cell);
    terminal.wait_for("Legal; Enter places the piece");
    mouse(&terminal, 2, cell);
    mouse(&terminal, 0, cell);
    terminal.wait_for("Yellow: your move");
    let screen = terminal.parser.screen();
    for row in 1..=5 {
        let cell = screen.cell(row, 3).unwrap();
        assert_eq!((cell.contents(), cell.bgcolor()), ("[", Color::Idx(32)), "row {row}");
    }
    assert_eq!(screen.cell(6, 3).unwrap().bgcolor(), Color::Idx(235));
    // A click in the list of moves goes there, and the keys that are shown can be clicked.
    let start = find(&terminal, "0    start");
    mouse(&terminal, 0, start);
    terminal.wait_for("Another position");
    mouse(&terminal, 0, find(&terminal, "▄▄▄▄▄"));
    terminal.wait_for("You cannot do this now");
    let menu = find(&terminal, "Menu");
    mouse(&terminal, 0, menu);
    terminal.wait_for("Recent games");
    let quit = find(&terminal, "New game");
    mouse(&terminal, 0, quit);
    terminal.wait_for("First piece");
    terminal.press_each(&[ESCAPE]);
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn kill_restores_terminal_and_saves_game() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = start(folder.path(), (80, 24), "en_GB.UTF-8");
    new_game(&mut terminal, PEOPLE);
    terminal.press_each(&[TAB, SPACE, ENTER]);
    terminal.wait_for("Yellow: your move");
    terminal.press_each(&[TAB]);
    terminate(&terminal);
    assert_eq!(terminal.end(), Some(128 + 15));

    let mut terminal = start(folder.path(), (80, 24), "en_GB.UTF-8");
    terminal.wait_for("Your last game continues");
    assert!(terminal.text().contains("Yellow: your move"), "{}", terminal.text());
    terminal.press_each(&[TAB, SPACE, ENTER]);
    terminal.wait_for("Red: your move");
    // SIGKILL leaves the terminal as it is, but the move is saved.
    terminal.child.kill().unwrap();
    terminal.child.wait().unwrap();

    let mut terminal = start(folder.path(), (80, 24), "de_DE.UTF-8");
    terminal.wait_for("Deine letzte Partie geht weiter");
    assert!(terminal.text().contains("Rot: Du bist dran"), "{}", terminal.text());
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn resize_redraws_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = start(folder.path(), (80, 24), "de_DE.UTF-8");
    terminal.wait_for("Neue Partie");
    terminal.press(ENTER);
    terminal.wait_for("Runde 1");
    terminal.press_each(&[TAB]);
    for (columns, rows, expected) in [
        (120, 50, "  0   1   2   3   4 "),
        (79, 24, "Das Brett braucht 80 x 24, dieses Terminal hat 79 x 24"),
        (1, 1, "D"),
        (120, 40, "   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9  Blokus 2027"),
        (80, 24, "Steine von Blau: PENTO_"),
    ] {
        resize(&mut terminal, columns, rows);
        terminal.wait_for(expected);
    }
    terminal.press_each(&[ESCAPE, ESCAPE]);
    terminal.wait_for("Letzte Partien");
    // The menu scrolls, and arrows show that it continues.
    terminal.wait("more below", |text| text.contains('▼') && !text.contains('▲'));
    terminal.press(UP);
    terminal.wait("more above", |text| text.contains('▲') && !text.contains('▼'));
    terminal.press(DOWN);
    terminal.wait_for("Letzte Partien");
    resize(&mut terminal, 40, 10);
    terminal.wait_for("Das Brett braucht 80 x 24");
    resize(&mut terminal, 100, 30);
    terminal.wait_for("Letzte Partien");
    terminate(&terminal);
    assert_eq!(terminal.end(), Some(128 + 15));
}

#[test]
fn analyses_game_between_programs() {
    let folder = tempfile::tempdir().unwrap();
    let mut terminal = start(folder.path(), (120, 40), "en_GB.UTF-8");
    new_game(&mut terminal, BOTS);
    terminal.press_each(&["+", "+", "+"]);
    terminal.wait("end", has_ended);
    terminal.press_each(&["a"]);
    terminal.wait_for("analysing");
    terminal.wait_for("Win probability of blue and red");
    terminal.press_each(&["a"]);
    terminal.wait("end of the analysis", |text| !text.contains("analysing"));
    let (column, row) = find(&terminal, "Win probability of blue and red");
    mouse(&terminal, 0, (column, row + 2));
    terminal.wait_for("Another position");
    assert!(terminal.text().contains("Blue and red: "), "{}", terminal.text());
    // Steps forward and back along the engine's line.
    terminal.press_each(&["b"]);
    terminal.wait_for("Engine line, ← and → step; moves: 1");
    terminal.press_each(&["b"]);
    terminal.wait_for("moves: 2");
    terminal.press_each(&[LEFT, LEFT]);
    terminal.wait_for("Another position");
    terminal.press_each(&["h"]);
    terminal.wait_for("1  PENTO_");
    // In a small terminal the graph replaces the pieces.
    resize(&mut terminal, 80, 24);
    terminal
        .wait("graph alone", |text| text.contains("Win probability of blue and red") && !text.contains("Pieces of"));
    terminal.press_each(&["t"]);
    terminal.wait("pieces alone", |text| text.contains("Pieces of Blue") && !text.contains("Win probability of"));
    terminal.press("q");
    assert_eq!(terminal.end(), Some(0));
}

#[test]
fn reports_unreadable_files() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("board.sqlite"), "no database at all ".repeat(100)).unwrap();
    let mut terminal = start(folder.path(), (80, 24), "en_GB.UTF-8");
    assert_eq!(terminal.end(), Some(1));
    assert!(terminal.text().contains("board.sqlite is damaged or not a database"), "{}", terminal.text());
}

#[test]
fn shows_letters_and_clocks_without_colours() {
    let folder = tempfile::tempdir().unwrap();
    for (kind, color) in [("vt220", Color::Default), ("xterm", Color::Idx(12))] {
        let mut terminal = start_as(folder.path(), (80, 24), "en_GB.UTF-8", kind);
        if kind == "vt220" {
            // Thirty seconds for each move.
            new_game(&mut terminal, &[2, 0, 0, -1, 0, 0, -1]);
        }
        terminal.press_each(&[TAB, "2", SPACE]);
        terminal.wait_for("Legal; Enter places the piece");
        terminal.press_each(&[ENTER]);
        terminal.wait("turn", |text| text.contains("your move") && text.contains("*"));
        let (column, row) = find(&terminal, "B*");
        assert_eq!(terminal.parser.screen().cell(row, column).unwrap().bgcolor(), color);
        terminal.wait("clock that runs", |text| text.contains("0:2") || text.contains("0:1"));
        terminal.press("uq");
        assert_eq!(terminal.end(), Some(0));
    }
}
