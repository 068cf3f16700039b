//! The 21 pieces, as drawings, and sets of them.

use std::fmt;

use crate::name::named;

/// One of the 21 pieces. Every colour has each of them once.
///
/// The variants are ordered by size. Order and [names](Self::name) follow the Software-Challenge.
///
/// ```
/// use game::Piece;
///
/// assert_eq!((Piece::TetroO.name(), Piece::TetroO.size()), ("TETRO_O", 4));
/// assert_eq!(["PENTO_W", "w"].map(str::parse), [Ok(Piece::PentoW), Ok(Piece::PentoW)]);
/// ```
#[expect(missing_docs, reason = "the drawings below say what each piece looks like")]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Piece {
    Mono,
    Domino,
    TrioL,
    TrioI,
    TetroO,
    TetroT,
    TetroI,
    TetroL,
    TetroZ,
    PentoL,
    PentoT,
    PentoV,
    PentoS,
    PentoZ,
    PentoI,
    PentoP,
    PentoW,
    PentoU,
    PentoR,
    PentoX,
    PentoY,
}

/// Name and drawing of every piece, in the order of the variants of [`Piece`]: rows from top to bottom, `#` for a
/// covered cell. Everything else about the pieces follows from this.
const DRAWINGS: [(Piece, &str, &str); Piece::COUNT] = [
    (Piece::Mono, "MONO", "#"),
    (Piece::Domino, "DOMINO", "##"),
    (Piece::TrioL, "TRIO_L", "#. ##"),
    (Piece::TrioI, "TRIO_I", "# # #"),
    (Piece::TetroO, "TETRO_O", "## ##"),
    (Piece::TetroT, "TETRO_T", "### .#."),
    (Piece::TetroI, "TETRO_I", "# # # #"),
    (Piece::TetroL, "TETRO_L", "#. #. ##"),
    (Piece::TetroZ, "TETRO_Z", "##. .##"),
    (Piece::PentoL, "PENTO_L", "#. #. #. ##"),
    (Piece::PentoT, "PENTO_T", "### .#. .#."),
    (Piece::PentoV, "PENTO_V", "#.. #.. ###"),
    (Piece::PentoS, "PENTO_S", ".### ##.."),
    (Piece::PentoZ, "PENTO_Z", "##. .#. .##"),
    (Piece::PentoI, "PENTO_I", "# # # # #"),
    (Piece::PentoP, "PENTO_P", "## ## #."),
    (Piece::PentoW, "PENTO_W", "#.. ##. .##"),
    (Piece::PentoU, "PENTO_U", "#.# ###"),
    (Piece::PentoR, "PENTO_R", "..# ### .#."),
    (Piece::PentoX, "PENTO_X", ".#. ### .#."),
    (Piece::PentoY, "PENTO_Y", ".# ## .# .#"),
];

impl Piece {
    /// Number of pieces of each colour.
    pub const COUNT: usize = 21;

    /// All pieces, from the monomino to the pentominoes.
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self::Mono; Self::COUNT];
        let mut i = 0;
        while i < all.len() {
            all[i] = DRAWINGS[i].0;
            assert!(all[i] as usize == i);
            i += 1;
        }
        all
    };

    /// Returns the name of the Software-Challenge, for example `PENTO_W`.
    pub const fn name(self) -> &'static str {
        DRAWINGS[self as usize].1
    }

    /// Returns the number of cells that the piece covers, 1 to 5.
    #[inline]
    pub const fn size(self) -> usize {
        const SIZES: [u8; Piece::COUNT] = {
            let mut sizes = [0; Piece::COUNT];
            let mut i = 0;
            while i < sizes.len() {
                sizes[i] = DRAWING_CELLS[i].1 as u8;
                i += 1;
            }
            sizes
        };
        SIZES[self as usize] as usize
    }

    /// Returns the cells of the drawing as (x, y), row by row; only the first [`size`](Self::size) count.
    pub(crate) const fn drawn_cells(self) -> [(i8, i8); MAX_PIECE_SIZE] {
        DRAWING_CELLS[self as usize].0
    }
}

/// Size of the largest pieces.
///
/// ```
/// use game::{MAX_PIECE_SIZE, Piece};
///
/// assert!(Piece::ALL.into_iter().all(|piece| piece.size() <= MAX_PIECE_SIZE));
/// ```
pub const MAX_PIECE_SIZE: usize = 5;

/// Cells and size of every drawing.
const DRAWING_CELLS: [([(i8, i8); MAX_PIECE_SIZE], usize); Piece::COUNT] = {
    let mut all = [([(0, 0); MAX_PIECE_SIZE], 0); Piece::COUNT];
    let mut i = 0;
    while i < all.len() {
        let drawing = DRAWINGS[i].2.as_bytes();
        let (mut x, mut y, mut at) = (0, 0, 0);
        while at < drawing.len() {
            match drawing[at] {
                b' ' => (x, y) = (-1, y + 1),
                b'#' => {
                    all[i].0[all[i].1] = (x, y);
                    all[i].1 += 1;
                }
                _ => {}
            }
            x += 1;
            at += 1;
        }
        i += 1;
    }
    all
};

named!(
    Piece,
    Piece::ALL,
    |piece, text| {
        let letter = piece.name().strip_prefix("PENTO_");
        [Some(piece.name()), letter].into_iter().flatten().any(|name| name.eq_ignore_ascii_case(text))
    },
    "piece",
    "a name like PENTO_W or the letter of a pentomino",
    "Parses a [`name`](Self::name), or the last letter of a pentomino's name. Ignores case."
);

