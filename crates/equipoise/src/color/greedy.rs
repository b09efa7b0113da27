//! Sequential first fit in smallest-last order, after Matula and Beck.
//!
//! The order is made from its end: again and again a vertex with few neighbours left is taken out,
//! never one with more than the graph's degeneracy (the largest minimum degree of any subgraph).
//! Colored in reverse, each vertex has at most so many colored neighbours, and the colors are at
//! most one more than the degeneracy. Time and memory are linear, by the bucket sort that Batagelj
//! and Zaveršnik use for cores.

use equipoise_graph::{Csr, Palette, cancel};

use super::Colored;
use crate::{NONE, Step, Trace, times::timed};

/// The color of each vertex, and one step that says what it took.
pub(super) fn greedy(neighbors: &Csr) -> Colored {
    let (colors, time) = timed(|| first_fit(neighbors, smallest_last(neighbors)));
    let vertices = u64::from(neighbors.rows());
    let step = Step {
        frontier: vertices,
        edges: 2 * neighbors.entries(),
        found: vertices,
        time,
        ..Step::new(0, "greedy")
    };
    let steps = if vertices == 0 { Vec::new() } else { vec![step] };
    let iterations = vec![0; colors.len()];
    Colored { colors, iterations, trace: Trace { steps } }
}

fn first_fit(neighbors: &Csr, order: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut colors = vec![NONE; neighbors.rows() as usize];
    let mut palette = Palette::default();
    for vertex in order {
        let row = neighbors.row(vertex);
        palette.reset(row.len());
        for &other in row {
            let color = colors[other as usize];
            if color != NONE {
                palette.take(color);
            }
        }
        colors[vertex as usize] = palette.first_free();
    }
    colors
}

/// All vertices, the one taken out last coming first.
fn smallest_last(neighbors: &Csr) -> impl Iterator<Item = u32> + use<> {
    let mut list = ByDegree::new(neighbors);
    for position in 0..list.vertices.len() {
        cancel::poll_at(position);
        let vertex = list.vertices[position];
        for &other in neighbors.row(vertex) {
            // One with as few neighbours left is out already or comes up before any other.
            if list.degree[other as usize] > list.degree[vertex as usize] {
                list.lose_one(other);
            }
        }
    }
    list.vertices.into_iter().rev()
}

/// The vertices sorted by how many neighbours they have left, kept sorted as these fall.
struct ByDegree {
    vertices: Vec<u32>,
    position: Vec<u32>,
    degree: Vec<u32>,
    /// For each degree where the vertices that have it start.
    start: Vec<u32>,
}

impl ByDegree {
    fn new(neighbors: &Csr) -> Self {
        let all = 0..neighbors.rows();
        let degree: Vec<u32> = all.clone().map(|vertex| neighbors.row_len(vertex) as u32).collect();
        let largest = degree.iter().max().map_or(0, |&degree| degree as usize);
        let mut start = vec![0; largest + 2];
        for &degree in &degree {
            start[degree as usize + 1] += 1;
        }
        for index in 1..start.len() {
            start[index] += start[index - 1];
        }
        let mut next = start.clone();
        let mut vertices = vec![0; degree.len()];
        let mut position = vec![0; degree.len()];
        for vertex in all {
            let slot = &mut next[degree[vertex as usize] as usize];
            position[vertex as usize] = *slot;
            vertices[*slot as usize] = vertex;
            *slot += 1;
        }
        Self { vertices, position, degree, start }
    }

    /// Moves `vertex` to the end of those with one neighbour fewer, by changing places with the
    /// first of its own degree.
    fn lose_one(&mut self, vertex: u32) {
        let degree = &mut self.degree[vertex as usize];
        let from = self.position[vertex as usize];
        let to = self.start[*degree as usize];
        self.start[*degree as usize] += 1;
        *degree -= 1;
        let first = self.vertices[to as usize];
        self.vertices.swap(from as usize, to as usize);
        self.position[first as usize] = from;
        self.position[vertex as usize] = to;
    }
}

#[cfg(test)]
mod tests {
    use equipoise_graph::{Edges, GraphBuilder};

    use super::*;

    /// How many of its neighbours come before each vertex of the order, at most.
    fn width(edges: Vec<(u32, u32)>) -> usize {
        let graph = GraphBuilder::new().undirected(true).build(Edges::from(edges)).unwrap();
        let order: Vec<u32> = smallest_last(graph.csr()).collect();
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..graph.vertices()), "each vertex once: {order:?}");
        let before = |index: usize| {
            let row = graph.neighbors(order[index]);
            row.iter().filter(|other| order[..index].contains(other)).count()
        };
        (0..order.len()).map(before).max().unwrap()
    }

    #[test]
    fn the_order_is_as_narrow_as_the_graph_is_degenerate() {
        assert_eq!(width((1..50).map(|leaf| (0, leaf)).collect()), 1);
        assert_eq!(width((0..50).map(|v| (v, (v + 1) % 50)).collect()), 2);
        // A grid of 7 by 7, which is planar and bipartite.
        let grid = (0..49).flat_map(|v| [(v, v + 1), (v, v + 7)]);
        let inside = |&(v, to): &(u32, u32)| to < 49 && (to != v + 1 || to % 7 != 0);
        assert_eq!(width(grid.filter(inside).collect()), 2);
        // Five vertices all joined, with long tails.
        let all = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
        assert_eq!(width(all.chain((4..40).map(|v| (v, v + 1))).collect()), 4);
    }
}
