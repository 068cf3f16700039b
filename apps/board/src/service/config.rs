//! The options of the service and the terminal. No request can change them.

use std::error::Error;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use arena::engines::Spec;
use arena::league::DATABASE;
use clap::{Args, Command, FromArgMatches};

/// Options for the games and their engines.
#[derive(Clone, Debug, Args)]
pub struct GameOptions {
    /// Database of the games
    #[arg(long, value_name = "FILE", default_value = "board.sqlite")]
    pub games: PathBuf,
    /// Number of engines, and of external programs, that work at the same time; one for each core by default
    #[arg(long, value_parser = cli::number(1..=1024u16))]
    pub threads: Option<u16>,
    /// Memory per engine thread in MiB
    #[arg(long, value_name = "MIB", default_value_t = 128, value_parser = cli::number(1..=u16::MAX))]
    pub memory: u16,
    /// Time for a move of the highest level in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 2000, value_parser = cli::number(1u64..))]
    pub move_time: u64,
    /// External program that may play, for example `pentobi=gtp:pentobi-gtp` or `mine=exec:./start.sh`: a name and a
    /// contestant of the arena; repeatable
    #[arg(long, value_name = "NAME=SPEC", value_parser = program)]
    pub program: Vec<(String, Spec)>,
}

impl GameOptions {
    pub(super) fn thread_count(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), usize::from)
    }
}

/// Options of the service.
#[derive(Clone, Debug, Args)]
pub struct Config {
    /// Options for the games.
    #[command(flatten)]
    pub options: GameOptions,
    /// Address to listen on. With 0.0.0.0 everybody in the network can reach the service; the connections are not
    /// encrypted
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    pub listen: IpAddr,
    /// Port, 0 for any free one
    #[arg(long, default_value_t = 7827, value_parser = cli::number(0..=u16::MAX))]
    pub port: u16,
    /// Name of this machine for others; repeatable
    #[arg(long, value_name = "NAME", value_parser = host)]
    pub host: Vec<String>,
    /// Database of the arena, to open its games, also during a match
    #[arg(long, value_name = "FILE")]
    pub arena: Option<PathBuf>,
    /// Folder or database of `arena league`, to show its standings and open its games
    #[arg(long, value_name = "FOLDER_OR_DATABASE", conflicts_with = "arena")]
    pub league: Option<PathBuf>,
    /// Let teams upload packages into the folder of the league; the page shows a secret link for each team
    #[arg(long, requires = "league")]
    pub uploads: bool,
    /// Game server of the contest or of `arena serve` to watch, for example localhost:13050
    #[arg(long, value_name = "HOST:PORT", value_parser = server)]
    pub server: Option<String>,
    /// Administrator password of the game server
    #[arg(long, default_value = protocol::DEFAULT_PASSWORD, requires = "server")]
    pub server_password: String,
    /// Revoke the keys of all earlier starts
    #[arg(long)]
    pub new_key: bool,
    /// Limits for clients.
    #[arg(skip)]
    pub limits: ServiceLimits,
}

impl Config {
    /// Creates the defaults with any free port, for tests.
    pub fn new(games: PathBuf) -> Self {
        let matches = Self::augment_args(Command::new("board")).get_matches_from(["board", "--port", "0"]);
        let mut config = Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        config.options.games = games;
        config
    }

    pub(super) fn address(&self) -> SocketAddr {
        (self.listen, self.port).into()
    }

    /// Returns the database of the arena or of the league.
    pub(super) fn archive(&self) -> Option<PathBuf> {
        let in_folder = |path: &Path| if path.is_dir() { path.join(DATABASE) } else { path.to_owned() };
        self.arena.clone().or(self.league.as_deref().map(in_folder))
    }
}

/// Limits for clients.
#[derive(Clone, Copy, Debug)]
pub struct ServiceLimits {
    /// Maximum number of connections, or half of the open files of the process if that is less. One address gets
    /// half of them.
    pub connections: usize,
    /// Maximum time to send the head of a request, and again for its body.
    pub request_time: Duration,
    /// Time after which a silent WebSocket client is disconnected.
    pub silence: Duration,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self { connections: 512, request_time: Duration::from_secs(10), silence: Duration::from_secs(60) }
    }
}

fn program(text: &str) -> Result<(String, Spec), Box<dyn Error + Send + Sync>> {
    let parts = text.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, spec) = parts.ok_or_else(|| format!("expected NAME=SPEC, found `{text}`"))?;
    Ok((name.to_owned(), spec.parse()?))
}

/// Parses the host of an address.
fn host(name: &str) -> Result<String, String> {
    if let Ok(address) = name.trim_start_matches('[').trim_end_matches(']').parse::<Ipv6Addr>() {
        return Ok(format!("[{address}]"));
    }
    let is_part = |letter: char| letter.is_alphanumeric() || ".-_".contains(letter);
    if !name.is_empty() && name.chars().all(is_part) {
        Ok(name.to_owned())
    } else {
        Err(format!("expected the name or address of a machine, without a port, found `{}`", game::excerpt(name)))
    }
}

fn server(address: &str) -> Result<String, &'static str> {
    let parts = address.rsplit_once(':').filter(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
    parts.map(|_| address.to_owned()).ok_or("expected HOST:PORT, for example localhost:13050")
}

#[cfg(test)]
mod tests {
    use super::host;

    #[test]
    fn host_names_have_no_port() {
        for (given, taken) in [
            ("board.example", "board.example"),
            ("192.168.0.7", "192.168.0.7"),
            ("fe80::1", "[fe80::1]"),
            ("[FE80::0:1]", "[fe80::1]"),
        ] {
            assert_eq!(host(given).as_deref(), Ok(taken));
        }
        for wrong in ["", "pc.local:7827", "[fe80::1]:7827", "a b"] {
            assert!(host(wrong).unwrap_err().ends_with(&format!("found `{wrong}`")));
        }
    }
}
