//! A graph's edges with their weights, for inner loops.

use std::{
    ops::Range,
    sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed},
};

use crate::{prefetch::prefetch, rows::Rows, team::Team};

/// Vertices per task of a thread.
pub(super) const CHUNK: usize = 1 << 13;

/// The weights of a graph's edges.
pub(super) trait EdgeWeights: Copy + Sync {
    type Weight: Copy;
    /// The weights of the edges in `range`.
    fn in_range(self, range: Range<usize>) -> impl Iterator<Item = Self::Weight>;
    /// Prefetches the weights from `edge` on.
    fn prefetch(self, edge: usize);
}

impl<W: Copy + Sync> EdgeWeights for &[W] {
    type Weight = W;

    #[inline]
    fn in_range(self, range: Range<usize>) -> impl Iterator<Item = W> {
        self[range].iter().copied()
    }

    #[inline]
    fn prefetch(self, edge: usize) {
        prefetch(self, edge);
    }
}

/// The weights of an unweighted graph, which are 1.
#[derive(Clone, Copy)]
pub(super) struct Ones;

impl EdgeWeights for Ones {
    type Weight = u32;

    #[inline]
    fn in_range(self, range: Range<usize>) -> impl Iterator<Item = u32> {
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
    /// The targets and weights of the edges that leave `vertex`.
    #[inline]
    pub fn edges(self, vertex: u32) -> impl Iterator<Item = (u32, W::Weight)> {
        self.edges_in(self.rows.range(vertex))
    }

    /// The targets and weights of the edges in `range`.
    #[inline]
    pub fn edges_in(self, range: Range<usize>) -> impl Iterator<Item = (u32, W::Weight)> {
        let targets = self.rows.targets(range.clone()).iter().copied();
        targets.zip(self.weights.in_range(range))
    }

    /// Prefetches the edges that leave `vertex`.
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
        self.weights.in_range(first + start..first + end)
    }

    /// The number of reached vertices, and of the edges that leave them.
    pub fn count_reached(self, team: &Team, is_reached: impl Fn(u32) -> bool + Sync) -> (u32, u64) {
        let (reached, edges) = (AtomicU32::new(0), AtomicU64::new(0));
        team.for_parts(self.rows.vertices() as usize, CHUNK, |_, part| {
            let (mut vertices, mut degrees) = (0, 0);
            for vertex in part.start as u32..part.end as u32 {
                if is_reached(vertex) {
                    vertices += 1;
                    degrees += self.rows.degree(vertex);
                }
            }
            reached.fetch_add(vertices, Relaxed);
            edges.fetch_add(degrees, Relaxed);
        });
        (reached.into_inner(), edges.into_inner())
    }
}
