//! What ties the nodes of a tree together.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// Where a node belongs: the placement that leads to it, and its children. In one number, so that nobody sees a part of
/// the old children and a part of the new ones when a node gets others.
#[derive(Zeroable, Debug)]
#[repr(transparent)]
pub struct AtomicLink(AtomicU64);

/// What an [`AtomicLink`] holds.
#[derive(Clone, Copy)]
pub struct Link {
    /// First of the children; 0 for none yet, [`Link::BUSY`] while a thread makes them, and for good if the game is over.
    pub first_child: u32,
    pub child_count: u16,
    /// The [`Placement::index`](game::Placement::index).
    pub placement: u16,
}

impl Link {
    /// Stands for children that are being made.
    pub const BUSY: u32 = u32::MAX;

    /// That of a leaf.
    pub fn leaf(placement: u16) -> Self {
        Self { first_child: 0, child_count: 0, placement }
    }

    /// The indices of the children; none if there are none yet.
    #[inline(always)]
    pub fn children(self) -> Range<u32> {
        if self.first_child == Self::BUSY {
            return 0..0;
        }
        self.first_child..self.first_child + u32::from(self.child_count)
    }
}

impl AtomicLink {
    #[inline(always)]
    pub fn load(&self, ordering: Ordering) -> Link {
        let bits = self.0.load(ordering);
        Link { first_child: bits as u32, child_count: (bits >> 32) as u16, placement: (bits >> 48) as u16 }
    }

    pub fn store(&self, link: Link) {
        self.0.store(Self::bits(link), Ordering::Release);
    }

    /// Replaces one link by another, if it is still there.
    pub fn replace(&self, old: Link, new: Link) -> bool {
        self.0.compare_exchange(Self::bits(old), Self::bits(new), Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn bits(Link { first_child, child_count, placement }: Link) -> u64 {
        u64::from(first_child) | u64::from(child_count) << 32 | u64::from(placement) << 48
    }
}
