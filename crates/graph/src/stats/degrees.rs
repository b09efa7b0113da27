//! Distributions of out-degrees and in-degrees.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{
    Graph, Result,
    memory::{self, bytes_of},
    parallel::*,
};

/// The distribution of degrees; all fields are 0 in a graph without vertices.
///
/// Quartiles and median are interpolated linearly at position `p (n - 1)` of the sorted degrees.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load, stats::Statistics};
///
/// let star = load("star:n=5", &ReadOptions::default())?;
/// let degrees = Statistics::new(&star)?.out_degrees;
/// assert_eq!((degrees.min, degrees.median, degrees.max), (1, 1.0, 4));
/// assert_eq!((degrees.mean, degrees.deviation), (1.6, 1.2));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Degrees {
    /// The smallest degree.
    pub min: u64,
    /// The lower quartile.
    pub lower_quartile: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub upper_quartile: f64,
    /// The largest degree.
    pub max: u64,
    /// The mean.
    pub mean: f64,
    /// The standard deviation (σ) of the population, not of a sample.
    pub deviation: f64,
    /// The number of vertices per range of degrees, up to the largest degree.
    pub histogram: Vec<Bin>,
}

/// A range of degrees, twice as wide as the previous one: 0, 1, 2–3, 4–7, 8–15 and so on.
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load, stats::{Bin, Statistics}};
///
/// let star = load("star:n=5", &ReadOptions::default())?;
/// let histogram = Statistics::new(&star)?.out_degrees.histogram;
/// assert_eq!(histogram[1], Bin { from: 1, to: 1, vertices: 4 });
/// assert_eq!(histogram[3], Bin { from: 4, to: 7, vertices: 1 });
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bin {
    /// The smallest degree in the range.
    pub from: u64,
    /// The largest degree in the range.
    pub to: u64,
    /// The number of vertices with a degree in the range.
    pub vertices: u64,
}

/// The degree distributions of a graph, without the rest of
/// [`Statistics`](crate::stats::Statistics).
///
/// ```
/// use equipoise_graph::{io::ReadOptions, load, stats::DegreeDistributions};
///
/// let path = load("path:n=3,directed=true", &ReadOptions::default())?;
/// let degrees = DegreeDistributions::new(&path)?;
/// assert_eq!((degrees.leaving.max, degrees.entering.max, degrees.both.max), (1, 1, 2));
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct DegreeDistributions {
    /// The distribution of out-degrees.
    pub leaving: Degrees,
    /// The distribution of in-degrees.
    pub entering: Degrees,
    /// The distribution of the sums of out-degree and in-degree.
    pub both: Degrees,
}

impl DegreeDistributions {
    /// Computes the distributions in time linear in the size of the graph, plus a sort of the
    /// degrees.
    ///
    /// Fails if [`Graph::check`] does or memory is insufficient.
    pub fn new(graph: &Graph) -> Result<Self> {
        graph.check()?;
        // Three lists of degrees, and the atomic counters of in-degrees.
        let bytes = bytes_of::<[u64; 4]>(graph.vertices().into());
        memory::check(format_args!("the degrees of {} vertices", graph.vertices()), bytes)?;
        let leaving = leaving(graph);
        let entering = entering(graph, &leaving);
        let both = leaving.par_iter().zip(&entering).map(|(out, into)| out + into).collect();
        Ok(Self {
            leaving: Degrees::new(leaving),
            entering: Degrees::new(entering),
            both: Degrees::new(both),
        })
    }
}

/// The out-degree of each vertex.
pub(super) fn leaving(graph: &Graph) -> Vec<u64> {
    graph.csr().offsets().par_windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// The in-degree of each vertex; `leaving` are the out-degrees.
pub(super) fn entering(graph: &Graph, leaving: &[u64]) -> Vec<u64> {
    if graph.is_undirected() {
        return leaving.to_vec();
    }
    let counts: Vec<AtomicU64> = leaving.par_iter().map(|_| AtomicU64::new(0)).collect();
    graph.csr().indices().par_iter().for_each(|&target| {
        counts[target as usize].fetch_add(1, Relaxed);
    });
    counts.into_par_iter().map(AtomicU64::into_inner).collect()
}

impl Degrees {
    pub(super) fn new(mut degrees: Vec<u64>) -> Self {
        degrees.par_sort_unstable();
        // Whole numbers are exact, so that the order of additions does not matter.
        let sum: u128 = degrees.par_iter().map(|&degree| u128::from(degree)).sum();
        let squares: u128 = degrees.par_iter().map(|&degree| u128::from(degree).pow(2)).sum();
        let count = degrees.len() as u128;
        let n = count.max(1) as f64;
        Self {
            min: degrees.first().copied().unwrap_or(0),
            lower_quartile: quantile(&degrees, 0.25),
            median: quantile(&degrees, 0.5),
            upper_quartile: quantile(&degrees, 0.75),
            max: degrees.last().copied().unwrap_or(0),
            mean: sum as f64 / n,
            deviation: ((count * squares - sum * sum) as f64).sqrt() / n,
            histogram: histogram(&degrees),
        }
    }
}

/// The `p`-quantile of the sorted numbers.
fn quantile(sorted: &[u64], p: f64) -> f64 {
    let position = p * sorted.len().saturating_sub(1) as f64;
    let at = |index: f64| sorted.get(index as usize).map_or(0.0, |&degree| degree as f64);
    let (low, high) = (at(position.floor()), at(position.ceil()));
    low + (high - low) * position.fract()
}

fn histogram(sorted: &[u64]) -> Vec<Bin> {
    let mut bins = Vec::new();
    let (mut from, mut counted) = (0u64, 0);
    while counted < sorted.len() {
        let to = from.saturating_mul(2).saturating_sub(1).max(from);
        let up_to = sorted.partition_point(|&degree| degree <= to);
        bins.push(Bin { from, to, vertices: (up_to - counted) as u64 });
        (from, counted) = (to + 1, up_to);
    }
    bins
}
