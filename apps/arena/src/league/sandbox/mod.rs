//! Isolation of foreign programs with bubblewrap (`bwrap`).
//!
//! A program in the sandbox runs in a copy of its own folder, which lasts for the game, and sees the system's folders
//! read-only. It has a network of its own, limited memory, a limited number of processes and one processor. A client
//! reaches the port of its game through two relays, both run by this program. The relay inside listens on the same
//! loopback port and forwards to its standard input, a socket. The relay outside connects the other end of this socket
//! to the port.

#[cfg(unix)]
mod run;

use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(unix)]
pub use run::{run_inside, run_outside};

use crate::engines::process::shell_quote;

/// Memory of a program's processes together in MiB, as in the contest. The system gives no process more; the sandbox
/// ends a program whose processes have more.
pub const MEMORY: u64 = 1500;

/// Maximum number of processes and threads of a program. The system creates no more.
const MAX_THREADS: usize = 256;

/// Size of each folder for temporary files in bytes. They are in memory.
const TEMPORARY: &str = "67108864";

/// Folder of the program in the sandbox.
const FOLDER: &str = "/client";

/// The files of the program's folder in the sandbox, read-only.
const PACKAGE: &str = "/package";

/// This program in the sandbox.
const RELAY: &str = "/arena";

/// System folders and files that programs need, where they exist.
const SYSTEM: &str = "/usr /bin /sbin /lib /lib32 /lib64 /opt /etc/alternatives /etc/ld.so.cache /etc/ld.so.conf \
    /etc/ld.so.conf.d /etc/localtime /etc/mono /etc/java-11-openjdk /etc/java-17-openjdk /etc/java-21-openjdk \
    /etc/java-25-openjdk";

/// Returns `true` if bubblewrap is installed and works.
pub fn is_available() -> bool {
    let args = ["--unshare-all", "--ro-bind", "/", "/", "true"];
    let status = Command::new("bwrap").args(args).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Arguments of `bwrap` for a shell command; `relay` is the program `arena`, `folder` the program's own folder.
fn arguments(relay: &Path, folder: Option<&Path>, command: &str, cpu: usize) -> Vec<String> {
    let system: Vec<String> = SYSTEM.split_whitespace().map(|path| format!("--ro-bind-try {path} {path}")).collect();
    let options = format!(
        "--unshare-all --die-with-parent --new-session --clearenv --setenv HOME /tmp --setenv LANG C.UTF-8
         --setenv PATH /usr/local/bin:/usr/bin:/bin:/usr/games --proc /proc --dev /dev --size {TEMPORARY} --tmpfs /dev/shm
         --remount-ro /dev --size {TEMPORARY} --tmpfs /tmp {}",
        system.join(" ")
    );
    let limits = format!("-- prlimit --data={} --nproc={MAX_THREADS} {RELAY} sandbox-inside {cpu}", MEMORY << 20);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let mut arguments = words(&options);
    arguments.extend(["--ro-bind".to_owned(), path(relay), RELAY.to_owned()]);
    if let Some(folder) = folder {
        arguments.extend(["--ro-bind".to_owned(), path(folder), PACKAGE.to_owned()]);
        arguments.extend(["--size", TEMPORARY, "--tmpfs", FOLDER, "--chdir", FOLDER].map(str::to_owned));
    }
    arguments.extend(["--remount-ro", "/"].map(str::to_owned));
    arguments.extend(words(&limits));
    arguments.push(command.to_owned());
    arguments
}

/// Returns the command line that runs a shell command with standard input and output in a sandbox.
pub fn pipe_command(relay: &Path, command: &str, cpu: usize) -> String {
    let arguments = arguments(relay, None, command, cpu);
    arguments.iter().fold("exec bwrap".to_owned(), |line, text| line + " " + &shell_quote(text))
}

/// Returns the command line that runs a client of the contest in a sandbox; the arguments of the contest follow it.
/// `relay` is the program `arena`; `command` is a command for the shell.
pub fn client_command(relay: &Path, folder: Option<&Path>, command: &str, cpu: usize) -> String {
    let folder = folder.map_or_else(|| "-".to_owned(), |folder| folder.to_string_lossy().into_owned());
    let words = [&*relay.to_string_lossy(), "sandbox", &folder, &cpu.to_string(), command].map(shell_quote);
    format!("exec {}", words.join(" "))
}
