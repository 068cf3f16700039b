//! The service over real sockets.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use arena::games::played::PlayedGame;
use board::service::{Config, Service};
use flate2::Compression;
use flate2::write::GzEncoder;
use game::{Position, Rules, Team};
use record::{Fault, FaultKind, Game, NodeId};
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tungstenite::{Message, WebSocket};

/// A service on a thread of its own.
struct Running {
    address: SocketAddr,
    key: String,
    end: Option<oneshot::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Running {
    fn start(database: &Path) -> Self {
        Self::with(Config::new(database.to_owned()))
    }

    fn with(mut config: Config) -> Self {
        for (name, spec) in [("random", "random"), ("broken", "gtp:false")] {
            config.programs.insert(name.to_owned(), spec.parse().unwrap());
        }
        (config.threads, config.memory) = (1, 16 << 20);
        (config.move_time, config.hint_time) = (Duration::from_millis(50), Duration::from_millis(300));
        let (end, ended) = oneshot::channel();
        let (tell, told) = std::sync::mpsc::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let service = Service::start(&config).await.unwrap();
                tell.send((service.address(), service.url())).unwrap();
                service.run(async { drop(ended.await) }).await.unwrap();
            });
        });
        let (address, url) = told.recv().unwrap();
        let key = url.split_once("#key=").unwrap().1.to_owned();
        Self { address, key, end: Some(end), thread: Some(thread) }
    }

    /// Sends a request as it is given, with `Host` and the end of the head added unless they are there.
    fn raw(&self, head: &str, body: &[u8]) -> (u16, String) {
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

    fn get(&self, path: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1"), b"")
    }

    fn post(&self, path: &str, content_type: &str, body: &[u8]) -> (u16, Value) {
        let head = format!("POST {path} HTTP/1.1\r\nX-Board-Key: {}\r\nContent-Type: {content_type}", self.key);
        let (status, answer) = self.raw(&head, body);
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        (status, serde_json::from_str(body).unwrap_or(Value::Null))
    }

    /// The JSON of an answer.
    fn ask(&self, path: &str) -> Value {
        let (status, answer) = self.raw(&format!("GET {path} HTTP/1.1\r\nX-Board-Key: {}", self.key), b"");
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap()
    }

    /// A new game; the tokens of its links by role.
    fn create(&self, new: &Value) -> impl Fn(&str) -> String + use<> {
        let (status, links) = self.post("/api/games", "application/json", new.to_string().as_bytes());
        assert_eq!(status, 200, "{links}");
        token_of(links)
    }

    fn connect(&self, token: &str) -> Client {
        self.connect_at(&format!("/api/play/{token}"))
    }

    fn connect_at(&self, path: &str) -> Client {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let url = format!("ws://{}{path}", self.address);
        Client { socket: tungstenite::client(url, stream).unwrap().0, next: 0 }
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

fn token_of(links: Value) -> impl Fn(&str) -> String + use<> {
    move |role| {
        let link = links.as_array().unwrap().iter().find(|link| link["role"] == role).unwrap();
        link["token"].as_str().unwrap().to_owned()
    }
}

struct Client {
    socket: WebSocket<TcpStream>,
    next: u64,
}

impl Client {
    fn send(&mut self, message: &Value) {
        self.socket.send(Message::text(message.to_string())).unwrap();
    }

    fn receive(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.socket.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }

    /// The next message for which something holds.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message;
            }
        }
    }

    fn view(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        self.until(|message| message["type"] == "view" && is_it(&message["view"]))["view"].clone()
    }

    /// Does something; the answer.
    fn act(&mut self, action: &Value, on: Option<u64>) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "type": "act", "id": id, "on": on, "action": action }));
        self.until(|message| message["id"] == id)
    }
}

fn four(seat: &Value) -> Value {
    json!([seat, seat, seat, seat])
}

fn people() -> Value {
    json!({ "rules": "classic", "seats": four(&json!({ "kind": "person" })) })
}

fn play(mv: &str) -> Value {
    json!({ "do": "play", "move": mv })
}

