//! Sets of cells.

mod cells;
mod operators;

use wide::u64x4;

use crate::cell::{BOARD_SIZE, Cell, FIRST_BIT, STRIDE};

pub use cells::Cells;
pub(crate) use cells::nth_bit;

/// A set of cells, as 512 bits.
///
/// Bit `22 + x + 21 * y` is the cell (x, y); see [`Cell::bit`]. The other bits are guards: a shifted set may have them,
/// [`Bitboard::BOARD`] takes them away.
///
/// ```
/// use game::{Bitboard, Cell};
///
/// let middle: Bitboard = Cell::new(5, 5).into_iter().collect();
/// let cross = middle | middle.sides();
/// assert_eq!((cross.len(), middle.corners().len()), (5, 4));
/// assert!(middle.is_subset(cross) && !cross.intersects(middle.corners()));
/// assert_eq!(cross.without(middle), middle.sides());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(align(64))]
pub struct Bitboard([u64; Self::WORDS]);

impl Bitboard {
    pub(crate) const WORDS: usize = 8;

    /// Number of bits, guard bits included.
    pub const BITS: usize = 64 * Self::WORDS;

    /// No cell.
    pub const EMPTY: Self = Self([0; Self::WORDS]);

    /// All 400 cells.
    pub const BOARD: Self = Self::from_rows([(1 << BOARD_SIZE) - 1; BOARD_SIZE]);

    /// Returns the cells of 20 rows from the top, the lowest bit of each the left column. Bits beyond the
    /// row are ignored.
    pub const fn from_rows(rows: [u32; BOARD_SIZE]) -> Self {
        let mut set = Self::EMPTY;
        let mut i = 0;
        while i < BOARD_SIZE * BOARD_SIZE {
            let (x, y) = (i % BOARD_SIZE, i / BOARD_SIZE);
            if rows[y] >> x & 1 == 1 {
                set.set_bit(FIRST_BIT + x + STRIDE * y);
            }
            i += 1;
        }
        set
    }

    /// Returns the set of one cell.
    pub const fn only(cell: Cell) -> Self {
        let mut set = Self::EMPTY;
        set.set_bit(cell.bit());
        set
    }

