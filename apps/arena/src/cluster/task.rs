//! Pieces of work.

/// A unit of work of a run. If its worker disappears, another one repeats it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TaskId {
    /// Group for common deletion: the match of a game, or the iteration of a tuning.
    pub group: u64,
    /// Which of them: of games the pair, of self-play the seed.
    pub number: u64,
}
