//! The memory for the player.

use anyhow::bail;

/// Bytes for the rest of the program: messages, lines of the log, lists of moves.
const BESIDES: usize = 10 << 20;

/// Bytes for each thread of a search: its stack and statistics of moves.
const THREAD: usize = 3 << 20;

/// Minimum size of a tree or table in bytes.
const MIN_BYTES: usize = 1 << 20;

/// Returns the bytes that a player with this number of threads may use: `wanted`, halved until the limit of the process
/// leaves room for threads and messages.
///
/// Does not detect the limits of a container, which kills a program that uses too much.
///
/// # Errors
/// If the memory is too small for any player.
pub fn obtainable(wanted: usize, threads: usize) -> anyhow::Result<usize> {
    let besides = threads.saturating_mul(THREAD).saturating_add(BESIDES);
    let mut bytes = wanted;
    while !is_obtainable(bytes.saturating_add(besides)) {
        bytes /= 2;
        if bytes < MIN_BYTES {
            let needed = MIN_BYTES.saturating_add(besides) >> 20;
            bail!(
                "too little memory to play: {needed} MiB are not available. The command `ulimit -v` prints the limit in KiB"
            );
        }
    }
    if bytes < wanted {
        log::warn!("playing with {} MiB of memory, because {} MiB are not available", bytes >> 20, wanted >> 20);
    }
    Ok(bytes)
}

/// Returns `true` if the system can allocate this many bytes in one piece.
fn is_obtainable(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
