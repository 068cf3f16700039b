//! The service of the board with a browser that shows its page.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use board::service::{Config, Service};
use tokio::runtime::Runtime;
use tokio::sync::oneshot;

use crate::driver::{Driver, Page, Setup};

/// A service that thinks fast, on a thread of its own.
#[derive(Debug)]
pub struct Board {
    /// Where it listens.
    pub address: SocketAddr,
    /// The address of its page, with the key.
    pub url: String,
    end: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Board {
    /// Starts it with a file of games, at an address or at any.
    ///
    /// # Panics
    /// If it does not start.
    pub fn start(database: PathBuf, address: Option<SocketAddr>) -> Self {
        let mut config = Config::new(database);
        config.listen = address.unwrap_or(config.listen);
        config.move_time = Duration::from_millis(50);
        Self::with(config)
    }

    /// Starts it as it is told, but with one thread, little memory, and hints that come soon.
    ///
    /// # Panics
    /// If it does not start.
    pub fn with(mut config: Config) -> Self {
        (config.threads, config.memory) = (1, 16 << 20);
        config.hint_time = Duration::from_millis(200);
        let (tell, told) = mpsc::channel();
        let (end, ended) = oneshot::channel::<()>();
        let thread = thread::spawn(move || {
            // When it ends, so do all connections.
            Runtime::new().expect("threads can be started").block_on(async {
                let service = Service::start(&config).await.expect("the service starts");
                tell.send((service.address(), service.url())).expect("somebody waits for it");
                service.run(async { drop(ended.await) }).await.expect("it ends when it is told to");
            });
        });
        let (address, url) = told.recv().expect("the service starts");
        Self { address, url, end, thread }
    }

    /// Ends it, and with it all connections.
    ///
    /// # Panics
    /// If it has panicked.
    pub fn stop(self) {
        drop(self.end);
        self.thread.join().expect("it has not panicked");
    }
}

/// Lets something be done with a service, a page of some size that shows it, and the folder of its games; nothing where
/// there is no browser.
///
/// # Panics
/// If the page does not show it.
pub fn with_page(width: u32, height: u32, act: impl AsyncFnOnce(&Page, Board, &Path)) {
    with_browser(&Setup::new(width, height), act);
}

/// The same in a browser of some kind.
///
/// # Panics
/// As [`with_page`].
pub fn with_browser(setup: &Setup<'_>, act: impl AsyncFnOnce(&Page, Board, &Path)) {
    let Some(driver) = Driver::start() else { return };
    let folder = tempfile::tempdir().expect("there is room for games");
    Runtime::new().expect("threads can be started").block_on(async {
        let board = Board::start(folder.path().join("games.sqlite"), None);
        let page = driver.open_as(setup).await;
        page.go(&board.url).await;
        page.wait("return document.querySelector('form') !== null").await;
        act(&page, board, folder.path()).await;
        page.close().await;
    });
}
