//! Sparse matrix times vector with a GPU per rank: SpMV, and an iteration of PageRank.
//!
//! The kernels of one machine multiply the rows of a rank, in `f64` for all types of weights, so that results are as exact as
//! those of the CPU.

use equipoise::{
    LoadedMatrix,
    sparse::{PreparedSpmv, SparseOptions},
};
use equipoise_graph::{Matrix, Value, Weights, memory};
use equipoise_schedule::device::{Gpu, OpenDevice};

use crate::{
    Comm, DistGraph, Numbers, PageRank, PageRankOptions, Result, Spmv, SpmvOptions, agree,
    pagerank::{self, Flow},
    spmv::{check, multiply},
};

/// Like [`spmv`](crate::spmv), with each rank's rows on its GPU.
///
/// [`Spmv::verify`] documents the error of y, whose last bits depend on the number of ranks and on the GPU.
///
/// Fails on all ranks if memory is short, or a GPU fails or has no `f64`.
///
/// ```no_run
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, SpmvOptions, gpu};
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let slice = EdgeSlice { sources: vec![0, 0], targets: vec![0, 1], ..EdgeSlice::new(2) };
/// let matrix = DistGraph::build(&Alone, slice)?;
/// if let OpenDevice::Gpu(gpu) = gpu::open(Device::Auto, 0)?.device {
///     gpu::spmv(&Alone, &matrix, &gpu, &SpmvOptions::default())?.verify(&Alone, &matrix)?;
/// }
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn spmv(comm: &dyn Comm, graph: &DistGraph, gpu: &Gpu, options: &SpmvOptions) -> Result<Spmv> {
    agree(comm, check(graph, options))?;
    let matrix = agree(comm, matrix(graph, false))?;
    let loaded = agree(comm, load(&matrix, gpu))?;
    let product = Product { comm, spmv: agree(comm, prepare(&loaded))? };
    let (y, trace) = match graph.local.weights() {
        Some(Weights::F32(_)) => {
            let rows = |x: &[f32], y: &mut [f32]| product.rows(x, y);
            let (y, trace) = multiply(comm, graph, options, rows)?;
            (Numbers::F32(y), trace)
        }
        _ => {
            let rows = |x: &[f64], y: &mut [f64]| product.rows(x, y);
            let (y, trace) = multiply(comm, graph, options, rows)?;
            (Numbers::F64(y), trace)
        }
    };
    Ok(Spmv { y, seed: options.seed, trace })
}

/// Like [`pagerank`](crate::pagerank), with the entering edges of each rank's vertices on its GPU.
///
/// [`PageRank::verify`] documents the error, and the last bits depend on the number of ranks and on the GPU.
///
/// Fails on all ranks if [`pagerank`](crate::pagerank) does, memory is short, or a GPU fails or has no `f64`.
///
/// ```no_run
/// use equipoise_cluster::{Alone, DistGraph, EdgeSlice, PageRankOptions, gpu};
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 0], ..EdgeSlice::new(2) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// if let OpenDevice::Gpu(gpu) = gpu::open(Device::Auto, 0)?.device {
///     let found = gpu::pagerank(&Alone, &graph, &gpu, &PageRankOptions::default())?;
///     assert_eq!(found.ranks, [0.5, 0.5]);
/// }
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn pagerank(
    comm: &dyn Comm,
    graph: &DistGraph,
    gpu: &Gpu,
    options: &PageRankOptions,
) -> Result<PageRank> {
    let entering = graph.reversed(comm)?;
    let matrix = agree(comm, matrix(entering, options.unweighted))?;
    let loaded = agree(comm, load(&matrix, gpu))?;
    let product = Product { comm, spmv: agree(comm, prepare(&loaded))? };
    pagerank::iterate(comm, graph, options, |_| Ok(product))
}

/// The rows of a rank, then those of mirrors, which are empty.
fn matrix(graph: &DistGraph, unweighted: bool) -> Result<Matrix<f64>> {
    let (local, edges) = (&graph.local, graph.local.edges());
    let vectors = memory::bytes_of::<[f64; 2]>(local.vertices().into());
    let bytes = memory::bytes_of::<f64>(edges).saturating_add(vectors);
    memory::check(format_args!("the values of {edges} entries of this rank"), bytes)?;
    Ok(if unweighted && local.weights().is_some() {
        Matrix::from_csr(local.csr().clone(), vec![1.0; edges as usize])?
    } else {
        Matrix::from_graph(local)?
    })
}

fn load<'m>(matrix: &'m Matrix<f64>, gpu: &Gpu) -> Result<LoadedMatrix<'m, f64>> {
    Ok(LoadedMatrix::new(&OpenDevice::Gpu(gpu.clone()), matrix)?)
}

fn prepare<'m>(loaded: &'m LoadedMatrix<f64>) -> Result<PreparedSpmv<'m, f64>> {
    Ok(loaded.spmv(&SparseOptions::default())?)
}

/// The matrix of a rank, to be multiplied by vectors.
struct Product<'m> {
    comm: &'m dyn Comm,
    spmv: PreparedSpmv<'m, f64>,
}

impl Product<'_> {
    /// Fails on all ranks if a GPU fails.
    fn times(&self, x: &[f64]) -> Result<Vec<f64>> {
        agree(self.comm, self.spmv.run(x).map(|product| product.y).map_err(Into::into))
    }

    /// The rows of owned vertices times `x`, each rounded once.
    fn rows<T: Value>(&self, x: &[T], y: &mut [T]) -> Result<()> {
        let x: Vec<f64> = x.iter().map(|&number| number.to_f64()).collect();
        let product = self.times(&x)?;
        y.iter_mut().zip(product).for_each(|(y, product)| *y = T::from_f64(product));
        Ok(())
    }
}

impl Flow for Product<'_> {
    fn of<'f>(&'f self, flowing: &'f [f64]) -> Result<impl Fn(usize) -> f64 + Sync + 'f> {
        let flows = self.times(flowing)?;
        Ok(move |vertex: usize| flows[vertex])
    }
}
