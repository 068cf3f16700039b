//! The game that is shown without a server.

use std::io::{self, Write};
use std::time::Duration;

use client::demo::{Show, show};
use player::{Options, Player, RandomPlayer};

const HOW: Show = Show { time: Duration::from_millis(10), ansi: false };

#[test]
fn every_round_and_the_result_are_shown() {
    let mut output = Vec::new();
    show(HOW, &mut RandomPlayer::new(&Options::default()), &mut output).unwrap();
    let text = String::from_utf8(output).unwrap();
    let rounds = text.matches(" 0 1 2 3 4 5 6 7 8 9 0 1").count();
    assert!((10..=25).contains(&rounds), "{rounds} boards");
    assert!(text.lines().last().is_some_and(|line| line.contains("played team") && line.contains("points")), "{text}");
}

/// Takes a few kilobytes and is closed then.
struct Closed(usize);

impl Write for Closed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_is_an_error_and_no_panic() {
    for length in [0, 5000] {
        let error = show(HOW, &mut RandomPlayer::new(&Options::default()), &mut Closed(length)).unwrap_err();
        assert_eq!(error.downcast_ref::<io::Error>().map(io::Error::kind), Some(io::ErrorKind::BrokenPipe));
    }
}
