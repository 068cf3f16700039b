//! A transposition table that several threads share without locks.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

use game::Move;

use crate::memory::{touch, zeroed};

/// Identifies a position in a [`TranspositionTable`].
///
/// The two numbers come from independent hashes. The table confuses two positions only if both agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    /// Selects the bucket.
    pub slot: u64,
    /// Distinguishes positions in a bucket.
    pub check: u64,
}

impl Key {
    /// Computes a key by two hashes after Wang Yi's wyhash.
    pub fn of_words(words: impl Iterator<Item = u64>) -> Self {
        const SLOT: u64 = 0x9e37_79b9_7f4a_7c15;
        const CHECK: u64 = 0xd1b5_4a32_d192_ed03;
        words.fold(Self { slot: SLOT, check: CHECK }, |key, word| Self {
            slot: key.slot.rotate_left(23) ^ folded_product(key.slot ^ word, CHECK),
            check: key.check.rotate_left(29) ^ folded_product(key.check ^ word, SLOT),
        })
    }
}

/// Combines both halves of the product.
fn folded_product(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product >> 64) as u64 ^ product as u64
}

/// Relation of a stored value to the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The true value is at most this.
    Upper,
    /// The true value is at least this.
    Lower,
    /// The value is exact.
    Exact,
}

impl Bound {
    /// Returns the bound of a fail-soft search of the window (`alpha`, `beta`) that returned `value`.
    pub fn of(value: i32, alpha: i32, beta: i32) -> Self {
        if value <= alpha {
            Self::Upper
        } else if value >= beta {
            Self::Lower
        } else {
            Self::Exact
        }
    }
}

/// The result of a search of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    /// Value for the team to move.
    pub value: i32,
    /// Relation of the value to the true one.
    pub bound: Bound,
    /// Priority of the entry: for minimax the depth in plies, for the endgame solver the points at stake.
    pub depth: u8,
    /// Best move, if known.
    pub mv: Option<MoveCode>,
}

impl TableEntry {
    /// Returns the value if it answers a search of the window (`alpha`, `beta`).
    pub fn cutoff(&self, alpha: i32, beta: i32) -> Option<i32> {
        let answers = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        answers.then_some(self.value)
    }
}

/// A move in 16 bits, for comparison with the moves of the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveCode(u16);

impl From<Move> for MoveCode {
    fn from(mv: Move) -> Self {
        // 0 is not a move and 1 a pass; there are fewer than 2^16 - 2 placements.
        Self(mv.placement().map_or(1, |placement| placement.index() as u16 + 2))
    }
}

/// A transposition table of fixed size with four entries per bucket.
///
/// An entry is two words, and the first is stored combined with the second (R. Hyatt, T. Mann, A lockless transposition
/// table implementation for parallel search, 2002). If two threads write at once and the words do not match, the entry
/// is ignored.
///
/// A full bucket replaces the shallowest entry. An entry counts [`AGE_WEIGHT`](Self::AGE_WEIGHT) plies less for every
/// search since it was written.
#[derive(Debug)]
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    age: AtomicU8,
    /// `true` if a search has used the table since it was created or cleared.
    is_used: AtomicBool,
}

const SLOTS: usize = 4;
const BUCKET_WORDS: usize = 2 * SLOTS;
const AGES: u8 = 64;

impl TranspositionTable {
    const AGE_WEIGHT: i32 = 4;

    /// Creates a table of at most `bytes` bytes, but at least one bucket (64 bytes).
    pub fn new(bytes: usize) -> Self {
        let buckets = (bytes / (BUCKET_WORDS * size_of::<AtomicU64>())).max(1);
        Self { words: zeroed(buckets * BUCKET_WORDS), age: AtomicU8::new(0), is_used: AtomicBool::new(false) }
    }

    /// Returns the size in bytes.
    fn bytes(&self) -> usize {
        size_of_val(&*self.words)
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        // Keeps the prepared memory of an unused table.
        if !*self.is_used.get_mut() {
            return;
        }
        let bytes = self.bytes();
        // Freed first, because there may not be enough memory for both.
        self.words = Box::default();
        *self = Self::new(bytes);
    }

    /// Touches the memory, until `stop`.
    pub fn prepare(&self, stop: &AtomicBool) {
        // The compiler must not see that nothing changes.
        let rewrite = |word: &AtomicU64| word.store(black_box(word.load(Ordering::Relaxed)), Ordering::Relaxed);
        touch(&self.words, self.bytes(), stop, rewrite);
    }