    const fn set_bit(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Returns `true` if the set has no cell and no guard bit.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    /// Returns the number of cells in the set. Guard bits count; `& Bitboard::BOARD` removes them.
    #[inline(always)]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns `true` if `cell` is in the set.
    #[inline(always)]
    pub const fn contains(self, cell: Cell) -> bool {
        self.0[cell.bit() / 64 % Self::WORDS] >> (cell.bit() % 64) & 1 == 1
    }

    /// Adds `cell`.
    pub const fn insert(&mut self, cell: Cell) {
        self.set_bit(cell.bit());
    }

    /// Takes `cell` out.
    #[inline(always)]
    pub const fn remove(&mut self, cell: Cell) {
        self.0[cell.bit() / 64 % Self::WORDS] &= !(1 << (cell.bit() % 64));
    }

    /// Returns `true` if the sets have a cell in common.
    #[inline(always)]
    pub fn intersects(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Returns `true` if every cell of this set is in `other`.
    #[inline(always)]
    pub fn is_subset(self, other: Self) -> bool {
        self.without(other).is_empty()
    }

    /// Combines the sets word by word. (A plain loop: `array::from_fn` is not always inlined.)
    #[inline(always)]
    fn zip(mut self, other: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        for i in 0..Self::WORDS {
            self.0[i] = f(self.0[i], other.0[i]);
        }
        self
    }

    /// Returns the cells of this set that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    /// Returns the set moved towards higher bits: (x, y) to (x + dx, y + dy) for `bits` = dx + 21 dy. Bits past the end
    /// are lost.
    #[inline(always)]
    pub(crate) const fn shl<const BITS: usize>(self) -> Self {
        let (words, bits) = (BITS / 64, BITS % 64);
        let mut moved = [0; Self::WORDS];
        let mut i = words;
        while i < Self::WORDS {
            moved[i] = self.0[i - words] << bits;
            if bits > 0 && i > words {
                moved[i] |= self.0[i - words - 1] >> (64 - bits);
            }
            i += 1;
        }
        Self(moved)
    }

    /// Returns the set moved towards lower bits, the inverse of [`shl`](Self::shl). Bits before the start
    /// are lost.
    #[inline(always)]
    pub(crate) const fn shr<const BITS: usize>(self) -> Self {
        let (words, bits) = (BITS / 64, BITS % 64);
        let mut moved = [0; Self::WORDS];
        let mut i = 0;
        while i + words < Self::WORDS {
            moved[i] = self.0[i + words] >> bits;
            if bits > 0 && i + words + 1 < Self::WORDS {
                moved[i] |= self.0[i + words + 1] << (64 - bits);
            }
            i += 1;
        }
        Self(moved)
    }

    /// Returns the cells that share a side with a cell of the set (guard bits included, and cells of the
    /// set that are neighbours of each other).
    #[inline(always)]
    #[must_use]
    pub fn sides(self) -> Self {
        self.with_adjacent_words(|before, word, after| {
            let row = up::<1>(before, word) | down::<1>(word, after);
            row | up::<ROW>(before, word) | down::<ROW>(word, after)
        })
    }

    /// Returns the set of the words that `f` makes of each word, the word before and the word after it.
    ///
    /// Playouts and evaluations spread sets all the time. With single words the compiler vectorises only a part of
    /// this; explicit vectors make a simulation 8 to 10 % shorter.
    #[inline(always)]
    fn with_adjacent_words(self, f: impl Fn(u64x4, u64x4, u64x4) -> u64x4) -> Self {
        let [a, b, c, d, e, g, h, i] = self.0;
        let low = f(u64x4::new([0, a, b, c]), u64x4::new([a, b, c, d]), u64x4::new([b, c, d, e]));
        let high = f(u64x4::new([d, e, g, h]), u64x4::new([e, g, h, i]), u64x4::new([g, h, i, 0]));
        let ([a, b, c, d], [e, g, h, i]) = (low.to_array(), high.to_array());
        Self([a, b, c, d, e, g, h, i])
    }

    /// Returns the set and all cells of `open` within `steps` steps of it, a step leading to a cell of `open`
    /// that shares a side.
    ///
    /// ```
    /// use game::{Bitboard, Cell};
    ///
    /// let corner: Bitboard = Cell::new(0, 0).into_iter().collect();
    /// assert_eq!(corner.spread(Bitboard::BOARD, 2).len(), 6);
    /// assert_eq!(corner.spread(Bitboard::EMPTY, 2), corner);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn spread(self, open: Self, steps: usize) -> Self {
        let mut set = self;
        for _ in 0..steps {
            set |= set.sides() & open;
        }
        set
    }

    /// Returns the cells of the set and the eight around each (guard bits included).
    ///
    /// ```
    /// use game::{Bitboard, Cell};
    ///
    /// let [corner, inner] = [(0, 0), (5, 5)].map(|(x, y)| Bitboard::only(Cell::new(x, y).expect("a cell")));
    /// assert_eq!((corner.with_neighbours() & Bitboard::BOARD).len(), 4);
    /// assert_eq!(inner.with_neighbours(), inner | inner.sides() | inner.corners());
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn with_neighbours(self) -> Self {
        let row = self.with_adjacent_words(|before, word, after| word | up::<1>(before, word) | down::<1>(word, after));
        row.with_adjacent_words(|before, word, after| word | up::<ROW>(before, word) | down::<ROW>(word, after))
    }

    /// Returns the diagonal neighbours of the cells of the set (guard bits included). Unlike those of
    /// [`Placement::corners`](crate::Placement::corners), they may lie in the set or share a side with it.
    #[inline]
    #[must_use]
    pub fn corners(self) -> Self {
        let rows = self.shl::<STRIDE>() | self.shr::<STRIDE>();
        rows.shl::<1>() | rows.shr::<1>()
    }

    /// Returns the connected components (by sides), those with the upper cells first. The set must not contain guard
    /// bits.
    ///
    /// ```
    /// use game::{Bitboard, Cell};
    ///
    /// let cells = [(0, 0), (5, 5), (1, 0), (2, 1)].map(|(x, y)| Cell::new(x, y));
    /// let groups: Vec<usize> = cells.into_iter().flatten().collect::<Bitboard>().groups().map(Bitboard::len).collect();
    /// assert_eq!(groups, [2, 1, 1]);
    /// ```
    pub fn groups(self) -> impl Iterator<Item = Self> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let mut group = Self::only(rest.first()?);
            loop {
                let grown = (group | group.sides()) & rest;
                if grown == group {
                    break;
                }
                group = grown;
            }
            rest = rest.without(group);
            Some(group)
        })
    }

    /// Returns the 128 bits from `bit` on, which may be any bit of the board; bits past the end are
    /// undefined.
    #[inline(always)]
    pub(crate) const fn window(&self, bit: usize) -> u128 {
        let (word, bits) = (bit / 64, bit % 64);
        let [low, middle, high] =
            [self.0[word % Self::WORDS], self.0[(word + 1) % Self::WORDS], self.0[(word + 2) % Self::WORDS]];
        let first = low >> bits | middle << 1 << (63 - bits);
        let second = middle >> bits | high << 1 << (63 - bits);
        first as u128 | (second as u128) << 64
    }

    /// Returns the words of the set, lowest bits first.
    #[inline(always)]
    pub const fn words(&self) -> &[u64; 8] {
        &self.0
    }

    /// Returns the set with these words, lowest bits first.
    #[inline(always)]
    pub(crate) const fn from_words(words: [u64; Self::WORDS]) -> Self {
        Self(words)
    }

    /// Returns the cell with the lowest bit. The set must not contain guard bits.
    #[inline]
    pub fn first(self) -> Option<Cell> {
        self.iter().next()
    }

    /// Returns the cell at index `n`, row by row. The set must not contain guard bits.
    // Inlined, because `n` mostly comes from counting the same words.
    #[inline(always)]
    pub fn nth(self, n: usize) -> Option<Cell> {
        let mut n = n;
        for (i, word) in self.0.into_iter().enumerate() {
            if let Some(bit) = nth_bit(word, n) {
                return Some(Cell::from_bit(64 * i + bit));
            }
            n -= word.count_ones() as usize;
        }
        None
    }

    /// Returns the cells of the set, row by row. The set must not contain guard bits: [`sides`](Self::sides) and the
    /// like can set some, which `& Bitboard::BOARD` removes.
    #[inline]
    pub fn iter(self) -> Cells {
        Cells::of(self)
    }
}

