//! Makes rows of the entries of a bucket, which are in the order of their columns.
//!
//! Taken in that order, entries fill their rows from left to right, and one that has its row's last
//! column is a duplicate: no row needs to be sorted, and duplicates are never written.

use std::mem::replace;

use super::buckets::Entry;

/// How entries of the same row and column become one; without it, all are kept.
pub(super) type Merge<V> = Option<fn(V, V) -> V>;

/// The last column of each row of a bucket so far: a thread's table, kept from one bucket to the
/// next.
#[derive(Default)]
pub(super) struct LastColumns(Vec<u32>);

/// The last column of a row that has none. There is no column of this number.
const NONE: u32 = u32::MAX;

impl LastColumns {
    fn of_empty(&mut self, rows: usize) -> &mut [u32] {
        self.0.clear();
        self.0.resize(rows, NONE);
        &mut self.0
    }
}

/// Counts the entries that each row keeps; the first count is that of `first_row`.
pub(super) fn count<V>(
    entries: &[Entry<V>],
    first_row: usize,
    counts: &mut [u64],
    merge: Merge<V>,
    last: &mut LastColumns,
) {
    if merge.is_none() || entries.is_empty() {
        return entries.iter().for_each(|entry| counts[entry.row as usize - first_row] += 1);
    }
    let last = last.of_empty(counts.len());
    for entry in entries {
        let row = entry.row as usize - first_row;
        counts[row] += u64::from(replace(&mut last[row], entry.column) != entry.column);
    }
}

/// Where the rows of a bucket go.
pub(super) struct Place<'a, V> {
    /// Where each row starts; when it is written, where it ends.
    pub cursors: &'a mut [u64],
    pub first_row: usize,
    /// The bucket's part of all columns and values.
    pub columns: &'a mut [u32],
    pub values: &'a mut [V],
    /// Where this part starts.
    pub start: u64,
}

impl<V: Copy> Place<'_, V> {
    /// Writes the entries to their rows.
    pub(super) fn write(&mut self, entries: &[Entry<V>], merge: Merge<V>, last: &mut LastColumns) {
        let Some(merge) = merge else {
            return entries.iter().for_each(|entry| self.append(entry));
        };
        if entries.is_empty() {
            return;
        }
        let last = last.of_empty(self.cursors.len());
        for entry in entries {
            let row = entry.row as usize - self.first_row;
            if replace(&mut last[row], entry.column) == entry.column {
                let value = &mut self.values[(self.cursors[row] - self.start) as usize - 1];
                *value = merge(*value, entry.value);
            } else {
                self.append(entry);
            }
        }
    }

    #[inline]
    fn append(&mut self, entry: &Entry<V>) {
        let cursor = &mut self.cursors[entry.row as usize - self.first_row];
        let place = (*cursor - self.start) as usize;
        *cursor += 1;
        self.columns[place] = entry.column;
        self.values[place] = entry.value;
    }
}
