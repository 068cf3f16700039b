//! A game on a server, from joining to leaving.

use std::io::{self, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

use game::{Position, Team};
use player::{Limit, Player, Report};
use protocol::{
    CLOSING, ClientMessage, Element, Frame, Framer, GameResult, OPENING, RoomData, Season, ServerMessage, State,
    WireMove,
};

use crate::answer::{choose, log_report, new_game};
use crate::outcome::{Outcome, SessionError};
use crate::pace::Pace;
use crate::ponder::read_and_ponder;
use crate::silence::Silence;

/// How to join, and how to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The season to join. What the server sends then decides which season it is.
    pub season: Season,
    /// Which game to join.
    pub entry: Entry,
    /// How long a move may take, counted from the moment the request for it arrives until the
    /// answer has been sent. The servers allow two seconds.
    pub time: Duration,
    /// How many nodes the player may visit for a move, if that is limited.
    pub nodes: Option<u64>,
    /// Whether the player thinks in the opponent's time, too.
    pub ponder: bool,
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
}

/// Joins a game and plays it to the end.
///
/// The reader may time out ([`ErrorKind::WouldBlock`] or [`ErrorKind::TimedOut`]); silence is only
/// noted, never given up on, because opponents may think for ten seconds and prepared games start
/// whenever they start.
///
/// # Errors
/// [`SessionError`] unless the server said that the game is over.
///
/// ```
/// use client::{Entry, SessionError, Settings, play};
/// use player::{Options, Player, RandomPlayer};
///
/// let settings = Settings {
///     season: protocol::Season::Season2027,
///     entry: Entry::Any,
///     time: std::time::Duration::from_millis(1900),
///     nodes: None,
///     ponder: false,
/// };
/// let mut player = RandomPlayer::new(&Options::default());
/// let (server, mut sent) = ("<protocol><errorpacket message='full'/>".as_bytes(), Vec::new());
/// let result = play(&settings, &mut player, server, &mut sent, &mut |_| {});
/// assert!(matches!(result, Err(SessionError::Rejected(reason)) if reason == "full"));
/// assert!(String::from_utf8(sent)?.contains("<join gameType=\"swc_2027_blokus\"/>"));
/// # Ok::<(), std::string::FromUtf8Error>(())
/// ```
pub fn play(
    settings: &Settings,
    player: &mut dyn Player,
    mut reader: impl Read,
    writer: impl Write,
    watch: &mut dyn FnMut(Event),
) -> Result<Outcome, SessionError> {
    let mut session = Session::new(settings, player, writer, watch);
    session.join();
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
    let mut buffer = [0; 1 << 14];
    let mut silence = Silence::new();
    loop {
        let (read, arrived) = session.read(&mut reader, &mut buffer);
        match read {
            Ok(0) => return session.connection_ended("the server closed it"),
            Ok(length) => {
                silence.end();
                framer.push(&buffer[..length]);
                loop {
                    match framer.next_frame() {
                        Ok(None) => break,
                        Ok(Some(Frame::Element(element))) => {
                            if let Some(outcome) = session.receive(&element, arrived)? {
                                return Ok(outcome);
                            }
                        }
                        Ok(Some(Frame::End)) => return session.connection_ended("the server said goodbye"),
                        Err(error) => return session.finished_or(SessionError::Protocol(error.to_string())),
                    }
                }
            }
            Err(error) => match error.kind() {
                ErrorKind::Interrupted => {}
                ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    if let Some(time) = silence.has_become_long(Instant::now()) {
                        log::warn!("nothing heard for {} s: {}. Waiting on", time.as_secs(), session.waits_for());
                    }
                }
                _ => return session.connection_ended(&error.to_string()),
            },
        }
    }
}

struct Session<'a, W> {
    settings: &'a Settings,
    player: &'a mut dyn Player,
    writer: W,
    watch: &'a mut dyn FnMut(Event),
    season: Season,
    room: Option<String>,
    team: Option<Team>,
    state: Option<State>,
    /// The turn that was answered last: a request may be repeated, an answer must not.
    answered: Option<u16>,
    pace: Pace,
    result: Option<GameResult>,
    /// The last complaint of the server, for the case that it hangs up afterwards.
    complaint: Option<String>,
}

