//! Actions in a session, who may do them, and why they are refused.

use game::{Color, ColorSet, Move, Refusal, Team};
use record::FaultKind;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::seat::Seat;

/// An action, in JSON an object with its name as `do`.
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
    /// Plays a move or passes for the colour to move.
    Play {
        /// The move.
        #[serde(rename = "move")]
        mv: Move,
    },
    /// Resigns for a team.
    Resign {
        /// The team.
        team: Team,
    },
    /// Ends a game that is played elsewhere, by a fault of a team.
    Forfeit {
        /// The team.
        team: Team,
        /// The fault.
        kind: FaultKind,
        /// Its description.
        detail: String,
    },
    /// Ends the game because the team to move has used its time.
    TimeUp,
    /// Continues from another node. The moves after it stay as a variation.
    TakeBack {
        /// The number of the node, see [`PlyView::node`](super::PlyView::node).
        to: usize,
    },
    /// Undoes the last action of a person except pauses, and everything after it.
    Undo,
    /// Repeats the actions that were undone last.
    Redo,
    /// Sets the comment on a move; an empty text removes it.
    Comment {
        /// The number of the node after the move.
        node: usize,
        /// The comment.
        text: String,
    },
    /// Makes a move the first variation after its predecessor. The played game stays as it is.
    Promote {
        /// The number of the node after the move.
        node: usize,
    },
    /// Removes a move that is not part of the played game, and all moves after it.
    Delete {
        /// The number of the node after the move.
        node: usize,
    },
    /// Names a move, for example as the start of a variation, or at the start the game. An empty name removes it.
    Label {
        /// The number of the node after the move.
        node: usize,
        /// The name.
        name: String,
    },
    /// Sets the player of a colour.
    Sit {
        /// The colour.
        color: Color,
        /// The player.
        seat: Seat,
    },
    /// Names the player of a team.
    Name {
        /// The team.
        team: Team,
        /// The name.
        name: String,
    },
    /// Pauses the clock and the programs.
    Pause,
    /// Resumes them.
    Resume,
}

/// Who acts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum By {
    /// The host: plays all seats of persons, takes back, sets players, comments.
    Host,
    /// A person elsewhere with a link for some colours: plays and resigns for them.
    Guest(ColorSet),
    /// The program that plays a colour: plays, resigns, and pauses the game if it fails.
    Engine(Color),
    /// The clock: ends the game when the time is up.
    Clock,
    /// The server of a watched game: plays for guests, names them and ends the game.
    Server,
    /// A watcher: may do nothing.
    Watcher,
}

/// Why an action is refused. The session has not changed then.
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
    /// Only the host may do that.
    #[error("only the host of the game may do that")]
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
    /// The game has no such node.
    #[error("the game has no node {0}")]
    NoPlace(usize),
    /// The move is part of the played game.
    #[error("moves of the played game cannot be deleted")]
    Played,
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
    /// The identifier of the error, which clients translate.
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
            Self::Played => "played",
            Self::NothingToUndo => "nothing_to_undo",
            Self::NothingToRedo => "nothing_to_redo",
            Self::TextTooLong(_) => "text_too_long",
            Self::TooLong => "too_long",
        }
    }
}
