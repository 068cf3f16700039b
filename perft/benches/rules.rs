//! Speed of the rules on the start of a game and on four positions of its middle.
//!
//! `perft --bench` times the same operations, at other depths, and prints one table.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use game::perft::perft;
use game::{Board, Color, Move, Placement, Position};
use perft::reference;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions and how deep to count them.
const POSITIONS: [(&str, u32); 5] =
    [("2021-L", 5), ("middle-18", 2), ("middle-27", 3), ("middle-33", 3), ("middle-35", 3)];

/// Returns the positions of [`POSITIONS`], from the reference positions of the program.
fn positions() -> Vec<(&'static str, Position, u32)> {
    let references = reference::positions();
    let find = |(name, depth)| {
        let reference = references.iter().find(|reference| reference.name == name).expect("a reference position");
        (name, reference.position, depth)
    };
    POSITIONS.into_iter().map(find).collect()
}

fn placements(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("placements");
    for (name, position, _) in positions() {
        let (board, color) = (position.board(), position.color());
        let mut list = Vec::new();
        group.bench_function(format!("list/{name}"), |bencher| {
            bencher.iter(|| {
                list.clear();
                black_box(board).list_placements(color, &mut list);
                black_box(list.len())
            });
        });
        group.bench_function(format!("count/{name}"), |bencher| {
            bencher.iter(|| black_box(board).count_placements(color));
        });
        group.bench_function(format!("has/{name}"), |bencher| {
            bencher.iter(|| black_box(board).has_placement(color));
        });
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        group.bench_function(format!("random/{name}"), |bencher| {
            bencher.iter(|| random_placement(black_box(board), color, &mut rng));
        });
    }
}

fn random_placement(board: &Board, color: Color, rng: &mut Xoshiro256PlusPlus) -> Option<Placement> {
    board.nth_placement(color, rng.random_range(0..board.count_placements(color)))
}

fn play(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("play");
    for (name, position, _) in positions() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut random =
            || random_placement(position.board(), position.color(), &mut rng).map_or(Move::Pass, Move::Place);
        group.bench_function(name, |bencher| {
            bencher.iter_batched(&mut random, |mv| position.after(mv), BatchSize::SmallInput);
        });
    }
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    for (name, position, depth) in positions() {
        group.throughput(Throughput::Elements(perft(&position, depth)));
        group.bench_function(name, |bencher| bencher.iter(|| perft(black_box(&position), depth)));
    }
}

criterion_group! {
    name = rules;
    config = Criterion::default().warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = placements, play, counting
}
criterion_main!(rules);
