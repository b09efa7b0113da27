//! Sparse matrices in the storage of graphs.

use std::{
    fmt::{Debug, Display},
    ops::{Add, AddAssign, Mul},
};

use bytemuck::Pod;

use crate::{
    Csr, Edges, Error, Graph, Result, Storage, WeightType, Weights,
    assemble::{Entries, OneEach, Shape, assemble},
    integrity::Integrity,
    memory::{self, bytes_of},
    parallel::*,
    weights::check_representable,
};

/// The types of values of a [`Matrix`]: `f32` and `f64`.
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
    /// The type's name: `f32` or `f64`.
    const NAME: &'static str;
    /// The machine epsilon.
    const EPSILON: f64;
    /// The smallest positive normal number.
    const MIN_POSITIVE: f64;
    /// The nearest number of this type to `value`.
    fn from_f64(value: f64) -> Self;
    /// The same number as `f64`.
    fn to_f64(self) -> f64;
    /// The corresponding type of weights.
    const WEIGHTS: WeightType;
    /// Converts values to weights of edges, without a copy.
    fn weights(values: Storage<Self>) -> Weights;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

macro_rules! value {
    ($type:ident, $weights:ident) => {
        impl Value for $type {
            const NAME: &'static str = stringify!($type);
            const EPSILON: f64 = $type::EPSILON as f64;
            const MIN_POSITIVE: f64 = $type::MIN_POSITIVE as f64;
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            fn to_f64(self) -> f64 {
                self.into()
            }
            const WEIGHTS: WeightType = WeightType::$weights;
            fn weights(values: Storage<Self>) -> Weights {
                Weights::$weights(values)
            }
        }
    };
}

