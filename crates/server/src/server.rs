//! The server: a thread that accepts connections and a thread with the lobby.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use protocol::{Element, Replay, Slot};

use crate::connection::Connection;
use crate::lobby::{Lobby, Prepared};
use crate::options::{Limits, ServerOptions};
use crate::outbox::{ClientId, ClientOutput};
use crate::room::FinishedGame;
use crate::verdict::DisconnectReason;

/// A running server. Dropping it ends the server.
///
/// ```
/// use server::{ServerOptions, Server};
///
/// let server = Server::start(ServerOptions::default())?;
/// println!("clients may join at {}", server.address());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    events: SyncSender<LobbyEvent>,
    finished: Receiver<FinishedGame>,
    stopping: Arc<AtomicBool>,
    lobby_thread: Option<JoinHandle<()>>,
}

/// An event for the thread of the lobby.
enum LobbyEvent {
    Connected(ClientId, Box<Connection>),
    Element(ClientId, Element, Instant),
    Ended(ClientId, DisconnectReason),
    Prepare(Box<[Slot; 2]>, Sender<Prepared>),
    Unfinished(Sender<Vec<Replay>>),
    Stop,
}

/// Maximum number of waiting events; then the connections wait.
const QUEUE: usize = 1024;

/// Maximum time between two ticks of the lobby.
const TICK: Duration = Duration::from_secs(1);

impl Server {
    /// Starts a server.
    ///
    /// # Errors
    /// If the address is not available.
    pub fn start(options: ServerOptions) -> std::io::Result<Self> {
        let listener = TcpListener::bind(options.address)?;
        let address = listener.local_addr()?;
        let (events, received) = sync_channel(QUEUE);
        let (finished_sender, finished) = channel();
        let stopping = Arc::new(AtomicBool::new(false));
        let accept_thread = AcceptThread { events: events.clone(), stopping: stopping.clone(), limits: options.limits };
        thread::Builder::new().name("accept".to_owned()).spawn(move || accept_thread.run(&listener))?;
        let lobby_thread =
            LobbyThread { lobby: Lobby::new(options), connections: HashMap::new(), finished: finished_sender };
        let lobby_thread =
            thread::Builder::new().name("lobby".to_owned()).spawn(move || lobby_thread.run(&received))?;
        Ok(Self { address, events, finished, stopping, lobby_thread: Some(lobby_thread) })
    }

    /// Returns the address of the listener.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the channel of the games that have ended.
    pub fn finished(&self) -> &Receiver<FinishedGame> {
        &self.finished
    }

    /// Prepares a game like an administrator. `None` if the server has stopped.
    pub fn prepare(&self, slots: [Slot; 2]) -> Option<Prepared> {
        let (sender, prepared) = channel();
        self.events.send(LobbyEvent::Prepare(Box::new(slots), sender)).ok()?;
        prepared.recv().ok()
    }

    /// Returns the replays of the running games, without results; none if the server has stopped.
    pub fn unfinished(&self) -> Vec<Replay> {
        let (sender, replays) = channel();
        let asked = self.events.send(LobbyEvent::Unfinished(sender));
        asked.ok().and_then(|()| replays.recv().ok()).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        // The first fails if the server has already stopped. The second wakes the thread that accepts connections.
        let _ = self.events.send(LobbyEvent::Stop);
        let _ = TcpStream::connect_timeout(&reachable(self.address), TICK);
        if let Some(lobby_thread) = self.lobby_thread.take() {
            let _ = lobby_thread.join();
        }
    }
}

/// Returns the address of a listener for this machine.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::LOCALHOST),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::LOCALHOST),
        });
    }
    address
}

/// The thread that accepts connections.
struct AcceptThread {
    events: SyncSender<LobbyEvent>,
    stopping: Arc<AtomicBool>,
    limits: Limits,
}

