//! Numbers of edges as reported to users: an undirected edge counts once.

use equipoise::graph::Graph;
use rayon::prelude::*;

/// The number of edges from the vertices that `includes` selects. In an undirected graph, the
/// selection must consist of whole components; each edge counts once though it is stored in both
/// directions.
pub fn count(graph: &Graph, includes: impl Fn(u32) -> bool + Sync) -> u64 {
    let vertices = (0..graph.vertices()).into_par_iter().filter(|&vertex| includes(vertex));
    if !graph.is_undirected() {
        return vertices.map(|vertex| graph.degree(vertex) as u64).sum();
    }
    let ends: u64 =
        vertices.map(|vertex| graph.degree(vertex) as u64 + self_loops(graph, vertex)).sum();
    ends / 2
}

/// The number of self-loops of a vertex, which even an undirected graph stores once.
fn self_loops(graph: &Graph, vertex: u32) -> u64 {
    let neighbors = graph.neighbors(vertex);
    let before = neighbors.partition_point(|&other| other < vertex);
    let until = neighbors.partition_point(|&other| other <= vertex);
    (until - before) as u64
}

/// The unit of [`count`], for output.
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
        assert_eq!(count(&undirected, |_| true), 5);
        assert_eq!(count(&undirected, |vertex| vertex < 3), 4);
        let directed = GraphBuilder::new().build(edges()).unwrap();
        assert_eq!(count(&directed, |_| true), 5);
        assert_eq!(count(&directed, |vertex| vertex == 1), 2);
    }
}
