//! Refusals of requests and actions.

use std::borrow::Cow;

use thiserror::Error;

/// A refusal. The refused request has changed nothing.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{text}")]
pub struct Refused {
    /// The identifier, which clients translate.
    pub name: &'static str,
    /// The reason in English.
    pub text: Cow<'static, str>,
}

impl Refused {
    pub(crate) const fn of(name: &'static str, text: &'static str) -> Self {
        Self { name, text: Cow::Borrowed(text) }
    }

    pub(crate) fn new(name: &'static str, text: String) -> Self {
        Self { name, text: Cow::Owned(text) }
    }
}
