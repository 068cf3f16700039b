//! Replays: files with the states and the result of a game, in the form of the official server.
//!
//! A replay is a `<protocol>` of the messages that a watcher of the game would get, each starting
//! at the left margin; it may be packed with gzip. Recorded sessions of players are read as well.

use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use game::{Refusal, Team};
use protocol::{
    CLOSING, Cause, Element, Frame, FrameError, Framer, GameResult, MessageError, OPENING, RoomData, Season,
    ServerMessage, State, WireMove,
};
use thiserror::Error;

use crate::record::{Fault, FaultKind, GameRecord, Ply, Side};
use crate::referee::FinishedGame;

/// A game as it stands in a file.
///
/// ```
/// use arena::replay::Replay;
/// use game::{Piece, Position, Rules};
/// use protocol::{Season, State};
///
/// let position = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let states = vec![State::new(Season::Season2027, position, None, ["", ""])];
/// let replay =
///     Replay { room: "r".to_owned(), season: Season::Season2027, states, error: None, result: None };
/// assert_eq!(Replay::parse(replay.to_xml().as_bytes())?, replay);
/// assert_eq!(replay.record(0)?.end(), position);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// The room's identifier.
    pub room: String,
    /// The season.
    pub season: Season,
    /// The states in order, without repetitions; at least one.
    pub states: Vec<State>,
    /// The message about the mistake that ended the game, if one did.
    pub error: Option<RoomData>,
    /// The result, if the game came to one.
    pub result: Option<GameResult>,
}

/// Why a file is no replay, or not one that can be used.
///
/// ```
/// use arena::replay::{Replay, ReplayError};
///
/// assert!(matches!(Replay::parse(b"<protocol>"), Err(ReplayError::NoSeason)));
/// ```
#[derive(Debug, Error)]
pub enum ReplayError {
    /// The file cannot be read or written.
    #[error("the file cannot be read or written")]
    File(#[from] io::Error),
    /// The bytes are no messages.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// A message lacks something.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// Nothing tells the season.
    #[error("the season cannot be recognised: there is no state of a game")]
    NoSeason,
    /// There is no state.
    #[error("there is no state of a game")]
    NoState,
    /// A move is not legal in the state before.
    #[error("turn {turn}: the move {mv:?} is refused, {refusal}")]
    Illegal {
        /// The turn of the state before.
        turn: u16,
        /// The move.
        mv: WireMove,
        /// Why.
        refusal: Refusal,
    },
    /// A state does not follow from the one before.
    #[error("the state of turn {turn} does not follow from the one before")]
    Gap {
        /// The turn of the state.
        turn: u16,
    },
}

/// More than any replay has, unpacked, in bytes.
const SIZE_LIMIT: u64 = 64 << 20;

impl Replay {
    /// Reads a file, packed or not.
    ///
    /// # Errors
    /// [`ReplayError`]
    pub fn read(path: &Path) -> Result<Self, ReplayError> {
        let packed = fs::read(path)?;
        let mut bytes = Vec::new();
        if packed.starts_with(&[0x1f, 0x8b]) {
            MultiGzDecoder::new(packed.as_slice()).take(SIZE_LIMIT).read_to_end(&mut bytes)?;
        } else {
            bytes = packed;
        }
        Self::parse(&bytes)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`ReplayError`]
    pub fn parse(bytes: &[u8]) -> Result<Self, ReplayError> {
        let elements = elements(bytes)?;
        let season = elements.iter().find_map(Season::of_message).ok_or(ReplayError::NoSeason)?;
        let mut replay = Self { room: String::new(), season, states: Vec::new(), error: None, result: None };
        for element in elements.iter().filter(|element| element.name() == "room") {
            let ServerMessage::Room { room, data } = ServerMessage::parse(element, season)? else { continue };
            match data {
                RoomData::Memento(state) => {
                    let is_new = |last: &State| last.position != state.position;
                    if replay.states.last().is_none_or(is_new) {
                        replay.states.push(*state);
                    }
                }
                RoomData::Result(result) => replay.result = Some(result),
                error @ RoomData::Error { .. } => replay.error = Some(error),
                _ => {}
            }
            replay.room = room;
        }
        if replay.states.is_empty() { Err(ReplayError::NoState) } else { Ok(replay) }
    }

