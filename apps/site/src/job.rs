//! What a game asks of the engine, and what the engine tells of it: texts, for they stand in two workers.

use board::session::Insight;
use game::{Move, Position};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something to think about, in JSON for example `{"number":1,"delay":0,"position":…,"do":"think","time":500}`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// Tells it from all others of a page.
    pub number: u64,
    /// How many milliseconds pass before it begins.
    pub delay: u64,
    /// The position.
    #[serde(with = "text")]
    pub position: Position,
    /// What is wanted.
    #[serde(flatten)]
    pub work: Work,
}

/// What is wanted of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Work {
    /// The move of one of the lower levels.
    Choose {
        /// Its number.
        level: u8,
    },
    /// What is to be thought of it, in so many milliseconds.
    Think {
        /// The milliseconds.
        time: u64,
    },
    /// The same with the chances of all candidates.
    Hint {
        /// The milliseconds.
        time: u64,
    },
}

/// What an engine tells of a [`Job`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Told {
    /// The job.
    pub number: u64,
    /// Whether it is the last word.
    pub is_done: bool,
    /// What it says.
    #[serde(flatten)]
    pub answer: Answer,
}

/// What an engine says of a position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The move that it makes.
    Move(#[serde(with = "text")] Move),
    /// What it thinks.
    Insight(Insight),
}

/// What the page and the engine are to do after something has happened to a game.
#[derive(Default, Debug, Serialize)]
pub struct Outcome {
    /// The game as it is to be kept before anything is said.
    pub keep: Option<Kept>,
    /// What is said to the page.
    pub say: Vec<Value>,
    /// What the engine is to do now.
    pub engine: Option<Order>,
    /// In how many milliseconds the time of the team on turn is up.
    pub time: Option<u64>,
}

/// A game as it is kept.
#[derive(Debug, Serialize)]
pub struct Kept {
    /// How often it has changed.
    pub changes: u64,
    /// The session.
    pub document: String,
    /// What engines think of its positions, by their keys.
    pub insights: Vec<(String, Insight)>,
    /// What a list says of it.
    pub summary: Value,
}

/// What an engine is to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// This, and nothing else.
    Begin(Box<Job>),
    /// Come to an end with what it has thought so far.
    Finish,
    /// Nothing.
    Stop,
}

/// For `#[serde(with = …)]` of what has a notation.
mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
