//! Actions in a session, permissions and refusals.

use game::{Color, ColorSet, IllegalMove, Move, Team};
use record::FaultKind;
use serde::{Deserialize, Serialize};

use super::explain::rule_name;
use super::seat::Seat;
use crate::refused::Refused;

/// An action, in JSON an object with its name as `do`.
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
    /// Undoes the last action of a person and everything after it. Skips pauses and keeps names.
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

/// The role of an acting person.
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

pub(super) const OVER: Refused = Refused::of("game_over", "the game is over");
pub(super) const NOT_ALLOWED: Refused = Refused::of("not_allowed", "only the host of the game may do that");
pub(super) const PAUSED: Refused = Refused::of("paused", "the game is paused");
pub(super) const NOT_PAUSED: Refused = Refused::of("not_paused", "the game is not paused");
pub(super) const TIME_UP: Refused = Refused::of("time_up", "the time is up");
pub(super) const TIME_LEFT: Refused = Refused::of("time_left", "the time is not up yet");
pub(super) const PLAYED: Refused = Refused::of("played", "moves of the played game cannot be deleted");
pub(super) const HERE: Refused = Refused::of("here", "the game is already at this position");
pub(super) const NOTHING_TO_UNDO: Refused = Refused::of("nothing_to_undo", "there is nothing to take back");
pub(super) const NOTHING_TO_REDO: Refused = Refused::of("nothing_to_redo", "there is nothing to do again");
pub(super) const TOO_LONG: Refused =
    Refused::of("too_long", "the game has reached its limit of moves, variations or changes");

pub(super) fn illegal(mv: Move, reason: IllegalMove) -> Refused {
    Refused::new(rule_name(reason), format!("{mv}: {reason}"))
}

pub(super) fn no_node(number: usize) -> Refused {
    Refused::new("no_node", format!("the game has no node {number}"))
}
