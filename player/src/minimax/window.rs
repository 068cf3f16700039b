//! The bounds between which a value is asked for.

/// More than any value.
pub const INFINITY: i32 = 1 << 24;

/// What is asked of a search: the exact value if it lies between these two, else a bound beyond.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// All values.
    pub const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    /// Only whether the value is more than `alpha`.
    pub fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Whether only a bound is asked for.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The same as the other team sees it.
    pub fn of_opponents(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
