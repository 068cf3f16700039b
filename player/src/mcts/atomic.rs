//! A number that the threads of a search share.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::Zeroable;

/// An `f32` as its bits in an atomic. Loads and stores are relaxed: with one thread they are those of
/// any other number.
#[derive(Zeroable, Default, Debug)]
#[repr(transparent)]
pub struct AtomicF32(AtomicU32);

/// The most values that a running mean in an `f32` follows: each one after them moves it as far as if there were so
/// many, because smaller steps would be rounded away, mostly to one side.
pub const MOST_IN_MEAN: f32 = (1 << 20) as f32;

impl AtomicF32 {
    #[inline(always)]
    pub fn load(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline(always)]
    pub fn store(&self, value: f32) {
        self.0.store(value.to_bits(), Ordering::Relaxed);
    }
}
