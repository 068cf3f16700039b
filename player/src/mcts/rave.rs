//! Sets of moves for RAVE, the all-moves-as-first heuristic: the value of a move in a position is
//! also estimated from playouts in which its colour made it at any later time (S. Gelly, D. Silver,
//! Combining online and offline knowledge in UCT, 2007).

use game::{ByColor, Color, Piece, Placement};

const WORDS: usize = Placement::INDEX_END.div_ceil(64);

/// When each colour made which placements in one game, or from some moment of it on.
#[derive(Clone, Debug)]
pub struct Played {
    colors: ByColor<PlayedBy>,
    inserted: Vec<(Color, Placement)>,
}

/// The placements of one colour in a [`Played`].
#[derive(Clone, Debug)]
pub struct PlayedBy {
    /// One bit per placement, small enough to stay in the fastest cache.
    words: Box<[u64]>,
    /// The ply at which each piece was placed, if it was; a colour has it only once.
    plies: [u8; Piece::COUNT],
}

impl Played {
    /// No placement.
    pub fn new() -> Self {
        let none = || PlayedBy { words: vec![0; WORDS].into(), plies: [0; Piece::COUNT] };
        Self { colors: ByColor::from_fn(|_| none()), inserted: Vec::new() }
    }

    /// Takes everything out.
    pub fn clear(&mut self) {
        for (color, placement) in self.inserted.drain(..) {
            self.colors[color].words[placement.index() / 64] = 0;
        }
    }

    /// Adds a placement that a colour made at a ply.
    #[inline]
    pub fn insert(&mut self, color: Color, placement: Placement, ply: usize) {
        let played = &mut self.colors[color];
        played.words[placement.index() / 64] |= 1 << (placement.index() % 64);
        played.plies[placement.piece() as usize] = ply as u8;
        self.inserted.push((color, placement));
    }

    /// The placements of one colour, each with its ply.
    pub fn with_plies(&self, color: Color) -> impl Iterator<Item = (Placement, usize)> {
        let plies = &self.colors[color].plies;
        let of_color = self.inserted.iter().filter(move |(by, _)| *by == color);
        of_color.map(|&(_, placement)| (placement, plies[placement.piece() as usize].into()))
    }

    /// The placements of one colour.
    #[inline(always)]
    pub fn of(&self, color: Color) -> &PlayedBy {
        &self.colors[color]
    }
}

impl PlayedBy {
    /// The ply of the placement with this [`Placement::index`], if it was made.
    #[inline(always)]
    pub fn ply(&self, index: usize) -> Option<usize> {
        let is_made = self.words[index / 64] >> (index % 64) & 1 == 1;
        let placement = is_made.then(|| Placement::from_index(index))??;
        Some(self.plies[placement.piece() as usize].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_who_played_what_and_when() {
        let mut played = Played::new();
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
