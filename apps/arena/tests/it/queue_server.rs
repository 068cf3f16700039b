//! A real queue server, which tests kill and start again, and the processes that use it.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};

use tempfile::TempDir;

use super::folder::{Folder, Killed, wait_until};

/// The program `nats-server`, running on this machine with a folder of its own.
pub struct QueueServer {
    arguments: Vec<String>,
    folder: TempDir,
    port: u16,
    /// `None` while it is killed.
    process: Option<Killed>,
}

impl QueueServer {
    /// Starts the server with additional arguments.
    pub fn start(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        // Somebody else could take the port meanwhile, but ports are given out one after the other.
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("there is a free port").port();
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let mut server = Self { arguments, folder, port, process: None };
        server.restart();
        server
    }

    /// Returns the host and the port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Ends it at once.
    pub fn kill(&mut self) {
        self.process = None;
    }

    /// Restarts a killed server with its stored data.
    pub fn restart(&mut self) {
        let process = Command::new("nats-server")
            .args(["--addr", "127.0.0.1", "--port", &self.port.to_string(), "--jetstream", "--store_dir"])
            .arg(self.folder.path())
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server is installed");
        self.process = Some(Killed(process));
        // The server greets before it encrypts.
        let greets = |mut stream: TcpStream| stream.read(&mut [0]).is_ok_and(|length| length == 1);
        wait_until(|| TcpStream::connect(self.address()).is_ok_and(greets));
    }
}

/// A folder with `plan.toml`, and a queue server.
pub struct Cluster {
    pub server: QueueServer,
    pub folder: Folder,
}

impl Cluster {
    /// Starts a server with these arguments.
    pub fn start(plan: &str, arguments: &[&str]) -> Self {
        let folder = Folder::new();
        folder.write("plan.toml", plan);
        Self { server: QueueServer::start(arguments), folder }
    }

    /// Starts a worker for one game at a time.
    pub fn worker(&self, name: &str, more: &str) -> Killed {
        let work = format!("work --queue nats://{} --name {name} --concurrency 1 {more}", self.server.address());
        self.folder.spawn(&mut self.folder.arena(&work), name)
    }

    /// Returns the arguments that play the plan over the queue.
    pub fn arguments(&self) -> String {
        format!("run plan.toml -q --queue nats://{}", self.server.address())
    }

    /// Starts a coordinator.
    pub fn coordinator(&self, more: &str) -> Killed {
        self.folder.spawn(&mut self.folder.arena(&format!("{} {more}", self.arguments())), "coordinator")
    }
}
