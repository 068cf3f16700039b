//! Load test of the service: `cargo bench -p board --bench load [-- GAMES]`.
//!
//! Prints the memory of an idle game with a watcher, and the times until a hint and the answer to a move, first without
//! other games and then while programs play GAMES games (50 by default) with two watchers each.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use tungstenite::{Message, WebSocket};

/// Number of games for the measurement of memory.
const IDLE_GAMES: usize = 200;

/// The level of the programs: about 2 ms a move.
const LEVEL: u8 = 6;

struct Service {
    child: Child,
    address: String,
    key: String,
}

impl Service {
    fn start(database: &Path) -> Result<Self> {
        let mut child = Command::new(env!("CARGO_BIN_EXE_board"))
            .env(cli::VARIABLE, "")
            .args(["--no-open", "--port", "0", "--games"])
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()?;
        let mut url = String::new();
        BufReader::new(child.stdout.take().context("its output is a pipe")?).read_line(&mut url)?;
        let url = url.trim().strip_prefix("http://").with_context(|| format!("`{url}` is not an address"))?;
        let (address, key) = url.split_once("/#key=").with_context(|| format!("`{url}` has no key"))?;
        Ok(Self { child, address: address.to_owned(), key: key.to_owned() })
    }

    /// Sends a request. Returns the answer.
    fn post(&self, path: &str, body: &str) -> Result<Value> {
        let mut stream = TcpStream::connect(&self.address)?;
        let Self { address, key, .. } = self;
        let length = body.len();
        write!(
            stream,
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nX-Board-Key: {key}\r\nContent-Type: application/json\r\n\
             Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("an answer has a body")?;
        if !head.starts_with("HTTP/1.1 200") {
            bail!("{path}: {answer}");
        }
        Ok(serde_json::from_str(body)?)
    }

    /// Creates a game with the same player for all colours.
    fn game(&self, seat: &Value) -> Result<Value> {
        let game = json!({ "rules": "2027", "start_piece": "PENTO_W", "seats": [seat, seat, seat, seat] });
        self.post("/api/games", &game.to_string())
    }

    fn connect(&self, links: &Value, role: &str) -> Result<Client> {
        let mut links = links.as_array().into_iter().flatten();
        let link = links.find(|link| link["role"] == role).with_context(|| format!("there is no link for {role}"))?;
        let stream = TcpStream::connect(&self.address)?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        let url = format!("ws://{}/api/play/{}", self.address, link["token"].as_str().unwrap_or_default());
        Ok(Client(tungstenite::client(url, stream)?.0))
    }

    /// Returns the memory of the service in KiB; 0 on systems without /proc.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It may have ended already.
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

struct Client(WebSocket<TcpStream>);

impl Client {
    fn send(&mut self, message: &Value) -> Result<()> {
        Ok(self.0.send(Message::text(message.to_string()))?)
    }

    /// Returns the next message that satisfies a condition.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            if let Message::Text(text) = self.0.read()? {
                let message = serde_json::from_str(&text)?;
                if is_it(&message) {
                    return Ok(message);
                }
            }
        }
    }

    /// Watches until the game is over. Returns the number of views.
    fn watch(&mut self) -> Result<u64> {
        let mut seen = 1;
        while self.until(|message| message["type"] == "view")?["view"]["has_ended"] != true {
            seen += 1;
        }
        Ok(seen)
    }
}

/// Returns the times until the first candidates of a hint and until the confirmation of a move.
fn waiting(service: &Service) -> Result<[Duration; 2]> {
    let mut player = service.connect(&service.game(&json!({ "kind": "person" }))?, "host")?;
    let view = player.until(|message| message["type"] == "view")?;
    let begin = Instant::now();
    player.send(&json!({ "type": "hint" }))?;
    let has_candidates =
        |message: &Value| message["view"]["insight"]["candidates"].as_array().is_some_and(|list| !list.is_empty());
    let hint = player.until(has_candidates)?;
    let to_hint = begin.elapsed();
    player.send(&json!({ "type": "stop" }))?;
    let mv = &hint["view"]["insight"]["candidates"][0]["move"];
    let begin = Instant::now();
    player.send(
        &json!({ "type": "act", "id": 1, "on": view["view"]["version"], "action": { "do": "play", "move": mv } }),
    )?;
    let answer = player.until(|message| message["id"] == 1)?;
    if answer["type"] != "done" {
        bail!("{mv} is answered {answer}");
    }
    Ok([to_hint, begin.elapsed()])
}

fn print(when: &str, [hint, mv]: [Duration; 2]) {
    println!("{when}: first candidates of a hint after {hint:.0?}, a move confirmed after {mv:.1?}");
}

fn main() -> Result<()> {
    // Cargo adds options.
    let games = std::env::args().skip(1).find_map(|argument| argument.parse().ok()).unwrap_or(50);
    let folder = tempfile::tempdir()?;
    let service = Service::start(&folder.path().join("games.sqlite"))?;

    let before = service.memory();
    let person = json!({ "kind": "person" });
    let idle =
        (0..IDLE_GAMES).map(|_| service.connect(&service.game(&person)?, "watch")).collect::<Result<Vec<_>>>()?;
    let each = service.memory().saturating_sub(before) / IDLE_GAMES as u64;
    println!("{each} KiB for an idle game with a watcher");
    drop(idle);

    print("with nothing else going on", waiting(&service)?);

    let begin = Instant::now();
    let mut watchers = Vec::new();
    for _ in 0..games {
        let links = service.game(&json!({ "kind": "level", "level": LEVEL }))?;
        for _ in 0..2 {
            let mut watcher = service.connect(&links, "watch")?;
            watchers.push(thread::spawn(move || watcher.watch()));
        }
    }
    print(&format!("with {games} games of programs, each watched by two"), waiting(&service)?);
    let mut seen = 0;
    for watcher in watchers {
        seen += watcher.join().map_err(|_| anyhow::anyhow!("a watcher panicked"))??;
    }
    let time = begin.elapsed().as_secs_f64();
    println!("{games} games in {time:.1} s; {:.0} views a second; {} KiB", seen as f64 / time, service.memory());
    Ok(())
}
