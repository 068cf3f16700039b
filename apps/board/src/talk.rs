//! What a page and whoever keeps the session say to each other.
//!
//! Both sides send JSON objects with a `type`. The page:
//!
//! | `type` | other fields | what |
//! |---|---|---|
//! | `act` | `id`, `action`, `on` | does an [`Action`], only if the session still has the version `on` unless that is null |
//! | `look` | `node` | shows that place from now on; null: wherever the game stands |
//! | `why` | `id`, `shape`, `x`, `y` | asks why the shape cannot be placed there |
//! | `territory`, `review` | | asks for what [`territory`] or [`Review`] say |
//! | `hint` | `time`, `after` | lets an engine search the shown place, or the position after a move there, this many milliseconds if a time is given; for the host |
//! | `opinion` | `id`, `move` | asks for the win probability after a move at the shown place |
//! | `analyse` | `time` | lets an engine look at the whole game, this many milliseconds at each place; for the host |
//! | `stop` | | ends both |
//! | `move_now` | | ends the thinking of the program on turn; for the host |
//! | `pace` | `time` | the least milliseconds between two moves of programs; for the host |
//!
//! The answers are `{"type":"done","id":…}`, `{"type":"refused","id":…,"error":NAME,"text":WORDS}`,
//! `{"type":"why","id":…,"why":…}`, `{"type":"opinion","id":…,"win":…,"is_done":…}`, `territory` and `review`. With every change comes
//! `{"type":"view","role":…,"progress":…,"trouble":…,"view":…}` with the [`View`] and, if a program cannot go on, the
//! [`Trouble`].

use std::time::Duration;

use game::{Color, Move, Position, Rotation, Shape};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::session::{Action, By, Insight, Millis, Review, Session, View, territory, why_not, words};

/// What a page asks for.
///
/// ```
/// use board::talk::Request;
///
/// assert_eq!(serde_json::from_str::<Request>(r#"{"type":"look","node":3}"#)?, Request::Look { node: Some(3) });
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "the table above has them")]
pub enum Request {
    Act {
        id: u64,
        action: Action,
        on: Option<u64>,
    },
    Look {
        node: Option<usize>,
    },
    Why {
        id: u64,
        shape: String,
        x: i32,
        y: i32,
    },
    Territory,
    Review,
    Hint {
        time: Option<u64>,
        after: Option<String>,
    },
    Opinion {
        id: u64,
        #[serde(rename = "move")]
        mv: String,
    },
    Analyse {
        time: u64,
    },
    Stop,
    MoveNow,
    Pace {
        time: u64,
    },
}

/// How long an engine may be asked to think about the place that is shown, in milliseconds.
const LONGEST_HINT: u64 = 10_000;

/// How long an engine may be asked to look at each place of a game, in milliseconds.
const LONGEST_ANALYSIS: u64 = 60_000;

/// The longest time between two moves of programs, in milliseconds.
const SLOWEST_PACE: u64 = 10_000;

impl Request {
    /// Whether only who made the game may ask for it.
    pub fn is_for_host(&self) -> bool {
        matches!(self, Self::Hint { .. } | Self::Analyse { .. } | Self::Stop | Self::MoveNow | Self::Pace { .. })
    }
}

/// The time that a hint is to take when one of so many milliseconds was asked for.
pub fn hint_time(millis: u64) -> Duration {
    Duration::from_millis(millis.clamp(10, LONGEST_HINT))
}

/// The time for each place of an analysis when one of so many milliseconds was asked for.
pub fn analysis_time(millis: u64) -> Duration {
    Duration::from_millis(millis.clamp(10, LONGEST_ANALYSIS))
}

/// The least time between two moves of programs when one of so many milliseconds was asked for.
pub fn pace(millis: u64) -> Duration {
    Duration::from_millis(millis.min(SLOWEST_PACE))
}

/// How far an analysis has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Progress {
    /// How many places have been looked at.
    pub done: usize,
    /// How many are to be looked at.
    pub total: usize,
}

/// Why a program cannot go on, for which its game is stopped.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Trouble {
    /// The colour that it plays.
    #[serde(serialize_with = "words::color::serialize")]
    pub color: Color,
    /// What it did or said.
    pub text: String,
}

