//! The entries that rows are assembled from.

use std::ops::Range;

/// A source of entries: `inputs` numbered inputs, each with any number of entries.
pub(crate) trait Entries<V>: Sync {
    fn inputs(&self) -> usize;
    /// An upper bound on the entries per input.
    fn most_per_input(&self) -> u64 {
        1
    }
    /// Calls `push(row, column, value)` for each entry of the inputs in `range`, in order. Every
    /// call with the same range pushes the same entries, unless the underlying data is modified.
    fn visit(&self, range: Range<usize>, push: impl FnMut(u32, u32, V));
    /// The number of bytes that [`Entries::free`] releases.
    fn bytes(&self) -> u64 {
        0
    }
    /// Releases the underlying data; called when all entries are distributed.
    fn free(self)
    where
        Self: Sized,
    {
    }
}

/// A source of one entry per input.
pub(crate) struct OneEach<F> {
    pub inputs: usize,
    /// The row, the column and the value of an entry.
    pub entry: F,
}

impl<V, F: Fn(usize) -> (u32, u32, V) + Sync> Entries<V> for OneEach<F> {
    fn inputs(&self) -> usize {
        self.inputs
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, V)) {
        for input in range {
            let (row, column, value) = (self.entry)(input);
            push(row, column, value);
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Shape {
    pub rows: usize,
    pub columns: u32,
}

impl Shape {
    #[inline]
    pub(super) fn contains(self, row: u32, column: u32) -> bool {
        (row as usize) < self.rows && column < self.columns
    }
}
