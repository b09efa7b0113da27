//! A graph's rows of neighbours, as loops over many edges want them.

use std::ops::Range;

use equipoise_graph::{Csr, Graph};
use rayon::prelude::*;

use crate::prefetch::prefetch;

/// The slices of a graph's rows, taken once so that inner loops do not ask where they lie.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    offsets: &'a [u64],
    indices: &'a [u32],
}

impl<'a> Rows<'a> {
    pub(crate) fn of(graph: &'a Graph) -> Self {
        Self::of_csr(graph.csr())
    }

    pub(crate) fn of_csr(csr: &'a Csr) -> Self {
        Self { offsets: csr.offsets(), indices: csr.indices() }
    }

    /// The number of vertices.
    pub(crate) fn vertices(self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// The first vertex that is not reached, though an edge leads to it from one that is.
    pub(crate) fn first_missed(self, is_reached: impl Fn(u32) -> bool + Sync) -> Option<u32> {
        let reached = (0..self.vertices()).into_par_iter().filter(|&vertex| is_reached(vertex));
        let missed = |vertex| self.row(vertex).iter().filter(|&&target| !is_reached(target));
        reached.filter_map(|vertex| missed(vertex).min()).min().copied()
    }

    /// Whether there is one.
    pub(crate) fn leads_out(self, is_reached: impl Fn(u32) -> bool + Sync) -> bool {
        let reached = (0..self.vertices()).into_par_iter().filter(|&vertex| is_reached(vertex));
        { reached }.any(|vertex| self.row(vertex).iter().any(|&target| !is_reached(target)))
    }

    /// The numbers of the edges that leave `vertex`.
    #[inline]
    pub(crate) fn range(self, vertex: u32) -> Range<usize> {
        self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize
    }

    /// Where the edges that leave `vertex` lead.
    #[inline]
    pub(crate) fn row(self, vertex: u32) -> &'a [u32] {
        self.targets(self.range(vertex))
    }

    /// Where the edges with the numbers `range` lead.
    #[inline]
    pub(crate) fn targets(self, range: Range<usize>) -> &'a [u32] {
        &self.indices[range]
    }

    /// Asks for the memory that says where the row of `vertex` lies.
    #[inline]
    pub(crate) fn prefetch_offset(self, vertex: u32) {
        prefetch(self.offsets, vertex as usize);
    }

    /// Asks for the memory of the row of `vertex`.
    #[inline]
    pub(crate) fn prefetch_row(self, vertex: u32) {
        prefetch(self.indices, self.offsets[vertex as usize] as usize);
    }

    /// How many edges leave `vertex`.
    #[inline]
    pub(crate) fn degree(self, vertex: u32) -> u64 {
        self.offsets[vertex as usize + 1] - self.offsets[vertex as usize]
    }
}
