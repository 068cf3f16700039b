//! Ends everything that a program has started, also in other sessions and process groups.
//!
//! A program gets a variable in its environment that its descendants inherit. On Linux, `/proc` tells which processes
//! have it. If this process is killed, a watcher in a process of its own ends all of them.

#[cfg(target_os = "linux")]
pub(crate) use linux::Mark;
#[cfg(not(target_os = "linux"))]
pub(crate) use other::Mark;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::HashSet;
    use std::fs;
    use std::os::unix::process::CommandExt;
    use std::process::{Child, Command, Stdio};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::SystemTime;

    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

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

    /// Number of rounds: marked processes may start new ones meanwhile.
    const ROUNDS: usize = 10;

    /// Mark of the processes of a program.
    pub(crate) struct Mark(String);

    impl Mark {
        /// Marks the program and everything that it will start.
        pub(crate) fn put_on(command: &mut Command) -> Self {
            LazyLock::force(&WATCHER);
            let value = NEXT.fetch_add(1, Ordering::Relaxed).to_string();
            command.env(&*NAME, &value);
            Self(format!("{}={value}", *NAME))
        }

        /// Ends all processes of the program.
        pub(crate) fn kill(&self) {
            let mut killed = HashSet::new();
            for _ in 0..ROUNDS {
                let new: Vec<Pid> = self.processes().filter(|&process| killed.insert(process)).collect();
                if new.is_empty() {
                    break;
                }
                for process in new {
                    // It fails if the process has ended meanwhile.
                    let _ = kill(process, Signal::SIGKILL);
                }
            }
        }

        fn processes(&self) -> impl Iterator<Item = Pid> {
            fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| {
                let id = entry.file_name().to_str()?.parse().ok()?;
                let environment = fs::read(entry.path().join("environ")).ok()?;
                let is_marked = environment.split(|&byte| byte == 0).any(|variable| variable == self.0.as_bytes());
                is_marked.then(|| Pid::from_raw(id))
            })
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod other {
    use std::process::Command;

    /// Nothing: process groups have to do.
    pub(crate) struct Mark;

    impl Mark {
        pub(crate) fn put_on(_: &mut Command) -> Self {
            Self
        }

        pub(crate) fn kill(&self) {}
    }
}
