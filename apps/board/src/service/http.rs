//! The addresses of the service.
//!
//! | address | content |
//! |---|---|
//! | `GET /`, `GET /g/TOKEN` | the page, also for unknown addresses |
//! | `GET /start/CODE` | redirects the browser once to the page with the key |
//! | `GET /page/FILE` | files of the page |
//! | `GET /api/shapes` | the pieces, see [`Shapes`](crate::session::Shapes) |
//! | `GET /api/games?limit=` | the games that were changed last, with a token for the host (key) |
//! | `POST /api/games` | creates a game; its links (key) |
//! | `PUT`, `DELETE /api/games/TOKEN` | names a game by the token of its host (a JSON string), or deletes it (key) |
//! | `POST /api/setup` | the view of a position that somebody sets up, see [`SetUp`] (key) |
//! | `GET /api/programs` | the names of the external programs (key) |
//! | `POST /api/import` | creates the games of a file; their links (key) |
//! | `GET /api/live` | the watched games of the game server or why there are none, or null without one (key) |
//! | `GET /api/running` | the games that the arena plays now, or null without a database of the arena (key) |
//! | `POST /api/running/ID` | follows one of them; its links (key) |
//! | `GET /api/archive` | the matches of the arena's database, or null without one (key) |
//! | `GET /api/archive/matches/ID` | the newest games of one (key) |
//! | `POST /api/archive/games/ID` | creates a game from one of them; its links (key) |
//! | `GET /league`, `GET /upload/TOKEN` | the pages of the league in that database and of a team's uploads |
//! | `GET /api/league` | its standings, or null without one (key) |
//! | `GET`, `POST /api/teams` | the teams with the tokens of their uploads, or null; adds a JSON string (key) |
//! | `GET`, `PUT /api/upload/TOKEN` | the name and versions of a team; its next version, a zip file |
//! | `GET /api/league/ID` | the games of a version of a player, losses first (key) |
//! | `GET /api/links/TOKEN` | the links of a game, for its host |
//! | `GET /api/save/TOKEN/KIND` | the game as a file: `blksgf`, `jsonl`, `xml` or `html` |
//! | `GET /api/play/TOKEN?node=` | the WebSocket, see `socket` |
//!
//! The printed address contains the key; requests send it in the header `x-board-key`. Failures are answered with
//! `{"error":NAME,"text":WORDS}`.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::iter;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arena::database::{ListedGame, StoredMatch};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State, WebSocketUpgrade};
use axum::http::{Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Extension, Json, Router, middleware};
use serde::Deserialize;
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::arena_games::{ArenaGame, ArenaGames};
use super::config::{Config, ServiceLimits};
use super::connections::CountedConnection;
use super::error::ServiceError;
use super::failure::{Failure, NO_LINK, RequestError, failure};
use super::links::{GameLink, hash, secret};
use super::origin::{Names, check_origin};
use super::registry::{GameRegistry, SummarizedGame};
use super::shared::{JsonAnswer, Secrets, Shared, blocking, json};
use super::state::ServiceState;
use super::uploads::Uploads;
use super::{connections, league, server_games, socket};
use crate::messages::{SetUp, Viewer};
use crate::new_game::NewGame;
use crate::page;
use crate::save::text_of;
use crate::session::shapes;

/// Maximum size of an uploaded file in bytes, as sent.
const MAX_UPLOAD: usize = 8 << 20;

/// Maximum number of listed games of a match.
const MAX_GAMES: u32 = 200;

/// Maximum size of other bodies in bytes.
const MAX_BODY: usize = 64 << 10;

/// Number of games in a list of recent ones by default, and at most.
const LISTED_GAMES: u32 = 50;
const MAX_LISTED: u32 = 2_000;

/// Buffer for reading from a WebSocket in bytes. Each viewer has one.
const READ_BUFFER: usize = 1 << 10;

/// A service that listens and has yet to [run](Self::run).
pub struct Service {
    listener: TcpListener,
    address: SocketAddr,
    host: String,
    secrets: Arc<Secrets>,
    limits: ServiceLimits,
    router: Router,
    state: Arc<ServiceState>,
    stop: Arc<AtomicBool>,
}