value!(f32, F32);
value!(f64, F64);

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
    /// Creates a matrix from entries (row, column, value) in any order; duplicates are summed in
    /// that order.
    ///
    /// Fails if an entry is out of range, or memory is insufficient.
    pub fn from_entries(rows: u32, columns: u32, entries: &[(u32, u32, T)]) -> Result<Self> {
        let outside =
            entries.par_iter().find_first(|&&(row, column, _)| row >= rows || column >= columns);
        if let Some((row, column, _)) = outside {
            let shape =
                format!("entry ({row}, {column}) lies outside {rows} rows × {columns} columns");
            return Err(Error::Structure(shape));
        }
        let entries = OneEach { inputs: entries.len(), entry: |index: usize| entries[index] };
        Self::assembled(rows, columns, entries, |a, b| a + b)
    }

    /// Assembles a matrix from entries that are known to be in range; duplicates are merged.
    pub(crate) fn assembled(
        rows: u32,
        columns: u32,
        entries: impl Entries<T>,
        merge: fn(T, T) -> T,
    ) -> Result<Self> {
        let shape = Shape { rows: rows as usize, columns };
        let built = assemble(shape, entries, Some(merge))?;
        let csr = Csr::unchecked(columns, built.offsets.into(), built.columns.into());
        Ok(Self::from_parts(csr, built.values.into()))
    }

    /// Creates a matrix from compressed rows and a value per entry.
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

    /// Like [`Matrix::from_csr`], for values in any [`Storage`].
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

    /// A matrix from parts that are known to be consistent.
    pub(crate) fn from_parts(csr: Csr, values: Storage<T>) -> Self {
        Self { csr, values, integrity: Integrity::Sound }
    }

    /// The same matrix; `integrity` is checked on first use.
    pub(crate) fn with_integrity(mut self, integrity: Integrity) -> Self {
        self.integrity = integrity;
        self
    }

    /// The adjacency matrix of a graph: entry (u, v) is the weight of the edge from u to v, or 1.
    ///
    /// The weights of parallel edges are summed.
    ///
    /// Fails if a weight is a whole number that `T` does not represent exactly, or memory is
    /// insufficient.
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
        let value = |edge| value_of(graph.weights(), edge);
        let csr = graph.csr();
        let has_parallel =
            (0..csr.rows()).into_par_iter().any(|row| !csr.row(row).is_sorted_by(|a, b| a < b));
        if has_parallel {
            let (sources, targets) = (csr.row_of_each_entry()?, csr.indices());
            let entry = |edge: usize| (sources[edge], targets[edge], value(edge));
            let entries = OneEach { inputs: targets.len(), entry };
            return Self::assembled(csr.rows(), csr.columns(), entries, |a, b| a + b);
        }
        let what = format_args!("the values of {} entries", csr.entries());
        memory::check(what, bytes_of::<T>(csr.entries()))?;
        let values: Vec<T> = (0..csr.indices().len()).into_par_iter().map(value).collect();
        let integrity = graph.integrity().for_another_use();
        Ok(Self::from_parts(csr.clone(), values.into()).with_integrity(integrity))
    }

    /// A matrix with an entry per edge, whose ends are in range, and the weight or 1 as its value.
    /// Of duplicates, the first is kept.
    pub(crate) fn from_distinct(rows: u32, columns: u32, edges: &Edges) -> Result<Self> {
        check_weights::<T>(edges.weights())?;
        let (sources, targets) = (edges.sources(), edges.targets());
        let entry = |edge: usize| (sources[edge], targets[edge], value_of(edges.weights(), edge));
        Self::assembled(rows, columns, OneEach { inputs: edges.len(), entry }, |first, _| first)
    }

    /// The directed graph with an edge per entry, weighted by its value.
    ///
    /// Fails if the matrix is not square.
    pub fn to_graph(&self) -> Result<Graph> {
        self.check()?;
        Graph::from_csr(self.csr.clone(), Some(T::weights(self.values.clone())), false)
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

    /// The transpose.
    ///
    /// Fails if memory is insufficient.
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

    /// Checks the integrity of the matrix: see [`Graph::check`].
    pub fn check(&self) -> Result<()> {
        self.integrity.check(|| self.csr.check())
    }

    /// Runs `work` on the matrix: see [`Graph::while_unchanged`].
    ///
    /// ```
    /// use equipoise_graph::{Error, Matrix};
    ///
    /// let matrix = Matrix::from_entries(1, 1, &[(0, 0, 2.5f64)])?;
    /// assert_eq!(matrix.while_unchanged(|| Ok::<_, Error>(matrix.row(0).1[0]))?, 2.5);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn while_unchanged<R, E: From<Error>>(
        &self,
        work: impl FnOnce() -> Result<R, E>,
    ) -> Result<R, E> {
        self.integrity.while_unchanged(|| self.csr.while_sound(work))
    }
}

impl<T: Value> PartialEq for Matrix<T> {
    fn eq(&self, other: &Self) -> bool {
        self.csr == other.csr && self.values == other.values
    }
}

/// Checks that weights are representable as values: whole numbers exactly, others within range.
fn check_weights<T: Value>(weights: Option<&Weights>) -> Result<()> {
    match weights {
        Some(Weights::U32(weights)) => check_representable(weights, f64::from, round::<T>, T::NAME),
        Some(Weights::F64(weights)) => check_exact::<f64, T>(weights),
        Some(Weights::F32(_)) | None => Ok(()),
    }
}

/// Checks that values are representable in another type: whole numbers exactly, others not as
/// infinity or 0.
pub(crate) fn check_exact<A: Value, B: Value>(values: &[A]) -> Result<()> {
    check_representable(values, Value::to_f64, round::<B>, B::NAME)
}

/// Converts a number to the type `T` and back.
fn round<T: Value>(number: f64) -> f64 {
    T::from_f64(number).to_f64()
}

/// The weight of an edge, or 1.
fn value_of<T: Value>(weights: Option<&Weights>, edge: usize) -> T {
    T::from_f64(weights.map_or(1.0, |weights| weights.get(edge)))
}
