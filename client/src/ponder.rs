//! Thinking in the opponent's time.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use game::Position;
use player::Player;

use crate::answer::ponder;

/// Reads, and lets the player think about a position until something has come. The moment at which
/// it came is told, too: what the player needs to stop is not lost for the answer's deadline.
pub fn read_and_ponder(
    reader: &mut impl Read,
    buffer: &mut [u8],
    player: &mut dyn Player,
    position: &Position,
) -> (io::Result<usize>, Instant) {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let thinking = thread::Builder::new().spawn_scoped(scope, || ponder(player, position, &stop));
        if let Err(error) = thinking {
            log::warn!("cannot think in the opponent's time: {error}");
        }
        let read = reader.read(buffer);
        let arrived = Instant::now();
        stop.store(true, Ordering::Relaxed);
        (read, arrived)
    })
}
