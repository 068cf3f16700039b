//! Bad requests, files and messages.

use std::io::{Read, Write};
use std::net::TcpStream;

use board::service::{Config, Service};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use tungstenite::Message;

use crate::running::{Running, four, people, token_of};

#[test]
fn bad_files_and_games_are_refused() {
    let service = Running::new();
    let (status, games) = service.send("POST /api/import", b"(;GM[Blokus Two-Player];1[a20];2[t20])");
    assert_eq!(status, 200, "{games}");
    let mut player = service.connect(&token_of(games[0].clone())("host"));
    assert_eq!(player.view(|_| true)["turn"], 2);

    let (status, error) = service.send("POST /api/import", &vec![b'('; 9 << 20]);
    assert!(status == 413 || status == 0, "{status} {error}");
    assert_eq!(service.get("/").0, 200, "it goes on");
    let other_game = b"<protocol><room roomId=\"1\"><data class=\"memento\"><state class=\"sc.plugin2023.GameState\"/></data></room></protocol>";
    let seats = |seat: Value| four(&seat);
    let person = || seats(json!({ "kind": "person" }));
    let game = |new: Value| new.to_string().into_bytes();
    for (path, body, status, name, text) in [
        ("/api/import", b"\x7fELF nonsense".to_vec(), 400, "file", "begins with"),
        ("/api/import", Vec::new(), 400, "file_empty", ""),
        ("/api/import", b"PK\x03\x04\x14".to_vec(), 400, "file_archive", ""),
        ("/api/import", bomb(), 400, "file", "16 MiB"),
        ("/api/import", other_game.to_vec(), 400, "file", ""),
        ("/api/games", game(json!({ "position": "classic - 0 BYRG - 20", "seats": person() })), 400, "notation", ""),
        ("/api/games", game(json!({ "rules": "1999", "seats": person() })), 422, "request", "1999"),
        (
            "/api/games",
            game(json!({ "seats": seats(json!({ "kind": "program", "name": "rm" })) })),
            400,
            "unknown_program",
            "",
        ),
    ] {
        let (given, error) = service.send(&format!("POST {path}"), &body);
        assert!(given == status && error["error"] == name && error["text"].as_str().unwrap().contains(text), "{error}");
    }
}

/// Returns a replay of blanks that is small only while compressed.
fn bomb() -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(b"<protocol>").unwrap();
    (0..17).for_each(|_| packer.write_all(&[b' '; 1 << 20]).unwrap());
    let bomb = packer.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    bomb
}

#[test]
fn other_origins_and_hosts_are_refused() {
    let service = Running::new();
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
fn printed_address_uses_the_host_name() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let url = |listen: [u8; 4], hosts: &[&str]| {
        let mut config = Config::new(folder.path().join("games.sqlite"));
        config.listen = listen.into();
        config.host = hosts.iter().map(|&host| host.to_owned()).collect();
        let url = runtime.block_on(Service::start(&config)).unwrap().url();
        url.strip_prefix("http://").and_then(|rest| rest.split_once(':')).unwrap().0.to_owned()
    };
    assert_eq!(url([0; 4], &["board.example", "other.example"]), "board.example");
    assert_eq!((url([0; 4], &[]), url([127, 0, 0, 1], &[])), ("localhost".to_owned(), "127.0.0.1".to_owned()));
}

#[test]
fn unusable_link_states_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let service = Running::start(&database, |_| {});
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
    assert!(text.contains("damaged"), "{text}");
}

#[test]
fn malformed_requests_get_json_answers() {
    let service = Running::new();
    let token = service.create(&people())("host");
    for (request, status, text) in [
        ("POST /api/games HTTP/1.1\r\nContent-Type: application/json", 422, "seats"),
        ("GET /api/archive/matches/x HTTP/1.1", 400, "`x`"),
        (&format!("GET /api/play/{token}?node=x HTTP/1.1"), 400, "node"),
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
fn malformed_chunk_is_not_called_too_large() {
    let service = Running::new();
    let send = |body: &str| {
        let mut stream = TcpStream::connect(service.address).unwrap();
        let (host, key) = (service.address, &service.key);
        let head = format!("POST /api/games HTTP/1.1\r\nHost: {host}\r\nX-Board-Key: {key}");
        write!(stream, "{head}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n{body}").unwrap();
        let mut answer = Vec::new();
        _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    };
    let answer = send("zz\r\n");
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("malformed or incomplete"), "{answer}");
    let answer = send(&format!("10001\r\n{}\r\n0\r\n\r\n", " ".repeat(0x10001)));
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("more than 64 KiB"), "{answer}");
}

#[test]
fn malformed_messages_are_refused() {
    let service = Running::new();
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
