//! Large blocks of memory.

use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Zeroable;

/// Allocates `count` zeros; if the system refuses, half as many, a quarter and so on. Most systems provide the memory
/// only as it is used.
pub(crate) fn zeroed<T: Zeroable>(count: usize) -> Box<[T]> {
    let counts = std::iter::successors(Some(count), |count| Some(count / 2)).take_while(|&count| count > 1);
    let mut attempts = counts.map(|count| {
        let memory = bytemuck::try_zeroed_slice_box(count);
        if memory.is_err() {
            log::warn!("cannot allocate {} MiB", (count * size_of::<T>()) >> 20);
        }
        memory
    });
    attempts.find_map(Result::ok).unwrap_or_else(|| bytemuck::zeroed_slice_box(count.min(1)))
}

/// Page size of most systems in bytes.
const PAGE: usize = 4096;

/// Number of pages between two checks of `stop`; well under a millisecond.
const PAGES_PER_CHECK: usize = 64;

/// Touches an item of every page of the first `bytes`, until `stop`. `rewrite` writes an item unchanged. The first use
/// of a page is slow, because the system maps it then.
pub(crate) fn touch<T>(items: &[T], bytes: usize, stop: &AtomicBool, rewrite: impl Fn(&T)) {
    let step = (PAGE / size_of::<T>().max(1)).max(1);
    let count = items.len().min(bytes / size_of::<T>().max(1));
    for (page, item) in items[..count].iter().step_by(step).enumerate() {
        if page.is_multiple_of(PAGES_PER_CHECK) && stop.load(Ordering::Relaxed) {
            return;
        }
        rewrite(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refused_memory_is_replaced_by_less() {
        for count in [0, 1, 2, 100] {
            assert_eq!(zeroed::<u64>(count), vec![0; count].into());
        }
        let most = isize::MAX as usize / size_of::<u64>();
        assert!((1..most).contains(&zeroed::<u64>(most).len()));
    }

    #[test]
    fn touches_item_on_every_page() {
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
