//! How many buckets a step settles.

/// Vertices per thread and step below which more buckets are settled in a step: threads would mostly wait for each other.
const FEW: u64 = 1 << 8;
/// Steps in a row with few vertices before the next one settles twice as many buckets.
const STEPS: u32 = 8;
/// The most buckets of a step.
const MOST: u64 = 1 << 6;

/// The number of buckets that a step settles, which adapts to how many vertices the steps before settled.
pub(super) struct Span {
    /// Vertices per step below which threads mostly wait.
    few: u64,
    buckets: u64,
    /// Steps in a row with few vertices.
    narrow: u32,
}

impl Span {
    /// The span of the first step with `threads` threads. A single thread never waits, and settles one bucket after the other.
    pub fn new(threads: usize) -> Self {
        let few = if threads > 1 { FEW * threads as u64 } else { 0 };
        Self { few, buckets: 1, narrow: 0 }
    }

    /// The last bucket of a step that starts with `bucket`.
    pub fn last_from(&self, bucket: u64) -> u64 {
        bucket.saturating_add(self.buckets - 1)
    }

    /// Adapts to a step that settled this many vertices.
    pub fn adapt(&mut self, vertices: u64) {
        self.narrow = if vertices < self.few { self.narrow + 1 } else { 0 };
        if self.narrow == STEPS {
            self.narrow = 0;
            self.buckets = MOST.min(2 * self.buckets);
        } else if vertices > 4 * self.few {
            self.buckets = 1.max(self.buckets / 2);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The span after steps with these numbers of vertices.
    fn after(threads: usize, steps: impl IntoIterator<Item = u64>) -> u64 {
        let mut span = Span::new(threads);
        steps.into_iter().for_each(|vertices| span.adapt(vertices));
        span.last_from(5) - 4
    }

    #[test]
    fn narrow_steps_widen() {
        assert_eq!(after(2, []), 1);
        assert_eq!(after(2, [511; 7]), 1);
        assert_eq!(after(2, [511; 8]), 2);
        assert_eq!(after(2, [511; 16]), 4);
        assert_eq!(after(2, [511; 1000]), 64);
        assert_eq!(after(2, [512; 1000]), 1);
        assert_eq!(after(2, [[0; 7], [512; 7]].concat()), 1);
    }

    #[test]
    fn wide_steps_narrow() {
        assert_eq!(after(2, [[0; 16], [2048; 16]].concat()), 4);
        assert_eq!(after(2, [0; 16].into_iter().chain([2049])), 2);
        assert_eq!(after(2, [0; 16].into_iter().chain([2049; 3])), 1);
    }

    #[test]
    fn a_single_thread_settles_one_bucket_per_step() {
        assert_eq!(after(1, [0; 1000]), 1);
    }
}
