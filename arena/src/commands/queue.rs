//! What commands know of a queue.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena::plan::Plan;
use arena::queue::{self, Access, Secrets};
use arena::records::Records;

use super::counted;

/// What is secret comes from the environment alone: who lists the processes of a machine sees their arguments.
const ENVIRONMENT: &str = "\
Secrets of the queue are taken from the environment: ARENA_QUEUE_USER and ARENA_QUEUE_PASSWORD, or
ARENA_QUEUE_TOKEN, or ARENA_QUEUE_SEED (of an NKey).";

#[derive(clap::Args)]
#[command(after_help = ENVIRONMENT)]
pub struct QueueArguments {
    /// A queue server: nats://HOST:PORT, or tls://HOST:PORT for an encrypted connection. Several of a cluster are
    /// separated by commas.
    #[arg(long, value_name = "URL")]
    queue: Option<String>,
    /// A file with credentials for the queue, as `nsc` makes it.
    #[arg(long, value_name = "FILE", env = "ARENA_QUEUE_CREDENTIALS", hide_env_values = true)]
    queue_credentials: Option<PathBuf>,
    /// A file with the certificate of the authority that vouches for the queue.
    #[arg(long, value_name = "FILE", env = "ARENA_QUEUE_AUTHORITY", hide_env_values = true)]
    queue_authority: Option<PathBuf>,
    /// A file with a certificate of one's own for the queue.
    #[arg(long, value_name = "FILE", env = "ARENA_QUEUE_CERTIFICATE", hide_env_values = true, requires = "queue_key")]
    queue_certificate: Option<PathBuf>,
    /// A file with the key of that certificate.
    #[arg(long, value_name = "FILE", env = "ARENA_QUEUE_KEY", hide_env_values = true, requires = "queue_certificate")]
    queue_key: Option<PathBuf>,
}

impl QueueArguments {
    /// `None` if there is no queue.
    pub fn access(&self) -> Option<Access> {
        let secret = |name: &str| std::env::var(format!("ARENA_QUEUE_{name}")).ok();
        Some(Access {
            url: self.queue.clone()?,
            credentials: self.queue_credentials.clone(),
            authority: self.queue_authority.clone(),
            certificate: self.queue_certificate.clone().zip(self.queue_key.clone()),
            secrets: Secrets {
                user: secret("USER").zip(secret("PASSWORD")),
                token: secret("TOKEN"),
                seed: secret("SEED"),
            },
        })
    }
}

/// A queue whose workers play.
pub struct QueuePlace {
    pub access: Access,
    /// A worker that says nothing for so long is believed to be gone.
    pub patience: Duration,
}

impl QueuePlace {
    /// Lets workers play what is not there yet.
    pub fn play(
        &self,
        records: &mut Records,
        concurrency: usize,
        stop: &AtomicBool,
        mut on_game: impl FnMut(&Records),
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let plan = records.plan().clone();
        let mut workers: BTreeMap<String, u64> = BTreeMap::new();
        // Every round of a Swiss tournament is offered when the one before is over.
        loop {
            let (left, mut unsaved) = (records.left(), None);
            let mut take = |number, game| match records.take(number, &game) {
                Ok(flow) => {
                    on_game(records);
                    flow
                }
                Err(error) => {
                    unsaved = Some(error);
                    // The results stay in the queue.
                    stop.store(true, Ordering::Relaxed);
                    ControlFlow::Break(())
                }
            };
            let gathered = queue::gather(&self.access, &plan, &left, self.patience, concurrency, stop, &mut take);
            if let Some(error) = unsaved {
                return Err(error.into());
            }
            for (name, pairs) in gathered?.workers {
                *workers.entry(name).or_default() += pairs;
            }
            if stop.load(Ordering::Relaxed) || records.left().is_empty() {
                break;
            }
        }
        let workers: Vec<String> =
            workers.into_iter().map(|(name, pairs)| format!("{name} {}", counted(pairs, "pair"))).collect();
        if !workers.is_empty() {
            writeln!(out, "Workers: {}", workers.join(", "))?;
        }
        Ok(())
    }

    pub fn withdraw(&self, plan: &Plan, out: &mut impl Write) -> anyhow::Result<()> {
        queue::withdraw(&self.access, plan)?;
        writeln!(out, "Withdrawn from {}.", self.access)?;
        Ok(())
    }
}
