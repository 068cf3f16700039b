//! The standings and games of a league, from the database of the arena, and uploads of teams.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{fs, io};

use arena::database::LeagueGame;
use arena::league::standings::{Standing, Standings};
use arena::league::upload::{self, MOST_BYTES, UploadError};
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use super::archive::{Archive, ArchiveError};
use super::error::ServiceError;
use super::failure::{Failure, failure};
use super::http::{Answer, Shared, json};
use super::links::secret;

/// Maximum number of listed games of a player.
const MOST_GAMES: u32 = 200;

/// Maximum number of players in the cross table.
const MOST_COLUMNS: usize = 40;

/// Maximum time for an upload.
const UPLOAD_TIME: Duration = Duration::from_secs(180);

/// Maximum number of simultaneous uploads; each is held in memory.
const MOST_UPLOADS: usize = 4;

/// File of the teams in the folder of the league, which ignores it.
const TEAMS: &str = ".teams.json";

impl Archive {
    /// Returns the standings of the league with the meetings of the best players; `None` if the database contains none.
    fn league(&self) -> Result<Option<Standings>, ArchiveError> {
        self.with(|store, _| {
            if !store.has_league()? {
                return Ok(None);
            }
            let mut standings = Standings::read(store)?;
            standings.keep_meetings(MOST_COLUMNS);
            Ok(Some(standings))
        })
    }

    /// Returns games of a version of a player, losses first.
    fn league_games(&self, player: i64) -> Result<Vec<LeagueGame>, ArchiveError> {
        self.with(move |store, _| store.league_games(player, MOST_GAMES))
    }
}

/// The uploads of teams into the folder of a league.
pub(super) struct Uploads {
    folder: PathBuf,
    /// Tokens by team name.
    teams: Mutex<BTreeMap<String, String>>,
    permits: Semaphore,
}

/// A team and its versions.
#[derive(Serialize)]
struct Team {
    name: String,
    versions: Vec<Standing>,
}

impl Uploads {
    /// Reads the teams of a folder. A damaged file is an error: new links would replace those that teams have.
    pub fn open(folder: PathBuf) -> Result<Self, ServiceError> {
        let path = folder.join(TEAMS);
        let failed = |source| ServiceError::System { what: format!("cannot read {}", path.display()), source };
        let teams = match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| failed(error.into()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
            Err(error) => return Err(failed(error)),
        };
        Ok(Self { folder, teams: Mutex::new(teams), permits: Semaphore::new(MOST_UPLOADS) })
    }

    fn teams(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.teams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the tokens of all teams by their names. Adds `new` and the teams with a package in the folder.
    fn add(&self, new: Option<String>) -> io::Result<BTreeMap<String, String>> {
        let in_folder = fs::read_dir(&self.folder)?.flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_suffix(".zip")?.to_owned())
        });
        let names: Vec<String> = in_folder.chain(new).filter(|name| upload::is_name(name)).collect();
        let mut teams = self.teams();
        let before = teams.len();
        for name in names {
            teams.entry(name).or_insert_with(secret);
        }
        if teams.len() > before {
            upload::write(&self.folder, TEAMS, &serde_json::to_vec_pretty(&*teams)?)?;
        }
        Ok(teams.clone())
    }

    fn team(&self, token: &str) -> Result<String, Failure> {
        let teams = self.teams();
        let found = teams.iter().find(|(_, known)| *known == token);
        found.map(|(name, _)| name.clone()).ok_or_else(no_link)
    }
}

fn no_link() -> Failure {
    failure(StatusCode::NOT_FOUND, "no_link", "there is no team with this link")
}

fn refused(error: &UploadError) -> Failure {
    let status = match error {
        UploadError::Large | UploadError::LargeUnpacked => StatusCode::PAYLOAD_TOO_LARGE,
        UploadError::Io(_) => StatusCode::INTERNAL_SERVER_ERROR,
        _ => StatusCode::BAD_REQUEST,
    };
    failure(status, error.name(), error)
}

/// The requests of the league, which need the key.
pub(super) fn keyed_routes() -> Router<Shared> {
    let teams = get(teams).post(add_team);
    Router::new().route("/api/league", get(standings)).route("/api/league/{id}", get(games)).route("/api/teams", teams)
}

