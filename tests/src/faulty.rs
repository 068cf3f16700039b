//! A server behind a bad network.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use client::exit::Exit;
use client::{Settings, play};
use player::{Budget, FromOptions, Options, RandomPlayer};

use crate::recordings::elements;

/// An event on a connection.
#[derive(Clone, Debug)]
pub enum Arrival<'a> {
    /// Bytes.
    Bytes(&'a [u8]),
    /// A read timeout.
    Silence,
    /// The connection is reset.
    Reset,
}

/// The reading end of a connection. After the last arrival the connection is closed.
pub struct Line<'a>(VecDeque<Arrival<'a>>);

impl<'a> FromIterator<Arrival<'a>> for Line<'a> {
    fn from_iter<I: IntoIterator<Item = Arrival<'a>>>(arrivals: I) -> Self {
        Self(arrivals.into_iter().collect())
    }
}

impl Read for Line<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.pop_front() {
            None => Ok(0),
            Some(Arrival::Silence) => Err(ErrorKind::WouldBlock.into()),
            Some(Arrival::Reset) => {
                self.0.clear();
                Err(ErrorKind::ConnectionReset.into())
            }
            Some(Arrival::Bytes(bytes)) => {
                let length = bytes.len().min(buffer.len());
                buffer[..length].copy_from_slice(&bytes[..length]);
                if length < bytes.len() {
                    self.0.push_front(Arrival::Bytes(&bytes[length..]));
                }
                Ok(length)
            }
        }
    }
}

/// The writing end of a connection. It breaks after this many writes.
struct Sink {
    written: Vec<u8>,
    writes_left: usize,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes_left = self.writes_left.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
        self.written.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// End of a session.
#[derive(Debug)]
pub struct End {
    /// The exit code of the program.
    pub exit: Exit,
    /// Last message.
    pub message: String,
    /// Number of moves sent.
    pub moves: usize,
}

/// Lets a client play against a server that sends these bytes. The client's output is lost after this many messages.
///
/// # Panics
/// If the client panics, ends without a message, or sends anything that is not well-formed.
pub fn session<'a>(arrivals: impl IntoIterator<Item = Arrival<'a>>, messages: usize) -> End {
    let settings = Settings { budget: Budget::time(Duration::from_secs(2)), ..Settings::default() };
    let mut sink = Sink { written: Vec::new(), writes_left: messages };
    let mut player = RandomPlayer::new(&Options::default());
    let line = Line::from_iter(arrivals);
    let (exit, message) = match play(&settings, &mut player, line, &mut sink, &AtomicBool::new(false), &mut |_| {}) {
        Ok(outcome) => (Exit::Finished, outcome.to_string()),
        Err(error) => {
            let error = anyhow::Error::from(error);
            (Exit::of_error(&error), error.to_string())
        }
    };
    assert!(!message.is_empty());
    let (sent, error) = elements(&sink.written, usize::MAX);
    assert_eq!(error, None, "the client sends well-formed messages");
    End { exit, message, moves: sent.iter().filter(|element| element.name() == "room").count() }
}

/// The messages of a recorded session; the beginning of the document belongs to the first.
///
/// Servers begin every message on a line of its own, two spaces from the left.
pub fn messages(bytes: &[u8]) -> Vec<&[u8]> {
    let begins = |at: &usize| bytes[*at..].starts_with(b"\n  <") && bytes.get(at + 4) != Some(&b'/');
    let mut starts: Vec<usize> = (0..bytes.len()).filter(begins).collect();
    if let Some(first) = starts.first_mut() {
        *first = 0;
    }
    let ends = starts.iter().copied().skip(1).chain([bytes.len()]);
    starts.iter().zip(ends).map(|(&start, end)| &bytes[start..end]).collect()
}
