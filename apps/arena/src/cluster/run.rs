//! Runs: requests of coordinators, and their descriptions for workers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::QueueError;
use super::files;
use super::names::RunName;
use super::server::Queue;
use crate::files::sha256;
use crate::plan::measure_speed;

/// Version of the messages between coordinators and workers.
const VERSION: u32 = 3;

/// Request for a run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunRequest {
    /// Name of the job type, see [`JobType::name`](super::JobType::name).
    pub kind: &'static str,
    /// Identity of the run in hexadecimal digits; the same request resumes the same run.
    pub key: String,
    /// Value that a worker must compute itself, see [`RunInfo::check`].
    pub check: String,
    /// Fingerprint of the build, shown if it differs.
    pub fingerprint: String,
    /// Description of the work for the job type. Files have the names given by [`file_name`](super::file_name).
    pub text: String,
    /// Reference machine of time limits.
    pub reference: Reference,
    /// Files, by their names in the queue.
    pub files: Vec<(String, Vec<u8>)>,
}

/// Reference machine of time limits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Reference {
    /// There are no times.
    None,
    /// One of this speed, see [`measure_speed`].
    Speed(f64),
    /// This machine while it plays this number of games at a time.
    Here(usize),
}

/// A published run, as workers see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunInfo {
    version: u32,
    pub(super) kind: String,
    #[serde(rename = "key")]
    check: String,
    fingerprint: String,
    /// The name of the file in the queue with the text.
    pub(super) text: String,
    /// Speed of the reference machine; `None` without time limits.
    pub(super) reference_speed: Option<f64>,
    /// Maximum silence of a worker.
    patience_ms: u64,
}

impl RunRequest {
    /// Creates a run without files and times for programs with the same fingerprint. `part` names its tasks, so that
    /// runs with equal texts have different keys.
    pub fn new(kind: &'static str, text: String, part: &str, fingerprint: String) -> Self {
        let key = sha256([kind, &text, part, &fingerprint].join("\n"));
        Self { kind, key, check: fingerprint.clone(), fingerprint, text, reference: Reference::None, files: Vec::new() }
    }

    pub(super) fn run(&self) -> RunName {
        RunName::of_key(&self.key)
    }

    /// Puts the text and all files into the queue.
    pub(super) async fn upload(&self, patience: Duration, queue: &Queue) -> Result<RunInfo, QueueError> {
        let text = files::name("run.txt", self.text.as_bytes());
        queue.put_file(&text, self.text.as_bytes()).await?;
        for (name, bytes) in &self.files {
            queue.put_file(name, bytes).await?;
        }
        let reference_speed = match self.reference {
            Reference::None => None,
            Reference::Speed(speed) => Some(speed),
            Reference::Here(concurrency) => {
                // A resumed run keeps its measured speed.
                let before = RunInfo::find(queue, &self.run()).await?.and_then(|info| info.reference_speed);
                Some(before.unwrap_or_else(|| measure_speed(concurrency)))
            }
        };
        let patience_ms = patience.as_millis() as u64;
        Ok(RunInfo {
            version: VERSION,
            kind: self.kind.to_owned(),
            check: self.check.clone(),
            fingerprint: self.fingerprint.clone(),
            text,
            reference_speed,
            patience_ms,
        })
    }
}

impl RunInfo {
    /// Finds a run; `None` if there is none, or one of another version.
    async fn find(queue: &Queue, run: &RunName) -> Result<Option<Self>, QueueError> {
        let found = queue.runs.get(run.as_str()).await.map_err(queue.failed("list runs"))?;
        Ok(found.and_then(|bytes| serde_json::from_slice(&bytes).ok()))
    }

    /// Publishes the run unless it is published already.
    pub(super) async fn publish(&self, queue: &Queue, run: &RunName) -> Result<(), QueueError> {
        if Self::find(queue, run).await?.as_ref() != Some(self) {
            // Numbers and texts can always be written.
            let bytes = serde_json::to_vec(self).unwrap_or_default();
            queue.runs.put(run.as_str(), bytes.into()).await.map_err(queue.failed("publish a run"))?;
        }
        Ok(())
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, QueueError> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }
        let version = serde_json::from_slice::<Version>(bytes).map_err(|error| QueueError::unusable("a run", error))?;
        if version.version != VERSION {
            let reason = format!("it is of version {}, this program knows version {VERSION}", version.version);
            return Err(QueueError::unusable("a run", reason));
        }
        serde_json::from_slice(bytes).map_err(|error| QueueError::unusable("a run", error))
    }

    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }

    /// Checks that a program that computes `own` and has this fingerprint gives the same results as the coordinator.
    pub fn check(&self, own: &str, fingerprint: &str) -> Result<(), String> {
        if own == self.check {
            return Ok(());
        }
        Err(format!(
            "this program has the fingerprint {fingerprint}, the plan needs {}: use the version that published it",
            self.fingerprint
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info() -> RunInfo {
        RunInfo {
            version: VERSION,
            kind: "games".to_owned(),
            check: "0".repeat(64),
            fingerprint: "1".repeat(16),
            text: String::new(),
            reference_speed: None,
            patience_ms: 5,
        }
    }

    #[test]
    fn rejects_other_fingerprint() {
        assert_eq!(info().check(&"0".repeat(64), "any"), Ok(()));
        let reason = info().check(&"2".repeat(64), "3333").unwrap_err();
        assert!(reason.contains("fingerprint 3333") && reason.contains(&"1".repeat(16)), "{reason}");
    }

    #[test]
    fn reads_published_run() {
        let text = serde_json::to_string(&info()).unwrap();
        assert_eq!(RunInfo::read(text.as_bytes()).unwrap(), info());
        let newer = RunInfo::read(text.replace("\"version\":3", "\"version\":4").as_bytes()).unwrap_err().to_string();
        assert!(newer.contains("version 4"), "{newer}");
        assert!(RunInfo::read(b"\x1b[2J").unwrap_err().to_string().contains("a run"));
    }
}
