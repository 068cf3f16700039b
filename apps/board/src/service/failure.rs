//! Answers about failed requests.

use arena::database::StoreError;
use axum::Json;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::actor::RequestError;
use super::archive::ArchiveError;
use super::registry::RegistryError;

/// An answer about a failed request.
pub(super) type Failure = (StatusCode, Json<Value>);

/// Creates an answer: an identifier, which the page translates, and a text.
pub(super) fn failure(status: StatusCode, name: &str, text: impl ToString) -> Failure {
    (status, Json(json!({ "error": name, "text": text.to_string() })))
}

impl From<RegistryError> for Failure {
    fn from(error: RegistryError) -> Self {
        let (status, name) = match &error {
            RegistryError::NoLink => (StatusCode::NOT_FOUND, "no_link"),
            RegistryError::Archive(ArchiveError::Store(StoreError::Missing { .. })) => {
                (StatusCode::NOT_FOUND, "archive")
            }
            RegistryError::Archive(ArchiveError::Panicked(_)) => (StatusCode::INTERNAL_SERVER_ERROR, "internal"),
            RegistryError::Archive(_) => (StatusCode::INTERNAL_SERVER_ERROR, "archive"),
            RegistryError::Store(error) | RegistryError::Request(RequestError::Store(error)) => {
                (StatusCode::INTERNAL_SERVER_ERROR, error.name())
            }
            RegistryError::Request(error) => (StatusCode::BAD_REQUEST, error.name()),
            RegistryError::NewGame(error) => (StatusCode::BAD_REQUEST, error.name()),
        };
        failure(status, name, error)
    }
}
