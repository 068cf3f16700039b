//! How much memory the player can have.

use thiserror::Error;

/// What the program needs besides: messages, lines of the log, moves in lists, the history of moves.
const BESIDES: usize = 10 << 20;

/// What each thread of a search needs besides: its stack, and what it notes of moves.
const THREAD: usize = 3 << 20;

/// The least that makes sense for a tree or table, in bytes.
const LEAST: usize = 1 << 20;

/// There is too little memory for any player.
#[derive(Debug, Error)]
#[error("too little memory to play: {} MiB cannot be had. The command `ulimit -v` tells the limit in KiB", .needed >> 20)]
pub struct TooLittleMemory {
    needed: usize,
}

/// The bytes that a player with this many threads may take if it is to have at most `wanted`: half of
/// that, or half of the half, and so on, where a limit of the process keeps the system from giving
/// so much.
///
/// Players take less by themselves, too, but would leave nothing for threads and messages.
///
/// Limits for a whole container do not show this way: they end the program when it uses too much.
///
/// # Errors
/// [`TooLittleMemory`]
///
/// ```
/// use client::memory::obtainable;
///
/// assert_eq!(obtainable(1 << 20, 1)?, 1 << 20);
/// # Ok::<(), client::memory::TooLittleMemory>(())
/// ```
pub fn obtainable(wanted: usize, threads: usize) -> Result<usize, TooLittleMemory> {
    let besides = threads.saturating_mul(THREAD).saturating_add(BESIDES);
    let mut bytes = wanted;
    while !is_obtainable(bytes.saturating_add(besides)) {
        bytes /= 2;
        if bytes < LEAST {
            return Err(TooLittleMemory { needed: LEAST.saturating_add(besides) });
        }
    }
    if bytes < wanted {
        log::warn!("playing with {} MiB of memory, because {} MiB cannot be had", bytes >> 20, wanted >> 20);
    }
    Ok(bytes)
}

/// Whether the system gives this many bytes in one piece. They are given back at once.
fn is_obtainable(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_there_is_becomes_less() {
        assert_eq!(obtainable(LEAST, 1).unwrap(), LEAST);
        let less = obtainable(usize::MAX, 1).unwrap();
        assert!((LEAST..isize::MAX as usize).contains(&less), "{less}");
        assert!(obtainable(LEAST, usize::MAX).is_err());
    }
}
