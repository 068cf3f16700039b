//! Command-line options of a queue.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::worker::Worker;
use super::{Access, Coordinator, Games, JobType, QueueError, RunRequest, Searches};
use crate::defaults;

/// Secrets come from the environment, because every user of a machine can list the arguments of its processes.
const ENVIRONMENT: &str = "\
Secrets of the queue are taken from the environment: ARENA_QUEUE_USER and ARENA_QUEUE_PASSWORD, or
ARENA_QUEUE_TOKEN.";

/// The options that say where the queue is.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = ENVIRONMENT)]
pub struct QueueArguments {
    /// A queue server: nats://HOST:PORT, or tls://HOST:PORT for an encrypted connection. Several of a cluster are
    /// separated by commas
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
    /// A file with the certificate of the authority that vouches for the queue
    #[arg(long, value_name = "FILE", env = "ARENA_QUEUE_AUTHORITY", hide_env_values = true)]
    queue_authority: Option<PathBuf>,
}

impl QueueArguments {
    /// # Errors
    /// [`QueueError`] if no queue is named, or if only one of user and password is given.
    pub fn access(&self) -> Result<Access, QueueError> {
        let secret = |name: &str| std::env::var(format!("ARENA_QUEUE_{name}")).ok();
        let lonely = |missing: &str, given: &str| {
            QueueError::access(
                format_args!("ARENA_QUEUE_{missing}"),
                format_args!("expected beside ARENA_QUEUE_{given}"),
            )
        };
        let user = match (secret("USER"), secret("PASSWORD")) {
            (Some(user), Some(password)) => Some((user, password)),
            (Some(_), None) => return Err(lonely("PASSWORD", "USER")),
            (None, Some(_)) => return Err(lonely("USER", "PASSWORD")),
            (None, None) => None,
        };
        Ok(Access {
            url: self
                .queue
                .clone()
                .ok_or_else(|| QueueError::access("--queue", "expected the URL of a queue server"))?,
            authority: self.queue_authority.clone(),
            user,
            token: secret("TOKEN"),
        })
    }
}

/// Options for programs that put work into a queue.
#[derive(Clone, Debug, clap::Args)]
pub struct RequestArguments {
    #[command(flatten)]
    queue: QueueArguments,
    /// With a queue: seconds of silence after which a worker counts as gone
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u16).range(1..))]
    patience: u16,
    /// Withdraw it from the queue, with the results that nobody has gathered
    #[arg(long)]
    withdraw: bool,
}

impl RequestArguments {
    /// Returns `true` if it is to be done over a queue. (What to withdraw without one is asked here and not by the
    /// parser, which does not count what comes from a file of defaults.)
    pub fn is_given(&self) -> bool {
        self.queue.queue.is_some() || self.withdraw
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
        let access = self.queue.access()?;
        if self.withdraw {
            Coordinator::withdraw(&access, &request.key)?;
            writeln!(out, "Withdrawn.").map_err(QueueError::machine("report"))?;
            return Ok(None);
        }
        let patience = Duration::from_secs(self.patience.into());
        Coordinator::open(&access, name, request, patience).map(Some)
    }
}

/// The options of a worker.
#[derive(Clone, Debug, clap::Args)]
pub struct WorkArguments {
    #[command(flatten)]
    queue: QueueArguments,
    /// Name of this worker [default: the name of the machine]
    #[arg(long)]
    name: Option<String>,
    /// Maximum number of threads in use [default: one per core]
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// A program that may be started here, as `arena run --dry-run` names it. Built-in players may always play
    #[arg(long, value_name = "PERMIT")]
    allow: Vec<String>,
    /// Exit after this many seconds without work [default: wait forever]
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u32>,
}

impl WorkArguments {
    /// Plays games, searches positions for books and does work of `more` job types until `stop` is set or the idle
    /// time is over. Writes a line for each event.
    ///
    /// # Errors
    /// [`QueueError`] if no queue is named, the login is incomplete, or the queue is unreachable at the start; later
    /// the worker waits for it.
    pub fn run(
        &self,
        more: impl IntoIterator<Item = Arc<dyn JobType>>,
        stop: &AtomicBool,
        out: &mut impl Write,
    ) -> Result<(), QueueError> {
        let own: [Arc<dyn JobType>; 2] =
            [Arc::new(Games { allowed: self.allow.iter().cloned().collect() }), Arc::new(Searches)];
        let worker = Worker {
            access: self.queue.access()?,
            name: self.name.clone().unwrap_or_else(name),
            cores: defaults::concurrency(self.concurrency, 1),
            job_types: own.into_iter().chain(more).collect(),
            idle: self.idle.map(|seconds| Duration::from_secs(seconds.into())),
        };
        worker.work(stop, out)
    }
}

/// Returns the name of this machine, if known.
fn name() -> String {
    let named = ["HOSTNAME", "COMPUTERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let name = named.or_else(|| std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("process-{}", std::process::id()))
}
