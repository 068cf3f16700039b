//! Errors of requests and their responses.

use arena::database;
use axum::Json;
use axum::http::StatusCode;
use serde_json::{Value, json};
use thiserror::Error;

use super::store::GameStoreError;
use crate::refused::Refused;

pub(super) const NO_LINK: Refused = Refused::of("no_link", "there is no game with this link");

/// An error of a request.
#[derive(Debug, Error)]
pub(crate) enum RequestError {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Archive(#[from] database::StoreError),
    #[error(transparent)]
    Store(#[from] GameStoreError),
    #[error("internal error; see the log of the service")]
    Panicked,
}

impl RequestError {
    /// Returns the identifier of the error in messages to the page.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Refused(refused) => refused.name,
            Self::Archive(_) => "archive",
            Self::Store(error) => error.0.name,
            Self::Panicked => "internal",
        }
    }
}

/// The response to a failed request.
pub(super) type Failure = (StatusCode, Json<Value>);

/// Creates a response: an identifier, which the page translates, and a text.
pub(super) fn failure(status: StatusCode, name: &str, text: impl ToString) -> Failure {
    (status, Json(json!({ "error": name, "text": text.to_string() })))
}

impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        let status = match &error {
            RequestError::Refused(Refused { name: "no_link" | "not_found", .. })
            | RequestError::Archive(database::StoreError::Missing { .. }) => StatusCode::NOT_FOUND,
            RequestError::Refused(_) => StatusCode::BAD_REQUEST,
            _ => StatusCode::INTERNAL_SERVER_ERROR,
        };
        failure(status, error.name(), error)
    }
}