/// [`STRIDE`] as shifts of vectors want it.
const ROW: u32 = STRIDE as u32;

/// Words of a set moved by fewer than 64 bits towards higher bits; `before` are the words before each.
#[inline(always)]
fn up<const BITS: u32>(before: u64x4, word: u64x4) -> u64x4 {
    word << BITS | before >> (u64::BITS - BITS)
}

/// Words of a set moved by fewer than 64 bits towards lower bits; `after` are the words after each.
#[inline(always)]
fn down<const BITS: u32>(word: u64x4, after: u64x4) -> u64x4 {
    word >> BITS | after << (u64::BITS - BITS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_round_trip() {
        assert_eq!(Bitboard::BOARD.len(), 400);
        for cell in Bitboard::BOARD {
            assert_eq!(Cell::new(cell.x() as i32, cell.y() as i32), Some(cell));
            assert!(Bitboard::only(cell).contains(cell));
        }
        for (x, y) in [(-1, 0), (20, 0), (0, -1), (0, 20)] {
            assert_eq!(Cell::new(x, y), None);
        }
    }

    #[test]
    fn shifts_agree_with_moving_each_bit() {
        fn naive(set: Bitboard, by: isize) -> Bitboard {
            let mut moved = Bitboard::EMPTY;
            for bit in 0..Bitboard::BITS {
                if set.0[bit / 64] >> (bit % 64) & 1 == 1
                    && let Some(to) = bit.checked_add_signed(by).filter(|&to| to < Bitboard::BITS)
                {
                    moved.set_bit(to);
                }
            }
            moved
        }
        let set = Bitboard(std::array::from_fn(|i| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(i as u64 + 1)));
        assert_eq!(set.shl::<1>(), naive(set, 1));
        assert_eq!(set.shr::<22>(), naive(set, -22));
        assert_eq!(set.shl::<84>(), naive(set, 84));
        assert_eq!(set.shr::<64>(), naive(set, -64));
        assert_eq!(set.shr::<105>(), naive(set, -105));
    }

    #[test]
    fn neighbours_are_found_by_shifts() {
        for n in 1..50 {
            let set = Bitboard(std::array::from_fn(|i| 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(8 * n + i as u64)));
            let row = set.shl::<1>() | set.shr::<1>();
            assert_eq!(set.sides(), row | set.shl::<STRIDE>() | set.shr::<STRIDE>());
            // Guard bits are cleared because shifts lose some of them at the ends.
            let cells = set & Bitboard::BOARD;
            assert_eq!(cells.with_neighbours(), cells | cells.sides() | cells.corners());
        }
    }

    #[test]
    fn nth_counts_like_iter() {
        let set = Bitboard::BOARD.without(Bitboard::from_rows([0b1011; BOARD_SIZE]));
        for (n, cell) in set.iter().enumerate() {
            assert_eq!(set.nth(n), Some(cell));
        }
        assert_eq!(set.nth(set.len()), None);
    }
}
