//! Accepts connections, and limits their number and the time for request heads.

use std::collections::HashMap;
use std::fs;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::config::ServiceLimits;

/// Delay after a failed accept, for example because there are too many open files.
const RETRY: Duration = Duration::from_millis(100);

/// Answers requests until the future is dropped.
pub(super) async fn serve(listener: TcpListener, router: Router, limits: ServiceLimits) {
    let max_connections = limits.connections.min(open_files() / 2).max(2);
    let permits = Arc::new(Semaphore::new(max_connections));
    // The references to an address: one here, and one for each of its connections.
    let mut addresses: HashMap<IpAddr, Arc<()>> = HashMap::new();
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
        addresses.retain(|_, address| Arc::strong_count(address) > 1);
        let address = Arc::clone(addresses.entry(peer.ip()).or_default());
        if Arc::strong_count(&address) - 1 > max_connections / 2 {
            continue;
        }
        _ = stream.set_nodelay(true);
        let connection = Arc::new(CountedConnection { _address: address, _permit: permit });
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

/// Returns the maximum number of open files of this process, if the system reports it.
fn open_files() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(1024)
}

/// A counted connection. An upgraded one counts as long as its handler keeps this.
pub(super) struct CountedConnection {
    _address: Arc<()>,
    _permit: OwnedSemaphorePermit,
}
