//! The search window.

/// A bound above any value.
pub const INFINITY: i32 = 1 << 24;

/// A search window: values inside are exact, values outside bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    /// The window of all values.
    pub const FULL: Self = Self { alpha: -INFINITY, beta: INFINITY };

    /// Returns the null window above `alpha`.
    pub fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// Returns `true` for a null window.
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// Returns the window for the other team.
    pub fn of_opponents(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
