//! What came of the queues of work stealing.

/// How many elements each queue's cube has consumed: the paper's Table I. An element is a block of
/// vertices, and the same one counts once a pass over the vertices, which is once an iteration.
///
/// ```
/// use equipoise::color::QueueUse;
///
/// let queues = QueueUse { consumed: vec![81, 75, 78, 78], stolen: 3, ..QueueUse::default() };
/// assert_eq!((queues.max(), queues.min(), queues.mean()), (81, 75, 78.0));
/// assert!((queues.deviation() - 2.45).abs() < 0.01);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QueueUse {
    /// The elements that the cube of each queue has consumed, in all passes.
    pub consumed: Vec<u64>,
    /// Those of them all that were another queue's.
    pub stolen: u64,
    /// The vertices that a unit took from another one of its cube, where that is allowed.
    pub stolen_within: u64,
    /// The same of each pass in which there was something to color, one after the other.
    pub passes: Vec<QueuePass>,
}

/// What came of the queues in one pass over the vertices.
///
/// ```
/// use equipoise::color::QueuePass;
///
/// let pass = QueuePass::of(&[81, 75, 78, 78], 3);
/// assert_eq!((pass.max, pass.min, pass.mean), (81, 75, 78.0));
/// assert!((pass.deviation - 2.45).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct QueuePass {
    /// The most elements that a cube has consumed.
    pub max: u64,
    /// The fewest.
    pub min: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation of a sample, as the paper has it.
    pub deviation: f64,
    /// The elements that were another queue's.
    pub stolen: u64,
}

impl QueuePass {
    /// The figures of what the cube of each queue has consumed.
    pub fn of(consumed: &[u64], stolen: u64) -> Self {
        let mean = consumed.iter().sum::<u64>() as f64 / consumed.len().max(1) as f64;
        let squares = consumed.iter().map(|&count| (count as f64 - mean).powi(2));
        // One queue alone differs by nothing.
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
    /// What came of as many queues, from the elements consumed and stolen by each, and the vertices
    /// stolen within its cube, pass by pass. The first so many passes had something to color.
    pub(super) fn of(queues: usize, used: &[u32], passes: usize) -> Self {
        let mut all = Self { consumed: vec![0; queues], ..Self::default() };
        for pass in used.chunks_exact(FACTS * queues) {
            let sum = |fact: usize| -> u64 {
                pass[fact * queues..][..queues].iter().map(|&count| u64::from(count)).sum()
            };
            let consumed: Vec<u64> = pass[..queues].iter().map(|&count| count.into()).collect();
            all.consumed.iter_mut().zip(&consumed).for_each(|(sum, count)| *sum += count);
            all.stolen += sum(1);
            all.stolen_within += sum(2);
            all.passes.push(QueuePass::of(&consumed, sum(1)));
        }
        all.passes.truncate(passes);
        all
    }

    /// The most elements that a cube has consumed.
    pub fn max(&self) -> u64 {
        self.all().max
    }

    /// The fewest.
    pub fn min(&self) -> u64 {
        self.all().min
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.all().mean
    }

    /// The standard deviation of a sample, as the paper has it.
    pub fn deviation(&self) -> f64 {
        self.all().deviation
    }

    /// All passes taken as one.
    fn all(&self) -> QueuePass {
        QueuePass::of(&self.consumed, self.stolen)
    }
}

/// What is counted of each queue in a pass: elements consumed, elements stolen, vertices stolen
/// within its cube.
pub(super) const FACTS: usize = 3;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_add_up() {
        // Two queues, three passes, the last of which had nothing to color any more.
        let used = [4, 2, 1, 0, 7, 8, 3, 3, 0, 0, 1, 1, 3, 3, 0, 0, 0, 0];
        let queues = QueueUse::of(2, &used, 2);
        assert_eq!(queues.consumed, [10, 8]);
        assert_eq!((queues.stolen, queues.stolen_within), (1, 17));
        assert_eq!(queues.passes, [QueuePass::of(&[4, 2], 1), QueuePass::of(&[3, 3], 0)]);
        assert_eq!(QueuePass::of(&[5], 0).deviation, 0.0);
    }
}
