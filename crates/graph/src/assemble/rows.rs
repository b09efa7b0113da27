//! Writes the rows of a bucket from its entries in column order.
//!
//! In column order, entries fill their rows from left to right, and an entry whose column is the
//! last of its row is a duplicate. So no row needs sorting, and duplicates are never written.

use std::mem::replace;

use super::buckets::Entry;

/// Merges entries with the same row and column; `None` keeps all of them.
pub(super) type Merge<V> = Option<fn(V, V) -> V>;

/// The last column so far of each row of a bucket: a thread's table, reused for all of its buckets.
#[derive(Default)]
pub(super) struct LastColumns(Vec<u32>);

/// The last column of an empty row; no column has this number.
const NONE: u32 = u32::MAX;

impl LastColumns {
    fn of_empty(&mut self, rows: usize) -> &mut [u32] {
        self.0.clear();
        self.0.resize(rows, NONE);
        &mut self.0
    }
}

/// Counts the entries that each row keeps; `counts[0]` belongs to `first_row`.
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

/// The output positions of a bucket's rows.
pub(super) struct BucketOutput<'a, V> {
    /// The start of each row; after writing, its end.
    pub cursors: &'a mut [u64],
    pub first_row: usize,
    /// The bucket's part of the columns and values.
    pub columns: &'a mut [u32],
    pub values: &'a mut [V],
    /// The position of this part in the whole.
    pub start: u64,
}

impl<V: Copy> BucketOutput<'_, V> {
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
        let position = (*cursor - self.start) as usize;
        *cursor += 1;
        self.columns[position] = entry.column;
        self.values[position] = entry.value;
    }
}
