//! The configuration of the service.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use arena::engines::Spec;

/// The configuration of the service. No request can change it.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address to listen on. Only programs of this machine reach a loopback address.
    pub listen: SocketAddr,
    /// Names of this machine for others, without a port; IPv6 addresses in brackets. The own addresses are implied.
    pub hosts: Vec<String>,
    /// The database of the games.
    pub database: PathBuf,
    /// Whether the key of this start replaces all earlier ones.
    pub is_only_key: bool,
    /// Number of threads for engines.
    pub threads: usize,
    /// Memory of each engine's search in bytes.
    pub memory: usize,
    /// Time for a move of the highest level and of external programs.
    pub move_time: Duration,
    /// External programs by name.
    pub programs: BTreeMap<String, Spec>,
    /// Time for a hint.
    pub hint_time: Duration,
    /// A database of the arena.
    pub arena: Option<PathBuf>,
    /// Whether the start page is the one of the league in that database.
    pub is_league: bool,
    /// The folder of that league, if teams may upload packages into it.
    pub uploads: Option<PathBuf>,
    /// A game server to watch.
    pub server: Option<GameServer>,
    /// Limits for clients.
    pub limits: Limits,
}

/// Limits for clients.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Maximum number of connections, or half of the open files of the process if that is less. One address gets
    /// half of them.
    pub connections: usize,
    /// Maximum time to send the head of a request, and again for its body.
    pub request_time: Duration,
    /// Time after which a silent WebSocket client is disconnected.
    pub silence: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self { connections: 512, request_time: Duration::from_secs(10), silence: Duration::from_secs(60) }
    }
}

/// A game server of the contest or the arena, with the service as an administrator.
#[derive(Clone, Debug)]
pub struct GameServer {
    /// Host and port.
    pub address: String,
    /// The password of administrators.
    pub password: String,
}

impl Config {
    /// The defaults: loopback, a thread for each core, 128 MiB each, 2 s.
    pub fn new(database: PathBuf) -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            hosts: Vec::new(),
            database,
            is_only_key: false,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            memory: 128 << 20,
            move_time: Duration::from_secs(2),
            programs: BTreeMap::new(),
            hint_time: Duration::from_secs(2),
            arena: None,
            is_league: false,
            uploads: None,
            server: None,
            limits: Limits::default(),
        }
    }
}