#[test]
fn a_game_is_played_and_survives_the_end_of_the_service() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let token = {
        let service = Running::start(&database);
        let token = service.create(&people());
        let (host, watch) = (token("host"), token("watch"));
        let (mut player, mut watcher) = (service.connect(&host), service.connect(&watch));
        assert_eq!(player.view(|_| true)["may_move"], true);
        assert_eq!(watcher.view(|_| true)["may_move"], false);
        assert_eq!(player.act(&play("PENTO_W@0,0"), Some(0))["type"], "done");
        assert_eq!(watcher.view(|view| view["turn"] == 1)["last"]["move"], "PENTO_W@0,0");

        let refused = player.act(&play("MONO@5,5"), None);
        assert_eq!((&refused["type"], &refused["error"]), (&json!("refused"), &json!("not_on_start")));
        assert_eq!(player.act(&play("MONO@19,0"), Some(0))["error"], "stale", "somebody was faster");
        assert_eq!(watcher.act(&play("MONO@19,0"), None)["error"], "not_allowed");
        watcher.send(&json!({ "type": "hint" }));
        assert_eq!(watcher.until(|message| message["type"] == "refused")["error"], "not_allowed");

        player.send(&json!({ "type": "why", "id": 99, "shape": "DOMINO", "x": 19, "y": 0 }));
        assert_eq!(player.until(|message| message["id"] == 99)["why"]["rule"], "out_of_bounds");
        player.send(&json!({ "type": "territory" }));
        let territory = player.until(|message| message["type"] == "territory");
        assert_eq!(territory["territory"].as_array().unwrap().len(), 4);
        let said = player.act(&json!({ "do": "comment", "node": 1, "text": "<b>bold</b>" }), None);
        assert_eq!(said["type"], "done");
        host
    };
    let service = Running::start(&database);
    // What is seen first is the whole of it, at the place at which one looks.
    let first = service.connect_at(&format!("/api/play/{token}?place=0")).receive();
    assert_eq!((&first["type"], &first["view"]["node"], &first["progress"]), (&json!("view"), &json!(0), &Value::Null));
    let view = service.connect(&token).view(|_| true);
    assert_eq!((&view["turn"], &view["line"][1]["comment"]), (&json!(1), &json!("<b>bold</b>")));
    let (status, saved) = service.get(&format!("/api/save/{token}/blksgf"));
    assert!(status == 200 && saved.contains("GM[Blokus Two-Player]"), "{saved}");
}

/// The program itself, killed when it is dropped.
struct Program {
    child: Child,
    service: Running,
}

impl Program {
    fn start(database: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_board"))
            .env(cli::VARIABLE, "")
            .args(["--no-open", "--port", "0", "--threads", "1", "--memory", "16", "--games"])
            .arg(database)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let (address, key) = url.trim().split_once("/#key=").unwrap();
        let address = address.strip_prefix("http://").unwrap().parse().unwrap();
        Self { child, service: Running { address, key: key.to_owned(), end: None, thread: None } }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_is_confirmed_survives_a_kill_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let mut token = String::new();
    for turn in 0..4 {
        let program = Program::start(&database);
        if turn == 0 {
            token = program.service.create(&people())("host");
        }
        let mut player = program.service.connect(&token);
        assert_eq!(player.view(|_| true)["turn"], turn);
        let corner = ["0,0", "19,0", "19,19", "0,19"][turn];
        assert_eq!(player.act(&play(&format!("MONO@{corner}")), Some(turn as u64))["type"], "done");
        // Dropping it kills it, with nothing in between.
    }
}

#[test]
fn a_guest_plays_only_its_own_seat() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let [person, guest] = ["person", "guest"].map(|kind| json!({ "kind": kind }));
    let token = service.create(&json!({ "rules": "classic", "seats": [person, guest, person, guest] }));
    let (mut host, mut yellow) = (service.connect(&token("host")), service.connect(&token("Y")));
    assert_eq!(yellow.act(&play("MONO@0,0"), None)["error"], "not_yours");
    assert_eq!(host.act(&play("MONO@0,0"), None)["type"], "done");
    assert_eq!(host.act(&play("MONO@19,0"), None)["error"], "not_yours");
    assert!(yellow.view(|view| view["turn"] == 1)["legal"]["MONO"].is_array());
    assert_eq!(yellow.act(&play("MONO@19,0"), None)["type"], "done");
    assert_eq!(yellow.act(&json!({ "do": "undo" }), None)["error"], "not_allowed");
    assert_eq!(yellow.act(&json!({ "do": "resign", "team": "ONE" }), None)["error"], "not_allowed");
    assert_eq!(yellow.act(&json!({ "do": "resign", "team": "TWO" }), None)["type"], "done");
    assert_eq!(host.view(|view| view["has_ended"] == true)["result"], "ONE");
}

