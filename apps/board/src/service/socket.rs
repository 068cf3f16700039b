//! A page at a WebSocket. What both sides say is in [`talk`].
//!
//! A view is the whole truth, and one comes first, of the place that is named by `?place=` or else of where the game
//! stands. So a page that has lost its connection misses nothing: it connects again. If there is nothing to see behind
//! the link, the first and last message says why: `{"type":"refused","id":null,"error":NAME,"text":WORDS}`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde_json::Value;

use super::room::{Room, RoomError, now};
use crate::session::By;
use crate::talk::{self, Request, refused};

/// The longest message of a client, in bytes.
pub(super) const LONGEST_MESSAGE: usize = 64 << 10;

struct Client {
    room: Arc<Room>,
    by: By,
    /// The place that is shown; `None` for wherever the game stands.
    place: Option<usize>,
}

/// Talks with a client until it goes.
pub(super) async fn serve(mut socket: WebSocket, room: Arc<Room>, by: By, place: Option<usize>) {
    let mut changes = room.watch();
    changes.mark_unchanged();
    let mut client = Client { room, by, place };
    if send(&mut socket, client.view()).await.is_err() {
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

/// Tells a client why there is nothing to see, as [`failure`](super::failure::failure) has it.
pub(super) async fn refuse(mut socket: WebSocket, reason: &Value) {
    let text = |field: &str| reason[field].as_str().unwrap_or_default();
    // Whoever has gone already needs no reason.
    let _ = send(&mut socket, refused(None, text("error"), text("text"))).await;
}

async fn send(socket: &mut WebSocket, message: Value) -> Result<(), axum::Error> {
    socket.send(Message::Text(message.to_string().into())).await
}

/// The answer to something that was asked for and changes what everybody sees, if it changes it.
fn outcome(id: Option<u64>, done: Result<(), RoomError>) -> Vec<Value> {
    match (done, id) {
        (Ok(()), Some(id)) => vec![talk::done(id)],
        (Ok(()), None) => Vec::new(),
        (Err(error), id) => vec![refused(id, error.name(), error)],
    }
}

impl Client {
    fn view(&self) -> Value {
        let (progress, trouble) = (self.room.progress(), self.room.trouble());
        self.room.look(|session| talk::view(session, self.place, self.by, now(), progress, trouble.as_ref()))
    }

    async fn answer(&mut self, text: &str) -> Vec<Value> {
        let request: Request = match serde_json::from_str(text) {
            Ok(request) => request,
            Err(error) => return vec![refused(None, "message", error)],
        };
        if request.is_for_host() && self.by != By::Host {
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
            Request::Why { id, shape, x, y } => vec![talk::why(&self.position(), id, &shape, x, y)],
            Request::Territory => vec![talk::reach(&self.position())],
            Request::Review => vec![self.room.look(talk::review)],
            Request::Opinion { id, mv } => {
                vec![self.room.look(|session| talk::opinion(session, self.place, id, &mv))]
            }
            Request::Hint { time, after } => {
                let position = talk::after(&self.position(), after.as_deref());
                self.room.hint(position, time.map(talk::hint_time));
                Vec::new()
            }
            Request::Analyse { time } => outcome(None, self.room.analyse(talk::analysis_time(time))),
            Request::Stop => {
                self.room.stop();
                Vec::new()
            }
            Request::MoveNow => outcome(None, self.room.move_now()),
            Request::Pace { time } => {
                self.room.set_pace(talk::pace(time));
                Vec::new()
            }
        }
    }

    fn position(&self) -> game::Position {
        self.room.look(|session| talk::position(session, self.place))
    }
}
