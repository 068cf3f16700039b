//! Replays: files with the states and the result of a game, in the format of the official server.
//!
//! A replay is a `<protocol>` element with the messages that an observer receives, not indented. [`Replay::parse`] also
//! reads recorded sessions of players.

use game::{IllegalMove, Move, Position};
use thiserror::Error;

use crate::element::Element;
use crate::error::MessageError;
use crate::framer::{Frame, FrameError, Framer};
use crate::moves::WireMove;
use crate::result::GameResult;
use crate::season::Season;
use crate::server::{GameError, RoomData, ServerMessage};
use crate::state::{Inconsistency, State};
use crate::{CLOSING, OPENING};

/// A game from a replay file.
///
/// ```
/// use game::{Piece, Position, Rules};
/// use protocol::Replay;
///
/// let start = Position::new(Rules::Season2027, Some(Piece::PentoW))?;
/// let moves = ["PENTO_W@0,0".parse()?];
/// let replay = Replay::from_game("room", &start, moves, ["one", "two"]).expect("a season has these rules");
/// assert_eq!(Replay::parse(replay.to_xml().as_bytes())?, replay);
/// assert_eq!(replay.game()?, (start, moves.to_vec()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// The room's identifier.
    pub room: String,
    /// The season.
    pub season: Season,
    /// The states in order, without repetitions; at least one.
    pub states: Vec<State>,
    /// The last error that the server sent, if any.
    pub error: Option<GameError>,
    /// The result, if there is one.
    pub result: Option<GameResult>,
}

/// An error with its line in the file.
///
/// ```
/// let error = protocol::Replay::parse(b"<protocol>\n</room>").unwrap_err();
/// assert!(error.to_string().starts_with("line 2: "));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {error}")]
pub struct LineError<E> {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub error: E,
}

/// Reason why a file is not a usable replay.
///
/// ```
/// use protocol::{Replay, ReplayError};
///
/// assert!(matches!(Replay::parse(b"<protocol>"), Err(ReplayError::NoState)));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The bytes are not messages.
    #[error(transparent)]
    Frame(LineError<FrameError>),
    /// A message is incomplete or has an invalid value.
    #[error(transparent)]
    Message(LineError<MessageError>),
    /// The states belong to another game, for example the game of another year.
    #[error("this is not a Blokus replay: a state has neither `startPiece` nor `validColors`")]
    OtherGame,
    /// There is no complete state.
    #[error("the file has no complete state of a game")]
    NoState,
    /// There are more than 1000 states.
    #[error("there are more than {MAX_STATES} states")]
    TooLong,
    /// The first state contradicts itself.
    #[error("the state of turn {turn} is impossible: {inconsistency}")]
    Start {
        /// The turn of the state.
        turn: u16,
        /// The reason.
        inconsistency: Inconsistency,
    },
    /// A move is not legal in the state before.
    #[error("turn {turn}: the move {mv} is illegal: {reason}")]
    Illegal {
        /// The turn of the state before.
        turn: u16,
        /// The move.
        mv: WireMove,
        /// The reason.
        reason: IllegalMove,
    },
    /// A state does not follow from the one before.
    #[error("the state of turn {turn} does not follow from the one before")]
    Gap {
        /// The turn of the state.
        turn: u16,
    },
    /// The states stop before the result.
    #[error("the game has a result, but its states stop at turn {turn}, before its end")]
    Incomplete {
        /// The turn of the last state.
        turn: u16,
    },
}

/// Maximum number of states. Games have at most 100 turns, but a recording may go back and forth.
const MAX_STATES: usize = 1000;

impl Replay {
    /// Parses the text of a replay file. Reads a truncated file to its end; it has no result.
    ///
    /// # Errors
    /// [`ReplayError`]
    pub fn parse(bytes: &[u8]) -> Result<Self, ReplayError> {
        let mut framer = Framer::default();
        framer.push(bytes);
        let mut replay = None;
        loop {
            let frame = framer.next_frame();
            let frame = frame.map_err(|error| ReplayError::Frame(LineError { line: framer.line(), error }))?;
            let Some(Frame::Element(element)) = frame else { break };
            let in_message = |error| ReplayError::Message(LineError { line: framer.line_of_message(), error });
            if is_of_other_game(&element) {
                return Err(ReplayError::OtherGame);
            }
            // No message of the game precedes the first that shows the season.
            if replay.is_none() {
                replay = Season::from_message(&element).map(Self::empty);
            }
            if let Some(replay) = replay.as_mut().filter(|_| element.name() == "room") {
                let message = ServerMessage::parse(&element, replay.season).map_err(in_message)?;
                if let ServerMessage::Room { data: RoomData::Memento(state), .. } = &message
                    && let Some(error) = state.unreadable.first()
                {
                    return Err(in_message(error.clone()));
                }
                replay.add(message)?;
            }
        }
        replay.filter(|replay| !replay.states.is_empty()).ok_or(ReplayError::NoState)
    }