    /// The text of the file.
    pub fn to_xml(&self) -> String {
        let states = self.states.iter().map(|state| RoomData::Memento(Box::new(state.clone())));
        let end = self.error.clone().into_iter().chain(self.result.clone().map(RoomData::Result));
        let mut xml = OPENING.to_owned();
        for data in states.chain(end) {
            xml += &ServerMessage::Room { room: self.room.clone(), data }.to_element(self.season).to_xml(0);
        }
        xml + CLOSING
    }

    /// Writes the file, packed if its name ends in `.gz`.
    ///
    /// # Errors
    /// Those of the file.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let xml = self.to_xml();
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut packer = GzEncoder::new(fs::File::create(path)?, Compression::default());
            packer.write_all(xml.as_bytes())?;
            packer.finish()?.sync_all()
        } else {
            fs::write(path, xml)
        }
    }

    /// The last state that is not after `turn`; the last of all without a turn.
    pub fn state_at(&self, turn: Option<u16>) -> Option<&State> {
        let mut states = self.states.iter().rev();
        states.find(|state| turn.is_none_or(|turn| state.position.turn() <= turn))
    }

    /// The replay of a recorded game of a season; `None` under other rules.
    pub fn of_record(game: &GameRecord, room: &str, names: [&str; 2], result: Option<GameResult>) -> Option<Self> {
        let season = Season::of_rules(game.start.rules())?;
        let last_moves = game.positions().zip(&game.plies).map(|(before, ply)| WireMove::new(before.color(), ply.mv));
        let last_moves = std::iter::once(None).chain(last_moves.map(Some));
        let states =
            game.positions().zip(last_moves).map(|(position, mv)| State::new(season, position, mv, names)).collect();
        Some(Self { room: room.to_owned(), season, states, error: None, result })
    }

    /// The game as a record, in which team one is [`Side::A`]. All moves are checked.
    ///
    /// # Errors
    /// [`ReplayError::Illegal`] and [`ReplayError::Gap`]
    pub fn record(&self, pair: u32) -> Result<GameRecord, ReplayError> {
        let (first, rest) = self.states.split_first().ok_or(ReplayError::NoState)?;
        let mut position = first.position;
        let mut plies = Vec::new();
        for state in rest {
            let turn = state.position.turn();
            let mv = state.last_move.ok_or(ReplayError::Gap { turn })?;
            let refused = |refusal| ReplayError::Illegal { turn: position.turn(), mv, refusal };
            let legal = mv.check(&position).map_err(refused)?;
            position.play(legal);
            if position != state.position {
                return Err(ReplayError::Gap { turn });
            }
            plies.push(Ply { mv: legal, choice: None });
        }
        let fault = self.result.as_ref().and_then(|result| self.fault(result));
        Ok(GameRecord { pair, team_of_a: Team::One, start: first.position, plies, fault })
    }

    /// Who lost by a fault, and by which, as far as the result tells.
    fn fault(&self, result: &GameResult) -> Option<(Side, Fault)> {
        let guilty = match self.season {
            Season::Season2021 => Team::ALL.into_iter().find(|&team| result.score(team).cause != Cause::Regular)?,
            Season::Season2027 if result.regular => return None,
            Season::Season2027 => result.winner()?.opponent(),
        };
        let reason = match self.season {
            Season::Season2021 => &result.score(guilty).reason,
            Season::Season2027 => &result.reason,
        };
        let kind = match result.score(guilty).cause {
            Cause::RuleViolation => FaultKind::Illegal,
            Cause::SoftTimeout | Cause::HardTimeout => FaultKind::Late,
            Cause::Left | Cause::Unknown => FaultKind::Left,
            Cause::Regular if reason.contains("verlassen") => FaultKind::Left,
            Cause::Regular if reason.contains("Sekunden") => FaultKind::Late,
            Cause::Regular => FaultKind::Illegal,
        };
        Some((if guilty == Team::One { Side::A } else { Side::B }, Fault::new(kind, reason)))
    }
}

impl From<FinishedGame> for Replay {
    fn from(game: FinishedGame) -> Self {
        let FinishedGame { room, season, states, error, result, .. } = game;
        // The server of season 2021 leaves the message out.
        let error = error.filter(|_| season == Season::Season2027);
        Self { room, season, states, error, result: Some(result) }
    }
}

/// The messages of a file; one that is cut off is read as far as it goes.
fn elements(bytes: &[u8]) -> Result<Vec<Element>, FrameError> {
    let mut framer = Framer::new(Framer::DEFAULT_LIMIT);
    framer.push(bytes);
    let mut elements = Vec::new();
    while let Some(Frame::Element(element)) = framer.next_frame()? {
        elements.push(element);
    }
    Ok(elements)
}
