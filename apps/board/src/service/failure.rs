//! Answers that say why something cannot be done.

use axum::Json;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::lobby::LobbyError;

/// An answer that says why something cannot be done.
pub(super) type Failure = (StatusCode, Json<Value>);

/// The answer with this status: a name for the page, which has its own words for it, and a text.
pub(super) fn failure(status: StatusCode, name: &str, text: impl ToString) -> Failure {
    (status, Json(json!({ "error": name, "text": text.to_string() })))
}

impl From<LobbyError> for Failure {
    fn from(error: LobbyError) -> Self {
        let (status, name) = match &error {
            LobbyError::NoLink => (StatusCode::NOT_FOUND, "no_link"),
            LobbyError::Archive(arena::database::StoreError::Missing { .. }) => (StatusCode::NOT_FOUND, "archive"),
            LobbyError::Archive(_) => (StatusCode::INTERNAL_SERVER_ERROR, "archive"),
            LobbyError::Store(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.name()),
            LobbyError::Room(error) => (StatusCode::BAD_REQUEST, error.name()),
            LobbyError::Begin(error) => (StatusCode::BAD_REQUEST, error.name()),
        };
        failure(status, name, error)
    }
}
