//! Sparse matrices on the storage that graphs use.

use std::{
    fmt::{Debug, Display},
    ops::{Add, AddAssign, Mul, Range},
};

use bytemuck::Pod;
use rayon::prelude::*;

use crate::{
    Csr, Edges, Error, Graph, Result, Storage, Weights,
    assemble::{Entries, assemble},
    integrity::Integrity,
    memory::{self, bytes_of},
};

/// The numbers a [`Matrix`] can hold: `f32` and `f64`.
///
/// ```
/// use equipoise_graph::Value;
///
/// assert_eq!(<f32 as Value>::from_f64(0.5).to_f64(), 0.5);
/// assert_eq!(<f64 as Value>::NAME, "f64");
/// ```
pub trait Value:
    Pod
    + Send
    + Sync
    + Default
    + Debug
    + Display
    + PartialOrd
    + Add<Output = Self>
    + Mul<Output = Self>
    + AddAssign
    + sealed::Sealed
{
    /// `f32` or `f64`.
    const NAME: &'static str;
    /// The distance from 1 to the next number.
    const EPSILON: f64;
    /// The smallest positive number that has full precision.
    const MIN_POSITIVE: f64;
    /// The nearest number of this type.
    fn from_f64(value: f64) -> Self;
    /// The same number with 64 bits.
    fn to_f64(self) -> f64;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Value for f32 {
    const NAME: &'static str = "f32";
    const EPSILON: f64 = f32::EPSILON as f64;
    const MIN_POSITIVE: f64 = f32::MIN_POSITIVE as f64;
    fn from_f64(value: f64) -> Self {
        value as f32
    }
    fn to_f64(self) -> f64 {
        self.into()
    }
}

impl Value for f64 {
    const NAME: &'static str = "f64";
    const EPSILON: f64 = f64::EPSILON;
    const MIN_POSITIVE: f64 = f64::MIN_POSITIVE;
    fn from_f64(value: f64) -> Self {
        value
    }
    fn to_f64(self) -> f64 {
        self
    }
}

/// A sparse matrix with compressed rows. Cloning is cheap.
///
/// ```
/// use equipoise_graph::Matrix;
///
/// let matrix = Matrix::from_entries(2, 3, &[(1, 2, -1.5), (0, 0, 1.0), (1, 2, 0.5)])?;
/// assert_eq!((matrix.rows(), matrix.columns(), matrix.entries()), (2, 3, 2));
/// assert_eq!(matrix.row(1), (&[2][..], &[-1.0][..]));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Matrix<T: Value> {
    csr: Csr,
    values: Storage<T>,
    integrity: Integrity,
}

impl<T: Value> Matrix<T> {
    /// A matrix from entries (row, column, value) in any order; duplicates are summed in that
    /// order.
    ///
    /// Fails where an entry lies outside, or there is not enough memory.
    pub fn from_entries(rows: u32, columns: u32, entries: &[(u32, u32, T)]) -> Result<Self> {
        let outside =
            entries.par_iter().find_any(|&&(row, column, _)| row >= rows || column >= columns);
        if let Some((row, column, _)) = outside {
            let shape =
                format!("entry ({row}, {column}) lies outside {rows} rows × {columns} columns");
            return Err(Error::Structure(shape));
        }
        let built = assemble(rows as usize, Summed(entries), Some(|a: T, b: T| a + b))?;
        let csr = Csr::unchecked(columns, built.offsets.into(), built.columns.into());
        Ok(Self::from_parts(csr, built.values.into()))
    }

