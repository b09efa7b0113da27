//! Compressed sparse rows: the storage that graphs and matrices share.

use std::ops::Range;

use bytemuck::Pod;
use rayon::prelude::*;

use crate::{
    Error, MAX_VERTICES, Result, Storage,
    assemble::{Entries, assemble},
    memory::{self, bytes_of},
};

/// Compressed sparse rows without values: row `r` has the columns
/// `indices[offsets[r]..offsets[r + 1]]`, in ascending order.
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
    /// Checks the arrays and makes rows of them.
    ///
    /// Fails unless `offsets` starts at 0, never falls and ends at the number of `indices`, and
    /// each row's indices ascend (equal neighbours are allowed) and are less than `columns`.
    pub fn new(columns: u32, offsets: Vec<u64>, indices: Vec<u32>) -> Result<Self> {
        Self::from_storage(columns, offsets.into(), indices.into())
    }

    /// The same for arrays that lie anywhere.
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

    /// Whether the arrays are as [`Csr::new`] asks.
    pub(crate) fn check(&self) -> Result<()> {
        let wrong = |what: String| Err(Error::Structure(what));
        let (Some(&first), Some(&last)) = (self.offsets.first(), self.offsets.last()) else {
            return wrong("there are no offsets".into());
        };
        if self.offsets.len() as u64 - 1 > MAX_VERTICES {
            return Err(Error::TooMany { what: "rows", count: self.offsets.len() as u64 - 1 });
        }
        if first != 0 || last != self.indices.len() as u64 {
            let entries = self.indices.len();
            return wrong(format!("offsets run from {first} to {last}, not from 0 to {entries}"));
        }
        let falls = self.offsets.par_windows(2).position_any(|pair| pair[0] > pair[1]);
        if let Some(row) = falls {
            return wrong(format!("the offsets fall after row {row}"));
        }
        let bad = (0..self.rows()).into_par_iter().find_any(|&row| {
            let indices = self.row(row);
            !indices.is_sorted() || indices.last().is_some_and(|&last| last >= self.columns)
        });
        match bad {
            Some(row) => wrong(format!(
                "the indices of row {row} do not ascend or are not all less than {}",
                self.columns
            )),
            None => Ok(()),
        }
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

    /// Where each row starts, and where the last one ends: `rows + 1` numbers.
    #[inline]
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The column of each entry, row after row.
    #[inline]
    pub fn indices(&self) -> &[u32] {
        &self.indices
    }

    /// The columns of row `row`, ascending.
    #[inline]
    pub fn row(&self, row: u32) -> &[u32] {
        &self.indices[self.range(row)]
    }

    /// The numbers of the entries of row `row`.
    #[inline]
    pub fn range(&self, row: u32) -> Range<usize> {
        self.offsets[row as usize] as usize..self.offsets[row as usize + 1] as usize
    }

    /// The number of entries of row `row`.
    #[inline]
    pub fn row_len(&self, row: u32) -> usize {
        self.range(row).len()
    }

    /// The row of each entry: the array that, beside [`Csr::indices`], makes coordinate form.
    ///
    /// Fails where there is not enough memory.
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
            let length = (self.offsets[end] - self.offsets[start]) as usize;
            let (piece, after) = rest.split_at_mut(length);
            pieces.push((start..end, piece));
            rest = after;
        }
        pieces.into_par_iter().for_each(|(range, piece)| {
            let base = self.offsets[range.start] as usize;
            for row in range {
                let entries = self.range(row as u32);
                piece[entries.start - base..entries.end - base].fill(row as u32);
            }
        });
        Ok(rows)
    }

    /// Rows and columns exchanged; `values` (one an entry) move with their entries.
    pub(crate) fn transpose<V: Pod + Send + Sync>(&self, values: &[V]) -> Result<(Csr, Vec<V>)> {
        let rows = assemble(self.columns as usize, Transposed { csr: self, values }, None)?;
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
        // The row that holds the first entry: the last one that starts at or before it.
        let mut row = self.csr.offsets.partition_point(|&offset| offset <= range.start as u64);
        for entry in range {
            while self.csr.offsets[row] <= entry as u64 {
                row += 1;
            }
            push(self.csr.indices[entry], row as u32 - 1, self.values[entry]);
        }
    }
}
