//! SpMV: a sparse matrix times a vector, y = A·x.
//!
//! The matrix is a graph's adjacency matrix: a rank has the rows of its vertices, the edges of a vertex are the entries of
//! its row, and weights are their values. Each rank computes its part of x and sends it to mirrors, one number each.
//!
//! A row is added up in `f64`, in the order of the global ids of its columns, and rounded once. So y is equal bit for bit
//! on any number of ranks.

mod verify;

use std::time::Instant;

use equipoise_graph::{Value, Weights, memory};
use rayon::prelude::*;

use crate::{
    Comm, DistGraph, Error, Exchange, Result, Step, Trace, Traffic, agree, hash::hash,
    row_order::RowOrder,
};

/// The options of a product.
///
/// ```
/// use equipoise_cluster::SpmvOptions;
///
/// let options = SpmvOptions { repeats: 10, ..SpmvOptions::default() };
/// assert_eq!(options.seed, 1);
/// ```
#[derive(Clone, Debug)]
pub struct SpmvOptions {
    /// The number of times that the product is computed, at least 1.
    pub repeats: u32,
    /// The seed of x.
    pub seed: u64,
}

impl Default for SpmvOptions {
    fn default() -> Self {
        Self { repeats: 1, seed: 1 }
    }
}

/// Numbers in the type of the matrix.
///
/// ```
/// use equipoise_cluster::Numbers;
///
/// assert_eq!(Numbers::F32(vec![0.5, 2.0]).get(1), Some(2.0));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// For weights of `f32`.
    F32(Vec<f32>),
    /// For weights of `f64`, whole weights, and graphs without weights.
    F64(Vec<f64>),
}

impl Numbers {
    /// The number at `index`.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Numbers::F64(vec![]).get(0), None);
    /// ```
    pub fn get(&self, index: usize) -> Option<f64> {
        match self {
            Self::F32(all) => all.get(index).map(|&number| number.into()),
            Self::F64(all) => all.get(index).copied(),
        }
    }

    /// The number of numbers.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Numbers::F64(vec![1.5]).len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        match self {
            Self::F32(all) => all.len(),
            Self::F64(all) => all.len(),
        }
    }

    /// Whether it is empty.
    ///
    /// ```
    /// assert!(equipoise_cluster::Numbers::F32(vec![]).is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The product of the rows of this rank.
#[derive(Clone, Debug)]
pub struct Spmv {
    /// The product: one number for each row of this rank.
    pub y: Numbers,
    /// The seed of x.
    pub seed: u64,
    /// The steps of this rank, one per repeat.
    pub trace: Trace,
}

/// Multiplies the adjacency matrix of a graph by a vector of [`operand`]s; all ranks call it.
///
/// Entry (u, v) is the weight of the edge from u to v, 1 where edges have none; parallel edges are added up. Weights of
/// `f32` are multiplied by an x of `f32`, others by one of `f64`. y is the same, bit for bit, on any number of ranks and
/// threads; [`Spmv::verify`] says how far it can be off. Beside the graph, needs a number for each row, each vertex and each
/// mirror.
///
/// Fails without repeats.
///
/// ```
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, SpmvOptions, operand, spmv};
///
/// let weights = Some(vec![2.0f64, 0.5].into());
/// let slice = EdgeSlice { sources: vec![0, 0], targets: vec![0, 1], weights, ..EdgeSlice::new(2) };
/// let matrix = DistGraph::build(&Alone, slice)?;
/// let product = spmv(&Alone, &matrix, &SpmvOptions::default())?;
/// assert_eq!(product.y.get(0), Some(2.0 * operand(1, 0) + 0.5 * operand(1, 1)));
/// assert_eq!(product.y.get(1), Some(0.0));
/// product.verify(&Alone, &matrix)?;
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn spmv(comm: &dyn Comm, graph: &DistGraph, options: &SpmvOptions) -> Result<Spmv> {
    agree(comm, check(graph, options))?;
    let (y, trace) = match graph.local.weights() {
        None => {
            let (y, trace) = on_cpu(comm, graph, options, |_| 1.0)?;
            (Numbers::F64(y), trace)
        }
        Some(Weights::U32(weights)) => {
            let (y, trace) = on_cpu(comm, graph, options, |entry| weights[entry].into())?;
            (Numbers::F64(y), trace)
        }
        Some(Weights::F32(weights)) => {
            let (y, trace) = on_cpu::<f32>(comm, graph, options, |entry| weights[entry].into())?;
            (Numbers::F32(y), trace)
        }
        Some(Weights::F64(weights)) => {
            let (y, trace) = on_cpu(comm, graph, options, |entry| weights[entry])?;
            (Numbers::F64(y), trace)
        }
    };
    Ok(Spmv { y, seed: options.seed, trace })
}

