//! What the service is told at its start.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use arena::engines::Spec;

/// What the service is told at its start. No request can change any of it.
///
/// ```
/// let config = board::service::Config::new("games.sqlite".into());
/// assert!(config.listen.ip().is_loopback());
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// Where it listens. Only programs of this machine reach a loopback address.
    pub listen: SocketAddr,
    /// The names by which other machines may call it, without a port; addresses of IPv6 stand in brackets. Its own
    /// addresses on this machine need not be named.
    pub hosts: Vec<String>,
    /// The file of the games.
    pub database: PathBuf,
    /// How many positions engines think about at the same time, each on a thread.
    pub threads: usize,
    /// The memory of each of these threads for its search, in bytes.
    pub memory: usize,
    /// How long the highest level and programs of others think about a move.
    pub move_time: Duration,
    /// Programs of others that may play, by the names that seats give them.
    pub programs: BTreeMap<String, Spec>,
    /// How long a hint is thought about.
    pub hint_time: Duration,
    /// A database of the arena whose games can be looked at.
    pub arena: Option<PathBuf>,
    /// A game server whose games are watched.
    pub server: Option<GameServer>,
}

/// A server of the contest or of the arena, of which the service is an administrator.
#[derive(Clone, Debug)]
pub struct GameServer {
    /// Host and port.
    pub address: String,
    /// The password of administrators.
    pub password: String,
}

impl Config {
    /// The usual values for a file of games: loopback, a thread for each core, 128 MiB each, 2 s.
    pub fn new(database: PathBuf) -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            hosts: Vec::new(),
            database,
            threads: thread::available_parallelism().map_or(1, NonZero::get),
            memory: 128 << 20,
            move_time: Duration::from_secs(2),
            programs: BTreeMap::new(),
            hint_time: Duration::from_secs(2),
            arena: None,
            server: None,
        }
    }
}
