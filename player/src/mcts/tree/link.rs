//! The links between the nodes of a tree.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use bytemuck::Zeroable;

/// A [`NodeLink`] in one word, so that no thread sees the first child of one list and the count of another.
#[derive(Zeroable, Debug)]
#[repr(transparent)]
pub struct AtomicNodeLink(AtomicU64);

/// The placement that leads to a node, and the node's children.
#[derive(Clone, Copy)]
pub struct NodeLink {
    /// Index of the first child; 0 for a leaf, [`NodeLink::BUSY`] while a thread expands it or if the game is over.
    pub first_child: u32,
    pub child_count: u16,
    /// [`Placement::index`](game::Placement::index).
    pub placement: u16,
}

impl NodeLink {
    /// Marks a claimed leaf.
    pub const BUSY: u32 = u32::MAX;

    pub fn leaf(placement: u16) -> Self {
        Self { first_child: 0, child_count: 0, placement }
    }

    /// Returns the indices of the children; none for a leaf.
    #[inline(always)]
    pub fn children(self) -> Range<u32> {
        if self.first_child == Self::BUSY {
            return 0..0;
        }
        self.first_child..self.first_child + u32::from(self.child_count)
    }
}

impl AtomicNodeLink {
    #[inline(always)]
    pub fn load(&self, ordering: Ordering) -> NodeLink {
        let bits = self.0.load(ordering);
        NodeLink { first_child: bits as u32, child_count: (bits >> 32) as u16, placement: (bits >> 48) as u16 }
    }

    pub fn store(&self, link: NodeLink) {
        self.0.store(Self::bits(link), Ordering::Release);
    }

    /// Replaces `old` by `new`. Returns `false` if another thread was faster.
    pub fn replace(&self, old: NodeLink, new: NodeLink) -> bool {
        self.0.compare_exchange(Self::bits(old), Self::bits(new), Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    fn bits(NodeLink { first_child, child_count, placement }: NodeLink) -> u64 {
        u64::from(first_child) | u64::from(child_count) << 32 | u64::from(placement) << 48
    }
}