/// The number of x that column `column` is multiplied by: any of the 2²⁴ that are evenly spread over −1 to 1, which `f32`
/// holds exactly. It depends on the seed and the column only.
///
/// ```
/// use equipoise_cluster::operand;
///
/// assert!((-1.0..1.0).contains(&operand(1, 7)));
/// assert_eq!(operand(1, 7) as f32 as f64, operand(1, 7));
/// assert_ne!(operand(1, 7), operand(2, 7));
/// ```
pub fn operand(seed: u64, column: u64) -> f64 {
    let bits = hash(seed, column) >> 40;
    bits as f64 / f64::from(1u32 << 23) - 1.0
}

pub(crate) fn check(graph: &DistGraph, options: &SpmvOptions) -> Result<()> {
    if options.repeats == 0 {
        return Err(Error::Option("`repeats` is 0: a product is made once at least".into()));
    }
    let (rows, columns) = (u64::from(graph.owned()), u64::from(graph.local.vertices()));
    let bytes = memory::bytes_of::<f64>(rows.saturating_add(columns));
    Ok(memory::check(format_args!("a product of {rows} rows of this rank"), bytes)?)
}

/// The product, row by row. `value` is the value of an entry.
fn on_cpu<T: Value>(
    comm: &dyn Comm,
    graph: &DistGraph,
    options: &SpmvOptions,
    value: impl Fn(usize) -> f64 + Sync,
) -> Result<(Vec<T>, Trace)> {
    let (csr, order) = (graph.local.csr(), RowOrder::of(graph));
    multiply(comm, graph, options, |x: &[T], y: &mut [T]| {
        y.par_iter_mut().enumerate().for_each(|(row, y)| {
            let (columns, first) = (csr.row(row as u32), csr.offsets()[row] as usize);
            let term = |entry: usize| value(first + entry) * x[columns[entry] as usize].to_f64();
            *y = T::from_f64(order.sum(columns, term));
        });
        Ok(())
    })
}

/// The product, and a step for each time that it was made. `rows` multiplies the rows of this rank by x, of owned vertices
/// and then of mirrors; it fails on all ranks together.
pub(crate) fn multiply<T: Value>(
    comm: &dyn Comm,
    graph: &DistGraph,
    options: &SpmvOptions,
    mut rows: impl FnMut(&[T], &mut [T]) -> Result<()>,
) -> Result<(Vec<T>, Trace)> {
    let owned = graph.owned();
    let number = |vertex: u32| T::from_f64(operand(options.seed, graph.global(vertex)));
    let mut x: Vec<T> = (0..owned).map(number).collect();
    x.resize(graph.local.vertices() as usize, T::default());
    let all: Vec<u32> = (0..owned).collect();
    let mut exchange = Exchange::new(comm, graph);
    let mut y = vec![T::default(); owned as usize];
    let mut trace = Trace::default();
    for _ in 0..options.repeats {
        let start = Instant::now();
        let (of_owned, of_mirrors) = x.split_at_mut(owned as usize);
        exchange.broadcast(
            &all,
            |vertex| of_owned[vertex as usize],
            |mirror, number| of_mirrors[(mirror - owned) as usize] = number,
        );
        rows(&x, &mut y)?;
        let Traffic { bytes, waited } = exchange.take_traffic();
        let (active, edges, time) = (owned.into(), graph.local.edges(), start.elapsed());
        trace.steps.push(Step { active, edges, bytes, waited, time, ..Step::new("multiply") });
    }
    Ok((y, trace))
}