/// The requests of teams with their tokens. Their bodies are read after the token is checked.
pub(super) fn upload_routes() -> Router<Shared> {
    Router::new().route("/api/upload/{token}", get(team).put(upload))
}

async fn standings(State(shared): State<Shared>) -> Answer<Option<Standings>> {
    json(&shared, |registry| Ok(registry.archive().map(Archive::league).transpose()?.flatten())).await
}

async fn games(State(shared): State<Shared>, Path(id): Path<i64>) -> Answer<Option<Vec<LeagueGame>>> {
    json(&shared, move |registry| Ok(registry.archive().map(|archive| archive.league_games(id)).transpose()?)).await
}

async fn teams(State(shared): State<Shared>) -> Answer<Option<BTreeMap<String, String>>> {
    let Some(uploads) = &shared.uploads else { return Ok(Json(None)) };
    uploads.add(None).map(|teams| Json(Some(teams))).map_err(|error| refused(&error.into()))
}

async fn add_team(State(shared): State<Shared>, Json(name): Json<String>) -> Answer<BTreeMap<String, String>> {
    let uploads = shared.uploads.as_ref().ok_or_else(no_link)?;
    if !upload::is_name(&name) {
        let text = "expected up to 40 letters, digits, - and _";
        return Err(failure(StatusCode::BAD_REQUEST, "team_name", text));
    }
    uploads.add(Some(name)).map(Json).map_err(|error| refused(&error.into()))
}

async fn team(State(shared): State<Shared>, Path(token): Path<String>) -> Answer<Team> {
    let name = shared.uploads.as_ref().ok_or_else(no_link)?.team(&token)?;
    json(&shared, move |registry| {
        let found = registry.archive().map(Archive::league).transpose()?.flatten();
        let all = found.map(|standings| standings.players).unwrap_or_default();
        let mut versions: Vec<Standing> = all.into_iter().filter(|line| line.name == name).collect();
        versions.sort_by_key(|line| line.version);
        Ok(Team { name, versions })
    })
    .await
}

async fn upload(State(shared): State<Shared>, Path(token): Path<String>, request: Request) -> Answer<()> {
    let uploads = Arc::clone(shared.uploads.as_ref().ok_or_else(no_link)?);
    let name = uploads.team(&token)?;
    let large = || refused(&UploadError::Large);
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > MOST_BYTES) {
        return Err(large());
    }
    let busy = |_| failure(StatusCode::SERVICE_UNAVAILABLE, "busy", "the service is ending");
    let _permit = uploads.permits.acquire().await.map_err(busy)?;
    let late = |_| failure(StatusCode::REQUEST_TIMEOUT, "too_slow", "the package has not arrived in time");
    let body = to_bytes(request.into_body(), MOST_BYTES);
    let bytes = timeout(UPLOAD_TIME, body).await.map_err(late)?.map_err(|_| large())?;
    let folder = uploads.folder.clone();
    let stored = tokio::task::spawn_blocking(move || upload::store(&folder, &name, &bytes)).await;
    let internal = |_| failure(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the service has made a mistake");
    stored.map_err(internal)?.map(Json).map_err(|error| refused(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn teams_keep_their_links() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("alice.zip"), "").unwrap();
        let uploads = Uploads::open(folder.path().to_owned()).unwrap();
        let teams = uploads.add(Some("bob".to_owned())).unwrap();
        assert_eq!(teams.keys().collect::<Vec<_>>(), ["alice", "bob"]);
        assert_ne!(teams["alice"], teams["bob"]);
        fs::remove_file(folder.path().join("alice.zip")).unwrap();
        let again = Uploads::open(folder.path().to_owned()).unwrap();
        assert_eq!(again.add(None).unwrap(), teams);
        assert_eq!(again.team(&teams["bob"]).unwrap(), "bob");
        assert_eq!(again.team("").unwrap_err().0, StatusCode::NOT_FOUND);

        fs::write(folder.path().join(TEAMS), "{").unwrap();
        let error = Uploads::open(folder.path().to_owned()).err().unwrap();
        assert!(error.to_string().contains(TEAMS), "{error}");
    }
}
