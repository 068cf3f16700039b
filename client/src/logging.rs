//! Logging that never blocks the game.
//!
//! A program that starts clients may never read their output, and writing to a full pipe blocks. So lines go through a
//! bounded queue to a thread of their own, and are dropped when the queue is full.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use env_logger::{Logger, Target};
use log::{LevelFilter, Log, Metadata, Record};
use player::Report;

/// Maximum number of waiting lines.
const QUEUE: usize = 1000;

/// Time to write the last lines at the end of the program.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Target of the few lines that are always shown.
const SUMMARY: &str = "summary";

/// Starts logging to standard error, and to a file if there is one. Each `-v` shows more: the moves with their
/// evaluations, unexpected messages, all traffic. The file gets at least the moves.
///
/// # Errors
/// If the file cannot be created or is a database or an input, no thread can be started, or logging has been started
/// before.
pub fn start(verbosity: u8, file: Option<&Path>, inputs: &[PathBuf]) -> anyhow::Result<Logging> {
    let (stderr, mut logging) = on_stderr(verbosity)?;
    let mut loggers = vec![stderr];
    if let Some(path) = file {
        cli::check_output(path, inputs)?;
        let cannot_write = format!("cannot write the log file {}", path.display());
        let file = File::create(path).context(cannot_write.clone())?;
        let file = LossyWriter::new(file, move |error| _ = writeln!(io::stderr(), "{cannot_write}: {error}"))?;
        loggers.push(logger(level(verbosity).max(LevelFilter::Info), file.clone()));
        logging.writers.push(file);
    }
    log::set_max_level(loggers.iter().map(Logger::filter).max().unwrap_or(LevelFilter::Off));
    log::set_boxed_logger(Box::new(Loggers(loggers)))?;
    std::panic::set_hook(Box::new(|panic| log::error!("{panic}")));
    Ok(logging)
}

/// Creates the logger of [`start`] for standard error, for programs that install their own.
///
/// # Errors
/// If no thread can be started.
pub fn on_stderr(verbosity: u8) -> anyhow::Result<(Logger, Logging)> {
    // The reader has closed the other end.
    let stderr = LossyWriter::new(io::stderr(), |_| {})?;
    Ok((logger(level(verbosity), stderr.clone()), Logging { writers: vec![stderr] }))
}

fn level(verbosity: u8) -> LevelFilter {
    match verbosity {
        0 => LevelFilter::Warn,
        1 => LevelFilter::Info,
        2 => LevelFilter::Debug,
        _ => LevelFilter::Trace,
    }
}

/// Writes the last lines when it is dropped, also by a panic.
#[must_use = "lines that are logged after it is dropped may be lost"]
pub struct Logging {
    writers: Vec<LossyWriter>,
}

impl Drop for Logging {
    fn drop(&mut self) {
        for writer in &self.writers {
            writer.finish();
        }
    }
}

fn logger(level: LevelFilter, writer: LossyWriter) -> Logger {
    let begin = Instant::now();
    env_logger::Builder::new()
        .filter_level(level)
        .filter_module(SUMMARY, level.max(LevelFilter::Info))
        .format(move |line, record| {
            writeln!(line, "{:8.3} {:<5} {}", begin.elapsed().as_secs_f64(), record.level(), record.args())
        })
        .target(Target::Pipe(Box::new(writer)))
        .build()
}

struct Loggers(Vec<Logger>);

impl Log for Loggers {
    fn enabled(&self, metadata: &Metadata) -> bool {
        self.0.iter().any(|logger| logger.enabled(metadata))
    }

    fn log(&self, record: &Record) {
        self.0.iter().for_each(|logger| logger.log(record));
    }

    fn flush(&self) {}
}

/// Writes in a thread of its own and drops lines if that thread cannot keep up.
#[derive(Clone)]
struct LossyWriter {
    queue: SyncSender<Item>,
}

enum Item {
    Bytes(Vec<u8>),
    /// Answered when everything before it is written.
    Finish(SyncSender<()>),
}

impl LossyWriter {
    /// Calls `on_error` with the first error and then drops all lines.
    fn new(to: impl Write + Send + 'static, on_error: impl FnOnce(io::Error) + Send + 'static) -> anyhow::Result<Self> {
        let (queue, items) = sync_channel(QUEUE);
        let write = move || write_all(to, &items).unwrap_or_else(on_error);
        thread::Builder::new().spawn(write).context("cannot start a thread for the log")?;
        Ok(Self { queue })
    }

    /// Waits up to [`FLUSH_TIMEOUT`] until everything is written.
    fn finish(&self) {
        let (done, wait) = sync_channel(1);
        if self.queue.try_send(Item::Finish(done)).is_ok() {
            _ = wait.recv_timeout(FLUSH_TIMEOUT);
        }
    }
}

fn write_all(mut to: impl Write, items: &Receiver<Item>) -> io::Result<()> {
    for item in items {
        match item {
            Item::Bytes(bytes) => to.write_all(&bytes)?,
            Item::Finish(done) => to.flush().map(|()| _ = done.try_send(()))?,
        }
    }
    Ok(())
}

impl Write for LossyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        _ = self.queue.try_send(Item::Bytes(bytes.to_vec()));
        Ok(bytes.len())
    }

    /// Does nothing, because the logger flushes after every line and must not wait.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Evaluation, nodes, depth and line of a search for the log.
pub(crate) fn describe_search(report: &Report) -> String {
    let evaluation = report.evaluation.map_or_else(
        || "-".to_owned(),
        |evaluation| format!("{:.1} % {:+.1} points", 100.0 * evaluation.win, evaluation.margin),
    );
    format!("evaluation {evaluation}, {} nodes, depth {}, line {:?}", report.nodes, report.depth, report.line)
}