    /// Begins a search, which replaces older entries first. Every search begins with this call.
    pub fn next_search(&self) {
        self.is_used.store(true, Ordering::Relaxed);
        self.age.store((self.age.load(Ordering::Relaxed) + 1) % AGES, Ordering::Relaxed);
    }

    /// Returns the entry of a position.
    pub fn get(&self, key: Key) -> Option<TableEntry> {
        self.bucket(key).chunks_exact(2).find_map(|slot| {
            let data = slot[1].load(Ordering::Relaxed);
            (slot[0].load(Ordering::Relaxed) ^ data == key.check && data != 0).then(|| unpack(data))
        })
    }

    /// Stores an entry in place of an older one of the position, and keeps the older best move if there is no new one.
    pub fn put(&self, key: Key, mut entry: TableEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let (mut victim, mut least) = (0, i32::MAX);
        let bucket = self.bucket(key);
        for (i, slot) in bucket.chunks_exact(2).enumerate() {
            let data = slot[1].load(Ordering::Relaxed);
            if data == 0 {
                if least > i32::MIN {
                    (victim, least) = (i, i32::MIN);
                }
            } else if slot[0].load(Ordering::Relaxed) ^ data == key.check {
                entry.mv = entry.mv.or(unpack(data).mv);
                victim = i;
                break;
            } else {
                let searches_ago = (age + AGES - age_of(data)) % AGES;
                let worth = i32::from(unpack(data).depth) - Self::AGE_WEIGHT * i32::from(searches_ago);
                if worth < least {
                    (victim, least) = (i, worth);
                }
            }
        }
        let data = pack(entry, age);
        bucket[2 * victim].store(key.check ^ data, Ordering::Relaxed);
        bucket[2 * victim + 1].store(data, Ordering::Relaxed);
    }

    fn bucket(&self, key: Key) -> &[AtomicU64] {
        let buckets = self.words.len() / BUCKET_WORDS;
        let bucket = ((u128::from(key.slot) * buckets as u128) >> 64) as usize;
        &self.words[bucket * BUCKET_WORDS..][..BUCKET_WORDS]
    }
}

// An entry as 64 bits: value 32, move 16, depth 8, bound 2 (never 0, so that no entry is 0), age 6.

fn pack(entry: TableEntry, age: u8) -> u64 {
    u64::from(entry.value as u32)
        | u64::from(entry.mv.map_or(0, |mv| mv.0)) << 32
        | u64::from(entry.depth) << 48
        | (entry.bound as u64 + 1) << 56
        | u64::from(age) << 58
}

fn unpack(data: u64) -> TableEntry {
    let mv = (data >> 32) as u16;
    TableEntry {
        value: data as u32 as i32,
        mv: (mv != 0).then_some(MoveCode(mv)),
        depth: (data >> 48) as u8,
        bound: match data >> 56 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            _ => Bound::Exact,
        },
    }
}

fn age_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(value: i32, depth: u8) -> TableEntry {
        TableEntry { value, bound: Bound::Exact, depth, mv: Some(Move::Pass.into()) }
    }

    #[test]
    fn stored_entries_are_returned() {
        let table = TranspositionTable::new(1 << 16);
        let key = Key { slot: u64::MAX, check: 7 };
        for stored in [entry(-5, 0), entry(i32::MAX, 255), TableEntry { bound: Bound::Upper, mv: None, ..entry(0, 3) }]
        {
            let mut table = TranspositionTable::new(1 << 16);
            assert_eq!(table.get(key), None);
            table.next_search();
            table.put(key, stored);
            table.prepare(&AtomicBool::new(false));
            assert_eq!(table.get(key), Some(stored));
            table.clear();
            assert_eq!(table.get(key), None);
        }
        table.put(key, entry(1, 1));
        table.put(key, TableEntry { mv: None, ..entry(2, 2) });
        assert_eq!(table.get(key), Some(entry(2, 2)), "the best move is kept");
    }

    #[test]
    fn shallowest_and_oldest_entry_is_replaced() {
        let table = TranspositionTable::new(0);
        let key = |check| Key { slot: 0, check };
        for (check, depth) in [(1, 3), (2, 2), (3, 5), (4, 4)] {
            table.put(key(check), entry(0, depth));
        }
        table.put(key(5), entry(0, 1));
        assert_eq!(table.get(key(2)), None, "depth 2 was the least");
        table.next_search();
        table.put(key(6), entry(0, 0));
        table.put(key(7), entry(0, 0));
        assert!(table.get(key(6)).is_some() && table.get(key(7)).is_some(), "old entries go first");
        assert_eq!(table.get(key(5)), None);
        assert_eq!(table.get(key(1)), None);
    }
}
