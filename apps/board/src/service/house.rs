//! What all rooms share.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;

use super::archive::Archive;
use super::config::Config;
use super::engines::Engines;
use super::error::ServiceError;
use super::programs::Programs;
use super::store::Store;

/// What all rooms share.
#[derive(Clone)]
pub(crate) struct House {
    pub(super) store: Arc<Store>,
    pub(super) engines: Engines,
    pub(super) runtime: Handle,
    pub(super) programs: Arc<Programs>,
    pub(super) archive: Option<Arc<Archive>>,
    pub(super) watches: bool,
    pub(super) move_time: Duration,
    pub(super) hint_time: Duration,
}

impl House {
    /// Opens the file of the games and starts the engines' threads.
    pub fn open(config: &Config, runtime: Handle) -> Result<Self, ServiceError> {
        // Whoever mistypes it would look for the games in vain where they are.
        let folder = config.database.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(ServiceError::NoFolder(folder.to_owned()));
        }
        let store = Store::open(&config.database)?;
        let archive = config.arena.as_deref().map(Archive::open).transpose()?.map(Arc::new);
        let threads = |source| ServiceError::System { what: "cannot start threads for engines".to_owned(), source };
        let engines = Engines::start(config.threads, config.memory).map_err(threads)?;
        Ok(Self {
            store: Arc::new(store),
            engines,
            runtime,
            programs: Arc::new(config.programs.clone()),
            archive,
            watches: config.server.is_some(),
            move_time: config.move_time,
            hint_time: config.hint_time,
        })
    }
}
