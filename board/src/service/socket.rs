//! What is said over a WebSocket.
//!
//! Both sides send JSON objects with a `type`. The client:
//!
//! | `type` | other fields | what |
//! |---|---|---|
//! | `act` | `id`, `action`, `on` | does an [`Action`], only if the session still has the version `on` unless that is null |
//! | `look` | `node` | shows that place from now on; null: wherever the game stands |
//! | `why` | `id`, `shape`, `x`, `y` | asks why the shape cannot be placed there |
//! | `territory`, `review` | | asks for what [`territory`] or [`Review`] say |
//! | `hint` | | lets an engine think about the place that is shown; for the host |
//! | `analyse` | `time` | lets an engine look at the whole game, this many milliseconds at each place; for the host |
//! | `stop` | | ends both |
//! | `move_now` | | ends the thinking of the program on turn; for the host |
//! | `pace` | `time` | the least milliseconds between two moves of programs; for the host |
//!
//! The service answers `{"type":"done","id":…}`, `{"type":"refused","id":…,"error":NAME,"text":WORDS}`,
//! `{"type":"why","id":…,"why":…}`, `territory` and `review`. With every change it sends
//! `{"type":"view","role":…,"progress":…,"trouble":…,"view":…}` with the [`View`]. A view is the whole truth, so a client that has
//! lost its connection misses nothing: it connects again with the last version that it saw as `?since=`, and is sent a
//! view, or `{"type":"same"}` if there is nothing new.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use game::{Rotation, Shape};
use serde::Deserialize;
use serde_json::{Value, json};

use super::links::role_name;
use super::room::{Room, RoomError, now};
use crate::session::{Action, By, Review, View, territory, why_not};

/// The longest message of a client, in bytes.
pub(super) const LONGEST_MESSAGE: usize = 64 << 10;

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    Act { id: u64, action: Action, on: Option<u64> },
    Look { node: Option<usize> },
    Why { id: u64, shape: String, x: i32, y: i32 },
    Territory,
    Review,
    Hint,
    Analyse { time: u64 },
    Stop,
    MoveNow,
    Pace { time: u64 },
}

struct Client {
    room: Arc<Room>,
    by: By,
    /// The place that is shown; `None` for wherever the game stands.
    place: Option<usize>,
}

/// Talks with a client until it goes.
pub(super) async fn serve(mut socket: WebSocket, room: Arc<Room>, by: By, since: Option<u64>) {
    let mut changes = room.watch();
    changes.mark_unchanged();
    let mut client = Client { room, by, place: None };
    let is_known = since.is_some_and(|since| client.room.look(|session| session.version()) == since);
    let first = if is_known { json!({ "type": "same" }) } else { client.view() };
    if send(&mut socket, first).await.is_err() {
        return;
    }
    loop {
        // Whoever looks on sees to it that the clock is looked at.
        let room = Arc::clone(&client.room);
        let time = tokio::task::spawn_blocking(move || room.check_time()).await.ok().flatten();
        let up = tokio::time::sleep(time.unwrap_or(Duration::from_secs(3600)));
        let answers = tokio::select! {
            changed = changes.changed() => match changed {
                Ok(()) => vec![client.view()],
                Err(_) => return,
            },
            () = up => Vec::new(),
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => client.answer(text.as_str()).await,
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Vec::new(),
                Some(Ok(Message::Binary(_))) => vec![refused(None, "message", "messages are text")],
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
        };
        for answer in answers {
            if send(&mut socket, answer).await.is_err() {
                return;
            }
        }
    }
}

async fn send(socket: &mut WebSocket, message: Value) -> Result<(), axum::Error> {
    socket.send(Message::Text(message.to_string().into())).await
}

fn refused(id: Option<u64>, name: &str, text: impl ToString) -> Value {
    json!({ "type": "refused", "id": id, "error": name, "text": text.to_string() })
}

/// The answer to something that was asked for and changes what everybody sees, if it changes it.
fn outcome(id: Option<u64>, done: Result<(), RoomError>) -> Vec<Value> {
    match (done, id) {
        (Ok(()), Some(id)) => vec![json!({ "type": "done", "id": id })],
        (Ok(()), None) => Vec::new(),
        (Err(error), id) => vec![refused(id, error.name(), error)],
    }
}

impl Client {
    fn view(&self) -> Value {
        let view = self.room.look(|session| {
            // A place that was undone is shown no more.
            let place = self.place.unwrap_or_else(|| session.current());
            View::of(session, place, self.by, now()).or_else(|_| View::of(session, session.current(), self.by, now()))
        });
        match view {
            Ok(view) => {
                json!({ "type": "view", "role": role_name(self.by), "progress": self.room.progress(),
                        "trouble": self.room.trouble(), "view": view })
            }
            Err(error) => refused(None, error.name(), error),
        }
    }

    async fn answer(&mut self, text: &str) -> Vec<Value> {
        let request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => return vec![refused(None, "message", error)],
        };
        let is_for_host = matches!(
            request,
            Request::Hint | Request::Analyse { .. } | Request::Stop | Request::MoveNow | Request::Pace { .. }
        );
        if is_for_host && self.by != By::Host {
            return vec![refused(None, "not_allowed", "only who made the game may do that")];
        }
        match request {
            Request::Act { id, action, on } => {
                let (room, by) = (Arc::clone(&self.room), self.by);
                match tokio::task::spawn_blocking(move || room.act(&action, by, on)).await {
                    Ok(done) => outcome(Some(id), done),
                    Err(_) => vec![refused(Some(id), "internal", "the service has made a mistake; see its log")],
                }
            }
            Request::Look { node } => {
                self.place = node;
                vec![self.view()]
            }
            Request::Why { id, shape, x, y } => vec![self.why(id, &shape, x, y)],
            Request::Territory => {
                let position = self.position();
                vec![json!({ "type": "territory", "territory": territory(&position) })]
            }
            Request::Review => {
                let review = self.room.look(Review::of);
                vec![json!({ "type": "review", "review": review })]
            }
            Request::Hint => {
                self.room.hint(self.position());
                Vec::new()
            }
            Request::Analyse { time } => {
                outcome(None, self.room.analyse(Duration::from_millis(time.clamp(10, 60_000))))
            }
            Request::Stop => {
                self.room.stop();
                Vec::new()
            }
            Request::MoveNow => outcome(None, self.room.move_now()),
            Request::Pace { time } => {
                self.room.set_pace(Duration::from_millis(time));
                Vec::new()
            }
        }
    }

    fn position(&self) -> game::Position {
        self.room.look(|session| {
            let place = self.place.and_then(|place| session.position_at(place).ok());
            place.unwrap_or(*session.position())
        })
    }

    fn why(&self, id: u64, shape: &str, x: i32, y: i32) -> Value {
        match read_shape(shape) {
            Some(shape) => json!({ "type": "why", "id": id, "why": why_not(&self.position(), shape, x, y) }),
            None => refused(Some(id), "message", format!("there is no shape `{}`", game::excerpt(shape))),
        }
    }
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
