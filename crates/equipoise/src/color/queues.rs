//! Statistics of the queues of work stealing.

/// The elements consumed by the cube of each queue: the paper's Table I. An element is a block of vertices. It counts once
/// per pass over the vertices, of which each iteration makes one.
///
/// ```
/// use equipoise::color::QueueUse;
///
/// let queues = QueueUse { consumed: vec![81, 75, 78, 78], stolen: 3, ..QueueUse::default() };
/// let total = queues.total();
/// assert_eq!((total.max, total.min, total.mean, total.stolen), (81, 75, 78.0, 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QueueUse {
    /// The elements consumed by the cube of each queue in all passes.
    pub consumed: Vec<u64>,
    /// The number of these elements that came from another queue.
    pub stolen: u64,
    /// The vertices that units took from other units of their cube, if that is enabled.
    pub stolen_within: u64,
    /// The statistics of each pass with uncolored vertices.
    pub passes: Vec<QueuePass>,
}

/// The statistics of the queues in one pass over the vertices.
///
/// ```
/// use equipoise::color::QueuePass;
///
/// let pass = QueuePass::new(&[81, 75, 78, 78], 3);
/// assert_eq!((pass.max, pass.min, pass.mean), (81, 75, 78.0));
/// assert!((pass.deviation - 2.45).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QueuePass {
    /// The most elements consumed by a cube.
    pub max: u64,
    /// The fewest elements consumed by a cube.
    pub min: u64,
    /// The mean.
    pub mean: f64,
    /// The sample standard deviation, as in the paper.
    pub deviation: f64,
    /// The elements that came from another queue.
    pub stolen: u64,
}

impl QueuePass {
    /// The statistics of the elements consumed by the cube of each queue.
    pub fn new(consumed: &[u64], stolen: u64) -> Self {
        let mean = consumed.iter().sum::<u64>() as f64 / consumed.len().max(1) as f64;
        let squares = consumed.iter().map(|&count| (count as f64 - mean).powi(2));
        // The deviation of a single queue is 0.
        let others = consumed.len().saturating_sub(1).max(1);
        Self {
            max: consumed.iter().copied().max().unwrap_or(0),
            min: consumed.iter().copied().min().unwrap_or(0),
            mean,
            deviation: (squares.sum::<f64>() / others as f64).sqrt(),
            stolen,
        }
    }
}

impl QueueUse {
    /// Sums the counters of each pass: for each queue, elements consumed, elements stolen, and vertices stolen within its
    /// cube. The first `passes` passes had uncolored vertices.
    pub(super) fn from_counters(queues: usize, counters: &[u32], passes: usize) -> Self {
        let mut total = Self { consumed: vec![0; queues], ..Self::default() };
        for pass in counters.chunks_exact(COUNTERS * queues) {
            let sum = |counter: usize| -> u64 {
                pass[counter * queues..][..queues].iter().map(|&count| u64::from(count)).sum()
            };
            let consumed: Vec<u64> = pass[..queues].iter().map(|&count| count.into()).collect();
            total.consumed.iter_mut().zip(&consumed).for_each(|(sum, count)| *sum += count);
            total.stolen += sum(1);
            total.stolen_within += sum(2);
            total.passes.push(QueuePass::new(&consumed, sum(1)));
        }
        total.passes.truncate(passes);
        total
    }

    /// The statistics over all passes.
    pub fn total(&self) -> QueuePass {
        QueuePass::new(&self.consumed, self.stolen)
    }
}

/// The number of counters per queue and pass.
pub(super) const COUNTERS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_add_up() {
        // Two queues, three passes, the last without uncolored vertices.
        let counters = [4, 2, 1, 0, 7, 8, 3, 3, 0, 0, 1, 1, 3, 3, 0, 0, 0, 0];
        let queues = QueueUse::from_counters(2, &counters, 2);
        assert_eq!(queues.consumed, [10, 8]);
        assert_eq!((queues.stolen, queues.stolen_within), (1, 17));
        assert_eq!(queues.passes, [QueuePass::new(&[4, 2], 1), QueuePass::new(&[3, 3], 0)]);
        assert_eq!(QueuePass::new(&[5], 0).deviation, 0.0);
    }
}