impl Service {
    /// Opens the database, starts the threads of the engines and listens.
    ///
    /// # Errors
    /// [`ServiceError`]
    pub async fn start(config: &Config) -> Result<Self, ServiceError> {
        let state = ServiceState::open(&config.options, config.archive().as_deref(), Handle::current())?;
        let key = secret();
        let keys = state.store.add_key(&key, config.new_key)?;
        let page = if config.league.is_some() { "/league" } else { "/" };
        let secrets = Arc::new(Secrets { key, keys, code: secret(), is_code_used: AtomicBool::new(false), page });
        let asked = config.address();
        let listen = |source: io::Error| {
            let is_in_use = source.kind() == ErrorKind::AddrInUse;
            let hint = if is_in_use { " (is another board running? choose another port with --port)" } else { "" };
            ServiceError::System { what: format!("cannot listen on {asked}{hint}"), source }
        };
        let listener = TcpListener::bind(asked).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let registry = Arc::new(GameRegistry::new(Arc::clone(&state)));
        let stop = Arc::new(AtomicBool::new(false));
        let watch = |server: &String| {
            server_games::watch(
                server.clone(),
                config.server_password.clone(),
                Arc::clone(&registry),
                Arc::clone(&stop),
            )
        };
        let live = config.server.as_ref().map(watch).transpose().map_err(|source| {
            let what = "cannot start a thread that watches games".to_owned();
            ServiceError::System { what, source }
        })?;
        let arena = config.archive().map(|database| Arc::new(ArenaGames::new(database)));
        let limits = config.limits;
        let uploads = config.league.clone().filter(|_| config.uploads).map(Uploads::open).transpose()?.map(Arc::new);
        let shared = Shared { registry, arena, uploads, live, secrets: Arc::clone(&secrets), limits };
        let router = router(shared, Names::new(address, &config.host));
        Ok(Self { listener, address, host: host_of(address, &config.host), secrets, limits, router, state, stop })
    }

    /// Returns the address on which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the address of the page with the key.
    pub fn url(&self) -> String {
        format!("http://{}:{}{}#key={}", self.host, self.address.port(), self.secrets.page, self.secrets.key)
    }

    /// Returns an address that leads to the page with the key, but only once: other users of this machine can see the
    /// command line of a browser.
    pub fn start_url(&self) -> String {
        format!("http://{}:{}/start/{}", self.host, self.address.port(), self.secrets.code)
    }

    /// Answers requests until `end` is ready. Everything is saved then.
    pub async fn run(self, end: impl Future<Output = ()>) {
        tokio::select! {
            () = connections::serve(self.listener, self.router, self.limits) => {}
            () = end => {}
        }
        self.stop.store(true, Ordering::Relaxed);
        self.state.close();
    }
}

