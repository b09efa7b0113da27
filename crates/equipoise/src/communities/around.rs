//! The edges around vertices, which threads share where they are many.

use std::ops::Range;

use super::{
    tally::{Tallies, Tally},
    undirected::UndirectedGraph,
};

/// Edges that a thread visits alone. The same for any number of threads, so that sums are.
pub(super) const EDGES_AT_ONCE: usize = 1 << 12;

impl UndirectedGraph {
    /// Adds the weights of some edges to the sums of the labels of their neighbours, except those of `NONE`.
    #[inline]
    pub fn tally(&self, edges: Range<usize>, tally: &mut Tally, label: impl Fn(u32) -> u32) {
        let targets = self.neighbors.indices()[edges.clone()].iter();
        match &self.weights {
            None => tally.add_all(targets.map(|&other| (label(other), 1.0))),
            Some(weights) => {
                let edges = targets.zip(&weights[edges]);
                tally.add_all(edges.map(|(&other, &weight)| (label(other), weight)));
            }
        }
    }

    /// Sums the weights around several vertices by the label of the neighbour, which is [`NONE`](crate::NONE) for those to leave out.
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
                self.tally(from..to, tally, &label);
            }
        });
    }

    /// The sum of a function of each edge of a vertex.
    pub fn sum_around(&self, vertex: u32, value: impl Fn(u32, f64) -> f64) -> f64 {
        let mut sum = 0.0;
        self.for_edges(self.neighbors.range(vertex), |other, weight| sum += value(other, weight));
        sum
    }

    /// The weight between a vertex and its community, without its loops.
    pub fn weight_to_own(&self, vertex: u32, communities: &[u32]) -> f64 {
        let own = communities[vertex as usize];
        if self.weights.is_none() {
            let others = self.neighbors.row(vertex).iter();
            return others.filter(|&&other| communities[other as usize] == own).count() as f64;
        }
        let weight = |other: u32, weight| {
            if communities[other as usize] == own { weight } else { 0.0 }
        };
        self.sum_around(vertex, weight)
    }
}

/// Adds a range of edges to a tally.
type AddEdges<'a> = &'a (dyn Fn(Range<usize>, &mut Tally) + Sync);
/// Sums of weights by label.
type Sums = Vec<(u32, f64)>;

/// Fills a tally with some edges, which threads share if they are many.
fn fill(edges: usize, tallies: &Tallies, tally: &mut Tally, add: AddEdges) {
    if edges <= EDGES_AT_ONCE {
        tally.clear(edges);
        return add(0..edges, tally);
    }
    let (low, high) = halves(0..edges, tallies, add);
    merge(low, high, tally);
}

/// The sums of a range of edges. Which sums are added up to which does not depend on the number of threads.
fn sums(edges: Range<usize>, tallies: &Tallies, add: AddEdges) -> Sums {
    if edges.len() <= EDGES_AT_ONCE {
        return tallies.with_one(|tally| {
            tally.clear(edges.len());
            add(edges, tally);
            tally.sums().collect()
        });
    }
    let (low, high) = halves(edges, tallies, add);
    tallies.with_one(|tally| {
        merge(low, high, tally);
        tally.sums().collect()
    })
}

/// The sums of both halves of a range of edges.
fn halves(edges: Range<usize>, tallies: &Tallies, add: AddEdges) -> (Sums, Sums) {
    let middle = edges.start + edges.len().div_ceil(EDGES_AT_ONCE) / 2 * EDGES_AT_ONCE;
    rayon::join(
        || sums(edges.start..middle, tallies, add),
        || sums(middle..edges.end, tallies, add),
    )
}

fn merge(low: Sums, high: Sums, tally: &mut Tally) {
    tally.clear_for(low.len().max(high.len()));
    tally.add_all(low.into_iter().chain(high));
}

/// A range of edges in pieces that a thread visits alone.
pub(super) fn pieces(edges: Range<usize>) -> impl ExactSizeIterator<Item = Range<usize>> {
    let end = edges.end;
    edges.step_by(EDGES_AT_ONCE).map(move |start| start..end.min(start + EDGES_AT_ONCE))
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{io::ReadOptions, load};

    use super::*;
    use crate::{
        NONE,
        communities::batch::{Batch, BatchTallies},
        team,
    };

    /// A vertex with the edges of two parts and one more, which is a neighbour of each other vertex.
    fn star() -> UndirectedGraph {
        let leaves = 2 * EDGES_AT_ONCE + 1;
        let graph = load(&format!("star:n={}", leaves + 1), &ReadOptions::default()).unwrap();
        UndirectedGraph::new(&graph).unwrap()
    }

    #[test]
    fn threads_share_the_edges_of_a_hub() {
        let graph = star();
        let last = graph.neighbors.rows() - 1;
        assert_eq!(graph.sum_around(0, |other, weight| weight * f64::from(other)), {
            f64::from(last) * f64::from(last + 1) / 2.0
        });
        let label = |_, other: u32| if other == last { NONE } else { other % 2 };
        let sums = |_, tally: &mut Tally| tally.sums().collect::<Vec<_>>();
        let (tallies, mut found) = (BatchTallies::new(last + 1), Vec::new());
        team::run(|team| {
            let batch = Batch { team, graph: &graph, vertices: &[5, 0, 6] };
            tallies.for_each(batch, &mut found, label, sums);
        });
        let half = EDGES_AT_ONCE as f64;
        assert_eq!(found, [vec![(0, 1.0)], vec![(1, half), (0, half)], vec![(0, 1.0)]]);
    }

    #[test]
    fn edges_of_several_vertices_are_added_once() {
        let graph = star();
        let vertices: Vec<u32> = (0..graph.neighbors.rows()).rev().collect();
        let tallies = Tallies::new(graph.neighbors.rows());
        let mut tally = Tally::default();
        graph.tally_all(&vertices, &tallies, &mut tally, |other| other.min(1));
        let leaves = f64::from(graph.neighbors.rows() - 1);
        assert_eq!(tally.sums().collect::<Vec<_>>(), [(0, leaves), (1, leaves)]);
        graph.tally_all(&[], &tallies, &mut tally, |other| other);
        assert_eq!(tally.sums().count(), 0);
    }
}
