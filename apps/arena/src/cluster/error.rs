//! Errors of a queue.

use std::fmt::Display;
use std::io;

use game::excerpt;
use thiserror::Error;

use crate::database::StoreError;
use crate::plan::PlanError;

/// Error of a queue.
#[derive(Debug, Error)]
pub enum QueueError {
    /// The server is unreachable or fails a request.
    #[error("the queue at {address}: cannot {what}: {reason}")]
    Server {
        /// Server address without credentials.
        address: String,
        /// The failed request.
        what: &'static str,
        /// Reason.
        reason: String,
    },
    /// A plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A game cannot be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The address, the credentials, a contestant, an entry of the queue or this machine cannot be used.
    #[error("{0}")]
    Other(String),
}

impl QueueError {
    pub(super) fn invalid(what: impl Display, reason: impl Display) -> Self {
        Self::Other(format!("{what}: {reason}"))
    }

    pub(super) fn unusable(what: &'static str, reason: impl Display) -> Self {
        Self::Other(format!("the queue holds {what} that cannot be used: {}", excerpt(reason.to_string())))
    }

    /// Wraps an I/O error.
    pub(super) fn io(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Other(format!("cannot {what}: {source}"))
    }

    /// Returns `true` if trying again later may help.
    pub(super) fn is_transient(&self) -> bool {
        matches!(self, Self::Server { .. })
    }
}
