//! A graph's edges with their weights, as inner loops want them.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use super::{distance::Distance, labels::CHUNK};
use crate::{prefetch::prefetch, rows::Rows, team::Team};

/// The weights of a graph's edges.
pub(super) trait EdgeWeights: Copy + Sync {
    type Weight: Copy;
    /// The weights of the edges `range`.
    fn of(self, range: Range<usize>) -> impl Iterator<Item = Self::Weight>;
    /// Asks for the memory of the weights from `edge` on.
    fn prefetch(self, edge: usize);
}

impl<W: Copy + Sync> EdgeWeights for &[W] {
    type Weight = W;

    #[inline]
    fn of(self, range: Range<usize>) -> impl Iterator<Item = W> {
        self[range].iter().copied()
    }

    #[inline]
    fn prefetch(self, edge: usize) {
        prefetch(self, edge);
    }
}

/// The weights of an unweighted graph.
#[derive(Clone, Copy)]
pub(super) struct Ones;

impl EdgeWeights for Ones {
    type Weight = u32;

    #[inline]
    fn of(self, range: Range<usize>) -> impl Iterator<Item = u32> {
        std::iter::repeat_n(1, range.len())
    }

    fn prefetch(self, _: usize) {}
}

/// Neighbours and weights.
#[derive(Clone, Copy)]
pub(super) struct Network<'a, W> {
    pub rows: Rows<'a>,
    pub weights: W,
}

impl<W: EdgeWeights> Network<'_, W> {
    /// Where the edges that leave `vertex` lead, and their weights.
    #[inline]
    pub fn edges(self, vertex: u32) -> impl Iterator<Item = (u32, W::Weight)> {
        self.edges_in(self.rows.range(vertex))
    }

    /// The same for the edges with the numbers `range`.
    #[inline]
    pub fn edges_in(self, range: Range<usize>) -> impl Iterator<Item = (u32, W::Weight)> {
        let targets = self.rows.targets(range.clone()).iter().copied();
        targets.zip(self.weights.of(range))
    }

    /// Asks for the memory of the edges that leave `vertex`.
    #[inline]
    pub fn prefetch_edges(self, vertex: u32) {
        self.rows.prefetch_row(vertex);
        self.weights.prefetch(self.rows.range(vertex).start);
    }

    /// The weights of the edges from `source` to `target`.
    pub fn weights_between(self, source: u32, target: u32) -> impl Iterator<Item = W::Weight> {
        let (first, row) = (self.rows.range(source).start, self.rows.row(source));
        let start = row.partition_point(|&other| other < target);
        let end = row.partition_point(|&other| other <= target);
        self.weights.of(first + start..first + end)
    }

    /// How many vertices are reached, and how many edges leave them.
    pub fn count_reached<D: Distance>(self, team: &Team, distances: &[D]) -> (u32, u64) {
        let (reached, edges) = (AtomicU32::new(0), AtomicU64::new(0));
        team.for_parts(distances.len(), CHUNK, |_, part| {
            let (mut vertices, mut degrees) = (0, 0);
            for vertex in part {
                if distances[vertex].is_reached() {
                    vertices += 1;
                    degrees += self.rows.degree(vertex as u32);
                }
            }
            reached.fetch_add(vertices, Relaxed);
            edges.fetch_add(degrees, Relaxed);
        });
        (reached.into_inner(), edges.into_inner())
    }
}
