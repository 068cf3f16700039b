//! Descriptions of runs for workers.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::QueueError;
use super::files;
use super::names::RunName;
use super::server::Queue;
use crate::files::read;
use crate::plan::{Plan, PlanError};

/// Version of the messages between coordinators and workers.
const VERSION: u32 = 4;

/// A published run, as workers see it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct RunInfo {
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

impl RunInfo {
    /// Uploads the files of a plan with this [key](Plan::key) and returns its run. If a worker is silent for
    /// `patience`, another one gets its job.
    ///
    /// # Errors
    /// [`QueueError`] if a file cannot be read or sent, or games cannot begin.
    pub(super) async fn upload(plan: &Plan, key: &str, patience: Duration, queue: &Queue) -> Result<Self, QueueError> {
        let mut files = Vec::new();
        let mut add = |path: &str, bytes: Vec<u8>| {
            let name = files::name(path, &bytes);
            files.push((name.clone(), bytes));
            name
        };
        let text = plan.to_text_with(|path| {
            let bytes = read(path.as_ref()).map_err(|error| PlanError::unreadable(path, error))?;
            Ok::<_, PlanError>(add(path, bytes))
        })?;
        let plan_file = add("plan.toml", text.into_bytes());
        for (name, bytes) in files {
            queue.put_file(&name, &bytes).await?;
        }
        let (key, fingerprint) = (key.to_owned(), plan.fingerprint()?);
        Ok(Self { version: VERSION, key, fingerprint, plan: plan_file, patience_ms: patience.as_millis() as u64 })
    }

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
            let reason = format!("it has version {}, this program supports version {VERSION}", version.version);
            return Err(QueueError::unusable("a run", reason));
        }
        serde_json::from_slice(bytes).map_err(|error| QueueError::unusable("a run", error))
    }

    pub(super) fn patience(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }

    /// Checks that a program that computes `own` and has this fingerprint gives the same results as the coordinator.
    pub(super) fn check(&self, own: &str, fingerprint: &str) -> Result<(), String> {
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
        let (key, fingerprint) = ("0".repeat(64), "1".repeat(16));
        let info = RunInfo { version: VERSION, key, fingerprint, plan: String::new(), patience_ms: 0 };
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
