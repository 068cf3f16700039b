//! What can be done in a session, by whom, and why it is refused.

use game::{Color, ColorSet, Move, Refusal, Team};
use record::FaultKind;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::seat::Seat;
use super::words;

/// Something that somebody wants to do, in JSON an object whose `do` says what.
///
/// ```
/// use board::session::Action;
/// use game::Move;
///
/// let action: Action = serde_json::from_str(r#"{"do":"play","move":"PENTO_W@0,0"}"#)?;
/// assert_eq!(action, Action::Play { mv: "PENTO_W@0,0".parse()? });
/// assert_eq!(serde_json::to_string(&Action::TakeBack { to: 3 })?, r#"{"do":"take_back","to":3}"#);
/// let error = serde_json::from_str::<Action>(r#"{"do":"play","move":"PENTO_Q@0,0"}"#).unwrap_err();
/// assert!(error.to_string().contains("PENTO_Q"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Action {
    /// Makes a move for the colour on turn, be it a pass.
    Play {
        /// The move.
        #[serde(rename = "move", with = "words::mv")]
        mv: Move,
    },
    /// Gives the game up for a team.
    Resign {
        /// The team.
        #[serde(with = "words::team")]
        team: Team,
    },
    /// Ends a game that is played elsewhere by the fault of a team.
    Forfeit {
        /// The team.
        #[serde(with = "words::team")]
        team: Team,
        /// What it did.
        #[serde(with = "words::fault")]
        kind: FaultKind,
        /// The same as text.
        detail: String,
    },
    /// Ends the game of a team that has used up its time.
    TimeUp,
    /// Goes on from another place of the game. What was played after it stays as a variation.
    TakeBack {
        /// The number of the place, see [`PlyView::node`](super::PlyView::node).
        to: usize,
    },
    /// Takes back the last thing that a person did other than to pause the game or to go on, and all that was done after
    /// it, without a trace.
    Undo,
    /// Does again what was undone last.
    Redo,
    /// Says something about a move, or nothing any more.
    Comment {
        /// The number of the place after the move.
        node: usize,
        /// What is said.
        text: String,
    },
    /// Gives a colour to somebody.
    Sit {
        /// The colour.
        #[serde(with = "words::color")]
        color: Color,
        /// Who plays it from now on.
        seat: Seat,
    },
    /// Names the player of a team.
    Name {
        /// The team.
        #[serde(with = "words::team")]
        team: Team,
        /// What it is called.
        name: String,
    },
    /// Stops the clock and the programs.
    Pause,
    /// Lets them go on.
    Resume,
}

/// Who does it.
///
/// ```
/// use board::session::By;
/// use game::Color;
///
/// assert_ne!(By::Host, By::Engine(Color::Blue));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// Whoever made the game: plays all seats of persons, takes back, gives seats away, comments.
    Host,
    /// A person elsewhere with the link of some seats: moves there and may resign.
    Guest(ColorSet),
    /// The program that plays a colour: moves when it is on turn, resigns, and stops the game when it cannot go on.
    Engine(Color),
    /// The time: ends games in which it is up.
    Clock,
    /// The server of a game that is watched here while it is played there: makes the moves of all who are elsewhere,
    /// names them and ends the game.
    Server,
    /// Somebody who looks on and may do nothing.
    Watcher,
}

/// Why something cannot be done. Nothing has changed then.
///
/// ```
/// use board::session::{Action, ActionError, By, Session};
/// use game::{Position, Refusal, Rules};
///
/// let mut session = Session::new(Position::new(Rules::Classic, None)?);
/// let error = session.act(&Action::Play { mv: "MONO@5,5".parse()? }, By::Host, 0).unwrap_err();
/// assert_eq!(error, ActionError::Illegal { mv: "MONO@5,5".parse()?, refusal: Refusal::NotOnStart });
/// assert_eq!(error.to_string(), "MONO@5,5: the first piece must cover a start cell");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ActionError {
    /// The rules forbid the move.
    #[error("{mv}: {refusal}")]
    Illegal {
        /// The move.
        mv: Move,
        /// The rule.
        refusal: Refusal,
    },
    /// The game has ended.
    #[error("the game is over")]
    Over,
    /// Somebody else plays the colour.
    #[error("{0} is played by somebody else")]
    NotYours(Color),
    /// Not everybody may do that.
    #[error("only who made the game may do that")]
    NotAllowed,
    /// The game is paused.
    #[error("the game is paused")]
    Paused,
    /// The game is not paused.
    #[error("the game is not paused")]
    NotPaused,
    /// The time for the move is up.
    #[error("the time is up")]
    TimeUp,
    /// There is time left.
    #[error("the time is not up yet")]
    TimeLeft,
    /// There is no such place in the game.
    #[error("the game has no place {0}")]
    NoPlace(usize),
    /// The game stands there already.
    #[error("the game stands there already")]
    Here,
    /// There is nothing to take back.
    #[error("there is nothing to take back")]
    NothingToUndo,
    /// There is nothing to do again.
    #[error("there is nothing to do again")]
    NothingToRedo,
    /// A text is too long.
    #[error("the text has more than {0} bytes")]
    TextTooLong(usize),
    /// The game is too long.
    #[error("the game has too many moves, variations or changes to go on")]
    TooLong,
}

impl ActionError {
    /// The error in one word, for faces that have words of their own.
    ///
    /// ```
    /// use board::session::ActionError;
    ///
    /// assert_eq!(ActionError::NothingToUndo.name(), "nothing_to_undo");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Self::Illegal { refusal, .. } => super::rule_name(*refusal),
            Self::Over => "game_over",
            Self::NotYours(_) => "not_yours",
            Self::NotAllowed => "not_allowed",
            Self::Paused => "paused",
            Self::NotPaused => "not_paused",
            Self::TimeUp => "time_up",
            Self::TimeLeft => "time_left",
            Self::NoPlace(_) => "no_place",
            Self::Here => "here",
            Self::NothingToUndo => "nothing_to_undo",
            Self::NothingToRedo => "nothing_to_redo",
            Self::TextTooLong(_) => "text_too_long",
            Self::TooLong => "too_long",
        }
    }
}
