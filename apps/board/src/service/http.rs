//! The addresses of the service.
//!
//! | address | what |
//! |---|---|
//! | `GET /`, `GET /g/LINK` | the page, also with something before or behind the link, and where there is nothing else |
//! | `GET /page/FILE` | its files |
//! | `GET /api/shapes` | the pieces, see [`Shapes`](crate::session::Shapes) |
//! | `GET /api/games` | the games that were changed last, with their hosts' links; needs the key |
//! | `POST /api/games` | makes a game and answers with its links; needs the key |
//! | `GET /api/programs` | the names of programs of others that may play; needs the key |
//! | `POST /api/import` | makes games of a file; needs the key |
//! | `GET /api/live` | the games that are watched while they are played elsewhere, or null if none are; needs the key |
//! | `GET /api/running` | the games of the arena that are being played, or null if it is not known where; needs the key |
//! | `POST /api/running/ID` | makes a game of one, which follows it from then on; needs the key |
//! | `GET /api/archive` | the matches of the database of the arena, or null if there is none; needs the key |
//! | `GET /api/archive/matches/ID` | the newest games of one; needs the key |
//! | `POST /api/archive/games/ID` | makes a game of one of that database; needs the key |
//! | `GET /api/opening/LINK?place=` | what was played there in that database, or null if there is none |
//! | `GET /api/links/LINK` | the links of a game, for its host |
//! | `GET /api/save/LINK/KIND` | the game as a file: `blksgf`, `jsonl`, `txt`, `xml` or `html` |
//! | `GET /api/play/LINK?place=` | the WebSocket, see `socket` |
//!
//! The key is part of the address that is printed at the start, and is sent in the header `x-board-key`. What cannot be
//! done is answered with `{"error":NAME,"text":WORDS}`.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, State, WebSocketUpgrade};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use serde::Deserialize;
use tokio::net::TcpListener;
use tokio::runtime::Handle;

use super::archive::Archive;
use super::config::Config;
use super::engines::Engines;
use super::error::ServiceError;
use super::failure::{Failure, failure};
use super::guard::{Names, guard};
use super::house::House;
use super::links::secret;
use super::lobby::{Link, Lobby, LobbyError};
use super::running::Running;
use super::{socket, watching};
use crate::begin::NewGame;
use crate::page;
use crate::save::{SaveError, text_of};
use crate::session::shapes;

/// The largest file that can be imported, in bytes as it is sent.
const LARGEST_UPLOAD: usize = 8 << 20;

/// The memory for reading from a WebSocket, in bytes.
const READ_BUFFER: usize = 4 << 10;

/// The longest reason that axum gives, in bytes.
const LONGEST_REASON: usize = 64 << 10;

/// How long an upload may take.
const UPLOAD_TIME: Duration = Duration::from_secs(20);

/// A service that listens and has yet to [run](Self::run).
pub struct Service {
    listener: TcpListener,
    address: SocketAddr,
    host: String,
    key: String,
    router: Router,
    engines: Engines,
    stop: Arc<AtomicBool>,
}

#[derive(Clone)]
pub(super) struct Shared {
    pub lobby: Arc<Lobby>,
    running: Option<Arc<Running>>,
    key: Arc<str>,
}

