//! Lists of edges in any order, as produced by readers and generators.

use std::ops::Range;

use crate::{Error, Graph, Result, Weights, memory, parallel::*, weights::of_any_type};

/// A list of edges in any order: the input of a [`GraphBuilder`](crate::GraphBuilder).
///
/// ```
/// use equipoise_graph::Edges;
///
/// let edges = Edges::from(vec![(0, 1, 2.5f32), (1, 2, 0.5)]);
/// assert_eq!(edges.len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Edges {
    sources: Vec<u32>,
    targets: Vec<u32>,
    weights: Option<Weights>,
}

impl Edges {
    /// Edges from `sources[i]` to `targets[i]` with weight `weights[i]`.
    ///
    /// Fails if the lengths differ.
    ///
    /// ```
    /// use equipoise_graph::Edges;
    ///
    /// assert!(Edges::new(vec![0, 1], vec![1, 0], None).is_ok());
    /// assert!(Edges::new(vec![0, 1], vec![1], None).is_err());
    /// ```
    pub fn new(sources: Vec<u32>, targets: Vec<u32>, weights: Option<Weights>) -> Result<Self> {
        let expected = sources.len() as u64;
        let check = |what, found: usize| {
            if found as u64 == expected {
                Ok(())
            } else {
                Err(Error::Length { what, expected, found: found as u64 })
            }
        };
        check("targets of edges", targets.len())?;
        if let Some(weights) = &weights {
            check("weights of edges", weights.len())?;
        }
        Ok(Self { sources, targets, weights })
    }

    /// The edges of an undirected graph, each in one direction only.
    pub(crate) fn one_way_of(graph: &Graph) -> Result<Self> {
        let csr = graph.csr();
        let upper = |vertex: u32| {
            let Range { start, end } = csr.range(vertex);
            start + csr.row(vertex).partition_point(|&other| other < vertex)..end
        };
        let rows = || (0..graph.vertices()).into_par_iter();
        let count: usize = rows().map(|vertex| upper(vertex).len()).sum();
        let bytes = Self::memory_of(count as u64, graph.weights().map_or(0, Weights::bytes_each));
        memory::check(format_args!("a list of {count} edges"), bytes)?;
        let mut sources = Vec::with_capacity(count);
        for vertex in 0..graph.vertices() {
            sources.extend(std::iter::repeat_n(vertex, upper(vertex).len()));
        }
        let ranges = (0..graph.vertices()).map(upper);
        let targets = picked(csr.indices(), ranges.clone(), count);
        let weights = graph
            .weights()
            .map(|weights| of_any_type!(weights, all => Weights::from(picked(all, ranges, count))));
        Self::new(sources, targets, weights)
    }

    pub(crate) fn memory_of(edges: u64, weight_bytes: u64) -> u64 {
        edges.saturating_mul(2 * size_of::<u32>() as u64 + weight_bytes)
    }

    /// The arrays: sources, targets and weights.
    pub(crate) fn into_parts(self) -> (Vec<u32>, Vec<u32>, Option<Weights>) {
        (self.sources, self.targets, self.weights)
    }

    /// The number of edges.
    pub fn len(&self) -> usize {
        self.sources.len()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The source of each edge.
    pub fn sources(&self) -> &[u32] {
        &self.sources
    }

    /// The target of each edge.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// The weight of each edge, if edges have weights.
    pub fn weights(&self) -> Option<&Weights> {
        self.weights.as_ref()
    }
}

/// The elements in the ranges, `count` in total.
fn picked<T: Copy>(all: &[T], ranges: impl Iterator<Item = Range<usize>>, count: usize) -> Vec<T> {
    let mut picked = Vec::with_capacity(count);
    ranges.for_each(|range| picked.extend_from_slice(&all[range]));
    picked
}

impl From<Vec<(u32, u32)>> for Edges {
    fn from(edges: Vec<(u32, u32)>) -> Self {
        let (sources, targets) = edges.into_iter().unzip();
        Self { sources, targets, weights: None }
    }
}

impl<W> From<Vec<(u32, u32, W)>> for Edges
where
    Weights: From<Vec<W>>,
{
    fn from(edges: Vec<(u32, u32, W)>) -> Self {
        let sources = edges.iter().map(|edge| edge.0).collect();
        let targets = edges.iter().map(|edge| edge.1).collect();
        let weights: Vec<W> = edges.into_iter().map(|edge| edge.2).collect();
        Self { sources, targets, weights: Some(weights.into()) }
    }
}