    fn empty(season: Season) -> Self {
        Self { room: String::new(), season, states: Vec::new(), error: None, result: None }
    }

    /// Adds a message to the game.
    fn add(&mut self, message: ServerMessage) -> Result<(), ReplayError> {
        let ServerMessage::Room { room, data } = message else { return Ok(()) };
        match data {
            RoomData::Memento(state) => {
                let is_new = |last: &State| last.position != state.position;
                if self.states.last().is_none_or(is_new) {
                    self.states.push(*state);
                }
                if self.states.len() > MAX_STATES {
                    return Err(ReplayError::TooLong);
                }
            }
            RoomData::Result(result) => self.result = Some(result),
            RoomData::Error(error) => self.error = Some(error),
            _ => {}
        }
        self.room = room;
        Ok(())
    }

    /// Returns the replay as XML.
    pub fn to_xml(&self) -> String {
        let states = self.states.iter().map(|state| RoomData::Memento(Box::new(state.clone())));
        let error = self.error.clone().map(RoomData::Error);
        let end = error.into_iter().chain(self.result.clone().map(RoomData::Result));
        let mut xml = OPENING.to_owned();
        for data in states.chain(end) {
            xml += &ServerMessage::Room { room: self.room.clone(), data }.to_element(self.season).to_xml(0);
        }
        xml + CLOSING
    }

    /// Returns the last state up to `turn`; the last of all if `turn` is `None`.
    pub fn state_at(&self, turn: Option<u16>) -> Option<&State> {
        let mut states = self.states.iter().rev();
        states.find(|state| turn.is_none_or(|turn| state.position.turn() <= turn))
    }

    /// Returns the replay of a game without its result; `None` if no season uses the rules. `names` are the players of
    /// teams one and two.
    ///
    /// # Panics
    /// With debug assertions, if a move is illegal; see [`Position::play`].
    pub fn from_game(
        room: &str,
        start: &Position,
        moves: impl IntoIterator<Item = Move>,
        names: [&str; 2],
    ) -> Option<Self> {
        let season = Season::from_rules(start.rules())?;
        let mut states = vec![State::new(season, *start, None, names)];
        let mut position = *start;
        for mv in moves {
            let wire_move = WireMove::new(position.color(), mv);
            position.play(mv);
            states.push(State::new(season, position, Some(wire_move), names));
        }
        Some(Self { room: room.to_owned(), season, states, error: None, result: None })
    }

    /// Returns the start position and the checked moves. Without a result, the game may be unfinished.
    ///
    /// # Errors
    /// [`ReplayError::NoState`], [`ReplayError::Start`], [`ReplayError::Illegal`], [`ReplayError::Gap`] and
    /// [`ReplayError::Incomplete`]
    pub fn game(&self) -> Result<(Position, Vec<Move>), ReplayError> {
        let (first, rest) = self.states.split_first().ok_or(ReplayError::NoState)?;
        let mut position = first.position;
        // Later states are compared below.
        if let Some(inconsistency) = first.inconsistencies(None).pop() {
            return Err(ReplayError::Start { turn: position.turn(), inconsistency });
        }
        let mut moves = Vec::new();
        for state in rest {
            let turn = state.position.turn();
            let mv = state.last_move.ok_or(ReplayError::Gap { turn })?;
            let illegal = |reason| ReplayError::Illegal { turn: position.turn(), mv, reason };
            let legal = mv.check(&position).map_err(illegal)?;
            position.play(legal);
            if position != state.position {
                return Err(ReplayError::Gap { turn });
            }
            moves.push(legal);
        }
        if self.result.as_ref().is_some_and(|result| result.regular) && !position.is_over() {
            return Err(ReplayError::Incomplete { turn: position.turn() });
        }
        Ok((first.position, moves))
    }
}

/// Returns `true` if the message is a state of another game than Blokus.
fn is_of_other_game(message: &Element) -> bool {
    let memento = message.find("data").filter(|data| data.attribute("class") == Some("memento"));
    let state = memento.and_then(|data| data.find("state"));
    state.is_some_and(|state| state.attribute("startPiece").is_none() && state.find("validColors").is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_line() {
        let start = "<protocol>\n<room roomId='r'>\n<data class='moveRequest'/></room>\n";
        for end in ["<left>\n</right>", "\n<room>\n</room>", "text\n&", "\n<room\nroomId='r'/>"] {
            let error = Replay::parse([start, end].concat().as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with("line 5: "), "{error}");
        }
    }
}
