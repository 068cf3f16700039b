//! Isolation of foreign programs with bubblewrap (`bwrap`).
//!
//! A program in the sandbox sees its own folder and the system's folders read-only, has a network of its own, limited
//! memory, a limited number of processes and one processor. A client must reach the port of its game: a relay outside
//! listens on a Unix socket and connects to the port, a relay inside listens on the same port of the loopback and
//! connects to the socket. Both relays are this program.

use std::io;
#[cfg(unix)]
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
#[cfg(unix)]
use std::thread;

use crate::engines::process::word;

/// Memory of a process in MiB, as in the contest.
pub const MEMORY: u64 = 1500;

/// Maximum number of processes and threads of a program.
const MOST_PROCESSES: u32 = 256;

/// Size of the folder for temporary files in bytes.
const TEMPORARY: &str = "67108864";

/// Folder of the program in the sandbox.
pub const FOLDER: &str = "/client";

/// This program in the sandbox.
#[cfg(unix)]
const RELAY: &str = "/arena";

/// Folder of the socket in the sandbox.
#[cfg(unix)]
const SOCKET: &str = "/socket";

/// System folders and files that programs need, where they exist.
const SYSTEM: [&str; 14] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/opt",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
];

/// Returns `true` if bubblewrap is installed and works.
pub fn is_available() -> bool {
    let args = ["--unshare-all", "--ro-bind", "/", "/", "true"];
    let status = Command::new("bwrap").args(args).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Arguments of `bwrap` up to the command; `folder` is the program's own one.
fn arguments(folder: Option<&Path>, cpu: usize) -> Vec<String> {
    let mut arguments: Vec<String> = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
        .into_iter()
        .chain(["--setenv", "PATH", "/usr/local/bin:/usr/bin:/bin:/usr/games", "--setenv", "HOME", "/tmp"])
        .chain(["--setenv", "LANG", "C.UTF-8", "--proc", "/proc", "--dev", "/dev", "--size", TEMPORARY, "--tmpfs"])
        .chain(["/tmp"])
        .map(str::to_owned)
        .collect();
    for path in SYSTEM {
        arguments.extend(["--ro-bind-try", path, path].map(str::to_owned));
    }
    if let Some(folder) = folder {
        arguments.extend(["--ro-bind".to_owned(), folder.to_string_lossy().into_owned(), FOLDER.to_owned()]);
        arguments.extend(["--chdir", FOLDER].map(str::to_owned));
    }
    arguments.extend(["--".to_owned(), "prlimit".to_owned(), format!("--data={}", MEMORY << 20)]);
    arguments.extend([format!("--nproc={MOST_PROCESSES}"), "taskset".to_owned(), "-c".to_owned(), cpu.to_string()]);
    arguments
}

/// Returns the command line that runs a shell command with standard input and output in a sandbox.
pub fn pipe_command(command: &str, cpu: usize) -> String {
    let mut words = vec!["bwrap".to_owned()];
    words.extend(arguments(None, cpu));
    words.extend(["sh", "-c", command].map(str::to_owned));
    words.iter().map(|text| word(text)).collect::<Vec<_>>().join(" ")
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
    use std::os::unix::net::UnixListener;
    let port = port_of(contest)?;
    let place = tempfile::Builder::new().prefix("arena-socket-").tempdir()?;
    let listener = UnixListener::bind(place.path().join("game"))?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Ok(game) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) {
                thread::spawn(move || relay(game, stream));
            }
        }
    });
    let mut arguments = arguments(Some(folder).filter(|folder| *folder != "-").map(Path::new), cpu);
    let program = std::env::current_exe()?;
    let binds = [
        ["--ro-bind".to_owned(), program.to_string_lossy().into_owned(), RELAY.to_owned()],
        ["--bind".to_owned(), place.path().to_string_lossy().into_owned(), SOCKET.to_owned()],
    ];
    arguments.splice(0..0, binds.concat());
    Command::new("bwrap").args(arguments).args([RELAY, "sandbox-inside", command]).args(contest).status()
}

/// Runs a client inside a sandbox.
#[cfg(unix)]
pub fn run_inside(command: &str, contest: &[String]) -> io::Result<ExitStatus> {
    use std::os::unix::net::UnixStream;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port_of(contest)?))?;
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if let Ok(socket) = UnixStream::connect(Path::new(SOCKET).join("game")) {
                thread::spawn(move || relay(stream, socket));
            }
        }
    });
    Command::new("sh").arg("-c").arg(format!("{command} \"$@\"")).arg("client").args(contest).status()
}

/// Copies in both directions until both ends are closed.
#[cfg(unix)]
fn relay(tcp: TcpStream, unix: std::os::unix::net::UnixStream) {
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

/// There is no sandbox on this system.
#[cfg(not(unix))]
pub fn run_outside(_: &str, _: usize, _: &str, _: &[String]) -> io::Result<ExitStatus> {
    Err(io::ErrorKind::Unsupported.into())
}

/// There is no sandbox on this system.
#[cfg(not(unix))]
pub fn run_inside(_: &str, _: &[String]) -> io::Result<ExitStatus> {
    Err(io::ErrorKind::Unsupported.into())
}
