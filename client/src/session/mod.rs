//! A game on a server, from joining to leaving.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use game::{Position, Team, excerpt, printable};
use player::{Budget, Player, Report};
use protocol::{
    CLOSING, ClientMessage, Element, Frame, Framer, GameResult, OPENING, RoomData, Season, ServerMessage, State,
    WireMove,
};

use crate::outcome::{GameOutcome, SessionError};
use crate::pace::DEFAULT_TIME;
use crate::player_thread::PlayerThread;
use crate::priority;
use crate::silence::Silence;
use crate::thinking::Thinking;

/// How to join, and how to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The season to join. What the server sends then decides which season it is.
    pub season: Season,
    /// Which game to join.
    pub entry: Entry,
    /// What a move may cost. Its time is counted from the moment the request arrives until the answer
    /// has been sent; the servers allow two seconds.
    pub budget: Budget,
    /// Whether the player thinks in the opponent's time, too.
    pub ponder: bool,
    /// After how much silence of the server the client gives up; `None` for never, because a prepared game starts
    /// whenever it starts.
    pub patience: Option<Duration>,
    /// How long to stay after the game unless the server hangs up, see [`PARTING`].
    pub parting: Duration,
}

/// How long a program stays after its game. The official test program looks once a second whether a client has ended,
/// and takes one that has before it has read the result itself for a crash. It gives clients five seconds to end.
pub const PARTING: Duration = Duration::from_secs(2);

/// Any game of the present season, with the usual time, left as soon as it is over.
impl Default for Settings {
    fn default() -> Self {
        Self {
            season: Season::default(),
            entry: Entry::Any,
            budget: Budget::time(DEFAULT_TIME),
            ponder: false,
            patience: None,
            parting: Duration::ZERO,
        }
    }
}

/// Which game to join.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    /// Any that waits for a player, or a new one.
    Any,
    /// The one in which a place is reserved under this code.
    Reservation(String),
    /// The one in this room, at a place that is not reserved.
    Room(String),
}

