//! Signals that end the program.

use std::io;

/// Signals that end the program.
#[cfg(unix)]
pub(super) struct EndSignals([tokio::signal::unix::Signal; 4]);

#[cfg(unix)]
impl EndSignals {
    pub fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self([
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
            signal(SignalKind::interrupt())?,
            signal(SignalKind::quit())?,
        ]))
    }

    /// Waits for a signal. Returns the exit code for it.
    pub async fn next(&mut self) -> u8 {
        let [terminate, hangup, interrupt, quit] = &mut self.0;
        tokio::select! {
            _ = terminate.recv() => 128 + 15,
            _ = hangup.recv() => 128 + 1,
            _ = interrupt.recv() => 128 + 2,
            _ = quit.recv() => 128 + 3,
        }
    }
}

/// Ctrl-C from outside.
#[cfg(not(unix))]
pub(super) struct EndSignals;

#[cfg(not(unix))]
impl EndSignals {
    pub fn new() -> io::Result<Self> {
        Ok(Self)
    }

    /// Waits for Ctrl-C. Returns the exit code for it.
    pub async fn next(&mut self) -> u8 {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
        130
    }
}
