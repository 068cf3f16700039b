//! The connection to a queue server.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, ServerAddr};
use tokio::runtime::Runtime;

use super::QueueError;
use crate::files;

/// Time to wait for a server that does not listen yet.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);

/// Delay before the next attempt to connect.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Secrets come from the environment, because every user of a machine can list the arguments of its processes.
const ENVIRONMENT: &str = "\
Secrets of the queue are taken from the environment: ARENA_QUEUE_USER and ARENA_QUEUE_PASSWORD, or
ARENA_QUEUE_TOKEN.";

/// Address of the server, from the command line. Shown as text, it is the addresses alone.
#[derive(Clone, Default, clap::Args)]
#[command(after_help = ENVIRONMENT)]
pub struct QueueAccess {
    /// A queue server: nats://HOST:PORT, or tls://HOST:PORT for an encrypted connection. Several of a cluster are
    /// separated by commas
    #[arg(long = "queue", value_name = "URL")]
    pub(super) url: Option<String>,
    /// A file with the certificate of the authority that vouches for the queue
    #[arg(long = "queue-authority", value_name = "FILE", env = "ARENA_QUEUE_AUTHORITY", hide_env_values = true)]
    pub(super) authority: Option<PathBuf>,
}

/// Creates a runtime for the client of the queue; it works on the thread that blocks on it.
pub(super) fn runtime() -> Result<Runtime, QueueError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(QueueError::io("start the client of the queue"))
}

impl QueueAccess {
    pub(super) fn addresses(&self) -> Result<Vec<ServerAddr>, QueueError> {
        let address = |text: &str| {
            let expected = "expected the address of a queue server, nats://HOST:PORT or tls://HOST:PORT";
            text.parse::<ServerAddr>().map_err(|_| QueueError::invalid(shown(text), expected))
        };
        let url = self.url.as_ref();
        let url = url.ok_or_else(|| QueueError::invalid("--queue", "expected the URL of a queue server"))?;
        url.split(',').map(address).collect()
    }

    /// Connects under the given name, which the server's administrator sees. Waits for a server that is not up yet.
    pub(super) async fn connect(&self, name: &str, patience: Duration) -> Result<Client, QueueError> {
        let addresses = self.addresses()?;
        let begun = Instant::now();
        let mut is_reported = false;
        loop {
            let failed = match self.options(name).await?.connect(&addresses[..]).await {
                Ok(client) => return Ok(client),
                Err(error) => error,
            };
            let reason = reason(&failed);
            if !is_down(&failed) || begun.elapsed() >= patience {
                return Err(QueueError::Server { address: self.to_string(), what: "connect", reason });
            }
            if !std::mem::replace(&mut is_reported, true) {
                log::warn!("the queue at {self}: {reason}; waiting for it, {} s at most", patience.as_secs());
            }
            tokio::time::sleep(RETRY_DELAY).await;
        }
    }

    async fn options(&self, name: &str) -> Result<ConnectOptions, QueueError> {
        let shown = self.to_string();
        let mut options = ConnectOptions::new().name(name).event_callback(move |event| {
            let shown = shown.clone();
            async move { report(&shown, &event) }
        });
        if let Some(path) = &self.authority {
            // The TLS library reads a file of any size.
            files::read(path).map_err(|error| QueueError::invalid(path.display(), error))?;
            options = options.add_root_certificates(path.clone()).require_tls(true);
        }
        let secret = |name: &str| std::env::var(format!("ARENA_QUEUE_{name}")).ok();
        for (given, missing) in [("USER", "PASSWORD"), ("PASSWORD", "USER")] {
            if secret(given).is_some() && secret(missing).is_none() {
                let expected = format_args!("expected beside ARENA_QUEUE_{given}");
                return Err(QueueError::invalid(format_args!("ARENA_QUEUE_{missing}"), expected));
            }
        }
        if let Some((user, password)) = secret("USER").zip(secret("PASSWORD")) {
            options = options.user_and_password(user, password);
        }
        Ok(match secret("TOKEN") {
            Some(token) => options.token(token),
            None => options,
        })
    }
}

/// Returns `true` if nothing listens at the address, or its machine is not there.
fn is_down(error: &ConnectError) -> bool {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|error| {
        use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable};
        matches!(error.kind(), ConnectionRefused | HostUnreachable | NetworkUnreachable)
    })
}

/// Describes a failed connection. Shows only the system's or TLS's own message, because other causes may quote the
/// address with its credentials.
fn reason(error: &ConnectError) -> String {
    let kind = error.kind();
    match (kind, error.source()) {
        (ConnectErrorKind::Io | ConnectErrorKind::Tls, Some(mut cause)) => {
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            format!("{kind}: {cause}")
        }
        _ => kind.to_string(),
    }
}

fn report(address: &str, event: &Event) {
    match event {
        Event::Disconnected => log::warn!("the queue at {address} is gone; waiting for it"),
        Event::Connected => log::info!("connected to the queue at {address}"),
        event => log::info!("the queue at {address}: {event}"),
    }
}

/// Returns an address without its credentials. The text may be no address.
fn shown(text: &str) -> String {
    match ServerAddr::from_str(text) {
        Ok(address) => format!("{}:{}", address.host(), address.port()),
        Err(_) => game::excerpt(text.rsplit('@').next().unwrap_or_default()),
    }
}

impl fmt::Display for QueueAccess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.url.iter().flat_map(|url| url.split(',')).map(shown).collect();
        f.write_str(&shown.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hides_secrets() {
        for url in
            ["nats://secret@host", "nats://a:secret@host:1", "tls://secret@host,tls://b:secret@other", "://secret@@"]
        {
            let access = QueueAccess { url: Some(url.to_owned()), ..QueueAccess::default() };
            let error = access.addresses().err().map(|error| error.to_string()).unwrap_or_default();
            assert!(!format!("{access} {error}").contains("secret"), "{url}");
        }
    }
}
