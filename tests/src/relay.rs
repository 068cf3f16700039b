//! A relay to a server that can be interrupted or slowed.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Poll interval while the relay is cut.
const POLL: Duration = Duration::from_millis(10);

/// A TCP relay to the server that can be cut.
pub struct Relay {
    address: String,
    way: Arc<Way>,
}

struct Way {
    is_cut: AtomicBool,
    /// Delay of all traffic.
    delay: Duration,
}

impl Relay {
    /// Opens a relay to a server, which delays all traffic.
    ///
    /// # Panics
    /// If this machine has no free port.
    pub fn to(server: String, delay: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
        let address = listener.local_addr().expect("it has an address").to_string();
        let way = Arc::new(Way { is_cut: AtomicBool::new(false), delay });
        let here = way.clone();
        // The thread ends with the test.
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A server that is away shows as a connection that ends.
                let _ = here.connect(client, &server);
            }
        });
        Self { address, way }
    }

    /// The host and the port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Stops all traffic without closing connections, or resumes it with everything held back.
    pub fn cut(&self, is_cut: bool) {
        self.way.is_cut.store(is_cut, Ordering::Relaxed);
    }
}

impl Way {
    fn connect(self: &Arc<Self>, client: TcpStream, server: &str) -> io::Result<()> {
        let server = TcpStream::connect(server)?;
        client.set_nodelay(true)?;
        server.set_nodelay(true)?;
        for (from, to) in [(client.try_clone()?, server.try_clone()?), (server, client)] {
            let way = self.clone();
            thread::spawn(move || {
                // When one side ends the connection, the other end is closed, too.
                let _ = way.pass(&from, &to);
                _ = from.shutdown(Shutdown::Both);
                to.shutdown(Shutdown::Both)
            });
        }
        Ok(())
    }

    fn pass(&self, mut from: &TcpStream, mut to: &TcpStream) -> io::Result<()> {
        let mut buffer = [0; 1 << 14];
        loop {
            let length = from.read(&mut buffer)?;
            if length == 0 {
                return Ok(());
            }
            thread::sleep(self.delay);
            while self.is_cut.load(Ordering::Relaxed) {
                thread::sleep(POLL);
            }
            to.write_all(&buffer[..length])?;
        }
    }
}
