//! The optimiser Adam (D. P. Kingma, J. Ba, Adam: a method for stochastic optimization, 2015).

/// The optimiser's memory: decaying means of the gradient and of its squares.
#[derive(Clone, Debug)]
pub struct Adam {
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// Creates an optimiser for this many weights.
    pub fn new(width: usize) -> Self {
        Self { means: vec![0.0; width], squares: vec![0.0; width], steps: 0 }
    }

    /// Moves the weights against their gradient, by about `rate` each.
    pub fn step<'a>(
        &mut self,
        weights: impl IntoIterator<Item = &'a mut f32>,
        gradient: impl IntoIterator<Item = f32>,
        rate: f32,
    ) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        self.steps += 1;
        let mean_share = 1.0 - MEAN_DECAY.powi(self.steps);
        let square_share = 1.0 - SQUARE_DECAY.powi(self.steps);
        let memory = self.means.iter_mut().zip(&mut self.squares);
        for ((weight, gradient), (mean, square)) in weights.into_iter().zip(gradient).zip(memory) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * gradient;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * gradient * gradient;
            *weight -= rate * (*mean / mean_share) / ((*square / square_share).sqrt() + 1e-6);
        }
    }
}
