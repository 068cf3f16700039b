//! The standings and games of a league, from the database of the arena, and uploads of teams.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::Pin;

use arena::database::LeagueGame;
use arena::league::standings::{LeagueStanding, LeagueStandings};
use arena::league::upload::{MAX_BYTES, Upload, UploadError};
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{StatusCode, header};
use axum::routing::get;
use axum::{Json, Router};
use hyper::body::Body as _;
use serde::Serialize;
use tokio::time::timeout;

use super::failure::{Failure, RequestError, failure};
use super::registry::GameRegistry;
use super::shared::{JsonAnswer, Shared, blocking, json};
use super::uploads::UPLOAD_TIME;

/// Maximum number of listed games of a player.
const MAX_GAMES: u32 = 200;

/// Maximum number of players in the cross table.
const MAX_COLUMNS: usize = 40;

/// A team and its versions.
#[derive(Serialize)]
struct TeamVersions {
    name: String,
    versions: Vec<LeagueStanding>,
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

/// Returns the routes of the league, which need the key.
pub(super) fn keyed_routes() -> Router<Shared> {
    let teams = get(teams).post(add_team);
    Router::new().route("/api/league", get(standings)).route("/api/league/{id}", get(games)).route("/api/teams", teams)
}

/// Returns the routes of teams with their tokens. Handlers check the token before they read the body.
pub(super) fn upload_routes() -> Router<Shared> {
    Router::new().route("/api/upload/{token}", get(team).put(upload))
}

/// Returns the standings of the league with the meetings of the best players, if there is a league.
fn league(registry: &GameRegistry) -> Result<Option<LeagueStandings>, RequestError> {
    let standings = registry.archived(|store| {
        if !store.has_league()? {
            return Ok(None);
        }
        let mut standings = LeagueStandings::read(store)?;
        standings.keep_meetings(MAX_COLUMNS);
        Ok(Some(standings))
    })?;
    Ok(standings.flatten())
}

async fn standings(State(shared): State<Shared>) -> JsonAnswer<Option<LeagueStandings>> {
    json(&shared, league).await
}

/// Returns games of a version of a player, losses first.
async fn games(State(shared): State<Shared>, Path(id): Path<i64>) -> JsonAnswer<Option<Vec<LeagueGame>>> {
    json(&shared, move |registry| registry.archived(|store| store.league_games(id, MAX_GAMES))).await
}

async fn teams(State(shared): State<Shared>) -> JsonAnswer<Option<BTreeMap<String, String>>> {
    let Some(uploads) = &shared.uploads else { return Ok(Json(None)) };
    uploads.teams().map(|teams| Json(Some(teams))).map_err(|error| refused(&error))
}

async fn add_team(State(shared): State<Shared>, Json(name): Json<String>) -> JsonAnswer<BTreeMap<String, String>> {
    let uploads = shared.uploads.as_ref().ok_or_else(no_link)?;
    uploads.add(name).map(Json).map_err(|error| refused(&error))
}

async fn team(State(shared): State<Shared>, Path(token): Path<String>) -> JsonAnswer<TeamVersions> {
    let name = shared.uploads.as_ref().and_then(|uploads| uploads.team(&token)).ok_or_else(no_link)?;
    json(&shared, move |registry| {
        let all = league(registry)?.map(|standings| standings.players).unwrap_or_default();
        let mut versions: Vec<LeagueStanding> = all.into_iter().filter(|line| line.name == name).collect();
        versions.sort_by_key(|line| line.version);
        Ok(TeamVersions { name, versions })
    })
    .await
}

async fn upload(State(shared): State<Shared>, Path(token): Path<String>, request: Request) -> JsonAnswer<()> {
    let uploads = shared.uploads.as_ref().ok_or_else(no_link)?;
    let name = uploads.team(&token).ok_or_else(no_link)?;
    let large = || refused(&UploadError::Large);
    let length = request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length: usize| length > MAX_BYTES) {
        return Err(large());
    }
    let running = || failure(StatusCode::TOO_MANY_REQUESTS, "upload_running", "this team uploads a package already");
    let uploader = uploads.begin(&name).ok_or_else(running)?;
    let mut package = uploader.file().map_err(|error| refused(&error.into()))?;
    let late = |_| failure(StatusCode::REQUEST_TIMEOUT, "too_slow", "the package has not arrived in time");
    timeout(UPLOAD_TIME, receive(request.into_body(), &mut package)).await.map_err(late)??;
    blocking(&shared, move |_| Ok(uploader.store(package))).await?.map(Json).map_err(|error| refused(&error))
}

/// Writes a body to a file. Never holds the whole body in memory.
async fn receive(mut body: Body, package: &mut Upload) -> Result<(), Failure> {
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|error| failure(StatusCode::BAD_REQUEST, "request", error))?;
        if let Some(data) = frame.data_ref() {
            package.push(data).map_err(|error| refused(&error))?;
        }
    }
    Ok(())
}
