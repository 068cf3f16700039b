//! The leaves below each placement.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;

use game::perft::{perft, perft_after};
use game::{Placement, Position};

/// Returns every legal placement of a position with the leaves `depth` turns below the position that follow
/// it. Empty if `depth` is 0 or the game is over.
pub fn divide(position: &Position, depth: u32, threads: NonZeroUsize) -> Vec<(Placement, u64)> {
    let placements = if depth > 0 { position.placements() } else { Vec::new() };
    let leaves: Vec<AtomicU64> = placements.iter().map(|_| AtomicU64::new(0)).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((&placement, leaves)) = {
            let i = next.fetch_add(1, Ordering::Relaxed);
            placements.get(i).zip(leaves.get(i))
        } {
            leaves.store(perft_after(position, placement, depth), Ordering::Relaxed);
        }
    };
    thread::scope(|scope| {
        // Further threads would be idle.
        for _ in 1..threads.get().min(placements.len()) {
            scope.spawn(work);
        }
        work();
    });
    placements.into_iter().zip(leaves.into_iter().map(AtomicU64::into_inner)).collect()
}

/// Counts like [`perft`], on several threads.
pub fn count(position: &Position, depth: u32, threads: NonZeroUsize) -> u64 {
    if depth <= 1 || position.is_over() {
        return perft(position, depth);
    }
    divide(position, depth, threads).into_iter().map(|(_, leaves)| leaves).sum()
}