impl Service {
    /// Opens the file of the games, starts the engines' threads and begins to listen.
    ///
    /// # Errors
    /// [`ServiceError`]
    pub async fn start(config: &Config) -> Result<Self, ServiceError> {
        let house = House::open(config, Handle::current())?;
        let key = house.store.setting("key", secret)?;
        let listen = |source| ServiceError::Listen { address: config.listen, source };
        let listener = TcpListener::bind(config.listen).await.map_err(listen)?;
        let address = listener.local_addr().map_err(listen)?;
        let engines = house.engines.clone();
        let lobby = Arc::new(Lobby::new(house));
        let stop = Arc::new(AtomicBool::new(false));
        if let Some(server) = &config.server {
            let watch = watching::watch(server.clone(), Arc::clone(&lobby), Arc::clone(&stop));
            let what = || "cannot start a thread that watches games".to_owned();
            watch.map_err(|source| ServiceError::System { what: what(), source })?;
        }
        let running = config.arena.clone().map(|database| Arc::new(Running::beside(database)));
        let shared = Shared { lobby, running, key: key.as_str().into() };
        let router = router(shared, Names::new(address, &config.hosts));
        Ok(Self { listener, address, host: host_of(address, &config.hosts), key, router, engines, stop })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the page, with the key that lets one make games.
    pub fn url(&self) -> String {
        format!("http://{}:{}/#key={}", self.host, self.address.port(), self.key)
    }

    /// Answers requests until `end` is there. Nothing has to be saved then: everything is.
    ///
    /// # Errors
    /// Those of the network.
    pub async fn run(self, end: impl Future<Output = ()>) -> std::io::Result<()> {
        let served = tokio::select! {
            served = axum::serve(self.listener, self.router).into_future() => served,
            () = end => Ok(()),
        };
        self.stop.store(true, Ordering::Relaxed);
        self.engines.close();
        served
    }
}

/// An address as it stands in a URL, without the port. Where the service listens everywhere, it is the name by which
/// other machines call it, for the page makes links for them of it; this machine is one of the places, too.
fn host_of(address: SocketAddr, names: &[String]) -> String {
    match address {
        _ if address.ip().is_unspecified() => names.first().cloned().unwrap_or_else(|| "localhost".to_owned()),
        SocketAddr::V4(address) => address.ip().to_string(),
        SocketAddr::V6(address) => format!("[{}]", address.ip()),
    }
}

fn router(shared: Shared, names: Names) -> Router {
    Router::new()
        .route("/", get(async || file("index.html")))
        // Whatever was pasted with the link, the page finds it, or says that there is none.
        .route("/g/{*link}", get(async || file("index.html")))
        .route("/page/{name}", get(async |Path(name): Path<String>| file(&name)))
        .route("/api/shapes", get(async || Json(shapes())))
        .route("/api/games", get(recent).post(create))
        .route("/api/programs", get(programs))
        .route("/api/import", post(import).layer(DefaultBodyLimit::disable()))
        .route("/api/live", get(live))
        .route("/api/running", get(running))
        .route("/api/running/{id}", post(open_running))
        .route("/api/archive", get(matches))
        .route("/api/archive/matches/{id}", get(archived))
        .route("/api/archive/games/{id}", post(open_archived))
        .route("/api/opening/{token}", get(opening))
        .route("/api/links/{token}", get(links))
        .route("/api/save/{token}/{kind}", get(save))
        .route("/api/play/{token}", get(play))
        .fallback(elsewhere)
        .layer(middleware::map_response(with_reason))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(shared)
}

/// That there is nothing at an address: for people the page, which looks for a link in it first.
async fn elsewhere(method: Method, address: Uri) -> Response {
    let is_for_programs = matches!(address.path().split('/').nth(1), Some("api" | "page"));
    if [Method::GET, Method::HEAD].contains(&method) && !is_for_programs {
        return (StatusCode::NOT_FOUND, file("index.html")).into_response();
    }
    failure(StatusCode::NOT_FOUND, "not_found", "there is nothing at this address").into_response()
}

/// Puts what axum says of a request that it does not understand, as far as it says something, as all other reasons.
async fn with_reason(response: Response) -> Response {
    let status = response.status();
    // What axum says is plain text.
    let is_plain =
        response.headers().get(header::CONTENT_TYPE).is_none_or(|kind| kind.as_bytes().starts_with(b"text/plain"));
    if !is_plain || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (head, body) = response.into_parts();
    let said = to_bytes(body, LONGEST_REASON).await.unwrap_or_default();
    let text = match String::from_utf8_lossy(&said) {
        said if said.is_empty() => status.canonical_reason().unwrap_or_default().into(),
        said => said,
    };
    let mut answer = failure(status, "request", text).into_response();
    // Such an answer has to name the methods that there are.
    answer.headers_mut().extend(head.headers.get(header::ALLOW).map(|allowed| (header::ALLOW, allowed.clone())));
    answer
}

/// Does something that waits for the disk or takes a while.
async fn blocking<T: Send + 'static>(
    shared: &Shared,
    act: impl FnOnce(&Lobby) -> Result<T, LobbyError> + Send + 'static,
) -> Result<T, Failure> {
    let lobby = Arc::clone(&shared.lobby);
    let done = tokio::task::spawn_blocking(move || act(&lobby)).await;
    let internal =
        |_| failure(StatusCode::INTERNAL_SERVER_ERROR, "internal", "the service has made a mistake; see its log");
    Ok(done.map_err(internal)??)
}

fn check_key(shared: &Shared, headers: &HeaderMap) -> Result<(), Failure> {
    let given = headers.get("x-board-key").map(|value| value.as_bytes());
    if given == Some(shared.key.as_bytes()) {
        return Ok(());
    }
    Err(failure(StatusCode::FORBIDDEN, "no_key", "open the page by the address that the program printed at its start"))
}

fn file(name: &str) -> Result<Response, Failure> {
    let file =
        page::file(name).ok_or_else(|| failure(StatusCode::NOT_FOUND, "not_found", "the page has no such file"))?;
    Ok(([(header::CONTENT_TYPE, file.content_type)], file.text).into_response())
}

async fn recent(State(shared): State<Shared>, headers: HeaderMap) -> Result<Response, Failure> {
    check_key(&shared, &headers)?;
    Ok(Json(blocking(&shared, |lobby| lobby.summaries()).await?).into_response())
}

async fn programs(State(shared): State<Shared>, headers: HeaderMap) -> Result<Json<Vec<String>>, Failure> {
    check_key(&shared, &headers)?;
    Ok(Json(shared.lobby.programs()))
}

