//! The reference counts of perft. The naive rules agree with the bitboards, see `rules_agree`.

use std::num::NonZeroUsize;

use game::perft::perft;
use game::{Move, Piece, Position, Rules};
use perft::divide;
use perft::reference::{Reference, positions};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn bitboards_match_reference_counts() {
    for Reference { name, position, counts } in positions() {
        for (depth, leaves) in counts.into_iter().filter(|&(_, leaves)| leaves < 3_000_000) {
            assert_eq!(perft(&position, depth), leaves, "{name}, depth {depth}");
        }
    }
}

/// A turn without placements is one node, and a finished game is one leaf.
#[test]
fn stuck_colour_counts_as_one_node() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let (mut skips, mut ends) = (0, 0);
    for _ in 0..20 {
        let mut position = Position::new(Rules::Season2027, Some(Piece::PentoR)).unwrap();
        loop {
            let count = position.board().count_placements(position.color());
            let placement = position.board().nth_placement(position.color(), rng.random_range(0..count)).unwrap();
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
    for Reference { name, position, .. } in positions() {
        for depth in 0..=2 {
            for threads in [1, 3].map(|threads| NonZeroUsize::new(threads).unwrap()) {
                assert_eq!(divide::count(&position, depth, threads), perft(&position, depth), "{name}, depth {depth}");
            }
        }
    }
}
