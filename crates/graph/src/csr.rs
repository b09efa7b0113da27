//! Compressed sparse rows: the storage shared by graphs and matrices.

use std::{
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
};

use bytemuck::Pod;

use crate::{
    Error, MAX_VERTICES, Result, Storage,
    assemble::{Entries, Shape, assemble},
    memory::{self, bytes_of},
    parallel::*,
};

/// Compressed sparse rows without values: row `r` has the columns `indices[offsets[r]..offsets[r +
/// 1]]`, in ascending order.
///
/// ```
/// use equipoise_graph::Csr;
///
/// let csr = Csr::new(4, vec![0, 2, 2, 3], vec![1, 3, 0])?;
/// assert_eq!((csr.rows(), csr.columns(), csr.entries()), (3, 4, 3));
/// assert_eq!(csr.row(0), [1, 3]);
/// assert!(Csr::new(2, vec![0, 1], vec![7]).is_err());
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Csr {
    columns: u32,
    offsets: Storage<u64>,
    indices: Storage<u32>,
}

impl Csr {
    /// Creates rows from their arrays, which are checked.
    ///
    /// Fails unless `offsets` starts at 0, is monotone and ends at the number of `indices`, and
    /// each row's indices are in ascending order (duplicates are allowed) and less than `columns`.
    pub fn new(columns: u32, offsets: Vec<u64>, indices: Vec<u32>) -> Result<Self> {
        Self::from_storage(columns, offsets.into(), indices.into())
    }

