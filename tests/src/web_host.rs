//! A web host as there are many: it has the files of a folder, and nothing else.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;

/// Serves a folder at `http://ADDRESS/board/`, for sites need not lie at the root, until the program ends.
///
/// # Panics
/// If it cannot listen.
pub fn serve(folder: PathBuf) -> SocketAddr {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("there is a free port");
    let address = listener.local_addr().expect("it is bound");
    let folder = Arc::new(folder);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let folder = Arc::clone(&folder);
            // Whoever goes away before the answer is there does not need it.
            thread::spawn(move || drop(answer(stream, &folder)));
        }
    });
    address
}

fn answer(mut stream: TcpStream, folder: &Path) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut first = String::new();
    reader.read_line(&mut first)?;
    for line in reader.lines() {
        if line?.is_empty() {
            break;
        }
    }
    let target = first.split(' ').nth(1).unwrap_or_default();
    let path = target.split('?').next().unwrap_or_default();
    let name = path.strip_prefix("/board/").map(|name| if name.is_empty() { "index.html" } else { name });
    let found =
        name.filter(|name| !name.contains('/')).and_then(|name| Some((name, fs::read(folder.join(name)).ok()?)));
    let Some((name, bytes)) = found else {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    };
    let content_type = match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    let length = bytes.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(&bytes)
}
