//! The speed of the rules, as a table.

use std::hint::black_box;
use std::io::{self, Write};
use std::time::Instant;

use anyhow::Result;
use game::perft::perft;
use game::{Move, Position};
use perft::reference;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::speed;

/// The positions to measure and how deep to count them.
const POSITIONS: [(&str, u32); 5] =
    [("2021-L", 5), ("middle-18", 3), ("middle-27", 4), ("middle-33", 4), ("middle-35", 4)];

/// Calls per timing.
const CALLS: u32 = 5_000;

/// Measures all positions and prints nanoseconds per call: listing, counting, testing for and randomly drawing
/// placements, and playing one (including the test whether the next colour can move); and perft. Each figure is the
/// best of `repeats` runs, because other programs can only make a run slower.
pub fn run(repeats: usize, out: &mut impl Write) -> Result<()> {
    writeln!(out, "position   placements     list    count      has   random     play  ns;  perft, M leaves/s")?;
    let references = reference::positions();
    for (name, depth) in POSITIONS {
        for reference in references.iter().filter(|reference| reference.name == name) {
            write_row(name, &reference.position, depth, repeats, out)?;
        }
    }
    Ok(())
}

fn write_row(name: &str, position: &Position, depth: u32, repeats: usize, out: &mut impl Write) -> io::Result<()> {
    let (board, color) = (position.board(), position.color());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut list = board.placements(color);
    let placements = list.len();
    let mv = list.get(placements / 2).map_or(Move::Pass, |&placement| Move::Place(placement));
    let nanoseconds = [
        time(repeats, || {
            list.clear();
            black_box(board).list_placements(black_box(color), &mut list);
            black_box(&list);
        }),
        time(repeats, || _ = black_box(black_box(board).count_placements(black_box(color)))),
        time(repeats, || _ = black_box(black_box(board).has_placement(black_box(color)))),
        time(repeats, || {
            let n = rng.random_range(0..black_box(board).count_placements(black_box(color)));
            black_box(black_box(board).nth_placement(black_box(color), n));
        }),
        time(repeats, || {
            let mut child = *black_box(position);
            child.play(black_box(mv));
            black_box(&child);
        }),
    ];
    let mut leaves = 0;
    let seconds = best(repeats, || leaves = black_box(perft(black_box(position), depth)));
    write!(out, "{name:<10} {placements:>10}")?;
    for nanoseconds in nanoseconds {
        write!(out, " {nanoseconds:>8.1}")?;
    }
    writeln!(out, "      {:>8.1}", speed(leaves, seconds))
}

/// Returns nanoseconds per call.
fn time(repeats: usize, mut call: impl FnMut()) -> f64 {
    1e9 * best(10 * repeats, || (0..CALLS).for_each(|_| call())) / f64::from(CALLS)
}

/// Returns the shortest time in seconds.
fn best(repeats: usize, mut run: impl FnMut()) -> f64 {
    let seconds = std::iter::repeat_with(|| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    });
    seconds.take(repeats).fold(f64::INFINITY, f64::min)
}
