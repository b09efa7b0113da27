//! What is decided before the work starts: whether the weights are allowed, which strategy, and
//! whether it fits in memory.

use equipoise_graph::{Graph, Weights};
use rayon::prelude::*;

use super::{
    ApspStrategy, floyd_warshall,
    length::{Length, MAX_U32_SUM},
};
use crate::{Error, Result};

/// Refuses weights that are negative, infinite or not a number.
pub(super) fn check_weights(graph: &Graph) -> Result<()> {
    let Some(Weights::F32(weights)) = graph.weights() else { return Ok(()) };
    let bad = weights.par_iter().position_first(|&weight| !(0.0..f32::INFINITY).contains(&weight));
    match bad {
        None => Ok(()),
        Some(edge) => {
            let offsets = graph.csr().offsets();
            let source = offsets.partition_point(|&offset| offset <= edge as u64) - 1;
            let (target, weight) = (graph.csr().indices()[edge], weights[edge].into());
            Err(Error::bad_weight(graph.ids(), source as u32, target, weight))
        }
    }
}

/// Whether no path can be too long for 32 bits.
pub(super) fn fits_u32(vertices: u32, weights: &[u32]) -> bool {
    let largest = weights.par_iter().max().copied().unwrap_or(0);
    u64::from(vertices.saturating_sub(1)) * u64::from(largest) <= MAX_U32_SUM
}

/// The strategy that `auto` stands for: the one with less work by estimate, counted in relaxations
/// of Floyd-Warshall, unless only the other fits in memory.
///
/// The costs were measured on an x86-64 core with AVX-512, where Floyd-Warshall does 28 billion
/// relaxations a second, on random graphs of 2048 and 6000 vertices with 2 to 256 edges a vertex.
pub(super) fn choose<T: Length>(
    graph: &Graph,
    equal_weights: bool,
    available: u64,
) -> ApspStrategy {
    let (vertices, edges) = (f64::from(graph.vertices()), graph.edges() as f64);
    let per_source = match equal_weights {
        true => SEARCH_PER_VERTEX * vertices + SEARCH_PER_EDGE * edges,
        false => DIJKSTRA_PER_STEP * (edges + vertices * vertices.max(1.0).log2()),
    };
    let fits = |strategy| needed::<T>(graph, strategy) <= available;
    match vertices.powi(2) <= per_source && fits(ApspStrategy::Blocked) {
        true => ApspStrategy::Blocked,
        false => ApspStrategy::Sssp,
    }
}

/// What an edge, or a vertex for each level of the heap, costs Dijkstra's algorithm: 5 ns.
const DIJKSTRA_PER_STEP: f64 = 150.0;

/// What a vertex costs breadth-first search, most of it the matrix's memory: 18 ns.
const SEARCH_PER_VERTEX: f64 = 500.0;

/// What an edge costs breadth-first search: 1 ns.
const SEARCH_PER_EDGE: f64 = 30.0;

/// Room for the matrix, or the reason why there is none.
pub(super) fn reserve<T: Length>(
    graph: &Graph,
    strategy: ApspStrategy,
    available: u64,
) -> Result<Vec<T>> {
    let needed = needed::<T>(graph, strategy);
    let refused = || {
        let what = format!("{strategy} for all pairs of {} vertices", graph.vertices());
        Error::TooBig { what, needed, available }
    };
    if needed > available {
        return Err(refused());
    }
    let numbers = usize::try_from(numbers(graph, strategy)).map_err(|_| refused())?;
    let mut matrix = Vec::new();
    matrix.try_reserve_exact(numbers).map_err(|_| refused())?;
    Ok(matrix)
}

/// The bytes that a strategy needs, at most: the matrix, and what each thread works with.
fn needed<T: Length>(graph: &Graph, strategy: ApspStrategy) -> u64 {
    let threads = rayon::current_num_threads() as u64;
    let per_thread = match strategy {
        ApspStrategy::Sssp => {
            let heap = graph.edges().saturating_mul(size_of::<T::HeapKey>() as u64);
            heap.max(u64::from(graph.vertices()) * size_of::<u32>() as u64)
        }
        ApspStrategy::Naive => 0,
        ApspStrategy::Blocked | ApspStrategy::Auto => {
            floyd_warshall::numbers_per_thread(graph.vertices()) * size_of::<T>() as u64
        }
    };
    let matrix = numbers(graph, strategy).saturating_mul(size_of::<T>() as u64);
    matrix.saturating_add(threads.saturating_mul(per_thread))
}

/// The numbers in the matrix that a strategy works on.
fn numbers(graph: &Graph, strategy: ApspStrategy) -> u64 {
    let vertices = u64::from(graph.vertices());
    match strategy {
        ApspStrategy::Sssp | ApspStrategy::Naive => vertices * vertices,
        ApspStrategy::Blocked | ApspStrategy::Auto => floyd_warshall::numbers(graph.vertices()),
    }
}
