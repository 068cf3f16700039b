//! The page of a league: its standings and games, from the database of the arena.

use arena::database::LeagueGame;
use arena::league::standings::Standings;
use axum::extract::{Path, State};
use axum::http::header;
use axum::routing::get;
use axum::{Json, Router};

use super::archive::{Archive, ArchiveError};
use super::failure::Failure;
use super::http::{Shared, blocking};
use super::registry::GameRegistry;

/// Maximum number of listed games of a player.
const MOST_GAMES: u32 = 200;

const PAGE: &str = include_str!("../../page/league.html");
const SCRIPT: &str = include_str!("../../page/league.js");

impl Archive {
    /// Returns the standings of the league; `None` if the database contains none.
    fn league(&self) -> Result<Option<Standings>, ArchiveError> {
        self.with(|store, _| if store.has_league()? { Standings::read(store).map(Some) } else { Ok(None) })
    }

    /// Returns games of a version of a player, losses first.
    fn league_games(&self, player: i64) -> Result<Vec<LeagueGame>, ArchiveError> {
        self.with(move |store, _| store.league_games(player, MOST_GAMES))
    }
}

/// The page of the league and its script.
pub(super) fn page_routes() -> Router<Shared> {
    let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8")];
    let script = [(header::CONTENT_TYPE, "text/javascript; charset=utf-8")];
    Router::new()
        .route("/league", get(async move || (html, PAGE)))
        .route("/page/league.js", get(async move || (script, SCRIPT)))
}

/// The requests of the league, which need the key.
pub(super) fn keyed_routes() -> Router<Shared> {
    Router::new().route("/api/league", get(standings)).route("/api/league/{id}", get(games))
}

async fn standings(State(shared): State<Shared>) -> Result<Json<Option<Standings>>, Failure> {
    let found = blocking(&shared, |registry| Ok(registry.archive().map(Archive::league).transpose()?)).await?;
    Ok(Json(found.flatten()))
}

async fn games(State(shared): State<Shared>, Path(id): Path<i64>) -> Result<Json<Vec<LeagueGame>>, Failure> {
    let of =
        move |registry: &GameRegistry| Ok(registry.archive().map(|archive| archive.league_games(id)).transpose()?);
    Ok(Json(blocking(&shared, of).await?.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The keys of the texts of a language.
    fn keys(start: &str) -> BTreeSet<&str> {
        let (_, rest) = SCRIPT.split_once(start).unwrap();
        let (texts, _) = rest.split_once("\n};").unwrap();
        texts.lines().filter_map(|line| line.trim().split_once(": ")).map(|(key, _)| key).collect()
    }

    #[test]
    fn both_languages_have_the_same_texts() {
        let english = keys("const ENGLISH = {");
        assert!(english.len() > 15, "{english:?}");
        assert_eq!(english, keys("const GERMAN = {"));
    }

    #[test]
    fn page_loads_only_own_files() {
        assert!(!PAGE.contains("https://") && !SCRIPT.contains("https://") && !SCRIPT.contains("innerHTML"));
    }
}
