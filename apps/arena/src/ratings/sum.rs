//! The mean of numbers.

/// Some numbers, added up.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Sum {
    count: u64,
    sum: f64,
    squares: f64,
}

impl Sum {
    /// Adds a number.
    pub fn add(&mut self, number: impl Into<f64>) {
        let number = number.into();
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    /// Returns the number of numbers.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the mean; `None` without numbers.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }

    /// Returns the standard error of the mean; `None` for fewer than two numbers.
    pub fn standard_error(&self) -> Option<f64> {
        let count = self.count as f64;
        let mean = self.mean().filter(|_| self.count > 1)?;
        Some(((self.squares / count - mean * mean).max(0.0) / (count - 1.0)).sqrt())
    }
}