/// Returns the host of the printed address. If the service listens on all addresses, it is the first name for other
/// machines, because links for them are made from it.
fn host_of(address: SocketAddr, names: &[String]) -> String {
    match address {
        _ if address.ip().is_unspecified() => names.first().cloned().unwrap_or_else(|| "localhost".to_owned()),
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}

fn router(shared: Shared, names: Names) -> Router {
    let read_body = middleware::from_fn_with_state(shared.limits, read_body);
    public_routes()
        .layer(read_body.clone())
        .merge(
            // The key is checked before the body is read.
            keyed_routes().layer(read_body).route_layer(middleware::from_fn_with_state(shared.clone(), check_key)),
        )
        .merge(league::upload_routes())
        .layer(middleware::map_response(explain))
        .layer(middleware::from_fn_with_state(names, check_origin))
        .with_state(shared)
}

/// Returns the routes of the page and of requests with a token.
fn public_routes() -> Router<Shared> {
    Router::new()
        .route("/", get(async || file("index.html")))
        // The page finds the token among anything that was pasted with it.
        .route("/g/{*link}", get(async || file("index.html")))
        .route("/start/{code}", get(start))
        .route("/page/{name}", get(async |Path(name): Path<String>| file(&name)))
        .route("/api/shapes", get(async || Json(shapes())))
        .route("/league", get(async || file("league.html")))
        .route("/upload/{token}", get(async || file("league.html")))
        .route("/api/links/{token}", get(links))
        .route("/api/save/{token}/{kind}", get(save))
        .route("/api/play/{token}", get(play))
        .fallback(not_found)
}

/// Returns the routes of requests with the key.
fn keyed_routes() -> Router<Shared> {
    Router::new()
        .route("/api/games", get(recent).post(create))
        .route("/api/games/{token}", put(rename).delete(delete))
        .route("/api/setup", post(set_up))
        .route("/api/programs", get(async |State(shared): State<Shared>| Json(shared.registry.programs())))
        .route("/api/import", post(import).layer(DefaultBodyLimit::disable()))
        .route("/api/live", get(async |State(shared): State<Shared>| Json(shared.live.map(|games| games.state()))))
        .route("/api/running", get(running))
        .route("/api/running/{id}", post(open_running))
        .route("/api/archive", get(matches))
        .route("/api/archive/matches/{id}", get(match_games))
        .route("/api/archive/games/{id}", post(open_archived))
        .merge(league::keyed_routes())
}

/// Answers requests for unknown addresses. People get the page.
async fn not_found(method: Method, address: Uri) -> Response {
    let is_for_programs = matches!(address.path().split('/').nth(1), Some("api" | "page"));
    if [Method::GET, Method::HEAD].contains(&method) && !is_for_programs {
        return (StatusCode::NOT_FOUND, file("index.html")).into_response();
    }
    failure(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address").into_response()
}

/// Reads a body of limited size within the time of a request, before the request is handled.
async fn read_body(State(limits): State<ServiceLimits>, request: Request, next: Next) -> Result<Response, Failure> {
    let max_bytes = if request.uri().path() == "/api/import" { MAX_UPLOAD } else { MAX_BODY };
    let late = |_| failure(StatusCode::REQUEST_TIMEOUT, "too_slow", "the request has not arrived in time");
    let unreadable = |error: axum::Error| {
        // Only transport errors come from hyper; the other one is the exceeded limit.
        if iter::successors(error.source(), |&cause| cause.source()).any(|cause| cause.is::<hyper::Error>()) {
            return failure(StatusCode::BAD_REQUEST, "request", "the body of the request is malformed or incomplete");
        }
        let text = format!("the request has more than {} KiB", max_bytes >> 10);
        failure(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    };
    let (head, body) = request.into_parts();
    let bytes = timeout(limits.request_time, to_bytes(body, max_bytes)).await.map_err(late)?.map_err(unreadable)?;
    Ok(next.run(Request::from_parts(head, Body::from(bytes))).await)
}

/// Gives axum's own answers to malformed requests the form of a [`failure`].
async fn explain(response: Response) -> Response {
    let status = response.status();
    let is_plain =
        response.headers().get(header::CONTENT_TYPE).is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !is_plain || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (head, body) = response.into_parts();
    let reason = to_bytes(body, MAX_BODY).await.unwrap_or_default();
    let text = match String::from_utf8_lossy(&reason) {
        reason if reason.is_empty() => status.canonical_reason().unwrap_or_default().into(),
        reason => reason,
    };
    let mut answer = failure(status, "request", text).into_response();
    // HTTP requires the allowed methods here.
    answer.headers_mut().extend(head.headers.get(header::ALLOW).map(|allowed| (header::ALLOW, allowed.clone())));
    answer
}

async fn check_key(State(shared): State<Shared>, request: Request, next: Next) -> Result<Response, Failure> {
    let given = request.headers().get("x-board-key").and_then(|value| value.to_str().ok());
    if given.is_some_and(|key| shared.secrets.keys.contains(&hash(key))) {
        return Ok(next.run(request).await);
    }
    Err(failure(StatusCode::FORBIDDEN, "no_key", "open the page by the address that the program printed at its start"))
}

/// Exchanges the code of this start for the key, once.
async fn start(State(shared): State<Shared>, Path(code): Path<String>) -> Result<Response, Failure> {
    let Secrets { key, code: expected, is_code_used, page, .. } = &*shared.secrets;
    if code != *expected || is_code_used.swap(true, Ordering::Relaxed) {
        return Err(failure(StatusCode::FORBIDDEN, "no_key", "this address works only once; open the printed one"));
    }
    Ok((StatusCode::SEE_OTHER, [(header::LOCATION, format!("{page}#key={key}"))]).into_response())
}

fn file(name: &str) -> Result<Response, Failure> {
    let missing = || failure(StatusCode::NOT_FOUND, "not_found", "the page has no such file");
    let text = page::file(name).ok_or_else(missing)?;
    let content_type = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    Ok(([(header::CONTENT_TYPE, content_type)], text).into_response())
}

#[derive(Deserialize)]
struct ListQuery {
    limit: Option<u32>,
}

async fn recent(
    State(shared): State<Shared>,
    Query(ListQuery { limit }): Query<ListQuery>,
) -> JsonAnswer<Vec<SummarizedGame>> {
    json(&shared, move |registry| registry.summaries(limit.unwrap_or(LISTED_GAMES).min(MAX_LISTED))).await
}

async fn create(State(shared): State<Shared>, Json(new): Json<NewGame>) -> JsonAnswer<Vec<GameLink>> {
    json(&shared, move |registry| registry.create(&new)).await
}

async fn rename(State(shared): State<Shared>, Path(token): Path<String>, Json(name): Json<String>) -> JsonAnswer<()> {
    json(&shared, move |registry| registry.rename(&token, name)).await
}

async fn delete(State(shared): State<Shared>, Path(token): Path<String>) -> JsonAnswer<()> {
    json(&shared, move |registry| registry.delete(&token)).await
}

async fn set_up(State(shared): State<Shared>, Json(asked): Json<SetUp>) -> JsonAnswer<Value> {
    json(&shared, move |_| Ok(asked.answer()?)).await
}

async fn import(State(shared): State<Shared>, body: Bytes) -> JsonAnswer<Vec<Vec<GameLink>>> {
    json(&shared, move |registry| registry.import(&body)).await
}

async fn running(State(shared): State<Shared>) -> JsonAnswer<Option<Vec<ArenaGame>>> {
    let arena = shared.arena.clone();
    json(&shared, move |_| Ok(arena.map(|games| games.list()))).await
}

async fn open_running(State(shared): State<Shared>, Path(id): Path<String>) -> JsonAnswer<Vec<GameLink>> {
    let arena = shared.arena.clone();
    json(&shared, move |registry| arena.ok_or(NO_LINK)?.open(registry, &id)).await
}

/// Returns all readable matches, the newest first.
async fn matches(State(shared): State<Shared>) -> JsonAnswer<Option<Vec<StoredMatch>>> {
    json(&shared, |registry| {
        registry.archived(|store| Ok(store.matches()?.into_iter().rev().filter_map(Result::ok).collect()))
    })
    .await
}

async fn match_games(State(shared): State<Shared>, Path(id): Path<i64>) -> JsonAnswer<Option<Vec<ListedGame>>> {
    json(&shared, move |registry| registry.archived(|store| store.newest_games(id, MAX_GAMES))).await
}

async fn open_archived(State(shared): State<Shared>, Path(id): Path<i64>) -> JsonAnswer<Vec<GameLink>> {
    json(&shared, move |registry| registry.open_archived(id)).await
}

async fn links(State(shared): State<Shared>, Path(token): Path<String>) -> JsonAnswer<Vec<GameLink>> {
    json(&shared, move |registry| registry.links(&token)).await
}

async fn save(State(shared): State<Shared>, Path((token, kind)): Path<(String, String)>) -> Result<Response, Failure> {
    let (game, _) = blocking(&shared, move |registry| registry.find(&token)).await?;
    let text = text_of(game.game().session(), &kind).map_err(RequestError::from)?;
    let name = format!("attachment; filename=\"blokus.{kind}\"");
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

#[derive(Deserialize)]
struct NodeQuery {
    node: Option<usize>,
}

async fn play(
    State(shared): State<Shared>,
    Path(token): Path<String>,
    Query(NodeQuery { node }): Query<NodeQuery>,
    Extension(connection): Extension<Arc<CountedConnection>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let found = blocking(&shared, move |registry| registry.find(&token)).await;
    let silence = shared.limits.silence;
    let upgrade = upgrade.max_message_size(socket::MAX_MESSAGE).max_frame_size(socket::MAX_MESSAGE);
    let upgrade = upgrade.read_buffer_size(READ_BUFFER);
    upgrade.on_upgrade(async move |socket| {
        match found {
            Ok((game, by)) => socket::serve(socket, game, Viewer::new(by, node), silence).await,
            // Scripts cannot see the answer to an upgrade, only messages.
            Err((_, Json(reason))) => socket::refuse(socket, &reason, silence).await,
        }
        drop(connection);
    })
}
