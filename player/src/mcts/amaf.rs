//! The moves of a game for RAVE (all moves as first): the value of a move is also estimated from games in which its
//! colour played it later (S. Gelly, D. Silver, Combining online and offline knowledge in UCT, 2007).

use game::{ByColor, Color, Piece, Placement};

const WORDS: usize = Placement::INDEX_END.div_ceil(64);

/// The placements of one game, or of its end, with colours and plies.
#[derive(Clone, Debug)]
pub struct AmafMoves {
    colors: ByColor<AmafMovesOfColor>,
    inserted: Vec<(Color, Placement)>,
}

/// The placements of one colour.
#[derive(Clone, Debug)]
pub struct AmafMovesOfColor {
    /// One bit per placement, small enough for the fastest cache.
    words: Box<[u64]>,
    /// Ply of each placed piece.
    plies: [u8; Piece::COUNT],
}

impl AmafMoves {
    /// Creates an empty set.
    pub fn new() -> Self {
        let none = || AmafMovesOfColor { words: vec![0; WORDS].into(), plies: [0; Piece::COUNT] };
        Self { colors: ByColor::from_fn(|_| none()), inserted: Vec::new() }
    }

    /// Removes all placements.
    pub fn clear(&mut self) {
        for (color, placement) in self.inserted.drain(..) {
            self.colors[color].words[placement.index() / 64] = 0;
        }
    }

    /// Adds a placement of a colour at a ply.
    #[inline]
    pub fn insert(&mut self, color: Color, placement: Placement, ply: usize) {
        let played = &mut self.colors[color];
        played.words[placement.index() / 64] |= 1 << (placement.index() % 64);
        played.plies[placement.piece() as usize] = ply as u8;
        self.inserted.push((color, placement));
    }

    /// Returns the placements of one colour with their plies.
    pub fn with_plies(&self, color: Color) -> impl Iterator<Item = (Placement, usize)> {
        let plies = &self.colors[color].plies;
        let of_color = self.inserted.iter().filter(move |(by, _)| *by == color);
        of_color.map(|&(_, placement)| (placement, plies[placement.piece() as usize].into()))
    }

    /// The placements of one colour.
    #[inline(always)]
    pub fn of(&self, color: Color) -> &AmafMovesOfColor {
        &self.colors[color]
    }
}

impl AmafMovesOfColor {
    /// Returns the ply of the placement with this [`Placement::index`], if it was played.
    #[inline(always)]
    pub fn ply(&self, index: usize) -> Option<usize> {
        let is_played = self.words[index / 64] >> (index % 64) & 1 == 1;
        let placement = is_played.then(|| Placement::from_index(index))??;
        Some(self.plies[placement.piece() as usize].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_ply_of_each_placement_by_colour() {
        let mut played = AmafMoves::new();
        let [mono, elsewhere, domino] =
            ["MONO@0,0", "MONO@5,5", "DOMINO@1,1"].map(|text| text.parse::<Placement>().unwrap());
        played.insert(Color::Blue, mono, 5);
        played.insert(Color::Blue, domino, 9);
        assert_eq!(played.of(Color::Blue).ply(mono.index()), Some(5));
        assert_eq!(played.of(Color::Blue).ply(domino.index()), Some(9));
        assert_eq!(played.of(Color::Blue).ply(elsewhere.index()), None);
        assert_eq!(played.of(Color::Red).ply(mono.index()), None);
        assert!(played.with_plies(Color::Blue).eq([(mono, 5), (domino, 9)]));
        assert_eq!(played.with_plies(Color::Red).count(), 0);
        played.clear();
        assert_eq!(played.of(Color::Blue).ply(mono.index()), None);
        assert_eq!(played.with_plies(Color::Blue).count(), 0);
    }
}
