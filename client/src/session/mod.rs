//! A game on a server, from joining to leaving.

mod receive;

use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use game::{Position, Team};
use player::Player;
use protocol::{CLOSING, ClientMessage, Frame, Framer, GameResult, OPENING, Season, State};

use crate::move_timer::MoveTimer;
use crate::outcome::{GameOutcome, SessionError};
use crate::player_thread::PlayerThread;
use crate::priority;
use crate::settings::{JoinMode, SessionEvent, Settings};
use crate::silence::Silence;

/// Joins a game and plays it to the end. Leaves it when the reader returns after `stop` is set.
///
/// The player works in its own thread, so that answers are sent in time even if the player is late. Call this from a
/// thread of its own: the calling thread gets a higher priority where the system allows that, and keeps it. Threads
/// that it starts later inherit the priority. Returns after the player has returned; [`play_owned`] does not wait for
/// that.
///
/// The reader may time out ([`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`]); this is how a silent
/// server is noticed.
///
/// # Errors
/// [`SessionError`] unless the server said that the game is over.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use client::{SessionError, Settings, play};
/// use player::{FromOptions, Options, Player, RandomPlayer};
///
/// let mut player = RandomPlayer::new(&Options::default());
/// let (server, mut sent) = ("<protocol><errorpacket message='full'/>".as_bytes(), Vec::new());
/// let stop = AtomicBool::new(false);
/// let result = play(&Settings::default(), &mut player, server, &mut sent, &stop, &mut |_| {});
/// assert!(matches!(result, Err(SessionError::Rejected(reason)) if reason == "full"));
/// assert!(String::from_utf8(sent)?.contains("<join gameType=\"swc_2027_blokus\"/>"));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
pub fn play(
    settings: &Settings,
    player: &mut dyn Player,
    reader: impl Read,
    writer: impl Write,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(SessionEvent),
) -> Result<GameOutcome, SessionError> {
    thread::scope(|scope| {
        let player = PlayerThread::scoped(scope, player).map_err(SessionError::NoThread)?;
        run(settings, &player, reader, writer, stop, watch)
    })
}

/// Like [`play`], but owns the player. Waits at most a second for a player that does not return; it keeps its thread.
///
/// # Errors
/// Like [`play`].
pub fn play_owned(
    settings: &Settings,
    player: Box<dyn Player>,
    reader: impl Read,
    writer: impl Write,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(SessionEvent),
) -> Result<GameOutcome, SessionError> {
    let player = PlayerThread::owned(player).map_err(SessionError::NoThread)?;
    let outcome = run(settings, &player, reader, writer, stop, watch);
    if !player.end(PLAYER_PATIENCE) {
        log::warn!("exiting although the player has not returned");
    }
    outcome
}

/// Time for the player to end after the game, for example to write its experience.
const PLAYER_PATIENCE: Duration = Duration::from_secs(1);

fn run(
    settings: &Settings,
    player: &PlayerThread,
    mut reader: impl Read,
    writer: impl Write,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(SessionEvent),
) -> Result<GameOutcome, SessionError> {
    // After the start of the player's thread, which keeps the default priority.
    priority::raise();
    let mut session = Session {
        settings,
        player,
        writer,
        stop,
        watch,
        silence: Silence::new(settings.patience),
        season: settings.season,
        room: None,
        team: None,
        state: None,
        answered: None,
        timer: MoveTimer::new(settings.budget),
        result: None,
        is_released: false,
        last_error: None,
    };
    session.join();
    let outcome = session.play(&mut reader)?;
    (session.watch)(SessionEvent::Over(&outcome));
    session.leave(&mut reader);
    Ok(outcome)
}

struct Session<'a, W> {
    settings: &'a Settings,
    player: &'a PlayerThread,
    writer: W,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(SessionEvent),
    silence: Silence,
    season: Season,
    room: Option<String>,
    team: Option<Team>,
    state: Option<State>,
    /// The turn of the last answer: a request may be repeated, an answer must not.
    answered: Option<u16>,
    timer: MoveTimer,
    result: Option<GameResult>,
    /// `true` if the server has removed the client from the game.
    is_released: bool,
    /// The last error of the server, which explains a closed connection.
    last_error: Option<String>,
}

