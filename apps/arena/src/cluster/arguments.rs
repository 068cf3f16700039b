//! Command-line options of programs that put work into a queue.

use std::io::Write;
use std::time::Duration;

use super::{Access, Coordinator, QueueError, RunRequest};

/// Options for programs that put work into a queue.
#[derive(Clone, Debug, clap::Args)]
pub struct RequestArguments {
    #[command(flatten)]
    access: Access,
    /// With a queue: seconds of silence after which a worker counts as gone
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    patience: u16,
    /// Withdraw it from the queue, with its uncollected results
    #[arg(long)]
    withdraw: bool,
}

impl RequestArguments {
    /// Returns `true` if the work is done over a queue. `--withdraw` counts, so that it fails without a queue; the
    /// parser cannot check that, because it ignores values from a file of defaults.
    pub fn is_given(&self) -> bool {
        self.access.url.is_some() || self.withdraw
    }

    /// Prepares a run in the name of `name`; `None` if it was withdrawn instead, which is written to `out`.
    ///
    /// # Errors
    /// [`QueueError`], also if no queue is named or the login is incomplete.
    pub fn coordinator(
        &self,
        name: &str,
        request: &RunRequest,
        out: &mut dyn Write,
    ) -> Result<Option<Coordinator>, QueueError> {
        if self.withdraw {
            Coordinator::withdraw(&self.access, &request.key)?;
            writeln!(out, "Withdrawn.").map_err(QueueError::machine("report"))?;
            return Ok(None);
        }
        let patience = Duration::from_secs(self.patience.into());
        Coordinator::open(&self.access, name, request, patience).map(Some)
    }
}
