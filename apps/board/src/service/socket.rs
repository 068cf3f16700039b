//! A page at a WebSocket, see [`messages`](crate::messages).
//!
//! The first message is a view, of the node in `?node=` or else of the current one, so that a page that has lost its
//! connection just connects again. If there is nothing to see, the first and last message is
//! `{"type":"refused","id":null,"error":NAME,"text":WORDS}`.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{Message, WebSocket};
use serde_json::Value;
use tokio::time::{Instant, interval, timeout};

use super::actor::{GameHandle, now};
use crate::messages::{Reply, Viewer, done, refused};

/// Maximum length of a message of a client in bytes.
pub(super) const MAX_MESSAGE: usize = 64 << 10;

/// Serves a client until it leaves, or until nothing arrives for `silence` although it is pinged.
pub(super) async fn serve(mut socket: WebSocket, game: Arc<GameHandle>, mut viewer: Viewer, silence: Duration) {
    let mut changes = game.watch();
    let first = viewer.view(&changes.borrow_and_update(), now());
    if send(&mut socket, first, silence).await.is_none() {
        return;
    }
    let mut pings = interval(silence / 3);
    let mut heard = Instant::now();
    loop {
        let answer = tokio::select! {
            changed = changes.changed() => match changed {
                Ok(()) => Some(viewer.view(&changes.borrow_and_update(), now())),
                Err(_) => return,
            },
            () = game.ended() => return,
            _ = pings.tick() => {
                let ping = socket.send(Message::Ping(Default::default()));
                let is_dead = heard.elapsed() > silence || !matches!(timeout(silence, ping).await, Ok(Ok(())));
                if is_dead {
                    return;
                }
                continue;
            }
            message = socket.recv() => {
                heard = Instant::now();
                match message {
                    Some(Ok(Message::Text(text))) => answer(&mut viewer, &game, text.as_str()).await,
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => Some(refused(None, "message", "messages are text")),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            },
        };
        if let Some(answer) = answer
            && send(&mut socket, answer, silence).await.is_none()
        {
            return;
        }
    }
}

/// Tells a client why there is nothing to see, as in a [`failure`](super::failure::failure).
pub(super) async fn refuse(mut socket: WebSocket, reason: &Value, silence: Duration) {
    let text = |field: &str| reason[field].as_str().unwrap_or_default();
    // The client may have left.
    _ = send(&mut socket, refused(None, text("error"), text("text")), silence).await;
}

/// Sends a message. Returns `None` if the client does not take it in time.
async fn send(socket: &mut WebSocket, message: Value, time: Duration) -> Option<()> {
    timeout(time, socket.send(Message::Text(message.to_string().into()))).await.ok()?.ok()
}

async fn answer(viewer: &mut Viewer, game: &GameHandle, text: &str) -> Option<Value> {
    let (id, event) = match viewer.answer(text, &game.game(), now()) {
        Reply::Message(message) => return Some(message),
        Reply::Event(id, event) => (id, event),
    };
    match game.send(event).await {
        Ok(()) => id.map(done),
        Err(error) => Some(refused(id, error.name(), error)),
    }
}