#[test]
fn levels_play_against_each_other_to_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let [weak, strong] = [1, 5].map(|level| json!({ "kind": "level", "level": level }));
    let token = service.create(&json!({ "rules": "2027", "seats": [weak, strong, weak, strong] }));
    let mut watcher = service.connect(&token("watch"));
    let view = watcher.view(|view| view["has_ended"] == true);
    assert_ne!(view["result"], "unfinished");
    assert!(view["line"].as_array().unwrap().len() > 40);
}

#[test]
fn programs_of_others_play_and_one_that_cannot_stops_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let [random, broken, level] = [
        json!({ "kind": "program", "name": "random" }),
        json!({ "kind": "program", "name": "broken" }),
        json!({ "kind": "level", "level": 2 }),
    ];
    let token = service.create(&json!({ "rules": "2021", "seats": [random, level, random, level] }));
    let view = service.connect(&token("watch")).view(|view| view["has_ended"] == true);
    assert_ne!(view["result"], "unfinished");

    let token = service.create(&json!({ "rules": "2021", "seats": [random, broken, random, broken] }));
    let mut host = service.connect(&token("host"));
    let message = host.until(|message| message["trouble"].is_object());
    assert_eq!(message["trouble"]["color"], "YELLOW");
    assert!(message["trouble"]["text"].as_str().unwrap().contains("cannot play"), "{message}");
    assert_eq!((&message["view"]["turn"], &message["view"]["is_paused"]), (&json!(1), &json!(true)));
    let sit = json!({ "do": "sit", "color": "YELLOW", "seat": { "kind": "program", "name": "unheard of" } });
    assert_eq!(host.act(&sit, None)["error"], "unknown_program");
    for color in ["YELLOW", "GREEN"] {
        assert_eq!(host.act(&json!({ "do": "sit", "color": color, "seat": level }), None)["type"], "done");
    }
    assert_eq!(host.act(&json!({ "do": "resume" }), None)["type"], "done");
    host.view(|view| view["turn"].as_u64() > Some(8));
    // The trouble is over, also when somebody stops the game for another reason.
    assert_eq!(host.act(&json!({ "do": "pause" }), None)["type"], "done");
    let message = host.until(|message| message["view"]["is_paused"] == true);
    assert!(message["trouble"].is_null(), "{message}");
}

#[test]
fn a_move_after_which_a_program_fails_is_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let [person, broken] = [json!({ "kind": "person" }), json!({ "kind": "program", "name": "broken" })];
    let token = service.create(&json!({ "rules": "classic", "seats": [person, broken, person, broken] }));
    let mut player = service.connect(&token("host"));
    assert_eq!(player.act(&play("MONO@0,0"), None)["type"], "done");
    player.view(|view| view["is_paused"] == true);
    assert_eq!(player.act(&json!({ "do": "undo" }), None)["type"], "done");
    let view = player.view(|view| view["is_paused"] == false);
    assert_eq!((&view["turn"], &view["may_move"]), (&json!(0), &json!(true)));
    // What went wrong is over then, also when somebody stops the game for another reason.
    assert_eq!(player.act(&json!({ "do": "pause" }), None)["type"], "done");
    let message = player.until(|message| message["view"]["is_paused"] == true);
    assert!(message["trouble"].is_null(), "{message}");
}

#[test]
fn hints_grow_and_an_analysis_is_streamed_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let token = {
        let service = Running::start(&database);
        let token = service.create(&people())("host");
        let mut player = service.connect(&token);
        player.send(&json!({ "type": "hint" }));
        let first = player.view(|view| view["insight"].is_object());
        assert!(first["insight"]["candidates"][0]["share"].as_f64().unwrap() > 0.0);
        let known = |view: &Value| {
            let candidates = view["insight"]["candidates"].as_array().cloned().unwrap_or_default();
            !candidates.is_empty() && candidates.iter().all(|candidate| candidate["win"].is_number())
        };
        player.view(known);
        for mv in ["PENTO_W@0,0", "MONO@19,0", "PENTO_W@17,17"] {
            assert_eq!(player.act(&play(mv), None)["type"], "done");
        }
        player.send(&json!({ "type": "analyse", "time": 30 }));
        player.until(|message| message["progress"].is_object());
        player.until(|message| message["type"] == "view" && message["progress"].is_null());
        // Who takes more time wants better answers; the hint at the start had taken longer still.
        player.send(&json!({ "type": "analyse", "time": 60 }));
        player.until(|message| message["progress"]["total"] == 3);
        player.until(|message| message["type"] == "view" && message["progress"].is_null());
        token
    };
    let service = Running::start(&database);
    let mut player = service.connect(&token);
    player.send(&json!({ "type": "review" }));
    let review = player.until(|message| message["type"] == "review")["review"].clone();
    assert_eq!((review["moves"].as_array().unwrap().len(), &review["count"]), (3, &json!(3)));
    assert!(review["accuracy"][0].is_number() && review["graph"][3].is_array());
}

