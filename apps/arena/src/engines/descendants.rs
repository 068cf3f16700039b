//! Ends everything that a program has started, also in other sessions and process groups.
//!
//! A program gets a variable in its environment that its descendants inherit. On Linux, `/proc` tells which processes
//! have it. Descendants without it become children of this process when their parents end, if it adopts orphans. If this
//! process is killed, a watcher in a process of its own ends all that have the variable.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::SystemTime;

use nix::sys::prctl::set_child_subreaper;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, getpgrp};

use crate::lock::lock;

/// The variable of this process; another arena that is played against has another one.
static NAME: LazyLock<String> = LazyLock::new(|| {
    let time = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos());
    format!("ARENA_{}_{time:x}", std::process::id())
});

/// The value for the next program.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Ends all marked processes when its standard input ends, as it does when this process dies.
const WATCH: &str = r#"
    trap '' INT TERM HUP
    cat >/dev/null
    for round in 1 2 3; do
        for file in $(grep -ls "$1=" /proc/[0-9]*/environ); do
            process=${file#/proc/}
            kill -9 "${process%/environ}"
        done
    done"#;

/// The watcher process. Its pipe closes when this process ends.
static WATCHER: LazyLock<Option<Child>> = LazyLock::new(|| {
    let watcher = Command::new("sh")
        .args(["-c", WATCH, "watch", &NAME])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn();
    watcher.inspect_err(|error| log::warn!("programs may outlive this one: {error}")).ok()
});

/// Number of rounds: processes may start new ones meanwhile.
const ROUNDS: usize = 10;

/// Whether this process adopts orphans.
static ADOPTS: AtomicBool = AtomicBool::new(false);

/// The running programs with their start times, in clock ticks since the system's start.
static RUNNING: Mutex<BTreeMap<Pid, u64>> = Mutex::new(BTreeMap::new());

/// Makes this process the parent of its descendants whose parents have ended, so that those end with the programs
/// that have started them. It must start no other programs in process groups of their own.
pub fn adopt_orphans() {
    let done = set_child_subreaper(true);
    done.unwrap_or_else(|error| log::warn!("programs may leave others behind: {error}"));
    ADOPTS.store(done.is_ok(), Ordering::Relaxed);
}

/// Mark of the processes of a program.
pub(crate) struct Mark {
    program: Pid,
    /// The variable with its value.
    text: String,
}

/// Starts a program. The mark is on everything that it will start.
pub(crate) fn spawn(command: &mut Command) -> std::io::Result<(Child, Mark)> {
    LazyLock::force(&WATCHER);
    let value = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
    // A process without its environment would be taken for an orphan.
    let mut running = lock(&RUNNING);
    let child = command.env(&*NAME, &value).spawn()?;
    let program = Pid::from_raw(child.id().cast_signed());
    let start = stat(program).map_or(0, |(_, _, start)| start);
    running.insert(program, start);
    Ok((child, Mark { program, text: format!("{}={value}", *NAME) }))
}

impl Mark {
    /// Ends all processes of the program, which has ended itself.
    pub(crate) fn kill(&self) {
        let mut running = lock(&RUNNING);
        running.remove(&self.program);
        let mut killed = HashSet::new();
        for _ in 0..ROUNDS {
            let found: Vec<Pid> = processes().filter(|&id| self.owns(id, &running)).collect();
            let new: Vec<Pid> = found.into_iter().filter(|&id| killed.insert(id)).collect();
            if new.is_empty() {
                break;
            }
            for process in new {
                // It fails if the process has ended meanwhile.
                let _ = kill(process, Signal::SIGKILL);
            }
        }
    }

    /// Returns `true` for a process with this mark, and for an orphan without any that is older than all programs
    /// that run.
    fn owns(&self, id: Pid, running: &BTreeMap<Pid, u64>) -> bool {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        let mut variables = environment.split(|&byte| byte == 0);
        if variables.clone().any(|variable| variable == self.text.as_bytes()) {
            return true;
        }
        variables.all(|variable| !variable.starts_with(NAME.as_bytes()))
            && !running.contains_key(&id)
            && orphan_start(id).is_some_and(|start| running.values().all(|&other| start < other))
    }
}

fn processes() -> impl Iterator<Item = Pid> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok().map(Pid::from_raw))
}

/// The parent, the process group and the start time of a process.
fn stat(id: Pid) -> Option<(Pid, Pid, u64)> {
    let stat = fs::read(format!("/proc/{id}/stat")).ok()?;
    // The second field is the name in parentheses, which may contain anything.
    let stat = String::from_utf8_lossy(&stat);
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let process = |field: usize| fields.get(field)?.parse().ok().map(Pid::from_raw);
    Some((process(1)?, process(2)?, fields.get(19)?.parse().ok()?))
}

/// Returns the start time of an adopted process, and releases it if it has ended.
fn orphan_start(id: Pid) -> Option<u64> {
    let watcher = WATCHER.as_ref().map(|watcher| Pid::from_raw(watcher.id().cast_signed()));
    if !ADOPTS.load(Ordering::Relaxed) || Some(id) == watcher {
        return None;
    }
    let (parent, group, start) = stat(id)?;
    if parent != Pid::this() || group == getpgrp() {
        return None;
    }
    // It fails for a process that runs.
    let _ = waitpid(id, Some(WaitPidFlag::WNOHANG));
    Some(start)
}
