//! The betweenness of edges.

use equipoise_graph::Graph;

/// How many shortest paths lead over each edge: of an undirected graph each edge once, from its smaller vertex to its
/// larger one. Of parallel edges there is one, and none of self-loops.
///
/// ```
/// use equipoise::betweenness::{BetweennessOptions, betweenness};
/// use equipoise::graph::{Edges, GraphBuilder};
///
/// let graph = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1), (2, 1)]))?;
/// let options =
///     BetweennessOptions { edges: true, unnormalized: true, ..BetweennessOptions::default() };
/// let edges = betweenness(&graph, &options)?.edges.unwrap_or_default();
/// assert_eq!((edges.sources, edges.targets), (vec![0, 1], vec![1, 2]));
/// assert_eq!(edges.values, [2.0, 2.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EdgeBetweenness {
    /// Where each edge starts, ascending.
    pub sources: Vec<u32>,
    /// Where each edge ends; of those that start at the same vertex, ascending.
    pub targets: Vec<u32>,
    /// The betweenness of each edge.
    pub values: Vec<f64>,
}

impl EdgeBetweenness {
    /// Scaled sums; `sums` has one for each stored edge of a graph without parallel edges.
    pub(super) fn of(graph: &Graph, sums: &[f64], scale: f64) -> Self {
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
                let back = back(graph, source, target).map_or(0.0, |back| sums[back]);
                edges.sources.push(source);
                edges.targets.push(target);
                edges.values.push((sums[edge] + back) * scale);
            }
        }
        edges
    }
}

/// The edge of an undirected graph that leads back.
fn back(graph: &Graph, source: u32, target: u32) -> Option<usize> {
    let row = graph.neighbors(target);
    let place = row.binary_search(&source).ok().filter(|_| graph.is_undirected())?;
    Some(graph.csr().range(target).start + place)
}