#[test]
fn games_of_a_match_that_goes_on_can_be_opened_and_tell_how_games_began() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Config::new(folder.path().join("games.sqlite"));
    let path = folder.path().join("arena.sqlite");
    config.arena = Some(path.clone());
    let mut matches = arena::database::Store::open(&path).unwrap();
    let id = matches.add_import(Rules::Classic, ["mcts", "minimax"]).unwrap();
    let service = Running::with(config);
    let without = Running::start(&folder.path().join("others.sqlite"));
    assert_eq!(without.ask("/api/archive"), Value::Null);
    assert_eq!(service.ask("/api/archive")[0]["games"], 0);

    let mut game = Game::new(Position::new(Rules::Classic, None).unwrap());
    game.play(NodeId::START, "MONO@0,0".parse().unwrap()).unwrap();
    game.fault = Some((Team::Two, Fault::new(FaultKind::Resigned, "")));
    let number = matches.add_game(id, &PlayedGame::of_game(&game, 0), None).unwrap();
    assert_eq!(service.ask(&format!("/api/archive/matches/{id}"))[0]["result"], "ONE");
    assert_eq!(service.get("/api/archive").0, 403, "it needs the key");
    let (status, links) = service.post(&format!("/api/archive/games/{number}"), "application/json", b"");
    assert_eq!(status, 200, "{links}");
    let token = token_of(links)("host");
    let view = service.connect(&token).view(|_| true);
    assert_eq!((&view["turn"], &view["teams"][0]["player"]), (&json!(1), &json!("mcts")));
    let opening = service.ask(&format!("/api/opening/{token}?place=0"));
    assert_eq!(opening["moves"][0]["move"], "MONO@0,0");
    assert_eq!((&opening["games"], &opening["moves"][0]["score"]), (&json!(1), &json!(1.0)));
    assert_eq!(service.ask(&format!("/api/opening/{token}"))["games"], 0, "the game ended there");
    let (status, error) = service.post("/api/archive/games/99", "application/json", b"");
    assert!(status == 404 && error["text"] == "there is no game 99", "{error}");
}

#[test]
fn files_become_games_or_messages() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let sgf = b"(;GM[Blokus Two-Player];1[a20];2[t20])";
    let (status, games) = service.post("/api/import", "application/octet-stream", sgf);
    assert_eq!(status, 200, "{games}");
    let mut player = service.connect(&token_of(games[0].clone())("host"));
    assert_eq!(player.view(|_| true)["turn"], 2);

    let (status, error) = service.post("/api/import", "application/octet-stream", b"\x7fELF nonsense");
    assert!(status == 400 && error["text"].as_str().unwrap().contains("begins with"), "{error}");
    let (status, error) = service.post("/api/import", "application/octet-stream", &vec![b'('; 9 << 20]);
    assert!(status == 413 || status == 0, "{status} {error}");
    assert_eq!(service.get("/").0, 200, "it goes on");
    let (status, _) = service.post("/api/import", "application/octet-stream", b"");
    assert_eq!(status, 400);
    // A file that expands to 256 MiB, and a replay of another game.
    let (status, error) = service.post("/api/import", "application/octet-stream", &bomb());
    assert!(status == 400 && error["text"].as_str().unwrap().contains("MiB"), "{error}");
    let other = b"<protocol><room roomId=\"1\"><data class=\"memento\"><state class=\"sc.plugin2023.GameState\"/></data></room></protocol>";
    let (status, error) = service.post("/api/import", "application/octet-stream", other);
    assert!(status == 400 && error["error"] == "file", "{error}");
    let new = json!({ "position": "classic - 0 BYRG - 20", "seats": four(&json!({ "kind": "person" })) }).to_string();
    let (status, error) = service.post("/api/games", "application/json", new.as_bytes());
    assert!(status == 400 && error["error"] == "notation", "{error}");
    let new = json!({ "rules": "1999", "seats": four(&json!({ "kind": "person" })) }).to_string();
    let (status, error) = service.post("/api/games", "application/json", new.as_bytes());
    assert!(status == 400 && error["text"].as_str().unwrap().contains("1999"), "{error}");
    let new = json!({ "seats": four(&json!({ "kind": "program", "name": "rm" })) }).to_string();
    let (status, error) = service.post("/api/games", "application/json", new.as_bytes());
    assert!(status == 400 && error["error"] == "unknown_program", "{error}");
}

