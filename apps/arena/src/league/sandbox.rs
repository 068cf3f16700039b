//! Isolation of foreign programs with bubblewrap (`bwrap`).
//!
//! A program in the sandbox sees its own folder and the system's folders read-only, has a network of its own, limited
//! memory, a limited number of processes and one processor. A client reaches the port of its game through two relays,
//! both run by this program. The relay inside listens on the same loopback port and forwards to its
//! standard input, a socket. The relay outside connects the other end of this socket to the port.

use std::path::Path;
#[cfg(unix)]
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
#[cfg(unix)]
use std::{
    fs::DirEntry,
    io::{self, Read, Write},
    net::{Ipv4Addr, Shutdown, TcpListener, TcpStream},
    os::fd::{AsFd, OwnedFd},
    os::unix::net::UnixStream,
    process::ExitStatus,
    thread,
};

use crate::engines::process::word;

/// Memory of a program's processes together in MiB, as in the contest. The system gives no process more; the sandbox
/// ends a program whose processes have more.
pub const MEMORY: u64 = 1500;

/// Maximum number of processes of a program. The sandbox ends a program with more.
const MOST_PROCESSES: usize = 128;

/// Maximum number of processes and threads of a program. The system creates no more.
const MOST_THREADS: usize = 256;

/// Interval at which processes and their memory are counted. A program on one processor fills about 100 MiB meanwhile.
const POLL: Duration = Duration::from_millis(20);

/// Size of each folder for temporary files in bytes. They are in memory.
const TEMPORARY: &str = "67108864";

/// Folder of the program in the sandbox.
pub const FOLDER: &str = "/client";

/// This program in the sandbox.
const RELAY: &str = "/arena";

/// System folders and files that programs need, where they exist.
const SYSTEM: &str = "/usr /bin /sbin /lib /lib32 /lib64 /opt /etc/alternatives /etc/ld.so.cache /etc/ld.so.conf \
    /etc/ld.so.conf.d /etc/localtime /etc/java-17-openjdk /etc/java-21-openjdk";

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
    let limits = format!("-- prlimit --data={} --nproc={MOST_THREADS} taskset -c {cpu} {RELAY}", MEMORY << 20);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let path = |path: &Path| path.to_string_lossy().into_owned();
    let mut arguments = words(&options);
    arguments.extend(["--ro-bind".to_owned(), path(relay), RELAY.to_owned()]);
    if let Some(folder) = folder {
        arguments.extend(["--ro-bind".to_owned(), path(folder), FOLDER.to_owned()]);
        arguments.extend(["--chdir", FOLDER].map(str::to_owned));
    }
    arguments.extend(["--remount-ro", "/"].map(str::to_owned));
    arguments.extend(words(&limits));
    arguments.extend(["sandbox-inside", command].map(str::to_owned));
    arguments
}

/// Returns the command line that runs a shell command with standard input and output in a sandbox.
pub fn pipe_command(relay: &Path, command: &str, cpu: usize) -> String {
    let arguments = arguments(relay, None, command, cpu);
    arguments.iter().fold("exec bwrap".to_owned(), |line, text| line + " " + &word(text))
}

/// Returns the command line that runs a client of the contest in a sandbox; the arguments of the contest follow it.
/// `relay` is the program `arena`; `command` is a command for the shell.
pub fn client_command(relay: &Path, folder: Option<&Path>, command: &str, cpu: usize) -> String {
    let folder = folder.map_or_else(|| "-".to_owned(), |folder| folder.to_string_lossy().into_owned());
    let words = [&*relay.to_string_lossy(), "sandbox", &folder, &cpu.to_string(), command].map(word);
    format!("exec {}", words.join(" "))
}

/// The port in the arguments of the contest.
#[cfg(unix)]
fn port_of(contest: &[String]) -> io::Result<u16> {
    let mut words = contest.iter().skip_while(|word| *word != "--port");
    let port = words.nth(1).and_then(|port| port.parse().ok());
    port.ok_or_else(|| io::Error::other("the port is missing"))
}

/// Runs a client in a sandbox and relays its connection. `folder` is its own folder, `-` for none; `contest` are the
/// arguments of the contest.
#[cfg(unix)]
pub fn run_outside(folder: &str, cpu: usize, command: &str, contest: &[String]) -> io::Result<ExitStatus> {
    let port = port_of(contest)?;
    let (mut outside, inside) = UnixStream::pair()?;
    thread::spawn(move || {
        // Connects to the server only after the client has sent something.
        let mut first = [0; 4096];
        if let Ok(count @ 1..) = outside.read(&mut first)
            && let Ok(mut game) = TcpStream::connect((Ipv4Addr::LOCALHOST, port))
            && game.write_all(&first[..count]).is_ok()
        {
            relay(game, outside);
        }
    });
    let folder = Some(folder).filter(|folder| *folder != "-").map(Path::new);
    let arguments = arguments(&std::env::current_exe()?, folder, command, cpu);
    Command::new("bwrap").args(arguments).args(contest).stdin(OwnedFd::from(inside)).status()
}

