//! The rows of a graph as plain slices, for inner loops.

use std::ops::Range;

use equipoise_graph::{Csr, Graph, parallel::*};

use crate::prefetch::prefetch;

/// The offsets and targets of a graph, borrowed once, so that inner loops skip the lookup of where the arrays lie.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a> {
    offsets: &'a [u64],
    indices: &'a [u32],
}

impl<'a> Rows<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        Self::from_csr(graph.csr())
    }

    pub(crate) fn from_csr(csr: &'a Csr) -> Self {
        Self { offsets: csr.offsets(), indices: csr.indices() }
    }

    pub(crate) fn vertices(self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// The first unreached vertex with an edge from a reached one.
    pub(crate) fn first_missed(self, is_reached: impl Fn(u32) -> bool + Sync) -> Option<u32> {
        let reached = (0..self.vertices()).into_par_iter().filter(|&vertex| is_reached(vertex));
        let missed = |vertex| self.row(vertex).iter().filter(|&&target| !is_reached(target));
        reached.filter_map(|vertex| missed(vertex).min()).min().copied()
    }

    /// Whether an edge leads from a reached vertex to an unreached one.
    pub(crate) fn leads_out(self, is_reached: impl Fn(u32) -> bool + Sync) -> bool {
        let reached = (0..self.vertices()).into_par_iter().filter(|&vertex| is_reached(vertex));
        { reached }.any(|vertex| self.row(vertex).iter().any(|&target| !is_reached(target)))
    }

    /// The numbers of the edges that leave `vertex`.
    #[inline]
    pub(crate) fn range(self, vertex: u32) -> Range<usize> {
        self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize
    }

    /// The targets of the edges that leave `vertex`.
    #[inline]
    pub(crate) fn row(self, vertex: u32) -> &'a [u32] {
        self.targets(self.range(vertex))
    }

    /// The targets of the edges with the numbers in `range`.
    #[inline]
    pub(crate) fn targets(self, range: Range<usize>) -> &'a [u32] {
        &self.indices[range]
    }

    #[inline]
    pub(crate) fn prefetch_offset(self, vertex: u32) {
        prefetch(self.offsets, vertex as usize);
    }

    #[inline]
    pub(crate) fn prefetch_row(self, vertex: u32) {
        prefetch(self.indices, self.offsets[vertex as usize] as usize);
    }

    /// The number of edges that leave `vertex`.
    #[inline]
    pub(crate) fn degree(self, vertex: u32) -> u64 {
        self.offsets[vertex as usize + 1] - self.offsets[vertex as usize]
    }
}

/// The entries of every `rows_per_piece` rows, with the index of the first row.
pub(crate) fn pieces<'a, T>(
    offsets: &[u64],
    mut entries: &'a mut [T],
    rows_per_piece: usize,
) -> Vec<(usize, &'a mut [T])> {
    let rows = offsets.len() - 1;
    let starts = (0..rows).step_by(rows_per_piece);
    starts
        .map(|start| {
            let end = rows.min(start + rows_per_piece);
            let length = (offsets[end] - offsets[start]) as usize;
            let (piece, rest) = std::mem::take(&mut entries).split_at_mut(length);
            entries = rest;
            (start, piece)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_as_long_as_their_rows() {
        let offsets: Vec<u64> = (0..=2500).map(|row| row * 2).collect();
        let mut targets = vec![0; 5000];
        let pieces = pieces(&offsets, &mut targets, 1024);
        let lengths: Vec<_> = pieces.iter().map(|(start, piece)| (*start, piece.len())).collect();
        assert_eq!(lengths, [(0, 2048), (1024, 2048), (2048, 904)]);
    }
}