    /// Like [`Csr::new`], for arrays in any [`Storage`].
    ///
    /// ```
    /// use equipoise_graph::{Csr, Storage};
    ///
    /// let indices = Storage::from(vec![1, 3, 0]);
    /// let csr = Csr::from_storage(4, vec![0, 2, 2, 3].into(), indices.clone())?;
    /// assert!(std::ptr::eq(csr.indices(), &indices[..]));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn from_storage(
        columns: u32,
        offsets: Storage<u64>,
        indices: Storage<u32>,
    ) -> Result<Self> {
        let csr = Self::unchecked(columns, offsets, indices);
        csr.check()?;
        Ok(csr)
    }

    /// Rows from arrays that are known to be valid, or will be checked before use.
    pub(crate) fn unchecked(columns: u32, offsets: Storage<u64>, indices: Storage<u32>) -> Self {
        Self { columns, offsets, indices }
    }

    /// Checks the conditions of [`Csr::new`].
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::Structure(what));
        let (Some(&first), Some(&last)) = (self.offsets.first(), self.offsets.last()) else {
            return wrong("the offsets are empty".into());
        };
        if self.offsets.len() as u64 - 1 > MAX_VERTICES {
            return Err(Error::TooMany { what: "rows", count: self.offsets.len() as u64 - 1 });
        }
        if first != 0 || last != self.indices.len() as u64 {
            let entries = self.indices.len();
            return wrong(format!("offsets run from {first} to {last}, not from 0 to {entries}"));
        }
        let falls = self.offsets.par_windows(2).position_first(|pair| pair[0] > pair[1]);
        if let Some(row) = falls {
            return wrong(format!("the offsets fall after row {row}"));
        }
        let bad = (0..self.rows()).into_par_iter().find_first(|&row| {
            // The first check may be outdated if the offsets are modified concurrently.
            self.indices.get(self.range(row)).is_none_or(|indices| {
                !indices.is_sorted() || indices.last().is_some_and(|&last| last >= self.columns)
            })
        });
        match bad {
            Some(row) => wrong(format!(
                "the indices of row {row} do not ascend or are not all less than {}",
                self.columns
            )),
            None => Ok(()),
        }
    }

    /// Runs `work` on the rows. Fails if it panics and the rows have become invalid, as arrays in
    /// foreign memory may.
    pub(crate) fn while_sound<T, E: From<Error>>(
        &self,
        work: impl FnOnce() -> Result<T, E>,
    ) -> Result<T, E> {
        if !self.may_change() {
            return work();
        }
        let outcome = catch_unwind(AssertUnwindSafe(work));
        outcome.unwrap_or_else(|panic| match self.check() {
            Ok(()) => resume_unwind(panic),
            Err(_) => Err(Error::changed().into()),
        })
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of entries.
    pub fn entries(&self) -> u64 {
        self.indices.len() as u64
    }

    /// Whether the arrays may be modified externally: see [`Storage::may_change`].
    ///
    /// ```
    /// let csr = equipoise_graph::Csr::new(4, vec![0, 2, 2, 3], vec![1, 3, 0])?;
    /// assert!(!csr.may_change());
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn may_change(&self) -> bool {
        self.offsets.may_change() || self.indices.may_change()
    }

    /// The start of each row, and the end of the last: `rows + 1` numbers.
    #[inline]
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The column of each entry, row by row.
    #[inline]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The columns of row `row`, ascending.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        &self.indices[self.range(row)]
    }

    /// The range of entries of row `row`.
    #[inline]
    pub fn range(&self, row: u32) -> Range<usize> {
        self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize
    }

    /// The number of entries of row `row`.
    #[inline]
    pub fn row_len(&self, row: u32) -> usize {
        self.range(row).len()
    }

    /// The row of each entry: with [`Csr::indices`], the coordinate form.
    ///
    /// Fails if memory is insufficient, or if the offsets are modified concurrently.
    ///
    /// ```
    /// let csr = equipoise_graph::Csr::new(4, vec![0, 2, 2, 3], vec![1, 3, 0])?;
    /// assert_eq!(csr.row_of_each_entry()?, [0, 0, 2]);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn row_of_each_entry(&self) -> Result<Vec<u32>> {
        const ROWS_PER_PIECE: usize = 1 << 12;
        let what = format_args!("the row of each of {} entries", self.entries());
        memory::check(what, bytes_of::<u32>(self.entries()))?;
        let mut rows = vec![0; self.indices.len()];
        let mut pieces = Vec::new();
        let mut rest = rows.as_mut_slice();
        for start in (0..self.rows() as usize).step_by(ROWS_PER_PIECE) {
            let end = (start + ROWS_PER_PIECE).min(self.rows() as usize);
            let base = self.offsets[start] as usize;
            let length = (self.offsets[end] as usize).wrapping_sub(base);
            let (piece, after) = rest.split_at_mut_checked(length).ok_or_else(Error::changed)?;
            pieces.push((start..end, base, piece));
            rest = after;
        }
        pieces.into_par_iter().try_for_each(|(range, base, piece)| -> Result<()> {
            for row in range {
                let Range { start, end } = self.range(row as u32);
                let entries = piece.get_mut(start.wrapping_sub(base)..end.wrapping_sub(base));
                entries.ok_or_else(Error::changed)?.fill(row as u32);
            }
            Ok(())
        })?;
        Ok(rows)
    }

    /// The transpose; `values` (one per entry) move with their entries.
    pub(crate) fn transpose<V: Pod + Send + Sync>(&self, values: &[V]) -> Result<(Csr, Vec<V>)> {
        let shape = Shape { rows: self.columns as usize, columns: self.rows() };
        let rows = assemble(shape, Transposed { csr: self, values }, None)?;
        let csr = Csr::unchecked(self.rows(), rows.offsets.into(), rows.columns.into());
        Ok((csr, rows.values))
    }
}

struct Transposed<'a, V> {
    csr: &'a Csr,
    values: &'a [V],
}

impl<V: Pod + Send + Sync> Entries<V> for Transposed<'_, V> {
    fn inputs(&self) -> usize {
        self.csr.indices.len()
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, V)) {
        let csr = self.csr;
        // The row of the first entry: the last row that starts at or before it.
        let mut row = csr.offsets.partition_point(|&offset| offset <= range.start as u64);
        for entry in range {
            while csr.offsets.get(row).is_some_and(|&offset| offset <= entry as u64) {
                row += 1;
            }
            // At least one row starts before, unless the first offset was modified concurrently.
            push(csr.indices[entry], (row as u32).wrapping_sub(1), self.values[entry]);
        }
    }
}
