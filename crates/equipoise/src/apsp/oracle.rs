//! The oracles of distances: plain algorithms in wider types.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fmt::{self, Display},
};

use equipoise_graph::Graph;

/// Whether a row has the distances from its source beyond doubt: no edge offers a shorter way, and each vertex reached has an
/// edge of that length from a nearer vertex. Doubts remain about edges without length, and about rounded lengths.
pub(super) fn is_settled<W: Wide>(graph: &Graph, weights: &[W], source: u32, row: &[W]) -> bool {
    let mut is_explained: Vec<bool> = row.iter().map(|&length| length == W::INFINITE).collect();
    is_explained[source as usize] = row[source as usize] == W::default();
    for (vertex, &length) in (0..).zip(row).filter(|(_, length)| **length < W::INFINITE) {
        for (&target, &weight) in
            graph.neighbors(vertex).iter().zip(&weights[graph.csr().range(vertex)])
        {
            let (over, known) = (length.plus(weight), row[target as usize]);
            if over < known {
                return false;
            }
            is_explained[target as usize] |= over == known && length < known;
        }
    }
    is_explained.into_iter().all(|is_explained| is_explained)
}

/// The distances from a vertex. Relaxes the edges of all vertices once, in the order of the claims: if these are
/// right, this is the order of Dijkstra's algorithm, and no edge improves the outcome. Otherwise runs that algorithm.
pub(super) fn distances_from<W: Wide>(
    graph: &Graph,
    weights: &[W],
    source: u32,
    claims: &[W],
) -> Vec<W> {
    let mut order: Vec<u32> = (0..graph.vertices()).collect();
    order.sort_unstable_by_key(|&vertex| (claims[vertex as usize].order(), vertex));
    let mut row = vec![W::INFINITE; order.len()];
    row[source as usize] = W::default();
    for &vertex in &order {
        relax(graph, weights, vertex, &mut row, |_, _| {});
    }
    let mut is_final = true;
    for vertex in 0..graph.vertices() {
        relax(graph, weights, vertex, &mut row, |_, _| is_final = false);
    }
    if is_final { row } else { dijkstra(graph, weights, source) }
}

/// The distances from `source` by Dijkstra's algorithm.
fn dijkstra<W: Wide>(graph: &Graph, weights: &[W], source: u32) -> Vec<W> {
    let mut row = vec![W::INFINITE; graph.vertices() as usize];
    row[source as usize] = W::default();
    let mut heap = BinaryHeap::from([(Reverse(0), source)]);
    while let Some((key, vertex)) = heap.pop() {
        if key == Reverse(row[vertex as usize].order()) {
            let push = |target, over: W| heap.push((Reverse(over.order()), target));
            relax(graph, weights, vertex, &mut row, push);
        }
    }
    row
}

/// Compares the ends of a vertex's edges with the way over it, and calls `improved` for each that becomes nearer.
fn relax<W: Wide>(
    graph: &Graph,
    weights: &[W],
    vertex: u32,
    row: &mut [W],
    mut improved: impl FnMut(u32, W),
) {
    let length = row[vertex as usize];
    if length == W::INFINITE {
        return;
    }
    for (&target, &weight) in
        graph.neighbors(vertex).iter().zip(&weights[graph.csr().range(vertex)])
    {
        let over = length.plus(weight);
        if over < row[target as usize] {
            row[target as usize] = over;
            improved(target, over);
        }
    }
}

/// The type that distances are checked in.
pub(super) trait Wide: Copy + Default + PartialOrd + Send + Sync + Display {
    const INFINITE: Self;

    fn plus(self, other: Self) -> Self;
    /// A number that orders as this does.
    fn order(self) -> u64;
    /// Whether this is `expected`, within the rounding on a path through `vertices` vertices.
    fn is(self, expected: Self, vertices: u32) -> bool;
    /// Whether this is `limit` or less, within that rounding on both sides.
    fn is_at_most(self, limit: Self, vertices: u32) -> bool;
}

impl Wide for u64 {
    const INFINITE: Self = u64::MAX;

    fn plus(self, other: Self) -> Self {
        self.saturating_add(other)
    }

    fn order(self) -> u64 {
        self
    }

    fn is(self, expected: Self, _: u32) -> bool {
        self == expected
    }

    fn is_at_most(self, limit: Self, _: u32) -> bool {
        self <= limit
    }
}

/// A sum of floating-point weights, each rounded to `BITS` bits: 32 or 64.
#[derive(Clone, Copy, Default, PartialEq, PartialOrd)]
pub(super) struct Rounded<const BITS: u32>(pub f64);

impl<const BITS: u32> Rounded<BITS> {
    /// The relative error of one addition per vertex.
    fn slack(vertices: u32) -> f64 {
        let epsilon = if BITS == 32 { f32::EPSILON.into() } else { f64::EPSILON };
        f64::from(vertices) * epsilon
    }
}

impl<const BITS: u32> Display for Rounded<BITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const BITS: u32> Wide for Rounded<BITS> {
    const INFINITE: Self = Self(f64::INFINITY);

    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    fn order(self) -> u64 {
        self.0.to_bits()
    }

    fn is(self, Self(expected): Self, vertices: u32) -> bool {
        if expected.is_finite() {
            (self.0 - expected).abs() <= 2.0 * Self::slack(vertices) * expected
        } else {
            self.0 == expected
        }
    }

    fn is_at_most(self, limit: Self, vertices: u32) -> bool {
        self.0 <= limit.0 * (1.0 + 4.0 * Self::slack(vertices))
    }
}
