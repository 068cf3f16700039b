//! The standings and games of a league, from the database of the arena.

use arena::database::LeagueGame;
use arena::league::standings::Standings;
use axum::Router;
use axum::extract::{Path, State};
use axum::routing::get;

use super::archive::{Archive, ArchiveError};
use super::http::{Answer, Shared, json};

/// Maximum number of listed games of a player.
const MOST_GAMES: u32 = 200;

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

/// The requests of the league, which need the key.
pub(super) fn keyed_routes() -> Router<Shared> {
    Router::new().route("/api/league", get(standings)).route("/api/league/{id}", get(games))
}

async fn standings(State(shared): State<Shared>) -> Answer<Option<Standings>> {
    json(&shared, |registry| Ok(registry.archive().map(Archive::league).transpose()?.flatten())).await
}

async fn games(State(shared): State<Shared>, Path(id): Path<i64>) -> Answer<Option<Vec<LeagueGame>>> {
    json(&shared, move |registry| Ok(registry.archive().map(|archive| archive.league_games(id)).transpose()?)).await
}
