//! Why requests fail, and the answers about it.

use arena::database;
use axum::Json;
use axum::http::StatusCode;
use serde_json::{Value, json};
use thiserror::Error;

use super::store::StoreError;
use super::worker::Panicked;
use crate::active::GameError;
use crate::new_game::NewGameError;

/// Why a request fails.
#[derive(Debug, Error)]
pub(crate) enum RequestError {
    #[error(transparent)]
    NewGame(#[from] NewGameError),
    #[error(transparent)]
    Game(#[from] GameError),
    #[error("{}", with_source(.0))]
    Archive(#[from] database::StoreError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Panicked(#[from] Panicked),
    #[error("there is no game with this link")]
    NoLink,
}

/// Formats an error and its causes.
fn with_source(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", with_source(source)),
        None => error.to_string(),
    }
}

impl RequestError {
    /// The identifier of the error in messages to the page.
    pub fn name(&self) -> &'static str {
        match self {
            Self::NewGame(error) => error.name(),
            Self::Game(error) => error.name(),
            Self::Archive(_) => "archive",
            Self::Store(error) => error.name(),
            Self::Panicked(_) => "internal",
            Self::NoLink => "no_link",
        }
    }
}

/// An answer about a failed request.
pub(super) type Failure = (StatusCode, Json<Value>);

/// Creates an answer: an identifier, which the page translates, and a text.
pub(super) fn failure(status: StatusCode, name: &str, text: impl ToString) -> Failure {
    (status, Json(json!({ "error": name, "text": text.to_string() })))
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        let status = match &error {
            RequestError::NewGame(_) | RequestError::Game(_) => StatusCode::BAD_REQUEST,
            RequestError::NoLink | RequestError::Archive(database::StoreError::Missing { .. }) => StatusCode::NOT_FOUND,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        failure(status, error.name(), error)
    }
}
