//! A number that the threads of a search share.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::Zeroable;

/// An atomic `f32`. Loads and stores are relaxed.
#[derive(Zeroable, Default, Debug)]
#[repr(transparent)]
pub struct AtomicF32(AtomicU32);

/// Maximum count of a running mean. Each further value moves the mean as if it were this one; smaller steps would be
/// rounded away.
pub const MAX_MEAN_COUNT: f32 = (1 << 20) as f32;

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
