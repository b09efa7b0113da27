//! The edges around vertices, which threads share where they are many.

use std::ops::Range;

use equipoise_graph::parallel::*;

use super::{
    tally::{Tallies, Tally},
    undirected::UndirectedGraph,
};

/// Edges that a thread visits alone. The same for any number of threads, so that sums are.
const EDGES_AT_ONCE: usize = 1 << 12;

impl UndirectedGraph {
    /// Sums the weights around a vertex by the label of its neighbour, which is [`NONE`](crate::NONE) for those to leave out.
    pub fn tally(
        &self,
        vertex: u32,
        tallies: &Tallies,
        tally: &mut Tally,
        label: impl Fn(u32) -> u32 + Sync,
    ) {
        let edges = self.neighbors.range(vertex);
        fill(edges.len(), tallies, tally, &|part, tally| {
            let part = edges.start + part.start..edges.start + part.end;
            tally.add_all(self.edges_in(part).map(|(other, weight)| (label(other), weight)));
        });
    }

    /// The same for the edges of several vertices.
    pub fn tally_all(
        &self,
        vertices: &[u32],
        tallies: &Tallies,
        tally: &mut Tally,
        label: impl Fn(u32) -> u32 + Sync,
    ) {
        let mut count = 0;
        let end = |&vertex: &u32| {
            count += self.neighbors.row_len(vertex);
            count
        };
        let ends: Vec<usize> = vertices.iter().map(end).collect();
        fill(count, tallies, tally, &|part, tally| {
            let first = ends.partition_point(|&end| end <= part.start);
            for (&vertex, &end) in vertices[first..].iter().zip(&ends[first..]) {
                let row = self.neighbors.range(vertex);
                let start = end - row.len();
                if start >= part.end {
                    break;
                }
                let from = row.start + part.start.saturating_sub(start);
                let to = row.end - end.saturating_sub(part.end);
                let edges = self.edges_in(from..to);
                tally.add_all(edges.map(|(other, weight)| (label(other), weight)));
            }
        });
    }

    /// The sum of a function of each edge of a vertex.
    pub fn sum_around(&self, vertex: u32, value: impl Fn(u32, f64) -> f64 + Sync) -> f64 {
        let sum = |edges| self.edges_in(edges).map(|(other, weight)| value(other, weight)).sum();
        let edges = self.neighbors.range(vertex);
        if edges.len() <= EDGES_AT_ONCE {
            return sum(edges);
        }
        let sums: Vec<f64> = parts(edges).map(sum).collect();
        sums.into_iter().sum()
    }

    /// Whether a neighbour of a vertex has a property.
    pub fn any_around(&self, vertex: u32, has: impl Fn(u32) -> bool + Sync) -> bool {
        let any =
            |edges: Range<usize>| self.neighbors.indices()[edges].iter().any(|&other| has(other));
        let edges = self.neighbors.range(vertex);
        if edges.len() <= EDGES_AT_ONCE { any(edges) } else { parts(edges).any(any) }
    }
}

/// Adds a range of edges to a tally.
type AddEdges<'a> = &'a (dyn Fn(Range<usize>, &mut Tally) + Sync);

/// Fills a tally with some edges, which threads share if they are many.
fn fill(edges: usize, tallies: &Tallies, tally: &mut Tally, add: AddEdges) {
    if edges <= EDGES_AT_ONCE {
        tally.clear(edges);
        return add(0..edges, tally);
    }
    let middle = edges.div_ceil(EDGES_AT_ONCE) / 2 * EDGES_AT_ONCE;
    let (low, high) =
        rayon::join(|| sums(0..middle, tallies, add), || sums(middle..edges, tallies, add));
    merge(low, high, tally);
}

/// The sums of a range of edges. Which sums are added up to which does not depend on the number of threads.
fn sums(edges: Range<usize>, tallies: &Tallies, add: AddEdges) -> Vec<(u32, f64)> {
    if edges.len() <= EDGES_AT_ONCE {
        return tallies.with_one(|tally| {
            tally.clear(edges.len());
            add(edges, tally);
            tally.sums().collect()
        });
    }
    let middle = edges.start + edges.len().div_ceil(EDGES_AT_ONCE) / 2 * EDGES_AT_ONCE;
    let (low, high) = rayon::join(
        || sums(edges.start..middle, tallies, add),
        || sums(middle..edges.end, tallies, add),
    );
    tallies.with_one(|tally| {
        merge(low, high, tally);
        tally.sums().collect()
    })
}

fn merge(low: Vec<(u32, f64)>, high: Vec<(u32, f64)>, tally: &mut Tally) {
    tally.clear_for(low.len().max(high.len()));
    tally.add_all(low.into_iter().chain(high));
}

/// Edges in parts.
fn parts(edges: Range<usize>) -> impl ParallelIterator<Item = Range<usize>> {
    let count = edges.len().div_ceil(EDGES_AT_ONCE);
    (0..count).into_par_iter().map(move |part| {
        let start = edges.start + part * EDGES_AT_ONCE;
        start..edges.end.min(start + EDGES_AT_ONCE)
    })
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{io::ReadOptions, load};

    use super::*;
    use crate::NONE;

    /// A vertex with the edges of two parts and one more, which is a neighbour of each other vertex.
    fn star() -> UndirectedGraph {
        let leaves = 2 * EDGES_AT_ONCE + 1;
        let graph = load(&format!("star:n={}", leaves + 1), &ReadOptions::default()).unwrap();
        UndirectedGraph::new(&graph).unwrap()
    }

    #[test]
    fn threads_share_the_edges_of_a_vertex() {
        let graph = star();
        let last = graph.neighbors.rows() - 1;
        assert_eq!(graph.sum_around(0, |other, weight| weight * f64::from(other)), {
            f64::from(last) * f64::from(last + 1) / 2.0
        });
        assert!(graph.any_around(0, |other| other == last) && !graph.any_around(0, |v| v == 0));
        let (tallies, mut tally) = (Tallies::new(), Tally::default());
        let label = |other: u32| if other == last { NONE } else { other % 2 };
        graph.tally(0, &tallies, &mut tally, label);
        let half = EDGES_AT_ONCE as f64;
        assert_eq!(tally.sums().collect::<Vec<_>>(), [(1, half), (0, half)]);
    }

    #[test]
    fn edges_of_several_vertices_are_added_once() {
        let graph = star();
        let vertices: Vec<u32> = (0..graph.neighbors.rows()).rev().collect();
        let (tallies, mut tally) = (Tallies::new(), Tally::default());
        graph.tally_all(&vertices, &tallies, &mut tally, |other| other.min(1));
        let leaves = f64::from(graph.neighbors.rows() - 1);
        assert_eq!(tally.sums().collect::<Vec<_>>(), [(0, leaves), (1, leaves)]);
        graph.tally_all(&[], &tallies, &mut tally, |other| other);
        assert_eq!(tally.sums().count(), 0);
    }
}