    /// A matrix from compressed rows and a value for each entry.
    ///
    /// ```
    /// use equipoise_graph::{Csr, Matrix};
    ///
    /// let matrix = Matrix::from_csr(Csr::new(2, vec![0, 1], vec![1])?, vec![0.5f32])?;
    /// assert_eq!(matrix.row(0), (&[1][..], &[0.5][..]));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn from_csr(csr: Csr, values: Vec<T>) -> Result<Self> {
        Self::from_storage(csr, values.into())
    }

    /// The same for values that lie anywhere.
    ///
    /// ```
    /// use equipoise_graph::{Csr, Matrix, Storage};
    ///
    /// let values = Storage::from(vec![0.5f32]);
    /// let matrix = Matrix::from_storage(Csr::new(2, vec![0, 1], vec![1])?, values.clone())?;
    /// assert!(std::ptr::eq(matrix.values(), &values[..]));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn from_storage(csr: Csr, values: Storage<T>) -> Result<Self> {
        let (expected, found) = (csr.entries(), values.len() as u64);
        if expected != found {
            return Err(Error::Length { what: "values of entries", expected, found });
        }
        Ok(Self::from_parts(csr, values))
    }

    /// A matrix from parts that are known to fit together.
    pub(crate) fn from_parts(csr: Csr, values: Storage<T>) -> Self {
        Self { csr, values, integrity: Integrity::Sound }
    }

    /// The same matrix, to be checked when it is first worked with.
    pub(crate) fn with_integrity(mut self, integrity: Integrity) -> Self {
        self.integrity = integrity;
        self
    }

    /// A graph's adjacency matrix: entry (u, v) is the weight of the edge from u to v, or 1.
    ///
    /// Several edges between the same two vertices are summed.
    ///
    /// Fails where a weight is a whole number that `T` does not hold exactly, or there is not enough
    /// memory.
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder, Matrix};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 7u32), (1, 0, 2)]))?;
    /// let matrix = Matrix::<f64>::from_graph(&graph)?;
    /// assert_eq!(matrix.row(0), (&[1][..], &[7.0][..]));
    /// assert_eq!(matrix.to_graph()?.edges(), 2);
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn from_graph(graph: &Graph) -> Result<Self> {
        check_weights::<T>(graph.weights())?;
        let value = |edge: usize| match graph.weights() {
            None => T::from_f64(1.0),
            Some(Weights::U32(weights)) => T::from_f64(weights[edge].into()),
            Some(Weights::F32(weights)) => T::from_f64(weights[edge].into()),
            Some(Weights::F64(weights)) => T::from_f64(weights[edge]),
        };
        let csr = graph.csr();
        let twice =
            (0..csr.rows()).into_par_iter().any(|row| !csr.row(row).is_sorted_by(|a, b| a < b));
        if twice {
            let sources = csr.row_of_each_entry()?;
            let entries = Listed { sources: &sources, targets: csr.indices(), value };
            let built = assemble(csr.rows() as usize, entries, Some(|a: T, b: T| a + b))?;
            let csr = Csr::unchecked(csr.columns(), built.offsets.into(), built.columns.into());
            return Ok(Self::from_parts(csr, built.values.into()));
        }
        check_values::<T>(csr)?;
        let values: Vec<T> = (0..csr.indices().len()).into_par_iter().map(value).collect();
        let integrity = graph.integrity().for_another_use();
        Ok(Self::from_parts(csr.clone(), values.into()).with_integrity(integrity))
    }

    /// A matrix whose entries are edges' ends, which lie inside, with their weights or 1. Of several
    /// entries at the same place the first is kept.
    pub(crate) fn from_distinct(rows: u32, columns: u32, edges: &Edges) -> Result<Self> {
        check_weights::<T>(edges.weights())?;
        let value = |edge: usize| match edges.weights() {
            None => T::from_f64(1.0),
            Some(weights) => T::from_f64(weights.get(edge)),
        };
        let entries = Listed { sources: edges.sources(), targets: edges.targets(), value };
        let built = assemble(rows as usize, entries, Some(|first: T, _: T| first))?;
        let csr = Csr::unchecked(columns, built.offsets.into(), built.columns.into());
        Ok(Self::from_parts(csr, built.values.into()))
    }

    /// The directed graph with an edge for each entry, weighted by its value as an `f32`.
    ///
    /// Fails where the matrix is not square, where a value is a whole number that is not exact as an
    /// `f32` or is beyond its range, or there is not enough memory.
    pub fn to_graph(&self) -> Result<Graph> {
        self.check()?;
        check_exact::<T, f32>(&self.values)?;
        check_values::<f32>(&self.csr)?;
        let weights: Vec<f32> = self.values.par_iter().map(|value| value.to_f64() as f32).collect();
        Graph::from_csr(self.csr.clone(), Some(weights.into()), false)
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.csr.rows()
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.csr.columns()
    }

    /// The number of stored entries.
    pub fn entries(&self) -> u64 {
        self.csr.entries()
    }

    /// The columns and values of row `row`.
    #[inline]
    pub fn row(&self, row: u32) -> (&[u32], &[T]) {
        (self.csr.row(row), &self.values[self.csr.range(row)])
    }

    /// The positions of the entries.
    pub fn csr(&self) -> &Csr {
        &self.csr
    }

    /// The value of each entry, in the order of [`Csr::indices`].
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// Rows and columns exchanged.
    ///
    /// Fails where there is not enough memory.
    ///
    /// ```
    /// let matrix = equipoise_graph::Matrix::from_entries(1, 3, &[(0, 2, 4.0f32)])?;
    /// assert_eq!(matrix.transpose()?.row(2), (&[0][..], &[4.0][..]));
    /// # Ok::<(), equipoise_graph::Error>(())
    /// ```
    pub fn transpose(&self) -> Result<Self> {
        let (csr, values) = self.csr.transpose(&self.values)?;
        Ok(Self::from_parts(csr, values.into()))
    }

    /// Makes sure that the matrix is what it claims to be: see [`Graph::check`].
    pub fn check(&self) -> Result<()> {
        self.integrity.check(|| self.csr.check())
    }
}

