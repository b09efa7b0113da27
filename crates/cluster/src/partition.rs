//! The owners of vertices.

use std::ops::Range;

use crate::{Comm, Reduction};

/// The most counts that ranks add up to cut a graph: 8 MiB of them.
const MOST_BINS: u64 = 1 << 20;

/// A range of neighbouring vertices for each rank.
///
/// ```
/// use equipoise_cluster::Partition;
///
/// let partition = Partition { starts: vec![0, 4, 4, 10] };
/// assert_eq!((partition.ranks(), partition.vertices()), (3, 10));
/// assert_eq!(partition.range(1), 4..4);
/// assert_eq!(partition.owner(4), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    /// The start of the vertices of each rank, and the end of the last.
    pub starts: Vec<u64>,
}

impl Partition {
    /// Cuts a graph so that ranks have about equal numbers of edges; a vertex counts like an edge. `sources` calls its
    /// argument with the source of each edge of this rank.
    ///
    /// Edges are counted per vertex, or per range of vertices if these are more than 2²⁰.
    pub(crate) fn by_edges(
        comm: &dyn Comm,
        vertices: u64,
        sources: impl FnOnce(&mut dyn FnMut(u64)),
    ) -> Self {
        let shift = vertices.div_ceil(MOST_BINS).max(1).next_power_of_two().trailing_zeros();
        let mut counts = vec![0u64; vertices.div_ceil(1 << shift) as usize];
        sources(&mut |vertex| counts[(vertex >> shift) as usize] += 1);
        comm.all_reduce(&mut counts, Reduction::Sum);
        for (bin, count) in (0..).zip(&mut counts) {
            let start = bin << shift;
            *count += (start + (1 << shift)).min(vertices) - start;
        }
        Self { starts: cuts(&counts, 1 << shift, vertices, comm.size()) }
    }

    /// The number of ranks.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Partition { starts: vec![0, 9] }.ranks(), 1);
    /// ```
    pub fn ranks(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The number of vertices of all ranks.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Partition { starts: vec![0, 9] }.vertices(), 9);
    /// ```
    pub fn vertices(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The vertices of a rank.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Partition { starts: vec![0, 2, 9] }.range(1), 2..9);
    /// ```
    pub fn range(&self, rank: usize) -> Range<u64> {
        self.starts[rank]..self.starts[rank + 1]
    }

    /// The rank that owns a vertex.
    ///
    /// ```
    /// assert_eq!(equipoise_cluster::Partition { starts: vec![0, 2, 9] }.owner(2), 1);
    /// ```
    #[inline]
    pub fn owner(&self, vertex: u64) -> usize {
        self.starts.partition_point(|&start| start <= vertex).saturating_sub(1)
    }
}

/// The starts of the ranks' vertices for sums of `counts` that are as even as bins of `width` vertices allow.
fn cuts(counts: &[u64], width: u64, vertices: u64, ranks: usize) -> Vec<u64> {
    let total: u64 = counts.iter().sum();
    let mut starts = vec![0];
    let (mut bin, mut before) = (0, 0);
    for rank in 1..ranks as u64 {
        let goal = (u128::from(total) * u128::from(rank) / ranks as u128) as u64;
        // A bin goes to the side on which more of it lies.
        while let Some(&count) = counts.get(bin)
            && before + count / 2 < goal
        {
            before += count;
            bin += 1;
        }
        starts.push((bin as u64 * width).min(vertices));
    }
    starts.push(vertices);
    starts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_has_its_share() {
        assert_eq!(cuts(&[1; 12], 1, 12, 4), [0, 3, 6, 9, 12]);
        assert_eq!(cuts(&[90, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 1, 11, 2), [0, 1, 11]);
        assert_eq!(cuts(&[1, 1, 90], 1, 3, 3), [0, 2, 3, 3]);
        assert_eq!(cuts(&[4, 4, 4], 4, 10, 2), [0, 4, 10]);
        assert_eq!(cuts(&[], 1, 0, 3), [0, 0, 0, 0]);
    }

    #[test]
    fn every_vertex_has_the_owner_whose_range_it_is_in() {
        let partition = Partition { starts: vec![0, 0, 3, 3, 5, 5] };
        for vertex in 0..5 {
            assert!(partition.range(partition.owner(vertex)).contains(&vertex));
        }
    }

    #[test]
    fn many_vertices_are_counted_together() {
        let vertices = 5 * MOST_BINS + 3;
        let cut = Partition::by_edges(&crate::Alone, vertices, |count| count(vertices - 1));
        assert_eq!(cut.starts, [0, vertices]);
    }
}
