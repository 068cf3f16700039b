//! The messages between a page and the process that runs its game.
//!
//! Both sides send JSON objects with a `type`. The page:
//!
//! | `type` | other fields | meaning |
//! |---|---|---|
//! | `act` | `id`, `action`, `on` | applies an [`Action`], provided that the session has version `on` or `on` is null |
//! | `look` | `node` | shows that node from now on; null: the current one |
//! | `why` | `id`, `shape`, `x`, `y` | asks which rule forbids the placement |
//! | `territory`, `review` | | asks for the [`territory`] or the [`Review`] |
//! | `hint` | `time`, `after` | searches the shown node, or the position after a move there, for `time` milliseconds unless null; host only, all viewers see the result |
//! | `evaluation` | `id`, `move` | asks for the win probability after a move at the shown node |
//! | `analyse` | `id`, `time` | analyses the game, `time` milliseconds for each position; host only |
//! | `stop` | | stops both; host only |
//! | `move_now` | | makes the program play its move at once; host only |
//! | `pace` | `time` | sets the minimum time between two moves of programs; host only |
//!
//! The answers are `{"type":"done","id":…}`, `{"type":"refused","id":…,"error":NAME,"text":WORDS}`,
//! `{"type":"why","id":…,"why":…}`, `{"type":"evaluation","id":…,"win":…,"is_done":…}`, `territory` and `review`.
//! Every change brings `{"type":"view","role":…,"progress":…,"pace":…,"engine_error":…,"view":…}` with the [`View`],
//! the minimum time between two moves of programs and, if a program has failed, the
//! [`EngineError`](crate::active::EngineError).

use game::{Color, Move, Position, Shape};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::active::{ActiveGame, Event};
use crate::new_game::NewGame;
use crate::refused::Refused;
use crate::session::{Action, By, Insight, Millis, Review, Session, View, territory, why_not};

/// A request of a viewer.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "see the table above")]
pub enum ViewerRequest {
    Act { id: u64, action: Action, on: Option<u64> },
    Look { node: Option<usize> },
    Why { id: u64, shape: String, x: i32, y: i32 },
    Territory,
    Review,
    Hint { time: Option<u64>, after: Option<String> },
    Evaluation { id: u64, r#move: String },
    Analyse { id: u64, time: u64 },
    Stop,
    MoveNow,
    Pace { time: u64 },
}

/// Minimum time of a search in milliseconds.
const MIN_SEARCH_MS: u64 = 10;

/// Maximum time of a hint in milliseconds.
const MAX_HINT_MS: u64 = 10_000;

/// Maximum time for each position of an analysis in milliseconds.
const MAX_ANALYSIS_MS: u64 = 60_000;

/// Maximum time between two moves of programs in milliseconds.
const MAX_PACE_MS: u64 = 10_000;

/// A viewer of a game, for example a page.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    by: By,
    /// The node that is shown; `None` for the current one.
    node: Option<usize>,
}

/// The answer to a message.
#[derive(Debug)]
pub enum Reply {
    /// A message to the viewer.
    Message(Value),
    /// An event for the game, and the number of the request if its outcome is to be confirmed.
    Event(Option<u64>, Event),
}

impl Viewer {
    /// Creates a viewer.
    pub fn new(by: By, node: Option<usize>) -> Self {
        Self { by, node }
    }

    /// Returns the message with everything that the viewer sees.
    pub fn view(&self, game: &ActiveGame, now: Millis) -> Value {
        let view = View::of(game.session(), self.node, self.by, now);
        let (role, progress, error) = (role_name(self.by), game.progress(), game.engine_error());
        let pace = game.pace();
        json!({ "type": "view", "role": role, "progress": progress, "pace": pace, "engine_error": error, "view": view })
    }

    /// Answers a message of the viewer.
    pub fn answer(&mut self, text: &str, game: &ActiveGame, now: Millis) -> Reply {
        let message = Reply::Message;
        let event = |event| Reply::Event(None, event);
        let request: ViewerRequest = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => return message(refused(None, "message", error)),
        };
        let position = game.session().position_at(self.node);
        match request {
            ViewerRequest::Act { id, action, on } => Reply::Event(Some(id), Event::Act { action, by: self.by, on }),
            ViewerRequest::Look { node } => {
                self.node = node;
                message(self.view(game, now))
            }
            ViewerRequest::Why { id, shape, x, y } => message(why(&position, id, &shape, x, y)),
            ViewerRequest::Territory => message(json!({ "type": "territory", "territory": territory(&position) })),
            ViewerRequest::Review => message(json!({ "type": "review", "review": Review::of(game.session()) })),
            ViewerRequest::Evaluation { id, r#move } => message(evaluation(game.session(), self.node, id, &r#move)),
            _ if self.by != By::Host => message(refused(None, "not_allowed", "only the host of the game may do that")),
            ViewerRequest::Hint { time, after } => {
                let position = position_after(&position, after.as_deref());
                let time = time.map(|time| time.clamp(MIN_SEARCH_MS, MAX_HINT_MS));
                event(Event::Hint { position: position.into(), time })
            }
            ViewerRequest::Analyse { id, time } => {
                let time = time.clamp(MIN_SEARCH_MS, MAX_ANALYSIS_MS);
                Reply::Event(Some(id), Event::Analyse { time })
            }
            ViewerRequest::Stop => event(Event::Stop),
            ViewerRequest::MoveNow => event(Event::MoveNow),
            ViewerRequest::Pace { time } => event(Event::SetPace { time: time.min(MAX_PACE_MS) }),
        }
    }
}