impl<'a, W: Write> Session<'a, W> {
    fn new(settings: &'a Settings, player: &'a mut dyn Player, writer: W, watch: &'a mut dyn FnMut(Event)) -> Self {
        Self {
            settings,
            player,
            writer,
            watch,
            season: settings.season,
            room: None,
            team: None,
            state: None,
            answered: None,
            pace: Pace::new(settings.time),
            result: None,
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

    /// Reads; also says when something came.
    fn read(&mut self, reader: &mut impl Read, buffer: &mut [u8]) -> (io::Result<usize>, Instant) {
        match self.opponents_position() {
            Some(position) if self.settings.ponder => read_and_ponder(reader, buffer, self.player, &position),
            _ => (reader.read(buffer), Instant::now()),
        }
    }

    /// The position in which the opponent thinks, if it does.
    fn opponents_position(&self) -> Option<Position> {
        let position = self.state.as_ref()?.position;
        let is_opponents = self.team.is_some_and(|team| team != position.color().team());
        (is_opponents && !position.is_over() && self.result.is_none()).then_some(position)
    }

    /// Deals with a message; the outcome comes with the last one of the game.
    fn receive(&mut self, element: &Element, arrived: Instant) -> Result<Option<Outcome>, SessionError> {
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
                // It may have been the state; a move in an old one would be senseless.
                self.state = None;
                return Ok(None);
            }
        };
        match message {
            ServerMessage::Joined { room } => {
                log::info!(target: "summary", "joined room {room}, waiting for the game to start");
                self.room = Some(room);
            }
            ServerMessage::Room { room, .. } | ServerMessage::Left { room } if self.is_other(&room) => {
                log::debug!("ignoring a message about room {room}");
            }
            ServerMessage::Room { data, .. } => self.receive_data(data, arrived)?,
            ServerMessage::Left { .. } => {
                self.say_goodbye();
                return Ok(Some(self.outcome()));
            }
            ServerMessage::Error { message, .. } if self.room.is_none() => {
                self.say_goodbye();
                return Err(SessionError::Rejected(message));
            }
            ServerMessage::Error { message, .. } => self.complain(message),
            ServerMessage::Close => log::debug!("the server is about to close the connection"),
            ServerMessage::Prepared { .. } | ServerMessage::Observed { .. } | ServerMessage::JoinedGameRoom { .. } => {
                log::debug!("ignoring a message for administrators");
            }
            ServerMessage::Unknown { name } => log::debug!("ignoring an unknown message <{name}>"),
        }
        Ok(None)
    }

    fn receive_data(&mut self, data: RoomData, arrived: Instant) -> Result<(), SessionError> {
        match data {
            RoomData::Welcome(team) => {
                log::info!(target: "summary", "playing team {team} with {}", self.player.name());
                self.team = Some(team);
                new_game(self.player);
            }
            RoomData::Memento(state) => {
                for inconsistency in state.inconsistencies(self.state.as_ref().map(|before| &before.position)) {
                    log::warn!("turn {}: {inconsistency}", state.position.turn());
                }
                (self.watch)(Event::State(&state));
                self.state = Some(*state);
            }
            RoomData::MoveRequest => self.answer(arrived)?,
            RoomData::Result(result) => {
                (self.watch)(Event::Result(&result));
                self.result = Some(result);
            }
            RoomData::Error { message, .. } => self.complain(message),
            RoomData::Paused(paused) => log::info!("the game {}", if paused { "is halted" } else { "goes on" }),
            RoomData::Unknown { class } => log::debug!("ignoring unknown data of class {class}"),
        }
        Ok(())
    }

    fn answer(&mut self, arrived: Instant) -> Result<(), SessionError> {
        let (Some(state), Some(room)) = (&self.state, &self.room) else {
            return Err(SessionError::Protocol("it asks for a move without telling the state of the game".to_owned()));
        };
        let position = &state.position;
        if self.answered == Some(position.turn()) {
            log::info!("turn {}: the request is repeated and has been answered", position.turn());
            return Ok(());
        }
        if self.team.is_some_and(|team| team != position.color().team()) {
            log::warn!("turn {}: asked for a move of the other team", position.turn());
        }
        let deadline = arrived + self.pace.thinking_time();
        let limit = Limit { deadline: Some(deadline), nodes: self.settings.nodes };
        let report = choose(self.player, position, &limit);
        let mv = WireMove::new(position.color(), report.mv);
        let message = ClientMessage::Move { room: room.clone(), mv };
        let xml = message.to_element(self.season).to_xml(1);
        self.answered = Some(position.turn());
        self.send(&xml);
        self.note_answer(&report, arrived.elapsed());
        (self.watch)(Event::Answer(&report));
        Ok(())
    }

    fn note_answer(&mut self, report: &Report, time: Duration) {
        let Some(position) = self.state.as_ref().map(|state| &state.position) else { return };
        log_report(position, report, time);
        if self.pace.note_answer(time) {
            let (turn, thinking_time) = (position.turn(), self.pace.thinking_time());
            log::warn!(
                "turn {turn}: the answer was sent after {:.3} s; thinking {:.3} s from now on",
                time.as_secs_f64(),
                thinking_time.as_secs_f64()
            );
        }
    }

    fn complain(&mut self, message: String) {
        log::warn!("the server complains: {message}");
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

    /// What may be the matter when the server says nothing.
    fn waits_for(&self) -> &'static str {
        match (&self.room, &self.state) {
            (None, _) => {
                "the server has not let this client in yet; in season 2021 it does so when the opponent is there"
            }
            (Some(_), None) => {
                "the game has not started; if the opponent of a prepared game left before it did, it never will"
            }
            (Some(_), Some(_)) => "the game may be halted",
        }
    }

    fn outcome(&self) -> Outcome {
        Outcome { team: self.team, result: self.result.clone() }
    }

    /// The end of a connection that the server did not announce with `left`.
    fn connection_ended(&self, how: &str) -> Result<Outcome, SessionError> {
        let complaint = self.complaint.as_ref().map_or(String::new(), |text| format!(" after complaining: {text}"));
        self.finished_or(match self.room {
            Some(_) => SessionError::ConnectionLost(format!("{how}{complaint}")),
            None => SessionError::Rejected(format!(
                "no answer to the request to join, {how}. It may not play {}",
                self.season.game_type()
            )),
        })
    }

    /// With a result the game is over however the connection ends.
    fn finished_or(&self, error: SessionError) -> Result<Outcome, SessionError> {
        if self.result.is_some() { Ok(self.outcome()) } else { Err(error) }
    }
}
