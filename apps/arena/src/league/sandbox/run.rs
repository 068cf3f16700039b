//! Runs clients in a sandbox, and relays their connections.

use std::fs::{self, DirEntry};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use super::{FOLDER, MEMORY, PACKAGE, arguments};

/// Maximum number of processes of a program. The sandbox ends a program with more.
const MAX_PROCESSES: usize = 128;

/// Interval at which processes and their memory are counted. A program on one processor fills about 100 MiB meanwhile.
const POLL: Duration = Duration::from_millis(20);

/// Total size in bytes of the copied files of a package. The other files are links to the package.
const MAX_COPIED: u64 = 32 << 20;

/// Returns the port in the arguments of the contest.
fn port_of(contest: &[String]) -> io::Result<u16> {
    let mut words = contest.iter().skip_while(|word| *word != "--port");
    let port = words.nth(1).and_then(|port| port.parse().ok());
    port.ok_or_else(|| io::Error::other("the port is missing"))
}

/// Runs a client in a sandbox and relays its connection. `folder` is its own folder, `-` for none; `contest` are the
/// arguments of the contest.
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

/// Runs a program inside a sandbox, with its standard input as the connection if `contest` names a port. The program
/// has its processor and its own session: the kernel divides time among sessions, so a fork bomb cannot starve the
/// relay, which counts its processes.
pub fn run_inside(cpu: usize, command: &str, contest: &[String]) -> io::Result<ExitStatus> {
    if Path::new(PACKAGE).exists() {
        let mut space = MAX_COPIED;
        fill(Path::new(PACKAGE), Path::new(FOLDER), &mut space)?;
    }
    let mut shell = Command::new("taskset");
    shell
        .args(["-c", &cpu.to_string(), "setsid", "sh", "-c"])
        .arg(format!("{command} \"$@\""))
        .arg("client")
        .args(contest);
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

/// Size in bytes of a memory page. A file in memory takes whole pages, a folder at least one.
const PAGE: u64 = 4096;

/// Copies a package into the folder of a client, which may change its files as in the contest. Links the files that do
/// not fit into `space` bytes.
fn fill(from: &Path, to: &Path, space: &mut u64) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, new, metadata) = (entry.path(), to.join(entry.file_name()), entry.metadata()?);
        let size = metadata.len().max(1).next_multiple_of(PAGE);
        if metadata.is_symlink() {
            symlink(fs::read_link(path)?, new)?;
        } else if metadata.is_dir() {
            *space = space.saturating_sub(size);
            fs::create_dir(&new)?;
            fill(&path, &new, space)?;
        } else if size <= *space {
            *space -= size;
            fs::copy(path, new)?;
        } else {
            symlink(path, new)?;
        }
    }
    Ok(())
}

/// Fails if a client has more processes, or more memory in KiB, than allowed.
fn check((processes, memory): (usize, u64)) -> io::Result<()> {
    if processes > MAX_PROCESSES {
        return Err(io::Error::other(format!("the client has started more than {MAX_PROCESSES} processes")));
    }
    if memory > MEMORY << 10 {
        return Err(io::Error::other(format!("the client has more than {MEMORY} MiB of memory")));
    }
    Ok(())
}

/// A file in a process's folder of /proc and two fields in it. Their sum is the memory without files.
type Listing = (&'static str, [&'static str; 2]);

/// Memory that processes share counts for each of them.
const WHOLE: Listing = ("status", ["RssAnon:", "RssShmem:"]);

/// Memory shared by processes is divided among them. Slow to read.
const SHARE: Listing = ("smaps_rollup", ["Pss_Anon:", "Pss_Shmem:"]);

/// Returns the number of processes in the sandbox, and their memory in KiB.
fn usage() -> io::Result<(usize, u64)> {
    let entries = fs::read_dir("/proc")?.collect::<Result<Vec<_>, _>>()?;
    let is_process = |entry: &&DirEntry| entry.file_name().as_encoded_bytes().iter().all(u8::is_ascii_digit);
    let processes: Vec<PathBuf> = entries.iter().filter(is_process).map(DirEntry::path).collect();
    let memory = |listing| processes.iter().map(|process| memory_of(process, listing)).sum();
    let whole = memory(WHOLE);
    Ok((processes.len(), if whole > MEMORY << 10 { memory(SHARE) } else { whole }))
}

/// Returns the memory of a process in KiB; 0 if it has ended.
fn memory_of(process: &Path, (file, names): Listing) -> u64 {
    let text = fs::read_to_string(process.join(file)).unwrap_or_default();
    let lines = text.lines().filter(|line| names.iter().any(|name| line.starts_with(name)));
    lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
}

/// Copies in both directions until both ends are closed.
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
    fn client_may_change_small_files() {
        let (package, client) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::create_dir(package.path().join("data")).unwrap();
        fs::write(package.path().join("data/small"), "12").unwrap();
        fs::write(package.path().join("large"), [1; 3 * PAGE as usize]).unwrap();
        symlink("data", package.path().join("link")).unwrap();
        symlink("missing", package.path().join("dangling")).unwrap();
        fill(package.path(), client.path(), &mut (3 * PAGE - 1)).unwrap();
        assert_eq!(fs::read(client.path().join("large")).unwrap(), [1; 3 * PAGE as usize]);
        assert_eq!(fs::read(client.path().join("link/small")).unwrap(), b"12");
        assert!(client.path().join("dangling").is_symlink());
        assert!(client.path().join("large").is_symlink() && !client.path().join("data/small").is_symlink());
        fs::write(client.path().join("data/small"), "34").unwrap();
        assert_eq!(fs::read(package.path().join("data/small")).unwrap(), b"12");
    }

    #[test]
    fn many_processes_and_much_memory_are_refused() {
        let limits = (MAX_PROCESSES, MEMORY << 10);
        assert!(check(limits).is_ok());
        for (used, expected) in [((129, 0), "128 processes"), ((1, limits.1 + 1), "1500 MiB")] {
            assert!(check(used).unwrap_err().to_string().contains(expected));
        }
    }

    #[test]
    fn forked_processes_share_memory() {
        // The shell holds 16 MB and forks.
        let script = "x=$(head -c 16000000 /dev/zero | tr '\\0' x); (echo ready; read -r line)";
        let mut shell = Command::new("sh");
        let mut shell = shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut ready = [0; 6];
        shell.stdout.take().unwrap().read_exact(&mut ready).unwrap();
        let process = PathBuf::from(format!("/proc/{}", shell.id()));
        let (memory, share) = (memory_of(&process, WHOLE), memory_of(&process, SHARE));
        assert!(memory > 15_500 && (7_750..memory * 3 / 4).contains(&share), "{memory} {share}");
        drop(shell.stdin.take());
        shell.wait().unwrap();
        assert_eq!((memory_of(&process, WHOLE), memory_of(&process, SHARE)), (0, 0));
        assert!(usage().unwrap().0 > 0);
    }
}
