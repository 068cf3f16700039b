//! The game that is shown without a server, in a terminal.

#![cfg(unix)]

use crate::support::program;
use crate::support::terminal::{Terminal, command};

/// Keeps the first position on the screen.
const PAUSED: &[&str] = &["demo", "--player", "random", "--opponent", "random", "--delay", "3600000"];

/// A game without delays.
const FAST: &[&str] = &["demo", "--player", "random", "--opponent", "random", "--time", "10000", "--delay", "0"];

/// Input for Ctrl-C.
const CTRL_C: &str = "\x03";

fn start(size: (u16, u16), variables: &[(&str, &str)], arguments: &[&str]) -> Terminal {
    Terminal::start(command(program::path("client")).envs(variables.iter().copied()).args(arguments), size)
}

/// Waits for a picture that contains the text and fits the terminal.
fn wait_for(terminal: &mut Terminal, text: &str) {
    terminal.wait_for(text);
    terminal.assert_nothing_is_too_long();
}

/// Returns the exit code; nothing is left at the end of the last line.
fn end(terminal: &mut Terminal) -> Option<i32> {
    let code = terminal.end();
    terminal.assert_nothing_is_too_long();
    assert_eq!(terminal.parser.screen().cursor_position().1, 0, "the cursor is at the beginning of a line");
    code
}

#[test]
fn boards_replace_each_other_in_place() {
    for size in [(80, 24), (120, 40)] {
        let mut terminal = start(size, &[], FAST);
        assert_eq!(end(&mut terminal), Some(0));
        let text = terminal.text();
        assert!(text.starts_with("   0 1 2 3 4 5 6 7 8 9"), "{text}");
        assert!(text.contains("the game is over") && text.contains("played team"), "{text}");
        assert_eq!(text.matches("GREEN").count(), 1, "{text}");
    }
}

#[test]
fn log_puts_boards_below_each_other() {
    let mut terminal = start((80, 24), &[], &[FAST, &["-v"]].concat());
    assert_eq!(terminal.end(), Some(0));
    assert!(terminal.text().contains("played team"), "{}", terminal.text());
    let upper_left = b"\x1b[H";
    assert!(!terminal.written.windows(upper_left.len()).any(|written| written == upper_left));
}

#[test]
fn ctrl_c_leaves_the_terminal_usable() {
    for arguments in [PAUSED, &[]] {
        let mut terminal = start((80, 24), &[], arguments);
        wait_for(&mut terminal, "to move");
        terminal.press(CTRL_C);
        assert_eq!(end(&mut terminal), Some(130));
        assert!(terminal.text().ends_with("stopped on request; gave up the game"), "{}", terminal.text());
    }
}

#[test]
fn resize_redraws_board() {
    let mut terminal = start((80, 24), &[], PAUSED);
    wait_for(&mut terminal, "to move");
    for (columns, rows, expected) in [
        (120, 50, "  0   1   2   3   4 "),
        (60, 24, " B   0   Y   0   R   0   G   0  turn 0"),
        (15, 3, " B   0   Y   0"),
        (80, 24, "BLUE      0 points  to move"),
    ] {
        terminal.resize(columns, rows);
        wait_for(&mut terminal, expected);
        let text = terminal.text();
        assert!(text.lines().count() <= rows.into() && text.matches("GREEN").count() <= 1, "{text}");
    }
    terminal.press(CTRL_C);
    assert_eq!(end(&mut terminal), Some(130));
}

#[test]
fn no_color_gives_plain_text() {
    let searching: &[&str] = &[
        "demo",
        "--player",
        "minimax",
        "--opponent",
        "heuristic",
        "--season",
        "2021",
        "--memory",
        "1",
        "--time",
        "10",
    ];
    for (variable, arguments) in [(("NO_COLOR", "1"), FAST), (("TERM", "dumb"), searching)] {
        let mut terminal = start((80, 24), &[variable], arguments);
        assert_eq!(end(&mut terminal), Some(0));
        assert!(!terminal.written.contains(&b'\x1b'));
        let text = String::from_utf8(std::mem::take(&mut terminal.written)).unwrap().replace("\r\n", "\n");
        let boards: Vec<&str> = text.split("\n\n").collect();
        assert!((10..=27).contains(&boards.len()), "{text}");
        assert!(boards.iter().all(|board| board.lines().count() < 24), "with the empty line it is one more: {text}");
        let expects = |name: &str| text.lines().any(|line| line.contains(name) && line.contains("% to win, expects"));
        assert_eq!(["minimax", "heuristic"].map(expects), [arguments == searching; 2], "{text}");
    }
}