/// Returns the name of a role in messages: `host`, `watch`, or the letters of a guest's colours.
pub fn role_name(by: By) -> String {
    match by {
        By::Host => "host".to_owned(),
        By::Guest(colors) => colors.iter().map(Color::letter).collect(),
        By::Watcher | By::Engine(_) | By::Clock | By::Server => "watch".to_owned(),
    }
}

/// Returns the message that a request is done.
pub fn done(id: u64) -> Value {
    json!({ "type": "done", "id": id })
}

/// Returns the message that a request is refused: an identifier, which the page translates, and a text.
pub fn refused(id: Option<u64>, name: &str, text: impl ToString) -> Value {
    json!({ "type": "refused", "id": id, "error": name, "text": text.to_string() })
}

/// A question about a position that somebody sets up.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetUp {
    /// The game that would start there.
    game: NewGame,
    /// A placement: its shape and the upper left of its bounding box.
    why: Option<(String, i32, i32)>,
}

impl SetUp {
    /// Returns the [`View`] of the position, and the rule that forbids the placement, as JSON.
    ///
    /// # Errors
    /// [`Refused`]
    pub fn answer(&self) -> Result<Value, Refused> {
        let session = self.game.session()?;
        let placed = self.why.as_ref().and_then(|(shape, x, y)| Some((read_shape(shape)?, *x, *y)));
        let why = placed.and_then(|(shape, x, y)| why_not(session.position(), shape, x, y));
        Ok(json!({ "view": View::of(&session, None, By::Host, 0), "why": why }))
    }
}

/// Returns the position after a move, or the same position if the move is missing or illegal.
fn position_after(position: &Position, mv: Option<&str>) -> Position {
    let mv: Option<Move> = mv.and_then(|mv| mv.parse().ok());
    mv.filter(|&mv| position.check(mv).is_ok()).map_or(*position, |mv| position.after(mv))
}

/// Returns the win probability of the team to move after one of its moves, and whether the search is done.
fn evaluation(session: &Session, node: Option<usize>, id: u64, mv: &str) -> Value {
    let before = session.position_at(node);
    let reached = position_after(&before, Some(mv));
    let known = session.insight(&reached).cloned().or_else(|| Insight::of_end(&reached));
    let win = known.as_ref().map(|insight| insight.win_of(before.color().team()));
    let is_done = known.is_some_and(|insight| insight.time > 0 || reached.is_over());
    json!({ "type": "evaluation", "id": id, "win": win, "is_done": is_done })
}

fn why(position: &Position, id: u64, shape: &str, x: i32, y: i32) -> Value {
    match read_shape(shape) {
        Some(shape) => json!({ "type": "why", "id": id, "why": why_not(position, shape, x, y) }),
        None => refused(Some(id), "message", format!("there is no shape `{}`", game::excerpt(shape))),
    }
}

/// Reads the name of a shape such as `PENTO_W-RIGHT`.
fn read_shape(name: &str) -> Option<Shape> {
    Shape::all().find(|shape| shape.to_string() == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rules;

    #[test]
    fn set_up_position_has_view_and_reason() {
        let person = json!({ "kind": "person" });
        let ask = |position: &str| {
            let game = json!({ "position": position, "seats": [person, person, person, person] });
            let asked: SetUp = serde_json::from_value(json!({ "game": game, "why": ["MONO", 5, 5] })).unwrap();
            asked.answer().map_err(|error| error.name)
        };
        let rest = "/20".repeat(18);
        let answer = ask(&format!("classic - 4 BYRG - BB18/20{rest}")).unwrap();
        assert_eq!((&answer["view"]["color"], &answer["why"]["rule"]), (&json!("BLUE"), &json!("no_shared_corner")));
        assert_eq!(ask(&format!("classic - 4 BYRG - BBB17/BBB17{rest}")).unwrap_err(), "no_piece");
        assert_eq!(ask(&format!("classic - 4 BYRG - B1B17/20{rest}")).unwrap_err(), "piece_twice");
    }

    #[test]
    fn evaluation_is_of_the_position_after_the_move() {
        let mut session = Session::new(Position::new(Rules::Classic, None).expect("classic has a start"));
        let start = *session.position();
        assert_eq!(evaluation(&session, None, 1, "MONO@0,0")["win"], Value::Null);
        assert_eq!(position_after(&start, Some("MONO@5,5")), start);
        let reached = position_after(&start, Some("MONO@0,0"));
        let insight = Insight { win: 0.25, margin: 0.0, nodes: 1, time: 5, line: Vec::new(), candidates: Vec::new() };
        session.add_insight(&reached, insight);
        let found = evaluation(&session, None, 1, "MONO@0,0");
        assert_eq!((found["win"].as_f64(), found["is_done"].as_bool()), (Some(0.25), Some(true)));
    }
}
