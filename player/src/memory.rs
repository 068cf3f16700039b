//! Large memory, where asking for more than there is must not end the game.

use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Zeroable;

/// This many zeros, or half or a quarter … of them if the system has no memory for more. Most systems
/// hand memory out only as it is used.
pub(crate) fn zeroed<T: Zeroable>(count: usize) -> Box<[T]> {
    let counts = std::iter::successors(Some(count), |count| Some(count / 2)).take_while(|&count| count > 1);
    let mut attempts = counts.map(|count| {
        let memory = bytemuck::try_zeroed_slice_box(count);
        if memory.is_err() {
            log::warn!("there is no memory for {} MiB", (count * size_of::<T>()) >> 20);
        }
        memory
    });
    attempts.find_map(Result::ok).unwrap_or_else(|| bytemuck::zeroed_slice_box(count.min(1)))
}

/// The unit in which most systems hand memory out, in bytes.
const PAGE: usize = 4096;

/// How many pages are used between two looks at whether to stop; well under a millisecond.
const PAGES_PER_LOOK: usize = 64;

/// Uses the first `bytes` of some memory, an item of every page, until `stop`. `rewrite` writes an item as it is.
/// Memory is slow where it is used for the first time: the system has to find it, and on a busy machine it may have to
/// take it from others.
pub(crate) fn touch<T>(items: &[T], bytes: usize, stop: &AtomicBool, rewrite: impl Fn(&T)) {
    let step = (PAGE / size_of::<T>().max(1)).max(1);
    let count = items.len().min(bytes / size_of::<T>().max(1));
    for (page, item) in items[..count].iter().step_by(step).enumerate() {
        if page.is_multiple_of(PAGES_PER_LOOK) && stop.load(Ordering::Relaxed) {
            return;
        }
        rewrite(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_given_as_far_as_possible() {
        for count in [0, 1, 2, 100] {
            assert_eq!(zeroed::<u64>(count), vec![0; count].into());
        }
        let most = isize::MAX as usize / size_of::<u64>();
        assert!((1..most).contains(&zeroed::<u64>(most).len()));
    }

    #[test]
    fn an_item_of_every_page_is_used() {
        let items: Vec<u64> = (0..10_000).collect();
        let touched = |bytes, stop: bool| {
            let found = std::cell::RefCell::new(Vec::new());
            touch(&items, bytes, &AtomicBool::new(stop), |&item| found.borrow_mut().push(item));
            found.into_inner()
        };
        assert_eq!(touched(usize::MAX, false), (0..10_000).step_by(512).collect::<Vec<_>>());
        assert_eq!(touched(3 * PAGE, false), [0, 512, 1024]);
        assert_eq!(touched(usize::MAX, true), [] as [u64; 0]);
    }
}
