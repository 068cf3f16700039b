//! The reading and the writing thread of a connection.

use std::convert::Infallible;
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use game::excerpt;
use protocol::{ClientMessage, ClientMessageError, Element, Frame, Framer, Season};

use crate::document::Document;
use crate::options::Limits;
use crate::outbox::{ClientId, ClientOutput};
use crate::verdict::DisconnectReason;

/// The server's side of a connection.
#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    queue: SyncSender<ClientOutput>,
    closing: Arc<AtomicBool>,
}

/// Interval at which a reading thread checks whether the connection is closing.
const READ_TIMEOUT: Duration = Duration::from_millis(500);

/// Time that a connection stays open after its last message, because closing with unread bytes discards sent ones.
/// A client that reads more slowly loses the rest.
const LINGER: Duration = Duration::from_secs(2);

impl Connection {
    /// Starts the writing thread. The caller starts the reader when the server knows the connection.
    pub(super) fn open(client: ClientId, stream: TcpStream, limits: &Limits) -> std::io::Result<(Self, MessageReader)> {
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(READ_TIMEOUT))?;
        let (queue, outputs) = sync_channel(limits.queued_messages);
        let closing = Arc::new(AtomicBool::new(false));
        let connection = Self { stream: stream.try_clone()?, queue, closing: closing.clone() };
        let writing = stream.try_clone()?;
        let (done, written) = channel();
        thread::Builder::new().name(format!("write {client}")).spawn(move || write(writing, &outputs, done))?;
        let throttle = Throttle::new(limits.bytes_per_second, Instant::now());
        let framer = Framer::new(limits.message_bytes).with_official_strictness();
        Ok((connection, MessageReader { client, stream, closing, written, framer, throttle }))
    }

    /// Passes an output to the writing thread. Returns `false` if its queue is full.
    pub(super) fn push(&self, output: ClientOutput) -> bool {
        if let ClientOutput::Close { .. } = output {
            self.closing.store(true, Ordering::Relaxed);
        }
        match self.queue.try_send(output) {
            Ok(()) => true,
            // The client has left; the reading thread reports that.
            Err(TrySendError::Disconnected(_)) => true,
            Err(TrySendError::Full(_)) => false,
        }
    }

    /// Ends the connection at once.
    pub(super) fn cut(&self) {
        self.closing.store(true, Ordering::Relaxed);
        // Fails if the connection has already ended.
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The reading half of a connection.
#[derive(Debug)]
pub(super) struct MessageReader {
    client: ClientId,
    stream: TcpStream,
    closing: Arc<AtomicBool>,
    /// Disconnected when the writing thread has ended.
    written: Receiver<Infallible>,
    framer: Framer,
    throttle: Throttle,
}

impl MessageReader {
    /// Reads until the connection ends or `receive`, which gets each element, returns `false`. Reports the end to
    /// `ended`.
    pub(super) fn run(mut self, receive: impl Fn(Element, Instant) -> bool, ended: impl FnOnce(DisconnectReason)) {
        ended(self.read(receive));
        // Discard input, which would otherwise reset the connection before the client has read the last messages.
        let until = Instant::now() + LINGER;
        let mut buffer = [0; 4096];
        while Instant::now() < until {
            match self.stream.read(&mut buffer) {
                Ok(0) => break,
                Err(error) if !is_timeout(&error) => break,
                _ => {}
            }
        }
        // The client may have closed only its half and wait for answers, but must not block the writing thread.
        let _ = self.written.recv_timeout(until.saturating_duration_since(Instant::now()));
        // Fails if the connection has already ended.
        let _ = self.stream.shutdown(Shutdown::Both);
    }

    fn refuse(&self, reason: &str) -> DisconnectReason {
        log::warn!("client {}: the official server would close the connection here: {reason}", self.client);
        DisconnectReason::ProtocolError
    }

    /// Reads until the connection ends; returns the reason.
    fn read(&mut self, receive: impl Fn(Element, Instant) -> bool) -> DisconnectReason {
        let mut buffer = [0; 16 << 10];
        while !self.closing.load(Ordering::Relaxed) {
            let count = match self.stream.read(&mut buffer) {
                Ok(0) => return DisconnectReason::LostConnection,
                Ok(count) => count,
                Err(error) if is_timeout(&error) => continue,
                Err(_) => return DisconnectReason::LostConnection,
            };
            let at = Instant::now();
            self.framer.push(&buffer[..count]);
            let mut cost = count as u32;
            loop {
                match self.framer.next_frame() {
                    Ok(None) => break,
                    Ok(Some(Frame::Element(element))) => {
                        cost += Throttle::PER_MESSAGE;
                        if !receive(element, at) {
                            return DisconnectReason::LostConnection;
                        }
                    }
                    Ok(Some(Frame::End)) => return DisconnectReason::LostConnection,
                    Err(error) => return self.refuse(&error.to_string()),
                }
            }
            // The official server checks the name before the message is complete.
            if let Some(name) = self.framer.open_message().filter(|name| is_unknown(name)) {
                return self.refuse(&format!("unknown message <{}>", excerpt(name)));
            }
            thread::sleep(self.throttle.pay(cost, at));
        }
        DisconnectReason::LostConnection
    }
}

/// Returns `true` if no season has a message with this name.
fn is_unknown(name: &str) -> bool {
    let parse = |season| ClientMessage::parse(&Element::new(name), season);
    Season::ALL.iter().all(|&season| matches!(parse(season), Err(ClientMessageError::Unreadable(_))))
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Writes the outputs and drops `_done`.
fn write(mut stream: TcpStream, outputs: &Receiver<ClientOutput>, _done: Sender<Infallible>) {
    // An error means that the client has left; the reading thread reports that.
    let _ = write_all(&mut stream, outputs);
    let _ = stream.shutdown(Shutdown::Write);
}

fn write_all(stream: &mut TcpStream, outputs: &Receiver<ClientOutput>) -> std::io::Result<()> {
    let mut document = Document::default();
    for output in outputs {
        stream.write_all(document.write(&output).as_bytes())?;
        if let ClientOutput::Close { .. } = output {
            break;
        }
    }
    Ok(())
}

/// A token bucket: limits the rate at which a client is read.
#[derive(Debug)]
struct Throttle {
    per_second: f64,
    /// The available bytes.
    saved: f64,
    last: Instant,
}

impl Throttle {
    /// Cost of a message in addition to its bytes.
    const PER_MESSAGE: u32 = 1000;

    /// Maximum savings in seconds.
    const BURST: f64 = 4.0;

    fn new(per_second: u32, now: Instant) -> Self {
        let per_second = f64::from(per_second.max(1));
        Self { per_second, saved: per_second * Self::BURST, last: now }
    }

    /// Pays for bytes; returns the time to wait.
    fn pay(&mut self, cost: u32, now: Instant) -> Duration {
        let earned = self.per_second * now.saturating_duration_since(self.last).as_secs_f64();
        self.last = now;
        self.saved = (self.saved + earned).min(self.per_second * Self::BURST) - f64::from(cost);
        Duration::from_secs_f64((-self.saved / self.per_second).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpListener};

    use super::*;

    const MEGABYTE: usize = 1 << 20;

    /// Returns a client and the server's side of its connection.
    fn connect() -> (TcpStream, Connection, MessageReader) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (connection, reader) = Connection::open(0, listener.accept().unwrap().0, &Limits::default()).unwrap();
        (client, connection, reader)
    }

    /// Returns the bytes that a client gets of messages of a megabyte each, after it has closed its half. It reads
    /// before or after the server has finished.
    fn received(messages: usize, reads_at_once: bool) -> usize {
        let (mut client, connection, reader) = connect();
        let text: Arc<str> = "x".repeat(MEGABYTE).into();
        assert!((0..messages).all(|_| connection.push(ClientOutput::Send(text.clone()))));
        client.shutdown(Shutdown::Write).unwrap();
        let mut count = move || {
            let mut buffer = [0; 1 << 16];
            std::iter::from_fn(|| client.read(&mut buffer).ok().filter(|&count| count > 0)).sum::<usize>()
        };
        // Drops the connection when it has ended, like the server.
        let serve = move || reader.run(|_, _| true, |_| drop(connection));
        if reads_at_once {
            let reading = thread::spawn(count);
            serve();
            reading.join().unwrap()
        } else {
            serve();
            count()
        }
    }

    #[test]
    fn unreadable_bytes_close_connection() {
        for text in ["<protocol><join/><protocol>", "<protocol><jion>", "<protocol>&nbsp;", "<p><?xml version='1.0'?>"]
        {
            let (mut client, _connection, mut reader) = connect();
            client.write_all(text.as_bytes()).unwrap();
            assert_eq!(reader.read(|_, _| true), DisconnectReason::ProtocolError, "{text}");
        }
    }

    #[test]
    fn half_closed_client_gets_waiting_messages_if_it_reads() {
        assert!(received(4, true) > 4 * MEGABYTE);
        assert!(received(200, false) < 200 * MEGABYTE);
    }

    #[test]
    fn flood_is_slowed_to_rate() {
        let start = Instant::now();
        let mut throttle = Throttle::new(1000, start);
        let mut now = start;
        for _ in 0..100 {
            now += throttle.pay(500, now);
        }
        // 50,000 bytes, 4,000 of them at once.
        assert_eq!((now - start).as_secs(), 46);
        assert_eq!(throttle.pay(500, now + Duration::from_secs(10)), Duration::ZERO);
    }
}
