//! The service and its page.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::PathBuf;

use board::service::{GameServer, Service};
use clap::Args;

use crate::options::BoardOptions;

#[derive(Args)]
pub struct ServeArguments {
    #[command(flatten)]
    options: BoardOptions,
    /// Address to listen on. With 0.0.0.0 everybody in the network can reach the service; the connections are not
    /// encrypted
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Port, 0 for any free one
    #[arg(long, default_value_t = 7827)]
    port: u16,
    /// Name of this machine for others; repeatable
    #[arg(long, value_name = "NAME", value_parser = host)]
    host: Vec<String>,
    /// Database of the arena, to open its games and show its openings, also during a match
    #[arg(long, value_name = "FILE")]
    arena: Option<PathBuf>,
    /// Folder or database of `arena league`, to show its standings and open its games
    #[arg(long, value_name = "FOLDER_OR_DATABASE", conflicts_with = "arena")]
    league: Option<PathBuf>,
    /// Let teams upload packages into the folder of the league; the page shows a secret link for each team
    #[arg(long, requires = "league")]
    uploads: bool,
    /// Game server of the contest or of `arena serve` to watch, for example localhost:13050
    #[arg(long, value_name = "HOST:PORT", value_parser = server)]
    server: Option<String>,
    /// Password of its administrators
    #[arg(long, default_value = protocol::USUAL_PASSWORD, requires = "server")]
    server_password: String,
    /// Do not open the page in the browser
    #[arg(long)]
    no_open: bool,
    /// Revoke the keys of all earlier starts
    #[arg(long)]
    new_key: bool,
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

/// Starts the service, prints its address and opens the page.
pub async fn run(arguments: ServeArguments) -> anyhow::Result<()> {
    let mut config = arguments.options.config();
    config.listen = (arguments.listen, arguments.port).into();
    config.hosts = arguments.host;
    config.is_only_key = arguments.new_key;
    config.is_league = arguments.league.is_some();
    if arguments.uploads {
        config.uploads = arguments.league.clone().filter(|path| path.is_dir());
        anyhow::ensure!(config.uploads.is_some(), "--uploads needs the folder of the league as --league FOLDER");
    }
    let in_folder = |path: PathBuf| if path.is_dir() { path.join(arena::league::DATABASE) } else { path };
    config.arena = arguments.arena.or(arguments.league.map(in_folder));
    config.server = arguments.server.map(|address| GameServer { address, password: arguments.server_password });
    let service = Service::start(&config).await?;
    writeln!(io::stdout(), "{}", service.url())?;
    if !arguments.no_open
        && let Err(error) = open::that_detached(service.start_url())
    {
        log::warn!("cannot open a browser ({error}); open the address yourself");
    }
    let end = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            log::warn!("cannot wait for Ctrl-C: {error}");
            std::future::pending::<()>().await;
        }
    };
    service.run(end).await;
    Ok(())
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
