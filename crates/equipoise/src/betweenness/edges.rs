//! The betweenness of edges.

use equipoise_graph::Graph;

/// The number of shortest paths over each edge. An undirected graph has each edge once, from its smaller end to its larger
/// one. Parallel edges count as one, and self-loops are omitted.
///
/// ```
/// use equipoise::{betweenness::betweenness, prelude::*};
///
/// let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (2, 1)]))?;
/// let options =
///     BetweennessOptions { edges: true, unnormalized: true, ..BetweennessOptions::default() };
/// let edges = betweenness(&graph, &options)?.edges.unwrap_or_default();
/// assert_eq!((edges.sources, edges.targets), (vec![0, 1], vec![1, 2]));
/// assert_eq!(edges.values, [2.0, 2.0]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EdgeBetweenness {
    /// The source of each edge, ascending.
    pub sources: Vec<u32>,
    /// The target of each edge, ascending per source.
    pub targets: Vec<u32>,
    /// The betweenness of each edge.
    pub values: Vec<f64>,
}

impl EdgeBetweenness {
    /// Scales the sums of the stored edges of a graph without parallel edges.
    pub(super) fn new(graph: &Graph, sums: &[f64], scale: f64) -> Self {
        let room = graph.edges() as usize / if graph.is_undirected() { 2 } else { 1 };
        let mut edges = Self {
            sources: Vec::with_capacity(room),
            targets: Vec::with_capacity(room),
            values: Vec::with_capacity(room),
        };
        for source in 0..graph.vertices() {
            for edge in graph.csr().range(source) {
                let target = graph.csr().indices()[edge];
                let is_second = graph.is_undirected() && target < source;
                if target == source || is_second {
                    continue;
                }
                let reverse = reverse(graph, source, target).map_or(0.0, |edge| sums[edge]);
                edges.sources.push(source);
                edges.targets.push(target);
                edges.values.push((sums[edge] + reverse) * scale);
            }
        }
        edges
    }
}

/// The reverse of an edge of an undirected graph.
fn reverse(graph: &Graph, source: u32, target: u32) -> Option<usize> {
    let row = graph.neighbors(target);
    let index = row.binary_search(&source).ok().filter(|_| graph.is_undirected())?;
    Some(graph.csr().range(target).start + index)
}
