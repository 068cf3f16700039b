//! The reference counts of perft. The naive rules agree with the bitboards, see `rules_agree`.

use std::num::NonZeroUsize;

use game::perft::perft;
use game::{Move, Piece, Position, Rules};
use perft::divide;
use perft::reference::{POSITIONS, Reference, ReferenceError, read};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

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
