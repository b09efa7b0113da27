//! Sequential first fit in smallest-last order, after Matula and Beck.
//!
//! The order is built from its end: a vertex of minimum remaining degree is removed repeatedly. That degree never exceeds
//! the degeneracy of the graph (the largest minimum degree of any subgraph). In reverse order, each vertex has at most
//! that many colored neighbours, so at most degeneracy + 1 colors are needed. Time and memory are linear, by the bucket
//! sort that Batagelj and Zaveršnik use for cores.

use equipoise_graph::{Csr, Palette, cancel};

use super::Colored;
use crate::{NONE, Step, Trace, times::timed};

/// Colors all vertices in one step.
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

/// All vertices, the last removed one first.
fn smallest_last(neighbors: &Csr) -> impl Iterator<Item = u32> + use<> {
    let mut list = ByDegree::new(neighbors);
    for position in 0..list.vertices.len() {
        cancel::poll_at(position);
        let vertex = list.vertices[position];
        for &other in neighbors.row(vertex) {
            // Vertices of the same degree are removed already, or next.
            if list.degree[other as usize] > list.degree[vertex as usize] {
                list.lower(other);
            }
        }
    }
    list.vertices.into_iter().rev()
}

/// The vertices, kept sorted by remaining degree.
struct ByDegree {
    vertices: Vec<u32>,
    position: Vec<u32>,
    degree: Vec<u32>,
    /// The start of the vertices of each degree.
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

    /// Lowers the degree of a vertex: swaps it with the first vertex of its degree, and moves the boundary behind it.
    fn lower(&mut self, vertex: u32) {
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

    /// The largest number of neighbours of a vertex that come before it in the order.
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
        // A clique of five vertices, with a long tail.
        let all = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b)));
        assert_eq!(width(all.chain((4..40).map(|v| (v, v + 1))).collect()), 4);
    }
}
