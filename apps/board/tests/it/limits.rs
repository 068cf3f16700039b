//! Limits of the service, and its secrets.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use board::service::ServiceLimits;
use serde_json::json;

use crate::running::{Client, Running, four, people, play, token_of};
#[cfg(target_os = "linux")]
use crate::running::{Program, SMALL};

#[test]
fn two_watchers_each_see_games_end() {
    let service = Running::new();
    let seats = four(&json!({ "kind": "level", "level": 1 }));
    let tokens: Vec<_> = (0..4).map(|_| service.create(&json!({ "rules": "classic", "seats": seats }))).collect();
    let _hosts: Vec<_> = tokens.iter().map(|token| service.connect_fast(&token("host"))).collect();
    let watchers: Vec<_> = tokens
        .iter()
        .flat_map(|token| [service.connect(&token("watch")), service.connect(&token("watch"))])
        .map(|mut watcher| thread::spawn(move || watcher.view(|view| view["has_ended"] == true)["result"].clone()))
        .collect();
    for watcher in watchers {
        assert_ne!(watcher.join().unwrap(), "unfinished");
    }
}

#[cfg(unix)]
#[test]
fn hanging_program_keeps_no_engine_from_work() {
    const HANGS: &str = "gtp:while read line; do case $line in genmove*) cat;; *) echo '=';; esac; echo; done";
    let service = Running::with(|config| config.options.program = vec![("hangs".to_owned(), HANGS.parse().unwrap())]);
    let create = |seat| service.create(&json!({ "rules": "classic", "seats": four(&seat) }));
    let _hanging = service.connect_fast(&create(json!({ "kind": "program", "name": "hangs" }))("host"));
    let mut playing = service.connect_fast(&create(json!({ "kind": "level", "level": 1 }))("host"));
    playing.view(|view| view["has_ended"] == true);
}

#[cfg(target_os = "linux")]
#[test]
fn hanging_program_ends_with_the_board() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let folder = tempfile::tempdir().unwrap();
    let id = folder.path().join("id");
    let hangs = format!("hangs=gtp:echo $$ > {}; exec sleep 1000", id.display());
    let mut program = Program::start(&folder.path().join("games.sqlite"), &["--program", &hangs]);
    let seats = four(&json!({ "kind": "program", "name": "hangs" }));
    let token = program.service.create(&json!({ "rules": "classic", "seats": seats }))("host");
    let _playing = program.service.connect_fast(&token);
    let id: i32 = loop {
        match std::fs::read_to_string(&id).ok().and_then(|text| text.trim().parse().ok()) {
            Some(id) => break id,
            None => thread::sleep(Duration::from_millis(10)),
        }
    };
    kill(Pid::from_raw(program.child.id() as i32), Signal::SIGTERM).unwrap();
    assert!(program.child.wait().unwrap().success());
    let deadline = std::time::Instant::now() + Duration::from_secs(10);
    // The killed process stays until its new parent has asked for its exit status.
    let runs = |id| std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
    while runs(id) {
        assert!(std::time::Instant::now() < deadline, "the program still runs");
        thread::sleep(Duration::from_millis(10));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn idle_game_takes_little_memory() {
    const GAMES: u64 = 40;
    let folder = tempfile::tempdir().unwrap();
    let program = Program::start(&folder.path().join("games.sqlite"), &SMALL);
    let (service, before) = (&program.service, program.memory());
    let watched: Vec<_> = (0..GAMES).map(|_| service.connect(&service.create(&people())("watch"))).collect();
    let each = program.memory().saturating_sub(before) / watched.len() as u64;
    assert!(each < 100, "{each} KiB");
}

fn limited(limits: ServiceLimits) -> Running {
    Running::with(|config| config.limits = limits)
}

/// Reads until the service closes the connection.
fn read_to_end(mut stream: &TcpStream) -> Vec<u8> {
    stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut all = Vec::new();
    if let Err(error) = stream.read_to_end(&mut all) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "{error}");
    }
    all
}

