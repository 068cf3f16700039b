//! State shared by all requests, and the threads on which they wait.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::Json;
use serde::Serialize;

use super::arena_games::ArenaGames;
use super::config::ServiceLimits;
use super::failure::{Failure, RequestError};
use super::registry::GameRegistry;
use super::server_games::ServerGames;
use super::uploads::Uploads;

/// An answer as JSON.
pub(super) type JsonAnswer<T> = Result<Json<T>, Failure>;

/// The keys and the start code of the service, and the page that they open.
pub(super) struct Secrets {
    pub(super) key: String,
    /// Hashes of all valid keys.
    pub(super) keys: BTreeSet<String>,
    /// The code that the browser exchanges once for the key.
    pub(super) code: String,
    pub(super) is_code_used: AtomicBool,
    /// The path of the page.
    pub(super) page: &'static str,
}

/// State shared by all requests.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) registry: Arc<GameRegistry>,
    pub(super) arena: Option<Arc<ArenaGames>>,
    pub(super) uploads: Option<Arc<Uploads>>,
    pub(super) live: Option<ServerGames>,
    pub(super) secrets: Arc<Secrets>,
    pub(super) limits: ServiceLimits,
}

/// Runs a task that waits for the disk or takes long.
pub(super) async fn blocking<T: Send + 'static>(
    shared: &Shared,
    task: impl FnOnce(&GameRegistry) -> Result<T, RequestError> + Send + 'static,
) -> Result<T, Failure> {
    let registry = Arc::clone(&shared.registry);
    let done = tokio::task::spawn_blocking(move || task(&registry)).await;
    Ok(done.map_err(|_| RequestError::Panicked)??)
}

/// Runs a task as [`blocking`] does. Answers with its result as JSON.
pub(super) async fn json<T: Serialize + Send + 'static>(
    shared: &Shared,
    task: impl FnOnce(&GameRegistry) -> Result<T, RequestError> + Send + 'static,
) -> JsonAnswer<T> {
    blocking(shared, task).await.map(Json)
}