/// Runs a program inside a sandbox, with its standard input as the connection if `contest` names a port.
#[cfg(unix)]
pub fn run_inside(command: &str, contest: &[String]) -> io::Result<ExitStatus> {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(format!("{command} \"$@\"")).arg("client").args(contest);
    if !contest.is_empty() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port_of(contest)?))?;
        let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        thread::spawn(move || {
            if let Ok((stream, _)) = listener.accept() {
                relay(stream, socket);
            }
        });
        shell.stdin(Stdio::null());
    }
    let mut child = shell.spawn()?;
    // The end of this process ends all others in the sandbox.
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        check(usage()?)?;
        thread::sleep(POLL);
    }
}

/// Fails if a client has more processes, or more memory in KiB, than allowed.
#[cfg(unix)]
fn check((processes, memory): (usize, u64)) -> io::Result<()> {
    if processes > MOST_PROCESSES {
        return Err(io::Error::other(format!("the client has started more than {MOST_PROCESSES} processes")));
    }
    if memory > MEMORY << 10 {
        return Err(io::Error::other(format!("the client has more than {MEMORY} MiB of memory")));
    }
    Ok(())
}

/// Returns the number of processes in the sandbox, and their memory in KiB without that of files.
#[cfg(unix)]
fn usage() -> io::Result<(usize, u64)> {
    let entries = std::fs::read_dir("/proc")?.collect::<Result<Vec<_>, _>>()?;
    let is_process = |entry: &DirEntry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let processes: Vec<PathBuf> = entries.iter().filter(|entry| is_process(entry)).map(DirEntry::path).collect();
    let memory = processes.iter().map(|process| memory_of(process)).sum();
    // Forked processes share memory. To find out how much takes long.
    let memory = if memory > MEMORY << 10 { processes.iter().map(|process| share_of(process)).sum() } else { memory };
    Ok((processes.len(), memory))
}

/// Returns the memory of a process in KiB without that of files; 0 if it has ended.
#[cfg(unix)]
fn memory_of(process: &Path) -> u64 {
    sum(&process.join("status"), ["RssAnon:", "RssShmem:"])
}

/// Like [`memory_of`], but divides memory by the number of processes that share it.
#[cfg(unix)]
fn share_of(process: &Path) -> u64 {
    sum(&process.join("smaps_rollup"), ["Pss_Anon:", "Pss_Shmem:"])
}

/// Returns the sum of two numbers in a file of the system.
#[cfg(unix)]
fn sum(file: &Path, names: [&str; 2]) -> u64 {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines = text.lines().filter(|line| names.iter().any(|name| line.starts_with(name)));
    lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
}

/// Copies in both directions until both ends are closed.
#[cfg(unix)]
fn relay(tcp: TcpStream, unix: UnixStream) {
    let _ = tcp.set_nodelay(true);
    let (Ok(mut tcp_in), Ok(mut unix_out)) = (tcp.try_clone(), unix.try_clone()) else { return };
    let forth = thread::spawn(move || {
        let _ = io::copy(&mut tcp_in, &mut unix_out);
        let _ = unix_out.shutdown(Shutdown::Write);
    });
    let (mut tcp, mut unix) = (tcp, unix);
    let _ = io::copy(&mut unix, &mut tcp);
    let _ = tcp.shutdown(Shutdown::Write);
    let _ = forth.join();
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn many_processes_and_much_memory_are_refused() {
        let limits = (MOST_PROCESSES, MEMORY << 10);
        assert!(check(limits).is_ok());
        for (used, expected) in [((129, 0), "128 processes"), ((1, limits.1 + 1), "1500 MiB")] {
            assert!(check(used).unwrap_err().to_string().contains(expected));
        }
    }

    #[test]
    fn forked_processes_share_memory() {
        // The shell holds 64 MB and forks.
        let script = "x=$(head -c 64000000 /dev/zero | tr '\\0' x); (echo ready; read -r line)";
        let mut shell = Command::new("sh");
        let mut shell = shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut ready = [0; 6];
        shell.stdout.take().unwrap().read_exact(&mut ready).unwrap();
        let process = PathBuf::from(format!("/proc/{}", shell.id()));
        let (memory, share) = (memory_of(&process), share_of(&process));
        assert!(memory > 62_000 && (31_000..memory * 3 / 4).contains(&share), "{memory} {share}");
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert_eq!((memory_of(&process), share_of(&process)), (0, 0));
        assert!(usage().unwrap().0 > 0);
    }
}
