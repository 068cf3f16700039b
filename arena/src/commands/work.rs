//! `arena work`

use std::io::Write;
use std::time::Duration;

use anyhow::Context;
use arena::defaults;
use arena::queue::Worker;
use game::printable;

use super::interrupt;
use super::queue::QueueArguments;

#[derive(clap::Args)]
pub struct WorkArguments {
    #[command(flatten)]
    queue: QueueArguments,
    /// What this worker is called [default: the name of the machine].
    #[arg(long)]
    name: Option<String>,
    /// How many threads may play at the same time [default: one for each core].
    #[arg(short, long, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: Option<u16>,
    /// A program that may be started here, as `arena run --dry-run` names it. Built-in players may always play.
    #[arg(long, value_name = "PERMIT")]
    allow: Vec<String>,
    /// End after so many seconds without work [default: wait for ever].
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u32>,
}

pub fn run(arguments: &WorkArguments, out: &mut impl Write) -> anyhow::Result<()> {
    let worker = Worker {
        access: arguments.queue.access().context("--queue URL is needed")?,
        name: arguments.name.clone().unwrap_or_else(name),
        cores: defaults::concurrency(arguments.concurrency, 1),
        allowed: arguments.allow.iter().cloned().collect(),
        idle: arguments.idle.map(|seconds| Duration::from_secs(seconds.into())),
    };
    let stop = interrupt::stop_on_interrupt()?;
    let mut written = writeln!(out, "{}: waiting for work at {}", worker.name, worker.access);
    worker.work(&stop, |event| {
        let line = writeln!(out, "{}", printable(&event.to_string())).and_then(|()| out.flush());
        written = std::mem::replace(&mut written, Ok(())).and(line);
    })?;
    Ok(written?)
}

/// The name of this machine as far as it is known.
fn name() -> String {
    let named = ["HOSTNAME", "COMPUTERNAME"].iter().find_map(|name| std::env::var(name).ok());
    let name = named.or_else(|| std::fs::read_to_string("/etc/hostname").ok().map(|name| name.trim().to_owned()));
    name.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("process-{}", std::process::id()))
}