/// What somebody may do, in one word: `host`, `watch` or the letters of the colours that are played.
pub fn role_name(by: By) -> String {
    match by {
        By::Host => "host".to_owned(),
        By::Guest(colors) => colors.iter().map(Color::letter).collect(),
        By::Watcher | By::Engine(_) | By::Clock | By::Server => "watch".to_owned(),
    }
}

/// Something that was asked for is done.
pub fn done(id: u64) -> Value {
    json!({ "type": "done", "id": id })
}

/// Something that was asked for is not done: a name for the page, which has its own words for it, and a text.
pub fn refused(id: Option<u64>, name: &str, text: impl ToString) -> Value {
    json!({ "type": "refused", "id": id, "error": name, "text": text.to_string() })
}

/// A session as somebody sees it, at a place or, if there is no such place any more, where the game stands.
pub fn view(
    session: &Session,
    place: Option<usize>,
    by: By,
    now: Millis,
    progress: Option<Progress>,
    trouble: Option<&Trouble>,
) -> Value {
    let place = place.unwrap_or_else(|| session.current());
    let view = View::of(session, place, by, now).or_else(|_| View::of(session, session.current(), by, now));
    match view {
        Ok(view) => {
            json!({ "type": "view", "role": role_name(by), "progress": progress, "trouble": trouble, "view": view })
        }
        Err(error) => refused(None, error.name(), error),
    }
}

/// The position at a place or, if there is no such place any more, where the game stands.
pub fn position(session: &Session, place: Option<usize>) -> Position {
    let position = place.and_then(|place| session.position_at(place).ok());
    position.unwrap_or(*session.position())
}

/// Why a shape cannot be placed in a position with the upper left of its bounding box on a cell.
pub fn why(position: &Position, id: u64, shape: &str, x: i32, y: i32) -> Value {
    match read_shape(shape) {
        Some(shape) => json!({ "type": "why", "id": id, "why": why_not(position, shape, x, y) }),
        None => refused(Some(id), "message", format!("there is no shape `{}`", game::excerpt(shape))),
    }
}

/// The position after a move; the same position if the move is missing or illegal.
pub fn after(position: &Position, mv: Option<&str>) -> Position {
    let mv: Option<Move> = mv.and_then(|mv| mv.parse().ok());
    mv.filter(|&mv| position.check(mv).is_ok()).map_or(*position, |mv| position.after(mv))
}

/// The win probability of the team to move after one of its moves, and whether the search is done.
pub fn opinion(session: &Session, place: Option<usize>, id: u64, mv: &str) -> Value {
    let before = position(session, place);
    let reached = after(&before, Some(mv));
    let known = session.insight(&reached).cloned().or_else(|| Insight::of_end(&reached));
    let win = known.as_ref().map(|insight| insight.win_of(before.color().team()));
    let is_done = known.is_some_and(|insight| insight.time > 0 || reached.is_over());
    json!({ "type": "opinion", "id": id, "win": win, "is_done": is_done })
}

/// Where the colours can still go.
pub fn reach(position: &Position) -> Value {
    json!({ "type": "territory", "territory": territory(position) })
}

/// Which moves of a session cost how much.
pub fn review(session: &Session) -> Value {
    json!({ "type": "review", "review": Review::of(session) })
}

/// The shape of a name such as `PENTO_W-RIGHT`.
fn read_shape(name: &str) -> Option<Shape> {
    let orientations =
        || [false, true].into_iter().flat_map(|flipped| Rotation::ALL.map(|rotation| (rotation, flipped)));
    let piece: game::Piece = name.split('-').next()?.parse().ok()?;
    orientations()
        .map(|(rotation, flipped)| Shape::of(piece, rotation, flipped))
        .find(|shape| shape.to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rules;

    #[test]
    fn opinion_is_about_the_position_after_the_move() {
        let mut session = Session::new(Position::new(Rules::Classic, None).expect("classic has a start"));
        let start = *session.position();
        assert_eq!(opinion(&session, None, 1, "MONO@0,0")["win"], Value::Null);
        assert_eq!(after(&start, Some("MONO@5,5")), start);
        let reached = after(&start, Some("MONO@0,0"));
        let insight = Insight { win: 0.25, margin: 0.0, nodes: 1, time: 5, line: Vec::new(), candidates: Vec::new() };
        session.learn(&reached, insight);
        let found = opinion(&session, None, 1, "MONO@0,0");
        assert_eq!((found["win"].as_f64(), found["is_done"].as_bool()), (Some(0.25), Some(true)));
    }
}
