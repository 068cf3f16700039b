//! A running service and its clients, for tests and benchmarks.
#![allow(dead_code, reason = "benchmarks need only a part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use board::service::{Config, Service};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tungstenite::{Message, WebSocket};

/// A service on a thread of its own.
pub struct Running {
    pub address: SocketAddr,
    pub key: String,
    /// The path of the address for the browser.
    pub start_path: String,
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
    folder: Option<TempDir>,
}

impl Running {
    /// Starts a service with a folder of its own.
    pub fn new() -> Self {
        Self::with(|_| {})
    }

    /// Starts a service with a folder of its own and other options.
    pub fn with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut running = Self::start(&folder.path().join("games.sqlite"), change);
        running.folder = Some(folder);
        running
    }

    /// Starts a service with a database and other options.
    pub fn start(database: &Path, change: impl FnOnce(&mut Config)) -> Self {
        let mut config = Config::new(database.to_owned());
        (config.options.threads, config.options.memory) = (Some(1), 16);
        config.options.move_time = 50;
        change(&mut config);
        let (end, ended) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let service = Service::start(&config).await.unwrap();
                tell.send((service.address(), service.url(), service.start_url())).unwrap();
                service.run(async { drop(ended.await) }).await;
            });
        });
        let (address, url, start) = told.recv().unwrap();
        let key = url.split_once("#key=").unwrap().1.to_owned();
        let start_path = start[start.find("/start/").unwrap()..].to_owned();
        Self { address, key, start_path, end: Some(end), thread: Some(thread), folder: None }
    }

    /// Sends a request as it is given, with `Host` and the end of the head added unless they are there.
    pub fn raw(&self, head: &str, body: &[u8]) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let host = if head.contains("Host:") { String::new() } else { format!("Host: {}\r\n", self.address) };
        let rest = format!("{host}Connection: close\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}\r\n{rest}").as_bytes()).unwrap();
        // A service that refuses early may close before it has read everything.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, answer)
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1"), b"")
    }

    /// Sends a request with the key. Returns the status and the JSON of the answer.
    pub fn send(&self, request: &str, body: &[u8]) -> (u16, Value) {
        let head = format!("{request} HTTP/1.1\r\nX-Board-Key: {}\r\nContent-Type: application/json", self.key);
        let (status, answer) = self.raw(&head, body);
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send(&format!("POST {path}"), body.to_string().as_bytes())
    }

    /// Returns the JSON of an answer.
    pub fn ask(&self, path: &str) -> Value {
        let (status, answer) = self.send(&format!("GET {path}"), b"");
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Returns a new game; the tokens of its links by role.
    pub fn create(&self, new: &Value) -> impl Fn(&str) -> String + use<> {
        let (status, links) = self.post("/api/games", new);
        assert_eq!(status, 200, "{links}");
        token_of(links)
    }

    pub fn connect(&self, token: &str) -> Client {
        self.connect_at(&format!("/api/play/{token}"))
    }

    /// Connects a host who lets programs move at once while connected.
    pub fn connect_fast(&self, token: &str) -> Client {
        let mut host = self.connect(token);
        host.send(&json!({ "type": "pace", "time": 0 }));
        host
    }

    pub fn connect_at(&self, path: &str) -> Client {
        self.try_connect_at(path).expect("the service accepts the connection")
    }

    /// Returns `None` if the service refuses the connection.
    pub fn try_connect_at(&self, path: &str) -> Option<Client> {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let url = format!("ws://{}{path}", self.address);
        tungstenite::client(url, stream).ok().map(|(socket, _)| Client { socket, next: 0 })
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

pub fn token_of(links: Value) -> impl Fn(&str) -> String + use<> {
    move |role| {
        let link = links.as_array().unwrap().iter().find(|link| link["role"] == role).unwrap();
        link["token"].as_str().unwrap().to_owned()
    }
}

pub struct Client {
    pub socket: WebSocket<TcpStream>,
    next: u64,
}

impl Client {
    pub fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    pub fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// Returns the next message that satisfies a condition.
    pub fn until(&mut self, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message;
            }
        }
    }

    pub fn view(&mut self, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        self.until(|message| message["type"] == "view" && is_it(&message["view"]))["view"].clone()
    }

    /// Does something; the answer.
    pub fn act(&mut self, action: &Value, on: Option<u64>) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "type": "act", "id": id, "on": on, "action": action }));
        self.until(|message| message["id"] == id)
    }
}

pub fn four(seat: &Value) -> Value {
    json!([seat, seat, seat, seat])
}

pub fn people() -> Value {
    json!({ "rules": "classic", "seats": four(&json!({ "kind": "person" })) })
}

pub fn play(mv: &str) -> Value {
    json!({ "do": "play", "move": mv })
}

/// Options for a small program.
pub const SMALL: [&str; 4] = ["--threads", "1", "--memory", "16"];

/// The program itself, killed when it is dropped.
pub struct Program {
    pub child: Child,
    pub service: Running,
}

impl Program {
    /// Starts the program with options.
    pub fn start(database: &Path, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_board"))
            .args(["--no-open", "--port", "0", "--games"])
            .arg(database)
            .args(options)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let (address, key) = url.trim().split_once("/#key=").unwrap();
        let address = address.strip_prefix("http://").unwrap().parse().unwrap();
        let (key, start_path) = (key.to_owned(), String::new());
        Self { child, service: Running { address, key, start_path, end: None, thread: None, folder: None } }
    }

    /// Returns the memory of the program in KiB. Reads /proc.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).expect("VmRSS")
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
