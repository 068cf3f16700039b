//! The options of a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use protocol::{Season, State};

use crate::time_limits::TimeLimits;

/// The options of a server.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The address to listen on; port 0 is any free port.
    pub address: SocketAddr,
    /// The season of protocol and rules.
    pub season: Season,
    /// The time limits of the players; `None` for no limits.
    pub time_limits: Option<TimeLimits>,
    /// The password of administrators.
    pub password: String,
    /// The start states of the games, in rotation; empty for new games.
    pub start: Vec<State>,
    /// Seed of the start pieces; `None` for a random one.
    pub seed: Option<u64>,
    /// The limits of clients.
    pub limits: Limits,
}

/// Limits that keep one client from disturbing the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of connections; more are closed at once.
    pub connections: usize,
    /// Maximum number of games.
    pub rooms: usize,
    /// Maximum number of games of one client, and of its observations of one game.
    pub seats_per_client: usize,
    /// Maximum length of a message in bytes. A move takes 250.
    pub message_bytes: usize,
    /// Maximum rate in bytes per second at which a client is read. Each message counts 1,000 extra bytes.
    pub bytes_per_second: u32,
    /// Maximum number of unread messages; a client with more is dropped.
    pub queued_messages: usize,
    /// A silent client without a game is dropped after this time, unless it is an administrator.
    pub idle: Duration,
}

impl Default for ServerOptions {
    /// Creates the settings of the official server, but on the local machine only.
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            season: Season::default(),
            time_limits: Some(TimeLimits::default()),
            password: protocol::DEFAULT_PASSWORD.to_owned(),
            start: Vec::new(),
            seed: None,
            limits: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 256,
            rooms: 1024,
            seats_per_client: 16,
            message_bytes: 64 << 10,
            bytes_per_second: 1 << 20,
            queued_messages: 512,
            idle: Duration::from_secs(60),
        }
    }
}
