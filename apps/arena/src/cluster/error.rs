//! Errors of a queue.

use std::fmt::Display;
use std::io;

use game::excerpt;
use thiserror::Error;

use crate::engines::SpecError;
use crate::plan::PlanError;

/// Error of a queue.
#[derive(Debug, Error)]
pub enum QueueError {
    /// The address is invalid, or the credentials cannot be read.
    #[error("{what}: {reason}")]
    Access {
        /// The given value.
        what: String,
        /// The reason.
        reason: String,
    },
    /// The server is unreachable or fails a request.
    #[error("the queue at {address}: cannot {what}: {reason}")]
    Server {
        /// Its address without secrets.
        address: String,
        /// The failed request.
        what: &'static str,
        /// The reason.
        reason: String,
    },
    /// A plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A contestant cannot be played with elsewhere.
    #[error(transparent)]
    Contestant(#[from] SpecError),
    /// An entry of the queue is unusable.
    #[error("the queue holds {what} that cannot be used: {reason}")]
    Unusable {
        /// The entry.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// A request to this machine's system failed.
    #[error("cannot {what}")]
    Machine {
        /// The failed request.
        what: &'static str,
        /// The reason.
        source: io::Error,
    },
}

impl QueueError {
    pub(super) fn no_queue() -> Self {
        Self::Access { what: "--queue".to_owned(), reason: "expected the URL of a queue server".to_owned() }
    }

    pub(super) fn unusable(what: &'static str, reason: impl Display) -> Self {
        Self::Unusable { what, reason: excerpt(reason.to_string()) }
    }

    /// Wraps an I/O error.
    pub(super) fn machine(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Machine { what, source }
    }

    /// Returns `true` if trying again later may help.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Server { .. })
    }
}
