//! Comparing with the reference counts.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Result, ensure};
use perft::{divide, reference};

use crate::speed;

/// Without `--deep` positions are counted only to the depth at which they have at most this many leaves.
const SHALLOW: u64 = 20_000_000;

/// Counts all reference positions, shows each, and fails if a count differs.
pub fn run(deep: bool, threads: NonZeroUsize, out: &mut impl Write) -> Result<()> {
    let (mut checked, mut wrong, mut all_leaves) = (0, 0, 0);
    let start = Instant::now();
    for reference in reference::positions() {
        for &(depth, expected) in reference.counts.iter().filter(|&&(_, leaves)| deep || leaves <= SHALLOW) {
            let start = Instant::now();
            let leaves = divide::count(&reference.position, depth, threads);
            let millions = speed(leaves, start.elapsed().as_secs_f64());
            let verdict = if leaves == expected { "ok".to_owned() } else { format!("WRONG, expected {expected}") };
            writeln!(out, "{:<10} depth {depth} {leaves:>11} leaves {millions:>8.1} M/s  {verdict}", reference.name)?;
            checked += 1;
            wrong += usize::from(leaves != expected);
            all_leaves += leaves;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(
        out,
        "{checked} counts, {wrong} wrong, {all_leaves} leaves in {seconds:.2} s, {:.1} M/s",
        speed(all_leaves, seconds)
    )?;
    ensure!(wrong == 0, "{wrong} of {checked} counts are wrong");
    Ok(())
}
