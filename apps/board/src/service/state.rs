//! What all games of a service share.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arena::engines::Spec;
use tokio::runtime::Handle;

use super::archive::Archive;
use super::config::Config;
use super::error::ServiceError;
use super::pool::EnginePool;
use super::store::Store;
use crate::active::Settings;

/// What all games of a service share.
pub(crate) struct ServiceState {
    pub(super) store: Store,
    pub(super) engines: EnginePool,
    pub(super) runtime: Handle,
    /// External programs by name.
    pub(super) programs: BTreeMap<String, Spec>,
    pub(super) archive: Option<Archive>,
    pub(super) settings: Arc<Settings>,
}

impl ServiceState {
    /// Opens the database and starts the threads of the engines.
    pub fn open(config: &Config, runtime: Handle) -> Result<Arc<Self>, ServiceError> {
        let folder = config.database.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(ServiceError::NoFolder(folder.to_owned()));
        }
        let store = Store::open(&config.database)?;
        let archive = config.arena.as_deref().map(Archive::open).transpose()?;
        let threads = |source| ServiceError::System { what: "cannot start threads for engines".to_owned(), source };
        let settings = Settings {
            move_time: config.move_time.as_millis() as u64,
            hint_time: config.hint_time.as_millis() as u64,
            programs: Some(config.programs.keys().cloned().collect()),
        };
        Ok(Arc::new(Self {
            store,
            engines: EnginePool::start(config.threads, config.memory).map_err(threads)?,
            runtime,
            programs: config.programs.clone(),
            archive,
            settings: Arc::new(settings),
        }))
    }

    /// Opens a small service with a database in `folder`.
    #[cfg(test)]
    pub fn for_test(folder: &Path) -> Arc<Self> {
        let config = Config { threads: 1, memory: 16 << 20, ..Config::new(folder.join("games.sqlite")) };
        Self::open(&config, Handle::current()).unwrap()
    }
}
