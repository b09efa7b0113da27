//! Splitting of positions into ranges, which threads share.

use std::{ops::Range, sync::Mutex};

/// Several ranges per thread, so that threads that finish early take over work of others.
const RANGES_PER_THREAD: usize = 16;

/// Bounds on the number of positions per range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The minimum, except for the last range.
    pub min: usize,
    /// The maximum.
    pub max: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { min: 1, max: usize::MAX }
    }
}

impl Lengths {
    /// The stricter bounds of two iterators.
    pub(super) fn and(self, other: Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// The length of all ranges but the last.
    fn of_ranges(self, positions: usize) -> usize {
        let even = positions.div_ceil(RANGES_PER_THREAD * rayon::current_num_threads());
        even.max(self.min).min(self.max).max(1)
    }
}

/// Calls `body` with ranges that cover all positions, each once.
pub(super) fn for_ranges(positions: usize, lengths: Lengths, body: &(dyn Fn(Range<usize>) + Sync)) {
    split(0..positions, lengths.of_ranges(positions), body);
}

/// The results of `body` for each range, in order.
pub(super) fn map_ranges<T: Send>(
    positions: usize,
    lengths: Lengths,
    body: impl Fn(Range<usize>) -> T + Sync,
) -> impl Iterator<Item = T> {
    let length = lengths.of_ranges(positions);
    let results: Vec<Mutex<Option<T>>> =
        (0..positions.div_ceil(length)).map(|_| Mutex::new(None)).collect();
    split(0..positions, length, &|range| {
        let result = Some(body(range.clone()));
        // Only one thread locks each slot, so no thread waits and no lock is poisoned.
        if let Ok(mut slot) = results[range.start / length].lock() {
            *slot = result;
        }
    });
    results.into_iter().filter_map(|result| result.into_inner().ok().flatten())
}

/// Calls `body` with ranges that start at multiples of their length.
fn split(range: Range<usize>, length: usize, body: &(dyn Fn(Range<usize>) + Sync)) {
    if range.len() > length {
        let middle = range.start + range.len().div_ceil(length) / 2 * length;
        rayon::join(
            || split(range.start..middle, length, body),
            || split(middle..range.end, length, body),
        );
    } else if !range.is_empty() {
        body(range);
    }
}
