//! Parses the values of options.

use std::net::Ipv6Addr;

use game::{Rules, UnknownName};
use player::Level;
use protocol::Season;

use crate::connection;
use crate::gtp::GAMES;

pub fn season(name: &str) -> Result<Season, String> {
    name.parse().map_err(|UnknownName { expected, .. }| format!("expected {expected}"))
}

/// Parses the name of a game: ours or Pentobi's. As in Pentobi, `classic` means four players.
pub fn game(name: &str) -> Result<Rules, String> {
    match name {
        "classic_2" | "c2" => Ok(Rules::Classic),
        "classic" | "c" => Ok(Rules::FourPlayers),
        _ => protocol::gtp::read_game(name).ok_or_else(|| format!("expected {GAMES}, classic_2 or classic")),
    }
}

pub fn level(number: &str) -> Result<Level, String> {
    let level = number.parse().ok().and_then(Level::new);
    level.ok_or_else(|| "expected a level from 1 to 9".to_owned())
}

pub fn host(text: &str) -> Result<String, String> {
    let address = connection::without_brackets(text).split('%').next();
    let is_ipv6 = address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    if text.is_empty() || text.contains([':', '[', ']']) && !is_ipv6 {
        return Err("expected a name or an address alone; the port is another option, as in --port 13050".to_owned());
    }
    Ok(text.to_owned())
}

pub fn param(text: &str) -> Result<(String, String), String> {
    let parsed = text.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()));
    parsed.ok_or_else(|| "expected NAME=VALUE, for example exploration=0.5".to_owned())
}
