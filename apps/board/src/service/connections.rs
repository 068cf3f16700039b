//! Accepts connections, and limits their number and the time for request heads.

use std::collections::HashMap;
use std::fs;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::config::Limits;

/// Delay after a failed accept, for example because there are too many open files.
const RETRY: Duration = Duration::from_millis(100);

/// Answers requests until the future is dropped.
pub(super) async fn serve(listener: TcpListener, router: Router, limits: Limits) {
    let most = limits.connections.min(open_files() / 2).max(2);
    let permits = Arc::new(Semaphore::new(most));
    let addresses = Arc::new(Addresses::default());
    loop {
        // More connections wait in the backlog of the system.
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                log::warn!("cannot accept a connection: {error}");
                tokio::time::sleep(RETRY).await;
                continue;
            }
        };
        let Some(address) = addresses.enter(peer.ip(), most / 2) else { continue };
        _ = stream.set_nodelay(true);
        let connection = Arc::new(Connection { _address: address, _permit: permit });
        let router = TowerToHyperService::new(router.clone());
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(Arc::clone(&connection));
            router.call(request)
        });
        let mut server = http1::Builder::new();
        server.timer(TokioTimer::new()).header_read_timeout(limits.request_time);
        let connection = server.serve_connection(TokioIo::new(stream), service).with_upgrades();
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                log::debug!("connection of {peer}: {error}");
            }
        });
    }
}

/// The maximum number of open files of this process, if the system tells it.
fn open_files() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(1024)
}

/// The number of connections by address.
#[derive(Default)]
struct Addresses(Mutex<HashMap<IpAddr, usize>>);

/// One connection of an address.
struct AddressGuard {
    addresses: Arc<Addresses>,
    address: IpAddr,
}

impl Addresses {
    fn enter(self: &Arc<Self>, address: IpAddr, most: usize) -> Option<AddressGuard> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = all.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(AddressGuard { addresses: Arc::clone(self), address })
    }
}

impl Drop for AddressGuard {
    fn drop(&mut self) {
        let mut all = self.addresses.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = all.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.address);
            }
        }
    }
}

/// A counted connection. An upgraded one counts as long as its handler keeps this.
pub(super) struct Connection {
    _address: AddressGuard,
    _permit: OwnedSemaphorePermit,
}
