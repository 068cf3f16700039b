//! State shared by all games of a service.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use arena::database;
use arena::engines::Spec;
use tokio::runtime::Handle;

use super::config::GameOptions;
use super::error::ServiceError;
use super::pool::TaskPool;
use super::store::GameStore;
use crate::active::GameSettings;
use crate::engine::SearchEngine;

/// State shared by all games of a service.
pub(crate) struct ServiceState {
    pub(super) store: GameStore,
    pub(super) engines: TaskPool<SearchEngine>,
    /// Threads that wait for external programs, so that a hanging one keeps no engine from work.
    pub(super) program_threads: TaskPool<()>,
    pub(super) runtime: Handle,
    /// External programs by name.
    pub(super) programs: BTreeMap<String, Spec>,
    /// The database of the arena, opened read-only. A match may be writing to it, so each request reads it again.
    pub(super) archive: Option<Mutex<database::Store>>,
    pub(super) settings: Arc<GameSettings>,
}

impl ServiceState {
    /// Opens the database and starts the threads of the engines.
    pub fn open(options: &GameOptions, arena: Option<&Path>, runtime: Handle) -> Result<Arc<Self>, ServiceError> {
        let folder = options.games.parent().filter(|folder| *folder != Path::new(""));
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(ServiceError::NoFolder(folder.to_owned()));
        }
        let store = GameStore::open(&options.games)?;
        let archive = arena.map(database::Store::open_to_read).transpose()?.map(Mutex::new);
        let threads = |source| ServiceError::System { what: "cannot start threads for engines".to_owned(), source };
        let (count, memory) = (options.thread_count(), usize::from(options.memory) << 20);
        let programs: BTreeMap<_, _> = options.program.iter().cloned().collect();
        let names = programs.keys().cloned().collect();
        let settings = GameSettings { move_time: options.move_time, programs: Some(names), ..GameSettings::default() };
        Ok(Arc::new(Self {
            store,
            engines: TaskPool::start("engine", count, move || SearchEngine::new(memory)).map_err(threads)?,
            program_threads: TaskPool::start("program", count, || ()).map_err(threads)?,
            runtime,
            programs,
            archive,
            settings: Arc::new(settings),
        }))
    }

    /// Drops all waiting jobs, and ends the threads after their current ones.
    pub fn close(&self) {
        self.engines.close();
        self.program_threads.close();
    }

    /// Opens a small service with a database in `folder`.
    #[cfg(test)]
    pub fn for_test(folder: &Path) -> Arc<Self> {
        let options = super::Config::new(folder.join("games.sqlite")).options;
        let options = GameOptions { threads: Some(1), memory: 16, ..options };
        Self::open(&options, None, Handle::current()).unwrap()
    }
}