/// A replay of nothing but blanks, which is small only as long as it is packed.
fn bomb() -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(b"<protocol>").unwrap();
    (0..256).for_each(|_| packer.write_all(&[b' '; 1 << 20]).unwrap());
    let bomb = packer.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    bomb
}

/// The memory of a process, in KiB.
#[cfg(target_os = "linux")]
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

#[test]
fn a_hint_begins_at_once_and_fifty_games_are_watched_by_two_each() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    // Another process may take the processor once, but not each time.
    let hint = |_| {
        let mut player = service.connect(&service.create(&people())("host"));
        player.receive();
        let begun = Instant::now();
        player.send(&json!({ "type": "hint" }));
        player.view(|view| view["insight"]["candidates"].as_array().is_some_and(|list| !list.is_empty()));
        let waited = begun.elapsed();
        player.send(&json!({ "type": "stop" }));
        waited
    };
    let soonest = (0..5).map(hint).min().unwrap();
    assert!(soonest < Duration::from_millis(300), "{soonest:?}");

    let watchers: Vec<_> = (0..50)
        .flat_map(|_| {
            let token =
                service.create(&json!({ "rules": "classic", "seats": four(&json!({ "kind": "level", "level": 1 })) }));
            [service.connect(&token("watch")), service.connect(&token("watch"))]
        })
        .map(|mut watcher| thread::spawn(move || watcher.view(|view| view["has_ended"] == true)["result"].clone()))
        .collect();
    for watcher in watchers {
        assert_ne!(watcher.join().unwrap(), "unfinished");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_idle_game_takes_little_memory() {
    const GAMES: u64 = 100;
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder.path().join("games.sqlite"));
    let (service, process) = (&program.service, program.child.id());
    let before = memory(process);
    let watched: Vec<_> = (0..GAMES).map(|_| service.connect(&service.create(&people())("watch"))).collect();
    let each = memory(process).saturating_sub(before) / watched.len() as u64;
    assert!(each < 100, "{each} KiB");
}

#[test]
fn other_origins_and_other_names_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let (status, page) = service.get("/");
    assert_eq!(status, 200);
    for header in ["content-security-policy: default-src 'self'", "referrer-policy: no-referrer", "nosniff"] {
        assert!(page.contains(header), "{page}");
    }
    assert_eq!(service.raw("GET / HTTP/1.1\r\nHost: evil.example", b"").0, 403);
    assert_eq!(service.raw("GET / HTTP/1.1\r\nOrigin: http://evil.example", b"").0, 403);
    let own = format!("GET / HTTP/1.1\r\nOrigin: http://{}", service.address);
    assert_eq!(service.raw(&own, b"").0, 200);

    // Without the key nobody makes games or lists them; without a link nobody sees one.
    let body = people().to_string();
    let head = "POST /api/games HTTP/1.1\r\nContent-Type: application/json";
    assert_eq!(service.raw(head, body.as_bytes()).0, 403);
    assert_eq!(service.get("/api/games").0, 403);
    assert_eq!(service.get(&format!("/api/links/{}", "0".repeat(32))).0, 404);
    assert_eq!(service.get("/api/play/x").0, 400, "it is not an upgrade");
    assert_eq!(service.get("/page/../Cargo.toml").0, 404);
    // Where there is nothing, people get the page, which says so, and programs a reason.
    for (address, said) in [("/game", "<html"), ("/apis", "<html"), ("/api/game", "there is nothing at this address")] {
        let (status, answer) = service.get(address);
        assert!(status == 404 && answer.contains(said), "{answer}");
    }

    // A page elsewhere cannot even open a socket with a link that it knows.
    let token = service.create(&people());
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==";
    let request = |origin: &str| {
        let mut stream = TcpStream::connect(service.address).unwrap();
        let path = format!("GET /api/play/{} HTTP/1.1\r\nHost: {}", token("host"), service.address);
        stream.write_all(format!("{path}\r\n{upgrade}\r\nOrigin: {origin}\r\n\r\n").as_bytes()).unwrap();
        let mut start = [0; 12];
        stream.read_exact(&mut start).unwrap();
        String::from_utf8_lossy(&start).into_owned()
    };
    assert_eq!(request("http://evil.example"), "HTTP/1.1 403");
    assert_eq!(request(&format!("http://{}", service.address)), "HTTP/1.1 101");
}