/// What happens in a game, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The server told the state.
    State(&'a State),
    /// The player has chosen a move.
    Answer(&'a Report),
    /// The server told the result.
    Result(&'a GameResult),
    /// The game is over for this client, which may stay for a moment yet.
    Over(&'a GameOutcome),
}

/// Joins a game and plays it to the end, or until somebody sets `stop`: then the game is given up as soon as the reader
/// and the player come back.
///
/// The player works in a thread of its own, so that answers are sent in time even if the player is late. The calling
/// thread gets a higher priority where the system allows that.
///
/// The reader may time out ([`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`]): that is how a long silence is
/// noticed.
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
    mut reader: impl Read,
    writer: impl Write,
    stop: &AtomicBool,
    watch: &mut dyn FnMut(Event),
) -> Result<GameOutcome, SessionError> {
    thread::scope(|scope| {
        let player = PlayerThread::start(scope, player)?;
        // The player's thread keeps the usual one.
        priority::raise();
        let mut session = Session::new(settings, &player, writer, stop, watch);
        session.join();
        let outcome = session.play(&mut reader)?;
        (session.watch)(Event::Over(&outcome));
        session.part(&mut reader);
        Ok(outcome)
    })
}

struct Session<'a, W> {
    settings: &'a Settings,
    player: &'a PlayerThread,
    writer: W,
    stop: &'a AtomicBool,
    watch: &'a mut dyn FnMut(Event),
    silence: Silence,
    season: Season,
    room: Option<String>,
    team: Option<Team>,
    state: Option<State>,
    /// The turn that was answered last: a request may be repeated, an answer must not.
    answered: Option<u16>,
    thinking: Thinking,
    result: Option<GameResult>,
    /// Whether the server has said that the game is over, and waits for the client to go.
    is_released: bool,
    /// The last complaint of the server, for the case that it hangs up afterwards.
    complaint: Option<String>,
}

impl<'a, W: Write> Session<'a, W> {
    fn new(
        settings: &'a Settings,
        player: &'a PlayerThread,
        writer: W,
        stop: &'a AtomicBool,
        watch: &'a mut dyn FnMut(Event),
    ) -> Self {
        Self {
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
            thinking: Thinking::new(settings.budget),
            result: None,
            is_released: false,
            complaint: None,
        }
    }

    fn join(&mut self) {
        let message = match &self.settings.entry {
            Entry::Any => ClientMessage::Join { game_type: Some(self.season.game_type().to_owned()) },
            Entry::Reservation(code) => ClientMessage::JoinPrepared { reservation: code.clone() },
            Entry::Room(room) => ClientMessage::JoinRoom { room: room.clone() },
        };
        let xml = message.to_element(self.season).to_xml(1);
        self.send(&format!("{OPENING}{xml}"));
    }

    /// Plays until the game is over.
    fn play(&mut self, reader: &mut impl Read) -> Result<GameOutcome, SessionError> {
        let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
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
                    Ok(Some(Frame::End)) => return self.connection_ended("the server said goodbye"),
                    Err(error) => return self.finished_or(SessionError::Protocol(error.to_string())),
                }
            }
        }
    }

    /// Stays for a moment after a game that the server has ended, and says goodbye.
    fn part(&mut self, reader: &mut impl Read) {
        if !self.is_released {
            return;
        }
        let until = Instant::now() + self.settings.parting;
        let mut buffer = [0; 1 << 10];
        while Instant::now() < until && !self.stop.load(Ordering::Relaxed) {
            match reader.read(&mut buffer) {
                Ok(1..) => {}
                Err(error)
                    if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                }
                Ok(0) | Err(_) => break,
            }
        }
        self.say_goodbye();
    }

    /// Reads what the server says next, and says when it came. `is_complete` says whether the last read completed a
    /// message. Until its first move the player gets ready, and while
    /// the opponent is on turn it may think ahead.
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
        // What the player has thought for is no silence of the server.
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
                    Err(ErrorKind::WouldBlock | ErrorKind::TimedOut) => silence.endure(now, waits_for)?,
                    _ => return Ok((read, now)),
                }
            }
        };
        listen().or_else(|error| self.give_up(error))
    }

    /// The position in which the opponent thinks, if it does.
    fn opponents_position(&self) -> Option<Position> {
        let position = self.state.as_ref()?.position;
        let is_opponents = self.team.is_some_and(|team| team != position.color().team());
        (is_opponents && !position.is_over() && self.result.is_none()).then_some(position)
    }

    /// Deals with a message; the outcome comes with the last one of the game.
    fn receive(&mut self, element: &Element, arrived: Instant) -> Result<Option<GameOutcome>, SessionError> {
        log::trace!("received {}", element.to_xml(0).trim_start());
        if let Some(season) = Season::of_message(element)
            && season != self.season
        {
            log::info!("this is a server of season {season}");
            self.season = season;
        }
        let message = match ServerMessage::parse(element, self.season) {
            Ok(message) => message,
            Err(error) => {
                log::error!("ignoring a message that cannot be understood: {error}");
                if self.may_be_state(element) {
                    // A move in an old one would mean nothing.
                    self.state = None;
                }
                return Ok(None);
            }
        };
        match message {
            ServerMessage::Joined { room } if self.is_other(&room) => {
                log::warn!(
                    "staying in the first room, although the server says that this client has joined room {}",
                    excerpt(&room)
                );
            }
            ServerMessage::Joined { room } => {
                log::info!(target: "summary", "joined room {}, waiting for the game to start", excerpt(&room));
                self.room = Some(room);
            }
            ServerMessage::Room { room, .. } | ServerMessage::Left { room } if self.is_other(&room) => {
                log::debug!("ignoring a message about room {}", excerpt(&room));
            }
            ServerMessage::Room { room, data } => self.receive_data(room, data, arrived)?,
            ServerMessage::Left { .. } => {
                self.is_released = true;
                return Ok(Some(self.outcome()));
            }
            ServerMessage::Error { message, .. } if self.room.is_none() => {
                self.say_goodbye();
                return Err(SessionError::Rejected(message));
            }
            ServerMessage::Error { message, .. } => self.complain(message),
            ServerMessage::Close => log::debug!("the server is about to close the connection"),
            ServerMessage::Prepared { .. }
            | ServerMessage::Observed { .. }
            | ServerMessage::JoinedGameRoom { .. }
            | ServerMessage::TestMode { .. }
            | ServerMessage::PlayerScore { .. } => log::debug!("ignoring a message for administrators"),
            ServerMessage::Unknown { name } => log::debug!("ignoring an unknown message <{}>", excerpt(&name)),
        }
        Ok(None)
    }

    /// Whether a message that cannot be understood may have been the state of this game.
    fn may_be_state(&self, element: &Element) -> bool {
        let is_here = element.attribute("roomId").is_none_or(|room| !self.is_other(room));
        let class = element.find("data").and_then(|data| data.attribute("class"));
        element.name() == "room" && is_here && class.is_none_or(|class| class == "memento")
    }

    fn receive_data(&mut self, room: String, data: RoomData, arrived: Instant) -> Result<(), SessionError> {
        match data {
            RoomData::Welcome(team) => {
                log::info!(target: "summary", "playing team {team} with {}", self.player.name());
                self.team = Some(team);
                self.player.new_game();
            }
            RoomData::Memento(state) => {
                for error in &state.unreadable {
                    log::warn!("turn {}: playing without what cannot be read: {error}", state.position.turn());
                }
                for inconsistency in state.inconsistencies(self.state.as_ref().map(|before| &before.position)) {
                    log::warn!("turn {}: {inconsistency}", state.position.turn());
                }
                (self.watch)(Event::State(&state));
                self.state = Some(*state);
            }
            RoomData::MoveRequest => self.answer(room, arrived)?,
            RoomData::Result(result) => {
                (self.watch)(Event::Result(&result));
                self.result = Some(result);
            }
            RoomData::Error { message, .. } => self.complain(message),
            RoomData::Paused(paused) => log::info!("the game {}", if paused { "is halted" } else { "goes on" }),
            RoomData::Unknown { class } => log::debug!("ignoring unknown data of class {}", excerpt(&class)),
        }
        Ok(())
    }

    fn answer(&mut self, room: String, arrived: Instant) -> Result<(), SessionError> {
        let Some(state) = &self.state else {
            return Err(SessionError::Protocol("it asks for a move without telling the state of the game".to_owned()));
        };
        // Who is asked for a move has joined, also if the server has not said so.
        let room = self.room.get_or_insert(room);
        let position = &state.position;
        if self.answered == Some(position.turn()) {
            log::info!("turn {}: the request is repeated and has been answered", position.turn());
            return Ok(());
        }
        if self.team.is_some_and(|team| team != position.color().team()) {
            log::warn!("turn {}: asked for a move of the other team", position.turn());
        }
        let Some(report) = self.thinking.choose_in_time(self.player, position, arrived, self.stop) else {
            return self.give_up(SessionError::Stopped);
        };
        let mv = WireMove::new(position.color(), report.mv);
        let message = ClientMessage::Move { room: room.clone(), mv };
        let xml = message.to_element(self.season).to_xml(1);
        self.answered = Some(position.turn());
        self.send(&xml);
        let time = arrived.elapsed();
        if let Some(state) = &self.state {
            self.thinking.note_answer(&state.position, &report, time);
        }
        (self.watch)(Event::Answer(&report));
        Ok(())
    }

    fn complain(&mut self, message: String) {
        log::warn!("the server complains: {}", printable(&message));
        self.complaint = Some(message);
    }

    fn is_other(&self, room: &str) -> bool {
        self.room.as_deref().is_some_and(|own| own != room)
    }

    /// Sends in one piece. A failure shows when reading, after what the server has yet to say.
    fn send(&mut self, xml: &str) {
        log::trace!("sending {}", xml.trim_start());
        if let Err(error) = self.writer.write_all(xml.as_bytes()).and_then(|()| self.writer.flush()) {
            log::warn!("cannot send: {error}");
        }
    }

    fn say_goodbye(&mut self) {
        let close = ClientMessage::Close.to_element(self.season).to_xml(1);
        self.send(&format!("{close}{CLOSING}"));
    }

    /// Leaves a game that the server has not ended: by saying goodbye, which costs it at once, so that the opponent
    /// need not wait.
    fn give_up<T>(&mut self, error: SessionError) -> Result<T, SessionError> {
        self.say_goodbye();
        Err(error)
    }

    /// What may be the matter when the server says nothing.
    fn waits_for(&self) -> &'static str {
        match (&self.room, &self.state) {
            (None, _) if matches!(self.settings.entry, Entry::Reservation(_)) && self.season == Season::Season2021 => {
                "the server has not answered; in a prepared game of season 2021 it does so when both players are there"
            }
            (None, _) => "the server has not answered the request to join",
            (Some(_), None) => {
                "the game has not started; if the opponent of a prepared game left before it did, it never will"
            }
            (Some(_), Some(_)) => "the game may be halted",
        }
    }

    fn outcome(&self) -> GameOutcome {
        GameOutcome { team: self.team, result: self.result.clone() }
    }

    /// The end of a connection that the server did not announce with `left`.
    fn connection_ended(&self, how: &str) -> Result<GameOutcome, SessionError> {
        let complaint = self.complaint.as_ref().map_or(String::new(), |text| format!(" after complaining: {text}"));
        self.finished_or(match self.room {
            Some(_) => SessionError::ConnectionLost(format!("{how}{complaint}")),
            None => {
                let wanted = self.settings.season.game_type();
                let reason = match self.season {
                    season if season == self.settings.season => format!("it may not play {wanted}"),
                    season => format!("it is a server of season {season} and does not play {wanted}"),
                };
                SessionError::Rejected(format!("no answer to the request to join, {how}; {reason}"))
            }
        })
    }

    /// With a result the game is over however the connection ends.
    fn finished_or(&self, error: SessionError) -> Result<GameOutcome, SessionError> {
        if self.result.is_some() { Ok(self.outcome()) } else { Err(error) }
    }
}