#[test]
fn half_requests_time_out() {
    let service = limited(ServiceLimits { request_time: Duration::from_millis(100), ..ServiceLimits::default() });
    let host = service.address;
    let key = &service.key;
    let post =
        |path| format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nX-Board-Key: {key}\r\nContent-Length: 9\r\n\r\n{{");
    for half in ["GET / HTTP/1.1\r\nHost:".to_owned(), post("/api/games"), post("/api/import")] {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(half.as_bytes()).unwrap();
        let answer = String::from_utf8_lossy(&read_to_end(&stream)).into_owned();
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    }
}

#[test]
fn slow_uploads_do_not_block_others() {
    let folder = tempfile::tempdir().unwrap();
    arena::database::Store::open(&folder.path().join(arena::league::DATABASE)).unwrap();
    let service = Running::with(|config| {
        (config.league, config.uploads) = (Some(folder.path().to_owned()), true);
    });
    let token = |team: String| {
        let (_, teams) = service.post("/api/teams", &json!(team));
        teams[&team].as_str().unwrap().to_owned()
    };
    let half = |team| {
        let mut stream = TcpStream::connect(service.address).unwrap();
        let (host, token) = (service.address, token(format!("slow{team}")));
        write!(stream, "PUT /api/upload/{token} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\nPK").unwrap();
        stream
    };
    let slow: Vec<TcpStream> = (0..20).map(half).collect();
    let (status, answer) = service.send(&format!("PUT /api/upload/{}", token("quick".to_owned())), b"PK");
    assert!(status == 400 && answer["error"] == "zip_broken", "{answer}");
    drop(slow);
}

#[test]
fn one_address_gets_half_of_the_connections() {
    let service = limited(ServiceLimits { connections: 8, ..ServiceLimits::default() });
    let path = format!("/api/play/{}", service.create(&people())("watch"));
    // At first the service may still count the connection of the request above.
    let connect = |_| std::iter::repeat_with(|| service.try_connect_at(&path)).find_map(|client| client).unwrap();
    let mut clients: Vec<Client> = (0..4).map(connect).collect();
    clients.iter_mut().for_each(|client| drop(client.receive()));
    let refused = TcpStream::connect(service.address).unwrap();
    assert!(read_to_end(&refused).is_empty());
    drop(clients);
    while service.get("/").0 != 200 {}
}

#[test]
fn silent_sockets_are_closed() {
    let service = limited(ServiceLimits { silence: Duration::from_millis(300), ..ServiceLimits::default() });
    let token = service.create(&people());
    let mut alive = service.connect(&token("host"));
    let silent = service.connect(&token("watch"));
    // Reading answers pings.
    let alive = thread::spawn(move || {
        alive.view(|_| true);
        alive.until(|message| message["view"]["turn"] == 1)
    });
    read_to_end(silent.socket.get_ref());
    assert_eq!(service.connect(&token("host")).act(&play("MONO@0,0"), None)["type"], "done");
    alive.join().unwrap();
}

#[test]
fn start_address_works_once() {
    let service = Running::new();
    let path = service.start_path.clone();
    let (status, answer) = service.get(&path);
    assert!(status == 303 && answer.contains(&format!("/#key={}", service.key)), "{answer}");
    assert_eq!(service.get(&path).0, 403);
}

#[test]
fn new_key_revokes_earlier_ones() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let earlier = Running::start(&database, |_| {}).key.clone();
    let games = |service: &Running| service.raw(&format!("GET /api/games HTTP/1.1\r\nX-Board-Key: {earlier}"), b"").0;
    assert_eq!(games(&Running::start(&database, |_| {})), 200);
    assert_eq!(games(&Running::start(&database, |config| config.new_key = true)), 403);
}

#[test]
fn token_of_the_list_survives_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let token = {
        let service = Running::start(&database, |_| {});
        _ = service.create(&people());
        let token = service.ask("/api/games")[0]["token"].as_str().unwrap().to_owned();
        assert_eq!(service.connect(&token).receive()["role"], "host");
        token
    };
    let service = Running::start(&database, |_| {});
    let links = service.ask(&format!("/api/links/{token}"));
    assert_eq!(service.connect(&token_of(links)("BR")).receive()["role"], "BR");
}