impl<T: Value> PartialEq for Matrix<T> {
    fn eq(&self, other: &Self) -> bool {
        self.csr == other.csr && self.values == other.values
    }
}

/// Whether whole weights are all exact as values.
fn check_weights<T: Value>(weights: Option<&Weights>) -> Result<()> {
    match weights {
        Some(Weights::U32(weights)) => check_each::<T, u32>(weights, f64::from),
        _ => Ok(()),
    }
}

/// Whether values of one type can be values of another: whole numbers exactly, others in its range.
pub(crate) fn check_exact<A: Value, B: Value>(values: &[A]) -> Result<()> {
    check_each::<B, A>(values, Value::to_f64)
}

fn check_each<T: Value, A: Copy + Send + Sync>(
    values: &[A],
    wide: impl Fn(A) -> f64 + Sync,
) -> Result<()> {
    let rounded = |&value: &A| {
        let value = wide(value);
        let there = T::from_f64(value).to_f64();
        match value.fract() == 0.0 {
            true => there != value,
            false => value.is_finite() && there.is_infinite(),
        }
    };
    match values.par_iter().copied().find_first(rounded) {
        Some(value) => Err(Error::Inexact { value: wide(value), kind: T::NAME }),
        None => Ok(()),
    }
}

/// Whether there is memory for a value for each entry.
fn check_values<T>(csr: &Csr) -> Result<()> {
    let what = format_args!("the values of {} entries", csr.entries());
    memory::check(what, bytes_of::<T>(csr.entries()))
}

struct Summed<'a, T>(&'a [(u32, u32, T)]);

impl<T: Value> Entries<T> for Summed<'_, T> {
    fn inputs(&self) -> usize {
        self.0.len()
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, T)) {
        for &(row, column, value) in &self.0[range] {
            push(row, column, value);
        }
    }
}

struct Listed<'a, F> {
    sources: &'a [u32],
    targets: &'a [u32],
    value: F,
}

impl<T, F: Fn(usize) -> T + Sync> Entries<T> for Listed<'_, F> {
    fn inputs(&self) -> usize {
        self.sources.len()
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, T)) {
        for entry in range {
            push(self.sources[entry], self.targets[entry], (self.value)(entry));
        }
    }
}
