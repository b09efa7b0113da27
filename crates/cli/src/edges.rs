//! Numbers of edges as reported to users: an undirected edge counts once.

use equipoise::graph::Graph;
use rayon::prelude::*;

/// The number of edges.
pub fn count(graph: &Graph) -> u64 {
    Once::new(graph).of(graph.edges(), |_| true)
}

/// Counts each edge once though an undirected graph stores it in both directions, except for self-loops.
pub struct Once {
    is_undirected: bool,
    /// The vertices of an undirected graph that have self-loops, and how many.
    loops: Vec<(u32, u64)>,
}

impl Once {
    pub fn new(graph: &Graph) -> Self {
        let is_undirected = graph.is_undirected();
        let vertices = 0..if is_undirected { graph.vertices() } else { 0 };
        let loops = vertices.into_par_iter().filter_map(|vertex| {
            let count = self_loops(graph, vertex);
            (count > 0).then_some((vertex, count))
        });
        Self { is_undirected, loops: loops.collect() }
    }

    /// The number of edges among `directed` that leave the vertices that `includes` selects: in an undirected graph whole
    /// components.
    pub fn of(&self, directed: u64, includes: impl Fn(u32) -> bool) -> u64 {
        if !self.is_undirected {
            return directed;
        }
        let included = self.loops.iter().filter(|(vertex, _)| includes(*vertex));
        (directed + included.map(|(_, count)| count).sum::<u64>()) / 2
    }
}

/// The number of self-loops of a vertex, which even an undirected graph stores once.
fn self_loops(graph: &Graph, vertex: u32) -> u64 {
    let neighbors = graph.neighbors(vertex);
    let before = neighbors.partition_point(|&other| other < vertex);
    neighbors[before..].iter().take_while(|&&other| other == vertex).count() as u64
}

/// The unit of these numbers, for output.
pub fn unit(graph: &Graph) -> &'static str {
    if graph.is_undirected() { "each undirected edge counted once" } else { "directed edges" }
}

#[cfg(test)]
mod tests {
    use equipoise::graph::{Edges, GraphBuilder};

    use super::*;

    #[test]
    fn undirected_edges_count_once_and_loops_too() {
        let edges = || Edges::from(vec![(0, 1), (1, 1), (1, 1), (2, 1), (3, 4)]);
        let undirected = GraphBuilder::new().undirected(true).build(edges()).unwrap();
        assert_eq!(count(&undirected), 5);
        let leaving = (0..3).map(|vertex| undirected.degree(vertex) as u64).sum();
        assert_eq!(Once::new(&undirected).of(leaving, |vertex| vertex < 3), 4);
        assert_eq!(Once::new(&undirected).of(2, |vertex| vertex >= 3), 1);
        let directed = GraphBuilder::new().build(edges()).unwrap();
        assert_eq!(count(&directed), 5);
        assert_eq!(Once::new(&directed).of(2, |vertex| vertex == 1), 2);
    }
}
