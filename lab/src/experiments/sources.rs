//! Where searches start.

use equipoise::graph::Graph;
use rand::{SeedableRng, seq::index};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

/// The first of the vertices with the most edges, of a graph that has vertices.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise_experiments::sources::largest_degree;
///
/// let path = load("path:n=5", &ReadOptions::default())?;
/// assert_eq!(largest_degree(&path), 1);
/// # Ok::<(), equipoise::graph::Error>(())
/// ```
pub fn largest_degree(graph: &Graph) -> u32 {
    let by_degree = |&vertex: &u32| (graph.degree(vertex), std::cmp::Reverse(vertex));
    (0..graph.vertices()).into_par_iter().max_by_key(by_degree).unwrap_or(0)
}

/// So many random vertices that have an edge, or all if there are fewer. The same seed gives the
/// same vertices.
///
/// ```
/// use equipoise::graph::{io::ReadOptions, load};
/// use equipoise_experiments::sources::up_to;
///
/// let path = load("path:n=5", &ReadOptions::default())?;
/// assert_eq!(up_to(&path, 2, 1), up_to(&path, 2, 1));
/// assert_eq!((up_to(&path, 2, 1).len(), up_to(&path, 9, 1).len()), (2, 5));
/// # Ok::<(), equipoise::graph::Error>(())
/// ```
pub fn up_to(graph: &Graph, count: u32, seed: u64) -> Vec<u32> {
    let all = (0..graph.vertices()).into_par_iter();
    let with_edges: Vec<u32> = all.filter(|&vertex| graph.degree(vertex) > 0).collect();
    let count = with_edges.len().min(count as usize);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let picked = index::sample(&mut random, with_edges.len(), count);
    picked.iter().map(|index| with_edges[index]).collect()
}
