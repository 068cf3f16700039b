//! What can be set about a server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;

use protocol::{Season, State};

use crate::clock::Clock;

/// How a server works.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen; port 0 is any free port.
    pub address: SocketAddr,
    /// The season whose protocol and rules are used.
    pub season: Season,
    /// When a player loses for being slow; `None` to wait for ever.
    pub clock: Option<Clock>,
    /// The password of administrators.
    pub password: String,
    /// Whether games that were not prepared wait for an administrator's steps.
    pub paused: bool,
    /// The states in which games begin, in turn and then from the first again; empty for new games.
    pub start: Vec<State>,
    /// Seed of the start pieces; `None` for other ones each time.
    pub seed: Option<u64>,
    /// What clients may not do.
    pub limits: Limits,
}

/// Limits that keep one client from disturbing the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections at the same time; more are closed at once.
    pub connections: usize,
    /// Games at the same time.
    pub rooms: usize,
    /// Games at the same time in which one client has a seat, and how often it may observe the same game.
    pub seats_per_client: usize,
    /// Length of a message in bytes. A move takes 250.
    pub message_bytes: usize,
    /// Bytes per second that are read from a client for long; one that sends more is read slowly.
    /// Every message counts 1,000 bytes more than it has.
    pub bytes_per_second: u32,
    /// Messages that may wait for a client to read them; one that lets more wait is dropped.
    pub queued_messages: usize,
    /// A client that is in no game, is not an administrator and says nothing for this long is dropped.
    pub idle: Duration,
}

impl Default for Options {
    /// The settings of the official server, but on the local machine only.
    fn default() -> Self {
        Self {
            address: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0),
            season: Season::default(),
            clock: Some(Clock::default()),
            password: protocol::USUAL_PASSWORD.to_owned(),
            paused: false,
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