#[test]
fn links_for_other_machines_have_a_name_that_they_know() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = |listen: [u8; 4], hosts: &[&str]| {
        let mut config = Config::new(folder.path().join("games.sqlite"));
        config.listen = (listen, 0).into();
        config.hosts = hosts.iter().map(|&host| host.to_owned()).collect();
        let url = runtime.block_on(Service::start(&config)).unwrap().url();
        url.strip_prefix("http://").and_then(|rest| rest.split_once(':')).unwrap().0.to_owned()
    };
    assert_eq!(url([0; 4], &["board.example", "other.example"]), "board.example");
    assert_eq!((url([0; 4], &[]), url([127, 0, 0, 1], &[])), ("localhost".to_owned(), "127.0.0.1".to_owned()));
}

#[test]
fn a_link_behind_which_there_is_nothing_to_see_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let service = Running::start(&database);
    let refused = |token: &str| {
        let mut client = service.connect(token);
        let message = client.receive();
        assert_eq!(message["type"], "refused", "{message}");
        assert!(matches!(client.socket.read(), Ok(Message::Close(_)) | Err(_)), "nothing more comes");
        (message["error"].as_str().unwrap().to_owned(), message["text"].as_str().unwrap().to_owned())
    };
    assert_eq!(refused(&"0".repeat(32)).0, "no_link");
    let token = service.create(&people())("host");
    let other = rusqlite::Connection::open(&database).unwrap();
    other.execute("UPDATE game SET document = '{}'", []).unwrap();
    let (_, text) = refused(&token);
    assert!(text.contains("cannot be read"), "{text}");
}

#[test]
fn requests_that_are_not_understood_are_answered_as_all_others() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let token = service.create(&people())("host");
    for (request, status, text) in [
        ("POST /api/games HTTP/1.1\r\nContent-Type: application/json", 422, "seats"),
        ("GET /api/archive/matches/x HTTP/1.1", 400, "`x`"),
        (&format!("GET /api/opening/{token}?place=x HTTP/1.1"), 400, "place"),
        (&format!("GET /api/play/{token} HTTP/1.1"), 400, "upgrade"),
        ("DELETE /api/games HTTP/1.1", 405, "Method Not Allowed"),
    ] {
        let (given, answer) = service.raw(&format!("{request}\r\nX-Board-Key: {}", service.key), b"{}");
        assert_eq!(given, status, "{answer}");
        let reason: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
        assert_eq!(reason["error"], "request");
        assert!(reason["text"].as_str().unwrap().contains(text), "{reason}");
        assert_eq!(answer.to_lowercase().contains("allow: "), status == 405, "{answer}");
    }
}

#[test]
fn nonsense_on_the_socket_is_answered() {
    let folder = tempfile::tempdir().unwrap();
    let service = Running::start(&folder.path().join("games.sqlite"));
    let mut player = service.connect(&service.create(&people())("host"));
    player.receive();
    for nonsense in [json!({}), json!({ "type": "fly" }), json!({ "type": "act", "id": 1, "action": { "do": "fly" } })]
    {
        player.send(&nonsense);
        assert_eq!(player.until(|message| message["type"] == "refused")["error"], "message");
    }
    player.send(&json!({ "type": "look", "node": 1000 }));
    assert_eq!(player.view(|_| true)["node"], 0);
    player.send(&json!({ "type": "why", "id": 5, "shape": "PENTO_Q", "x": 0, "y": 0 }));
    assert_eq!(player.until(|message| message["id"] == 5)["type"], "refused");
}
