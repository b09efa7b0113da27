//! What came of the queues of work stealing.

/// How many elements each queue's cube has consumed: the paper's Table I. An element is a block of
/// vertices, and the same one counts once an iteration.
///
/// ```
/// use equipoise::color::QueueUse;
///
/// let queues = QueueUse { consumed: vec![81, 75, 78, 78], stolen: 3 };
/// assert_eq!((queues.max(), queues.min(), queues.mean()), (81, 75, 78.0));
/// assert!((queues.deviation() - 2.12).abs() < 0.01);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QueueUse {
    /// The elements that the cube of each queue has consumed, in all iterations.
    pub consumed: Vec<u64>,
    /// Those of them all that were another queue's.
    pub stolen: u64,
}

impl QueueUse {
    /// The most elements that a cube has consumed.
    pub fn max(&self) -> u64 {
        self.consumed.iter().copied().max().unwrap_or(0)
    }

    /// The fewest.
    pub fn min(&self) -> u64 {
        self.consumed.iter().copied().min().unwrap_or(0)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.consumed.iter().sum::<u64>() as f64 / self.consumed.len().max(1) as f64
    }

    /// The standard deviation over all queues.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let squares = self.consumed.iter().map(|&count| (count as f64 - mean).powi(2));
        (squares.sum::<f64>() / self.consumed.len().max(1) as f64).sqrt()
    }
}
