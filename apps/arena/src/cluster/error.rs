//! What can go wrong with a queue.

use std::fmt::Display;
use std::io;

use game::excerpt;
use thiserror::Error;

use crate::engines::SpecError;
use crate::plan::PlanError;

/// Why nothing can be played over a queue.
#[derive(Debug, Error)]
pub enum QueueError {
    /// The address is none, or what it takes to be let in cannot be read.
    #[error("{what}: {reason}")]
    Access {
        /// What was given.
        what: String,
        /// What is wrong about it.
        reason: String,
    },
    /// The server cannot be reached, or does not do what it should.
    #[error("the queue at {address}: cannot {what}: {reason}")]
    Server {
        /// Where it is, without anything that is secret.
        address: String,
        /// What it should have done.
        what: &'static str,
        /// Why it has not.
        reason: String,
    },
    /// A plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A contestant cannot be played with elsewhere.
    #[error(transparent)]
    Contestant(#[from] SpecError),
    /// What the queue holds cannot be used.
    #[error("the queue holds {what} that cannot be used: {reason}")]
    Unusable {
        /// What it is.
        what: &'static str,
        /// Why.
        reason: String,
    },
    /// This machine does not do what it should.
    #[error("cannot {what}")]
    Machine {
        /// What it should have done.
        what: &'static str,
        /// Why it has not.
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

    /// Makes an error out of what the system says.
    pub(super) fn machine(what: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Machine { what, source }
    }

    /// Whether trying again later may help.
    pub(super) fn may_pass(&self) -> bool {
        matches!(self, Self::Server { .. })
    }
}