impl AcceptThread {
    fn run(self, listener: &TcpListener) {
        let open = Arc::new(AtomicUsize::new(0));
        for (client, stream) in listener.incoming().enumerate() {
            if self.stopping.load(Ordering::Relaxed) {
                return;
            }
            let Ok(stream) = stream.inspect_err(|error| log::warn!("a connection failed: {error}")) else {
                // File descriptors may be exhausted for a while.
                thread::sleep(Duration::from_millis(10));
                continue;
            };
            if open.load(Ordering::Relaxed) >= self.limits.connections {
                log::warn!("refusing a connection: {} are open", self.limits.connections);
                // Fails if the client has already left.
                let _ = stream.shutdown(Shutdown::Both);
                continue;
            }
            open.fetch_add(1, Ordering::Relaxed);
            let link = LobbyLink { events: self.events.clone(), open: open.clone() };
            if let Err(error) = self.serve(client as ClientId, stream, link) {
                log::warn!("a connection failed: {error}");
            }
        }
    }

    fn serve(&self, client: ClientId, stream: TcpStream, link: LobbyLink) -> std::io::Result<()> {
        let (connection, reader) = Connection::open(client, stream, &self.limits)?;
        // Without the thread or the server, dropping this closure ends the connection.
        thread::Builder::new().name(format!("read {client}")).spawn(move || {
            let send = |event| link.events.send(event).is_ok();
            if send(LobbyEvent::Connected(client, Box::new(connection))) {
                reader.run(
                    |element, at| send(LobbyEvent::Element(client, element, at)),
                    |how| _ = send(LobbyEvent::Ended(client, how)),
                );
            }
        })?;
        Ok(())
    }
}

/// The sender of a connection to the lobby.
struct LobbyLink {
    events: SyncSender<LobbyEvent>,
    open: Arc<AtomicUsize>,
}

/// The thread lingers after the client has left.
impl Drop for LobbyLink {
    fn drop(&mut self) {
        self.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The thread with the lobby.
struct LobbyThread {
    lobby: Lobby,
    connections: HashMap<ClientId, Connection>,
    finished: Sender<FinishedGame>,
}

impl LobbyThread {
    fn run(mut self, events: &Receiver<LobbyEvent>) {
        loop {
            let now = Instant::now();
            let next = self.lobby.next_deadline().map_or(TICK, |deadline| deadline.saturating_duration_since(now));
            match events.recv_timeout(next.min(TICK)) {
                Ok(LobbyEvent::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(event) => self.handle(event),
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.lobby.tick(Instant::now());
            self.deliver();
        }
        self.close_all(events);
    }

    /// Closes all connections after sending the waiting messages.
    fn close_all(mut self, events: &Receiver<LobbyEvent>) {
        for connection in self.connections.values() {
            if !connection.push(ClientOutput::Close { farewell: false }) {
                connection.cut();
            }
        }
        let until = Instant::now() + TICK;
        while !self.connections.is_empty() {
            match events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(LobbyEvent::Ended(client, _)) => _ = self.connections.remove(&client),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        self.connections.values().for_each(Connection::cut);
    }

    fn handle(&mut self, event: LobbyEvent) {
        match event {
            LobbyEvent::Connected(client, connection) => {
                self.lobby.connect(client, Instant::now());
                self.connections.insert(client, *connection);
            }
            LobbyEvent::Element(client, element, at) => self.lobby.receive(client, &element, at),
            LobbyEvent::Ended(client, how) => {
                self.lobby.disconnect(client, how);
                // The writing thread first sends the waiting messages.
                self.connections.remove(&client);
            }
            // Fails if the caller no longer waits.
            LobbyEvent::Prepare(slots, reply) => _ = reply.send(self.lobby.prepare(slots.to_vec(), false)),
            LobbyEvent::Unfinished(reply) => _ = reply.send(self.lobby.unfinished()),
            LobbyEvent::Stop => {}
        }
    }

    /// Delivers the outputs and finished games of the lobby.
    fn deliver(&mut self) {
        loop {
            let outputs = self.lobby.take_outputs();
            if outputs.is_empty() {
                break;
            }
            for (client, output) in outputs {
                let Some(connection) = self.connections.get(&client) else { continue };
                if !connection.push(output) {
                    log::warn!("client {client} is dropped: it does not read");
                    connection.cut();
                    self.connections.remove(&client);
                    self.lobby.disconnect(client, DisconnectReason::LostConnection);
                }
            }
        }
        for game in self.lobby.take_finished() {
            // Fails if the receiver is gone.
            let _ = self.finished.send(game);
        }
    }
}
