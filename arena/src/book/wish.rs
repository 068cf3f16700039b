//! Which positions a book is to have.

use game::{Placement, Position};

use super::searched::Searched;

/// Which positions a book is to have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wish {
    /// How many first placements there are at most.
    pub plies: usize,
    /// How many other moves than the best one are followed in each position: the likeliest ones.
    pub others: usize,
}

impl Wish {
    /// The positions of these starts that are not known yet, as far as that can be told from those that are. `known` says
    /// what a search found. The shortest come first, for they are needed in most games, and what follows depends on them.
    ///
    /// In every line one move at most is not the best: a player with the book meets an opponent without, who will not
    /// find the best moves for long, and after that the line is rarely met twice.
    pub fn missing(
        &self,
        starts: &[Position],
        mut known: impl FnMut(&Position, &[Placement]) -> Option<Searched>,
    ) -> Vec<(Position, Vec<Placement>)> {
        let mut missing = Vec::new();
        // Each with whether a move of it was not the best.
        let mut open: Vec<(Position, Vec<Placement>, bool)> =
            starts.iter().map(|&start| (start, Vec::new(), false)).collect();
        for _ in 0..self.plies {
            let mut next = Vec::new();
            for (start, line, has_strayed) in open {
                let Some(searched) = known(&start, &line) else {
                    missing.push((start, line));
                    continue;
                };
                let moves = searched.moves.iter().filter_map(|mv| mv.placement.parse().ok());
                let followed = if has_strayed { 1 } else { 1 + self.others };
                for (number, placement) in moves.take(followed).enumerate() {
                    next.push((start, [&line[..], &[placement]].concat(), has_strayed || number > 0));
                }
            }
            open = next;
        }
        missing
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use game::{Piece, Rules};

    use super::*;

    #[test]
    fn lines_grow_from_what_is_known_and_stray_once() {
        let start = Position::new(Rules::Season2027, Some(Piece::PentoX)).unwrap();
        let wish = Wish { plies: 3, others: 2 };
        let mut known: HashMap<Vec<Placement>, Searched> = HashMap::new();
        let mut counts = Vec::new();
        loop {
            let missing = wish.missing(&[start], |_, line| known.get(line).cloned());
            if missing.is_empty() {
                break;
            }
            counts.push(missing.len());
            for (start, line) in missing {
                // That it does not panic says that the moves are legal.
                let searched = Searched::search(&start, &line, 60, 4 << 20).unwrap();
                known.insert(line, searched);
            }
        }
        // The start; the best move and two others; after the best one again three, after each other one only one.
        assert_eq!(counts, [1, 3, 5]);
    }
}
