//! The TCP connection to a server.

use std::io::{self, Read};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use thiserror::Error;

/// Time to wait for a host that does not answer.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Interval at which a read without data returns.
const READ_TIMEOUT: Duration = Duration::from_millis(250);

/// Time to wait for the server to close the connection, too.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// There is no connection.
///
/// ```
/// let Err(error) = client::connection::connect("no-such-host.invalid", 1) else { panic!() };
/// assert!(error.to_string().starts_with("cannot connect to no-such-host.invalid, port 1:"));
/// ```
#[derive(Debug, Error)]
#[error("cannot connect to {host}, port {port}: {reason}")]
pub struct ConnectError {
    host: String,
    port: u16,
    reason: io::Error,
}

/// Connects to a server.
///
/// Moves are sent without delay, and reads time out after a quarter of a second, so that the session notices silence
/// and a request to stop.
///
/// # Errors
/// [`ConnectError`] if the host is unknown or none of its addresses accepts the connection.
///
/// ```
/// let server = std::net::TcpListener::bind(("127.0.0.1", 0))?;
/// let stream = client::connection::connect("127.0.0.1", server.local_addr()?.port())?;
/// assert!(stream.nodelay()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn connect(host: &str, port: u16) -> Result<TcpStream, ConnectError> {
    let error = |reason| ConnectError { host: host.to_owned(), port, reason };
    let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in addresses(host, port).map_err(error)? {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).and_then(configure) {
            Ok(stream) => return Ok(stream),
            Err(reason) => last = reason,
        }
    }
    Err(error(last))
}

/// Returns the addresses of a host. `localhost` is not looked up (RFC 6761, section 6.3), because that fails without a
/// hosts file.
fn addresses(host: &str, port: u16) -> io::Result<Vec<SocketAddr>> {
    let host = without_brackets(host);
    if host.eq_ignore_ascii_case("localhost") {
        return Ok(vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]);
    }
    Ok((host, port).to_socket_addrs()?.collect())
}

/// Returns the host without the brackets in which servers print an IPv6 address before their port.
pub(crate) fn without_brackets(host: &str) -> &str {
    host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host)
}

/// Ends a connection so that the last message arrives: closing a connection with unread input resets it, which may
/// overtake that message. Waits up to a second for the server to close its end.
///
/// ```
/// use std::io::{Read, Write};
///
/// let server = std::net::TcpListener::bind(("127.0.0.1", 0))?;
/// let mut stream = client::connection::connect("127.0.0.1", server.local_addr()?.port())?;
/// let (mut other, _) = server.accept()?;
/// other.write_all(b"never read")?;
/// stream.write_all(b"goodbye")?;
/// let reader = std::thread::spawn(move || {
///     let mut text = String::new();
///     other.read_to_string(&mut text).map(|_| text)
/// });
/// client::connection::finish(&stream);
/// assert_eq!(reader.join().expect("it does not panic")?, "goodbye");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn finish(mut stream: &TcpStream) {
    // If any of this fails, the connection has already ended.
    if stream.shutdown(Shutdown::Write).is_err() {
        return;
    }
    let end = Instant::now() + CLOSE_TIMEOUT;
    let mut buffer = [0; 1 << 10];
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() || stream.set_read_timeout(Some(left)).is_err() {
            return;
        }
        if !matches!(stream.read(&mut buffer), Ok(1..)) {
            return;
        }
    }
}

fn configure(stream: TcpStream) -> io::Result<TcpStream> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(READ_TIMEOUT))?;
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accepts_ipv6_address_in_brackets() {
        assert_eq!(addresses("[::1]", 5).unwrap(), [(Ipv6Addr::LOCALHOST, 5).into()]);
        assert_eq!(addresses("::1", 5).unwrap(), addresses("[::1]", 5).unwrap());
    }
}
