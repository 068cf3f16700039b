//! The reference counts of perft, counted by the bitboards, by the naive rules, and in the first round without rules.

use std::num::NonZeroUsize;
use std::ops::Range;

use game::perft::perft;
use game::{Move, Piece, Position, Rules};
use perft::divide;
use perft::reference::{POSITIONS, Reference, ReferenceError, read};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tests::naive;

fn references() -> Vec<Reference> {
    read(POSITIONS).unwrap()
}

#[test]
fn bitboards_match_reference_counts() {
    for Reference { name, position, counts } in references() {
        for (depth, leaves) in counts.into_iter().filter(|&(_, leaves)| leaves < 20_000_000) {
            assert_eq!(perft(&position, depth), leaves, "{name}, depth {depth}");
        }
    }
}

#[test]
fn naive_rules_match_reference_counts() {
    compare_naive_rules(0..80_000);
}

#[test]
#[ignore = "takes minutes; the counts of the first round are checked without rules below"]
fn naive_rules_match_deep_reference_counts() {
    compare_naive_rules(80_000..100_000_000);
}

fn compare_naive_rules(sizes: Range<u64>) {
    for Reference { name, position, counts } in references() {
        for (depth, leaves) in counts.into_iter().filter(|(_, leaves)| sizes.contains(leaves)) {
            if position.turn() > 0 || depth > 4 {
                assert_eq!(naive_perft(&naive::Game::at_position(&position), depth), leaves, "{name}, depth {depth}");
                println!("{name}, depth {depth}: {leaves} leaves");
            }
        }
    }
}

fn naive_perft(game: &naive::Game, depth: u32) -> u64 {
    if depth == 0 || game.is_over() {
        return 1;
    }
    if depth == 1 {
        return game.legal(game.color()).count() as u64;
    }
    let leaves = game.legal(game.color()).map(|placement| {
        let mut child = game.clone();
        child.play(Some(placement));
        naive_perft(&child, depth.saturating_sub(u32::from(child.turn() - game.turn())))
    });
    leaves.sum()
}

/// The first pieces of the four colours must only not overlap, so the leaves are the ordered tuples of disjoint
/// placements of the start piece.
#[test]
fn first_round_counts_disjoint_placements() {
    for Reference { name, position, counts } in references() {
        let Some(start) = position.start_piece().filter(|_| position.turn() == 0) else { continue };
        let first = naive::Game::new(position.rules(), Some(start));
        let firsts: Vec<&naive::Points> = first.legal(first.color()).map(|placement| &placement.points).collect();
        // Bit j of disjoint[i] is 1 if placements i and j are disjoint.
        let disjoint: Vec<Vec<u64>> = firsts
            .iter()
            .map(|one| {
                let mut bits = vec![0; firsts.len().div_ceil(64)];
                for (j, _) in
                    firsts.iter().enumerate().filter(|(_, other)| one.iter().all(|point| !other.contains(point)))
                {
                    bits[j / 64] |= 1 << (j % 64);
                }
                bits
            })
            .collect();
        let all = (0..firsts.len().div_ceil(64)).map(|word| match firsts.len() - 64 * word {
            64.. => u64::MAX,
            rest => (1 << rest) - 1,
        });
        for (depth, leaves) in counts.into_iter().filter(|&(depth, _)| depth <= 4) {
            assert_eq!(tuples(&all.clone().collect::<Vec<_>>(), &disjoint, depth), leaves, "{name}, depth {depth}");
        }
    }
}

/// The ordered tuples of pairwise disjoint placements among the candidates.
fn tuples(candidates: &[u64], disjoint: &[Vec<u64>], length: u32) -> u64 {
    if length == 1 {
        return candidates.iter().map(|word| u64::from(word.count_ones())).sum();
    }
    let chosen = (0..disjoint.len()).filter(|i| candidates[i / 64] >> (i % 64) & 1 == 1);
    chosen
        .map(|i| {
            let rest: Vec<u64> = candidates.iter().zip(&disjoint[i]).map(|(one, other)| one & other).collect();
            tuples(&rest, disjoint, length - 1)
        })
        .sum()
}

/// A turn without placements is one node, and a finished game is one leaf.
#[test]
fn stuck_colour_counts_as_one_node() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut skips, mut ends) = (0, 0);
    for _ in 0..20 {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoR)).unwrap();
        while let Some(placement) = position.board().random_placement(position.color(), &mut rng) {
            let mut child = position;
            child.play(Move::Place(placement));
            let below = |depth| game::perft::perft_after(&position, placement, depth);
            if child.is_over() {
                assert_eq!([below(1), below(2), below(9)], [1, 1, 1]);
                ends += 1;
                break;
            }
            let replies = child.board().count_placements(child.color()) as u64;
            let turns = u32::from(child.turn() - position.turn());
            for depth in 1..=turns {
                assert_eq!(below(depth), 1);
            }
            assert_eq!(below(turns + 1), replies);
            skips += turns - 1;
            position = child;
        }
    }
    assert!(skips > 100 && ends == 20, "{skips} {ends}");
}

#[test]
fn threads_do_not_change_counts() {
    for Reference { name, position, .. } in references() {
        for depth in 0..=2 {
            for threads in [1, 3].map(|threads| NonZeroUsize::new(threads).unwrap()) {
                assert_eq!(divide::count(&position, depth, threads), perft(&position, depth), "{name}, depth {depth}");
            }
        }
    }
}

#[test]
fn rejects_invalid_reference_file() {
    let position = Position::new(Rules::Classic, None).unwrap();
    assert_eq!(read("# nothing\n\n").unwrap().len(), 0);
    assert_eq!(read(&format!("a: {position} ;D1 58 ;D2 3364")).unwrap()[0].counts, [(1, 58), (2, 3364)]);
    assert!(matches!(read("classic").unwrap_err(), ReferenceError::Name(text) if text == "classic"));
    assert!(matches!(read("a: classic").unwrap_err(), ReferenceError::Position { name, .. } if name == "a"));
    let count = read(&format!("a: {position} ;D1 many")).unwrap_err();
    assert!(matches!(count, ReferenceError::Count { text, .. } if text == "D1 many"));
}
