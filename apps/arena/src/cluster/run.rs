//! Runs: requests of coordinators, and their descriptions for workers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::QueueError;
use super::files;
use super::names::RunName;
use super::server::Queue;

/// Version of the messages between coordinators and workers.
const VERSION: u32 = 4;

/// Request for a run.
#[derive(Clone, PartialEq, Debug)]
pub struct RunRequest {
    /// Description of the run; the coordinator sets the patience.
    pub(super) info: RunInfo,
    /// Files, by their names in the queue.
    pub(super) files: Vec<(String, Vec<u8>)>,
}

/// A published run, as workers see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunInfo {
    version: u32,
    /// Identity of the run in hexadecimal digits, which a worker must compute itself, see [`RunInfo::check`]. The same
    /// request resumes the same run.
    pub(super) key: String,
    /// Fingerprint of the build, shown if it differs.
    fingerprint: String,
    /// The name of the plan's file in the queue.
    pub(super) plan: String,
    /// Maximum silence of a worker.
    patience_ms: u64,
}

impl RunRequest {
    /// Creates the run of a plan with these [`key`](crate::plan::Plan::key) and
    /// [`fingerprint`](crate::plan::Plan::fingerprint), without other files.
    pub(super) fn new(plan: String, key: String, fingerprint: String) -> Self {
        let file = (files::name("plan.toml", plan.as_bytes()), plan.into_bytes());
        let info = RunInfo { version: VERSION, key, fingerprint, plan: file.0.clone(), patience_ms: 0 };
        Self { info, files: vec![file] }
    }

    pub(super) fn run(&self) -> RunName {
        RunName::of_key(&self.info.key)
    }

    /// Puts the files into the queue.
    pub(super) async fn upload(&self, patience: Duration, queue: &Queue) -> Result<RunInfo, QueueError> {
        for (name, bytes) in &self.files {
            queue.put_file(name, bytes).await?;
        }
        Ok(RunInfo { patience_ms: patience.as_millis() as u64, ..self.info.clone() })
    }
}

impl RunInfo {
    /// Publishes the run unless it is published already.
    pub(super) async fn publish(&self, queue: &Queue, run: &RunName) -> Result<(), QueueError> {
        // Numbers and texts can always be written.
        let bytes = serde_json::to_vec(self).unwrap_or_default();
        let found = queue.runs.get(&run.0).await.map_err(queue.server_error("list runs"))?;
        if found.is_none_or(|found| found != bytes) {
            queue.runs.put(&run.0, bytes.into()).await.map_err(queue.server_error("publish a run"))?;
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
        if own == self.key {
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

    #[test]
    fn reads_published_run_of_same_build() {
        let RunRequest { info, .. } = RunRequest::new(String::new(), "0".repeat(64), "1".repeat(16));
        let text = serde_json::to_string(&info).unwrap();
        assert_eq!(RunInfo::read(text.as_bytes()).unwrap(), info);
        let newer = RunInfo::read(text.replace("\"version\":4", "\"version\":5").as_bytes()).unwrap_err().to_string();
        assert!(newer.contains("version 5"), "{newer}");
        assert!(RunInfo::read(b"\x1b[2J").unwrap_err().to_string().contains("a run"));
        assert_eq!(info.check(&"0".repeat(64), "any"), Ok(()));
        let reason = info.check(&"2".repeat(64), "3333").unwrap_err();
        assert!(reason.contains("fingerprint 3333") && reason.contains(&"1".repeat(16)), "{reason}");
    }
}
