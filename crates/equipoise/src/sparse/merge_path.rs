//! Merge-path: rows and entries, added up, are divided evenly.
//!
//! Walking through a matrix in compressed rows is a walk over a grid: each step takes the next
//! entry or, where a row has no entry left, ends the row. A part is a stretch of that walk; every
//! part has the same number of steps, whatever the rows look like. Where a part starts is found
//! on its own, by a binary search along one diagonal of the grid (Osama et al., "A Programming
//! Model for GPU Load Balancing", 5.2.1, after Merrill and Garland).

use std::ops::Range;

use rayon::prelude::*;

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

/// Divides rows (given by where each starts, and where the last one ends) into `count` parts.
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

/// How long the walk is: rows and entries, added up.
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
        // Has `row` ended by now? It has if its entries, and ending the rows up to it, were fewer
        // steps.
        if offsets[row + 1] as usize + row < diagonal {
            low = row + 1;
        } else {
            high = row;
        }
    }
    (low, diagonal - low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_as_the_definition_says() {
        for lengths in [&[][..], &[0], &[5], &[0, 0, 0], &[0, 3, 0, 1, 7, 0], &[1, 1, 1], &[0, 9]] {
            let offsets = offsets(lengths);
            let (mut row, mut entry) = (0, 0);
            for diagonal in 0..=steps(&offsets) {
                assert_eq!(find(&offsets, diagonal), (row, entry), "{lengths:?}");
                if row < lengths.len() && offsets[row + 1] as usize == entry {
                    row += 1;
                } else {
                    entry += 1;
                }
            }
        }
    }

    #[test]
    fn parts_are_even_and_cover_each_entry_of_each_row_once() {
        let offsets = offsets(&[0, 0, 100, 1, 0, 2, 3, 0]);
        let steps = steps(&offsets);
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
            let expected: Vec<_> = (0..offsets.len() - 1)
                .flat_map(|row| {
                    (offsets[row]..offsets[row + 1]).map(move |entry| (row, entry as usize))
                })
                .collect();
            assert_eq!(seen, expected);
            assert_eq!(parts.last().unwrap().rows.end, offsets.len() - 1);
        }
    }

    fn offsets(lengths: &[u64]) -> Vec<u64> {
        let mut offsets = vec![0];
        for length in lengths {
            offsets.push(offsets[offsets.len() - 1] + length);
        }
        offsets
    }
}