/// A set of pieces: 21 bits, the monomino lowest.
///
/// ```
/// use game::{Piece, PieceSet};
///
/// let mut pieces = PieceSet::ALL;
/// pieces.remove(Piece::Mono);
/// assert_eq!((pieces.len(), pieces.cells()), (20, 88));
/// assert_eq!(pieces.union(PieceSet::only(Piece::Mono)), PieceSet::ALL);
/// assert_eq!(PieceSet::ALL.without(pieces), PieceSet::only(Piece::Mono));
/// assert_eq!([0, 1, 4, 5].map(|cells| pieces.larger_than(cells).len()), [20, 20, 12, 0]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct PieceSet(u32);

impl PieceSet {
    /// No piece.
    pub const EMPTY: Self = Self(0);
    /// All 21 pieces.
    pub const ALL: Self = Self((1 << Piece::COUNT) - 1);

    /// Returns the set that holds `piece` alone.
    pub const fn only(piece: Piece) -> Self {
        Self(1 << piece as u32)
    }

    /// Returns the set as 21 bits, bit i for `Piece::ALL[i]`.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns `true` if no piece is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of pieces in the set.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns `true` if `piece` is in the set.
    #[inline(always)]
    pub const fn contains(self, piece: Piece) -> bool {
        self.0 >> piece as u32 & 1 == 1
    }

    /// Adds `piece`.
    #[inline(always)]
    pub const fn insert(&mut self, piece: Piece) {
        self.0 |= 1 << piece as u32;
    }

    /// Takes `piece` out.
    #[inline(always)]
    pub const fn remove(&mut self, piece: Piece) {
        self.0 &= !(1 << piece as u32);
    }

    /// Returns the pieces that are in both sets.
    #[inline(always)]
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the pieces that are in one of the sets or both.
    #[inline(always)]
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the pieces of the set that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the pieces of the set that have more than `cells` cells.
    #[inline(always)]
    #[must_use]
    pub const fn larger_than(self, cells: usize) -> Self {
        if cells < MAX_PIECE_SIZE { Self(self.0 & LARGER_THAN[cells]) } else { Self::EMPTY }
    }

    /// Returns the number of cells that all pieces of the set cover.
    pub const fn cells(self) -> usize {
        // The pieces of a size and above are the bits of one mask each.
        let (mut cells, mut i) = (0, 0);
        while i < MAX_PIECE_SIZE {
            cells += (self.0 & LARGER_THAN[i]).count_ones() as usize;
            i += 1;
        }
        cells
    }

    /// Returns the pieces of the set by size, the largest first.
    #[inline]
    pub fn iter_descending(self) -> impl Iterator<Item = Piece> {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let last = bits.checked_ilog2()?;
            bits ^= 1 << last;
            Some(Piece::ALL[last as usize % Piece::COUNT])
        })
    }

    /// Returns the pieces of the set by size, the smallest first.
    #[inline]
    pub fn iter(self) -> Pieces {
        Pieces(self.0)
    }
}

/// Iterator over the pieces of a [`PieceSet`], the smallest first.
///
/// ```
/// use game::{Piece, PieceSet};
///
/// let mut sizes = Vec::new();
/// for piece in PieceSet::only(Piece::PentoW).union(PieceSet::only(Piece::Mono)) {
///     sizes.push(piece.size());
/// }
/// assert_eq!(sizes, [1, 5]);
/// ```
#[derive(Clone, Debug)]
pub struct Pieces(u32);

impl Iterator for Pieces {
    type Item = Piece;

    #[inline]
    fn next(&mut self) -> Option<Piece> {
        let piece = *Piece::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(piece)
    }
}

impl IntoIterator for PieceSet {
    type Item = Piece;
    type IntoIter = Pieces;

    #[inline]
    fn into_iter(self) -> Pieces {
        self.iter()
    }
}

/// The bits of the pieces that have more than `i` cells.
const LARGER_THAN: [u32; MAX_PIECE_SIZE] = {
    let mut masks = [0; MAX_PIECE_SIZE];
    let mut i = 0;
    while i < Piece::COUNT {
        let mut size = 0;
        while size < Piece::ALL[i].size() {
            masks[size] |= 1 << i;
            size += 1;
        }
        i += 1;
    }
    masks
};

impl FromIterator<Piece> for PieceSet {
    fn from_iter<I: IntoIterator<Item = Piece>>(pieces: I) -> Self {
        let mut set = Self::EMPTY;
        pieces.into_iter().for_each(|piece| set.insert(piece));
        set
    }
}

impl fmt::Display for PieceSet {
    /// Writes the names of the pieces, or `no pieces`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.pad("no pieces");
        }
        let names: Vec<&str> = self.iter().map(Piece::name).collect();
        f.pad(&names.join(" "))
    }
}

impl fmt::Debug for PieceSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_iterate_by_size_in_both_directions() {
        for set in [PieceSet::ALL, PieceSet::ALL.larger_than(3), PieceSet::only(Piece::PentoX), PieceSet::EMPTY] {
            let mut ascending: Vec<_> = set.into_iter().collect();
            assert!(ascending.is_sorted_by_key(|piece| piece.size()));
            assert_eq!(ascending.iter().copied().collect::<PieceSet>(), set);
            ascending.reverse();
            assert_eq!(set.iter_descending().collect::<Vec<_>>(), ascending);
        }
    }

    #[test]
    fn sets_print_names() {
        let set = PieceSet::ALL.without(PieceSet::ALL.larger_than(2));
        assert_eq!(set.to_string(), "MONO DOMINO");
        assert_eq!(PieceSet::EMPTY.to_string(), "no pieces");
    }
}
