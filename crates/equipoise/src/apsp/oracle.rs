//! The oracles of distances: plain algorithms in wider types.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fmt::{self, Display},
};

use equipoise_graph::Graph;

/// The textbook's three loops.
pub(super) fn plain_floyd_warshall<W: Wide>(
    graph: &Graph,
    weight: impl Fn(usize) -> W,
) -> Vec<Vec<W>> {
    let vertices = graph.vertices() as usize;
    let mut rows = vec![vec![W::INFINITE; vertices]; vertices];
    for (source, row) in (0..).zip(&mut rows) {
        for (&target, edge) in graph.neighbors(source).iter().zip(graph.csr().range(source)) {
            if weight(edge) < row[target as usize] {
                row[target as usize] = weight(edge);
            }
        }
        row[source as usize] = W::default();
    }
    for k in 0..vertices {
        let through = rows[k].clone();
        for row in &mut rows {
            let first = row[k];
            for (best, &rest) in row.iter_mut().zip(&through) {
                if first.plus(rest) < *best {
                    *best = first.plus(rest);
                }
            }
        }
    }
    rows
}

/// The distances from `source` by Dijkstra's algorithm.
pub(super) fn plain_dijkstra<W: Wide>(
    graph: &Graph,
    weight: impl Fn(usize) -> W,
    source: u32,
) -> Vec<W> {
    let mut row = vec![W::INFINITE; graph.vertices() as usize];
    row[source as usize] = W::default();
    let mut heap = BinaryHeap::from([(Reverse(0), source)]);
    while let Some((key, vertex)) = heap.pop() {
        let length = row[vertex as usize];
        if key != Reverse(length.order()) {
            continue;
        }
        for (&target, edge) in graph.neighbors(vertex).iter().zip(graph.csr().range(vertex)) {
            let over = length.plus(weight(edge));
            if over < row[target as usize] {
                row[target as usize] = over;
                heap.push((Reverse(over.order()), target));
            }
        }
    }
    row
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