impl<W: Write> Session<'_, W> {
    fn join(&mut self) {
        let message = match &self.settings.join_mode {
            JoinMode::Any => ClientMessage::Join { game_type: Some(self.season.game_type().to_owned()) },
            JoinMode::Reservation(code) => ClientMessage::JoinPrepared { reservation: code.clone() },
            JoinMode::Room(room) => ClientMessage::JoinRoom { room: room.clone() },
        };
        let xml = message.to_element(self.season).to_xml(1);
        self.send(&format!("{OPENING}{xml}"));
    }

    /// Plays until the game is over.
    fn play(&mut self, reader: &mut impl Read) -> Result<GameOutcome, SessionError> {
        let mut framer = Framer::default();
        let mut buffer = [0; 1 << 14];
        let mut is_complete = true;
        loop {
            let (read, arrived) = match self.read(reader, &mut buffer, is_complete) {
                Ok(read) => read,
                Err(error) => return self.finished_or(error),
            };
            match read {
                Ok(0) => return self.connection_ended("the server closed it"),
                Ok(length) => framer.push(&buffer[..length]),
                Err(error) if self.room.is_none() => {
                    return self.finished_or(SessionError::ConnectionLost(error.to_string()));
                }
                Err(error) => return self.connection_ended(&error.to_string()),
            }
            is_complete = false;
            loop {
                match framer.next_frame() {
                    Ok(None) => break,
                    Ok(Some(Frame::Element(element))) => {
                        is_complete = true;
                        if let Some(outcome) = self.receive(&element, arrived)? {
                            return Ok(outcome);
                        }
                    }
                    Ok(Some(Frame::End)) => return self.connection_ended("the server ended the session"),
                    Err(error) => return self.finished_or(SessionError::Protocol(error.to_string())),
                }
            }
        }
    }

    /// Keeps reading for [`Settings::linger`] after the server ended the game, then closes the connection.
    fn leave(&mut self, reader: &mut impl Read) {
        if !self.is_released {
            return;
        }
        let until = Instant::now() + self.settings.linger;
        let mut buffer = [0; 1 << 10];
        while Instant::now() < until && !self.stop.load(Ordering::Relaxed) {
            let is_closed = match reader.read(&mut buffer) {
                Ok(length) => length == 0,
                Err(error) => {
                    !matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut)
                }
            };
            if is_closed {
                break;
            }
        }
        self.send_close();
    }

    /// Reads from the server; returns the result of the read and its time. `is_complete` is `true` if the last read
    /// completed a message. Meanwhile the player warms up before its first move, or ponders in the opponent's turn.
    fn read(
        &mut self,
        reader: &mut impl Read,
        buffer: &mut [u8],
        is_complete: bool,
    ) -> Result<(io::Result<usize>, Instant), SessionError> {
        let _work = match self.opponents_position().filter(|_| self.settings.ponder) {
            Some(position) => Some(self.player.ponder(position)),
            None => self.answered.is_none().then(|| self.player.prepare()),
        };
        let waits_for = self.waits_for();
        // The search time of the player does not count as silence.
        if let Err(error) = self.silence.end(is_complete) {
            return self.give_up(error);
        }
        let (silence, stop) = (&mut self.silence, self.stop);
        let mut listen = || {
            loop {
                let read = reader.read(buffer);
                let now = Instant::now();
                if stop.load(Ordering::Relaxed) {
                    return Err(SessionError::Stopped);
                }
                match read.as_ref().map_err(io::Error::kind) {
                    Err(ErrorKind::Interrupted) => {}
                    Err(ErrorKind::WouldBlock | ErrorKind::TimedOut) => silence.check(now, waits_for)?,
                    _ => return Ok((read, now)),
                }
            }
        };
        listen().or_else(|error| self.give_up(error))
    }

    /// Returns the position if the opponent is to move.
    fn opponents_position(&self) -> Option<Position> {
        let position = self.state.as_ref()?.position;
        let is_opponents = self.team.is_some_and(|team| team != position.color().team());
        (is_opponents && !position.is_over() && self.result.is_none()).then_some(position)
    }

    /// Sends in one write. After a failed write, reads fail after the last messages of the server.
    fn send(&mut self, xml: &str) {
        log::trace!("sending {}", xml.trim_start());
        if let Err(error) = self.writer.write_all(xml.as_bytes()).and_then(|()| self.writer.flush()) {
            log::warn!("cannot send: {error}");
        }
    }

    fn send_close(&mut self) {
        let close = ClientMessage::Close.to_element(self.season).to_xml(1);
        self.send(&format!("{close}{CLOSING}"));
    }

    /// Leaves a running game. Closing loses it at once, so that the opponent does not have to wait.
    fn give_up<T>(&mut self, error: SessionError) -> Result<T, SessionError> {
        self.send_close();
        Err(error)
    }

    /// Returns the likely reason for a silence of the server.
    fn waits_for(&self) -> &'static str {
        match (&self.room, &self.state) {
            (None, _)
                if matches!(self.settings.join_mode, JoinMode::Reservation(_)) && self.season == Season::Season2021 =>
            {
                "the server has not answered; in a prepared game of season 2021 it answers when both players have joined"
            }
            (None, _) => "the server has not answered the request to join",
            (Some(_), None) => "the game has not started; it never will if the opponent left a prepared game",
            (Some(_), Some(_)) => "the game may be paused",
        }
    }

    fn outcome(&self) -> GameOutcome {
        GameOutcome { team: self.team, result: self.result.clone() }
    }

    /// Returns the outcome if the connection ends before the server sent `left`.
    fn connection_ended(&self, how: &str) -> Result<GameOutcome, SessionError> {
        let error = self.last_error.as_ref().map_or(String::new(), |text| format!(" after the error: {text}"));
        self.finished_or(match self.room {
            Some(_) => SessionError::ConnectionLost(format!("{how}{error}")),
            None => {
                let wanted = self.settings.season.game_type();
                let reason = match self.settings.join_mode {
                    _ if self.season != self.settings.season => {
                        format!("; it is a server of season {} and does not play {wanted}", self.season)
                    }
                    JoinMode::Any | JoinMode::Room(_) => {
                        format!(", as official servers do if they do not offer {wanted}")
                    }
                    JoinMode::Reservation(_) => String::new(),
                };
                SessionError::Rejected(format!(
                    "it closed the connection without an answer to the request to join{reason}"
                ))
            }
        })
    }

    /// Returns the outcome if there is a result, else `error`.
    fn finished_or(&self, error: SessionError) -> Result<GameOutcome, SessionError> {
        if self.result.is_some() { Ok(self.outcome()) } else { Err(error) }
    }
}
