//! Letting the player work while the server is silent.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use player::Player;

/// Lets the player do some `work`, which ends when its flag is set, until `listen`, in this thread, has heard
/// something.
pub fn meanwhile<T>(
    player: &mut dyn Player,
    work: impl FnOnce(&mut dyn Player, &AtomicBool) + Send,
    listen: impl FnOnce() -> T,
) -> T {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let working = thread::Builder::new().spawn_scoped(scope, || work(player, &stop));
        if let Err(error) = working {
            log::warn!("cannot use the time until the server speaks: {error}");
        }
        let heard = listen();
        stop.store(true, Ordering::Relaxed);
        heard
    })
}