async fn create(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Json(new): Json<NewGame>,
) -> Result<Json<Vec<Link>>, Failure> {
    check_key(&shared, &headers)?;
    blocking(&shared, move |lobby| lobby.create(&new)).await.map(Json)
}

async fn import(State(shared): State<Shared>, headers: HeaderMap, body: Body) -> Result<Json<Vec<Vec<Link>>>, Failure> {
    check_key(&shared, &headers)?;
    let too_large = || {
        let text = format!("the file has more than {} MiB", LARGEST_UPLOAD >> 20);
        failure(StatusCode::PAYLOAD_TOO_LARGE, "too_large", text)
    };
    let too_slow = |_| failure(StatusCode::REQUEST_TIMEOUT, "too_slow", "the file has not arrived in time");
    let bytes = tokio::time::timeout(UPLOAD_TIME, to_bytes(body, LARGEST_UPLOAD)).await.map_err(too_slow)?;
    let bytes = bytes.map_err(|_| too_large())?;
    blocking(&shared, move |lobby| lobby.import(&bytes)).await.map(Json)
}

async fn live(State(shared): State<Shared>, headers: HeaderMap) -> Result<Response, Failure> {
    check_key(&shared, &headers)?;
    let games = shared.lobby.watches().then(|| shared.lobby.live().clone());
    Ok(Json(games).into_response())
}

async fn running(State(shared): State<Shared>, headers: HeaderMap) -> Result<Response, Failure> {
    check_key(&shared, &headers)?;
    let all = shared.running.clone();
    Ok(Json(blocking(&shared, move |_| Ok(all.map(|running| running.games()))).await?).into_response())
}

async fn open_running(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Vec<Link>>, Failure> {
    check_key(&shared, &headers)?;
    let (running, lobby) = (shared.running.clone(), Arc::clone(&shared.lobby));
    blocking(&shared, move |_| running.ok_or(LobbyError::NoLink)?.open(&lobby, &id)).await.map(Json)
}

async fn matches(State(shared): State<Shared>, headers: HeaderMap) -> Result<Response, Failure> {
    check_key(&shared, &headers)?;
    let all = |lobby: &Lobby| Ok(lobby.archive().map(Archive::matches).transpose()?);
    Ok(Json(blocking(&shared, all).await?).into_response())
}

async fn archived(State(shared): State<Shared>, headers: HeaderMap, Path(id): Path<i64>) -> Result<Response, Failure> {
    check_key(&shared, &headers)?;
    let all = move |lobby: &Lobby| Ok(lobby.archive().map(|archive| archive.games(id)).transpose()?);
    Ok(Json(blocking(&shared, all).await?).into_response())
}

async fn open_archived(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Path(id): Path<i64>,
) -> Result<Json<Vec<Link>>, Failure> {
    check_key(&shared, &headers)?;
    blocking(&shared, move |lobby| lobby.open_archived(id)).await.map(Json)
}

#[derive(Deserialize)]
struct Place {
    place: Option<usize>,
}

async fn opening(
    State(shared): State<Shared>,
    Path(token): Path<String>,
    Query(Place { place }): Query<Place>,
) -> Result<Response, Failure> {
    Ok(Json(blocking(&shared, move |lobby| lobby.opening(&token, place)).await?).into_response())
}

async fn links(State(shared): State<Shared>, Path(token): Path<String>) -> Result<Json<Vec<Link>>, Failure> {
    blocking(&shared, move |lobby| lobby.links_of(&token)).await.map(Json)
}

async fn save(State(shared): State<Shared>, Path((token, kind)): Path<(String, String)>) -> Result<Response, Failure> {
    let (room, _) = blocking(&shared, move |lobby| lobby.room(&token)).await?;
    let text = room.look(|session| text_of(session, &kind)).map_err(|error| {
        let status = match error {
            SaveError::Page(_) => StatusCode::INTERNAL_SERVER_ERROR,
            SaveError::Game(_) => StatusCode::BAD_REQUEST,
            SaveError::Kind(_) => StatusCode::NOT_FOUND,
        };
        failure(status, error.name(), error)
    })?;
    let name = format!("attachment; filename=\"blokus.{kind}\"");
    let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

async fn play(
    State(shared): State<Shared>,
    Path(token): Path<String>,
    Query(Place { place }): Query<Place>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let found = blocking(&shared, move |lobby| lobby.room(&token)).await;
    let upgrade = upgrade.max_message_size(socket::LONGEST_MESSAGE).max_frame_size(socket::LONGEST_MESSAGE);
    // Requests are short, and every client that looks on has such a buffer.
    let upgrade = upgrade.read_buffer_size(READ_BUFFER);
    upgrade.on_upgrade(async move |socket| match found {
        Ok((room, by)) => socket::serve(socket, room, by, place).await,
        // Pages are not told how an upgrade was answered, only what comes over the socket.
        Err((_, Json(reason))) => socket::refuse(socket, &reason).await,
    })
}
