//! Dividing the rows and entries of a matrix into parts for threads.
//!
//! Merge-path divides rows and entries, added up, evenly. Walking through a matrix in compressed
//! rows is a walk over a grid: each step takes the next entry or, where a row has no entry left,
//! ends the row. A part is a stretch of that walk; all parts have the same number of steps. A binary
//! search along one diagonal of the grid finds the start of a part (Osama et al., "A Programming
//! Model for GPU Load Balancing", 5.2.1, after Merrill and Garland).

use std::ops::Range;

use equipoise_graph::parallel::*;

use crate::sparse::options::SparseSchedule;

/// Work below which a part is not worth handing to a thread.
const WORK_PER_PART: u64 = 1 << 15;
/// Several parts for every thread of a large machine.
const MOST_PARTS: u64 = 1 << 10;

/// A stretch of the walk over rows and entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The rows that end in the part: those it writes. Each row ends in one part.
    pub rows: Range<usize>,
    /// The entries of the part. Those of the first row may have begun in an earlier part; those
    /// left over after the last row belong to row `rows.end`, which ends in a later part.
    pub entries: Range<usize>,
}

impl Part {
    /// For each row that ends in the part, its entries that lie in the part.
    pub fn pieces(&self, offsets: &[u64]) -> impl Iterator<Item = Range<usize>> {
        let mut start = self.entries.start;
        offsets[self.rows.start + 1..self.rows.end + 1].iter().map(move |&end| {
            let piece = start..end as usize;
            start = piece.end;
            piece
        })
    }

    /// The entries left over: those of row `rows.end`, whose sum is carried out.
    pub fn rest(&self, offsets: &[u64]) -> Range<usize> {
        self.entries.start.max(offsets[self.rows.end] as usize)..self.entries.end
    }
}

/// Divides the rows with these offsets by a schedule of the cpu: `thread-mapped`, or merge-path for
/// any other. Each row and each entry is `cost` units of work.
pub(crate) fn parts(schedule: SparseSchedule, offsets: &[u64], cost: u64) -> Vec<Part> {
    if schedule == SparseSchedule::ThreadMapped {
        return thread_mapped(offsets);
    }
    let work = (steps(offsets) as u64).saturating_mul(cost);
    let count = work.div_ceil(WORK_PER_PART).clamp(1, MOST_PARTS);
    merge_path(offsets, count as usize)
}

/// Divides rows into one part per thread, whatever they hold. No row is cut, so the results do not
/// depend on the number of threads.
fn thread_mapped(offsets: &[u64]) -> Vec<Part> {
    let rows = offsets.len() - 1;
    let count = rayon::current_num_threads();
    let first_row = |part: usize| (rows as u128 * part as u128 / count as u128) as usize;
    (0..count)
        .map(|part| {
            let rows = first_row(part)..first_row(part + 1);
            Part { entries: offsets[rows.start] as usize..offsets[rows.end] as usize, rows }
        })
        .collect()
}

/// Divides rows into `count` parts by merge-path.
pub(super) fn merge_path(offsets: &[u64], count: usize) -> Vec<Part> {
    let steps = steps(offsets);
    let position = |part: usize| {
        let diagonal = steps as u128 * part as u128 / count as u128;
        find(offsets, diagonal as usize)
    };
    (0..count)
        .into_par_iter()
        .map(|part| {
            let (start, end) = (position(part), position(part + 1));
            Part { rows: start.0..end.0, entries: start.1..end.1 }
        })
        .collect()
}

/// The length of the walk: rows and entries, added up.
pub(super) fn steps(offsets: &[u64]) -> usize {
    let rows = offsets.len() - 1;
    rows + offsets[rows] as usize
}

/// The rows ended and the entries taken after `diagonal` steps.
fn find(offsets: &[u64], diagonal: usize) -> (usize, usize) {
    let rows = offsets.len() - 1;
    let entries = offsets[rows] as usize;
    let (mut low, mut high) = (diagonal.saturating_sub(entries), diagonal.min(rows));
    while low < high {
        let row = low + (high - low) / 2;
        // `row` has ended if its entries, and ending the rows up to it, took fewer steps.
        if offsets[row + 1] as usize + row < diagonal {
            low = row + 1;
        } else {
            high = row;
        }
    }
    (low, diagonal - low)
}

/// Cuts an array into one piece per part, each as long as `length` says.
pub(super) fn cut<'a, T>(
    mut array: &'a mut [T],
    parts: &[Part],
    length: impl Fn(&Part) -> usize,
) -> Vec<&'a mut [T]> {
    parts.iter().map(|part| array.split_off_mut(..length(part)).unwrap_or_default()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_even_and_cover_each_entry_of_each_row_once() {
        for lengths in
            [&[][..], &[0], &[5], &[0, 0, 0], &[1, 1, 1], &[0, 9], &[0, 0, 100, 1, 0, 2, 3, 0]]
        {
            check_parts(lengths);
        }
    }

    fn check_parts(lengths: &[u64]) {
        let mut offsets = vec![0];
        for length in lengths {
            offsets.push(offsets[offsets.len() - 1] + length);
        }
        let steps = steps(&offsets);
        let expected: Vec<_> = (0..lengths.len())
            .flat_map(|row| {
                (offsets[row]..offsets[row + 1]).map(move |entry| (row, entry as usize))
            })
            .collect();
        for count in 1..=steps + 3 {
            let parts = merge_path(&offsets, count);
            let mut seen = Vec::new();
            for part in &parts {
                let length = part.rows.len() + part.entries.len();
                assert!(length == steps / count || length == steps / count + 1);
                for (row, piece) in part.rows.clone().zip(part.pieces(&offsets)) {
                    seen.extend(piece.map(|entry| (row, entry)));
                }
                seen.extend(part.rest(&offsets).map(|entry| (part.rows.end, entry)));
            }
            assert_eq!(seen, expected, "{lengths:?} in {count} parts");
            assert_eq!(parts.last().unwrap().rows.end, lengths.len());
        }
    }
}
