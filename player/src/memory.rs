//! Large memory, where asking for more than there is must not end the game.

use bytemuck::Zeroable;

/// So many zeros, or half or a quarter … of them if the system has no memory for more. Most systems
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
}
