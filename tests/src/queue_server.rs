//! A real queue server, which tests kill and start again.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::program;

/// Timeout for the start of the server.
const PATIENCE: Duration = Duration::from_secs(30);

/// The program `nats-server`, running on this machine with a folder of its own.
pub struct QueueServer {
    program: PathBuf,
    arguments: Vec<String>,
    folder: TempDir,
    port: u16,
    /// `None` while it is killed.
    process: Option<Child>,
}

impl QueueServer {
    /// Starts the server with additional arguments.
    ///
    /// # Panics
    /// If the program is missing or does not start.
    pub fn start(arguments: &[&str]) -> Self {
        let program = program::in_path("nats-server").expect("nats-server is installed");
        let folder = tempfile::tempdir().expect("there is a folder for temporary files");
        // Somebody else could take the port meanwhile, but ports are given out one after the other.
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("there is a free port").port();
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        let mut server = Self { program, arguments, folder, port, process: None };
        server.restart();
        server
    }

    /// The host and the port.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// Ends it at once.
    ///
    /// # Panics
    /// If the system does not let it be killed.
    pub fn kill(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().expect("the server can be killed");
            process.wait().expect("the server has ended");
        }
    }

    /// Restarts a killed server with its stored data.
    ///
    /// # Panics
    /// If it does not start.
    pub fn restart(&mut self) {
        let process = Command::new(&self.program)
            .args(["--addr", "127.0.0.1", "--port", &self.port.to_string(), "--jetstream", "--store_dir"])
            .arg(self.folder.path())
            .args(&self.arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server can be started");
        self.process = Some(process);
        let begun = Instant::now();
        // The server greets before it encrypts.
        while !TcpStream::connect(self.address()).is_ok_and(|mut stream| stream.read(&mut [0]).is_ok_and(|n| n == 1)) {
            assert!(begun.elapsed() < PATIENCE, "the queue server does not listen");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for QueueServer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            // The test is over, whatever becomes of it.
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
