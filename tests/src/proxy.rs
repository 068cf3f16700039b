//! A proxy between a client and a server that does something wrong once.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use protocol::{CLOSING, Frame, Framer, OPENING};

/// Fault that the proxy injects at a server message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Half of the message arrives, then the connection ends on both sides.
    Cut,
    /// The message does not arrive, and the connection of the client is reset.
    Reset,
    /// Half of the message arrives, and the rest after a while.
    Delay,
    /// The message arrives twice.
    Duplicate,
    /// The next message arrives before this one, if it comes soon.
    Reorder,
}

impl Fault {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Cut, Self::Reset, Self::Delay, Self::Duplicate, Self::Reorder];
}

/// For a delay, and for the wait for the next message.
const WHILE: Duration = Duration::from_millis(20);

/// Relays one connection with a fault at a message of the server, counted from 0, until one side ends
/// it. Returns the messages that arrived whole.
///
/// # Errors
/// If nobody connects, or the server cannot be reached.
pub fn relay(listener: &TcpListener, server: SocketAddr, fault: Fault, at: usize) -> io::Result<Vec<String>> {
    let client = listener.accept()?.0;
    let server = TcpStream::connect(server)?;
    client.set_nodelay(true)?;
    server.set_nodelay(true)?;
    let mut arrived = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            // If it fails, one side has ended the connection, and so does the other.
            _ = io::copy(&mut &client, &mut &server);
            server.shutdown(Shutdown::Write)
        });
        let mut messages = Messages { server: &server, framer: Framer::new(Framer::DEFAULT_LIMIT) };
        _ = messages.pass(&client, fault, at, &mut arrived);
        // Both end the copying; the first sends nothing.
        _ = client.shutdown(if fault == Fault::Reset { Shutdown::Read } else { Shutdown::Both });
        _ = server.shutdown(Shutdown::Both);
    });
    Ok(arrived)
}

/// Splits the server's output into messages.
struct Messages<'a> {
    server: &'a TcpStream,
    framer: Framer,
}

impl Messages<'_> {
    /// The next message; `None` if the server has ended the connection.
    fn next(&mut self) -> io::Result<Option<String>> {
        let mut buffer = [0; 1 << 14];
        loop {
            match self.framer.next_frame().map_err(io::Error::other)? {
                Some(Frame::Element(element)) => return Ok(Some(element.to_xml(1))),
                Some(Frame::End) => return Ok(None),
                None => {}
            }
            match self.server.read(&mut buffer)? {
                0 => return Ok(None),
                length => self.framer.push(&buffer[..length]),
            }
        }
    }

    /// The next message if it comes soon.
    fn next_soon(&mut self) -> io::Result<Option<String>> {
        self.server.set_read_timeout(Some(WHILE))?;
        let next = self.next().or_else(|error| match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Ok(None),
            _ => Err(error),
        });
        self.server.set_read_timeout(None)?;
        next
    }

    /// Passes messages on and notes those that have arrived.
    fn pass(&mut self, mut client: &TcpStream, fault: Fault, at: usize, arrived: &mut Vec<String>) -> io::Result<()> {
        client.write_all(OPENING.as_bytes())?;
        while let Some(message) = self.next()? {
            let (half, rest) = message.as_bytes().split_at(message.len() / 2);
            match fault {
                _ if arrived.len() != at => client.write_all(message.as_bytes())?,
                Fault::Cut => return client.write_all(half),
                Fault::Reset => return reset_when_closed(client),
                Fault::Delay => {
                    client.write_all(half)?;
                    thread::sleep(WHILE);
                    client.write_all(rest)?;
                }
                Fault::Duplicate => client.write_all(message.repeat(2).as_bytes())?,
                Fault::Reorder => {
                    let next = self.next_soon()?;
                    client.write_all((next.clone().unwrap_or_default() + &message).as_bytes())?;
                    arrived.extend(next);
                }
            }
            arrived.push(message);
        }
        client.write_all(CLOSING.as_bytes())
    }
}

/// Makes the end of a connection a reset, where the system can be told.
fn reset_when_closed(stream: &TcpStream) -> io::Result<()> {
    #[cfg(unix)]
    {
        use nix::sys::socket::{setsockopt, sockopt};
        setsockopt(stream, sockopt::Linger, &nix::libc::linger { l_onoff: 1, l_linger: 0 })?;
    }
    #[cfg(not(unix))]
    let _ = stream;
    Ok(())
}
