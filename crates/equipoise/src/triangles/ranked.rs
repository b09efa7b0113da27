//! The edges of a graph, each kept by the end with fewer neighbours.

use std::{cmp::Reverse, sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, memory};
use equipoise_schedule::engine::DeviceRows;
use rayon::prelude::*;

use crate::{
    Error, Result,
    gpu_graph::{GraphOnGpu, made},
    times::{timed, timed_on},
};

/// Entries that a thread writes at once, and the rows that it counts.
const ROWS_PER_PIECE: usize = 1 << 10;

/// Vertices by rank, those with the most neighbours first, and for each rank those of its neighbours that come before.
///
/// Those of the first ranks are in most rows: they are close together, and stay in the caches.
pub(crate) struct Ranked {
    /// The vertex of each rank.
    pub order: Vec<u32>,
    /// For each rank, the smaller ranks of neighbours, ascending.
    pub rows: Csr,
}

/// Ranked edges, found when they are first asked for and kept.
#[derive(Default)]
pub(crate) struct KeptRanked {
    found: OnceLock<(Ranked, Duration)>,
    /// The rows on a GPU, and how long it took to copy them.
    copied: OnceLock<(DeviceRows, Duration)>,
}

impl KeptRanked {
    /// The ranked edges of vertices with these neighbours, and how long it took to find them.
    pub fn of(&self, neighbors: &Csr) -> Result<(&Ranked, Duration)> {
        let (ranked, time) = made(&self.found, || {
            let (ranked, time) = timed(|| Ranked::new(neighbors));
            Ok((ranked?, time))
        })?;
        Ok((ranked, *time))
    }

    /// The bytes of a GPU's memory that copying the rows still takes.
    pub fn bytes_missing(&self, there: &GraphOnGpu, ranked: &Ranked) -> u64 {
        match self.copied.get() {
            Some(_) => 0,
            None => DeviceRows::bytes_of(&there.gpu, &ranked.rows),
        }
    }

    /// The rows on a GPU, copied now if they were not, and how long that took.
    pub fn on_gpu(&self, there: &GraphOnGpu, ranked: &Ranked) -> Result<(&DeviceRows, Duration)> {
        let (rows, time) = made(&self.copied, || {
            let (rows, time) = timed_on(&there.gpu, || {
                let rows = DeviceRows::upload(&there.gpu, &ranked.rows)?;
                there.gpu.finish()?;
                Ok::<_, Error>(rows)
            });
            Ok((rows?, time))
        })?;
        Ok((rows, *time))
    }
}

impl Ranked {
    fn new(neighbors: &Csr) -> Result<Self> {
        let vertices = neighbors.rows();
        let edges = memory::bytes_of::<u32>(neighbors.entries() / 2);
        // Ranks and their vertices, and where rows start.
        let bytes = memory::bytes_of::<[u32; 4]>(u64::from(vertices) + 1).saturating_add(edges);
        memory::check(format_args!("the ranked edges of {vertices} vertices"), bytes)?;
        let mut order: Vec<u32> = (0..vertices).collect();
        order.par_sort_unstable_by_key(|&vertex| (Reverse(neighbors.row_len(vertex)), vertex));
        let mut ranks = vec![0; vertices as usize];
        (0..).zip(&order).for_each(|(rank, &vertex)| ranks[vertex as usize] = rank);
        let before = |rank: u32| {
            let row = neighbors.row(order[rank as usize]).iter();
            row.map(|&other| ranks[other as usize]).filter(move |&other| other < rank)
        };
        let offsets = offsets(vertices, |rank| before(rank).count());
        let mut targets = vec![0; offsets[vertices as usize] as usize];
        pieces(&offsets, &mut targets).into_par_iter().for_each(|(start, mut piece)| {
            for (rank, ends) in
                (start as u32..).zip(offsets[start..].windows(2).take(ROWS_PER_PIECE))
            {
                let (row, rest) = piece.split_at_mut((ends[1] - ends[0]) as usize);
                row.iter_mut().zip(before(rank)).for_each(|(place, other)| *place = other);
                row.sort_unstable();
                piece = rest;
            }
        });
        Ok(Self { order, rows: Csr::new(vertices, offsets, targets)? })
    }

    /// Numbers of ranks as those of the vertices that have them.
    pub fn by_vertex(&self, by_rank: &[u64]) -> Vec<u64> {
        let mut numbers = vec![0; by_rank.len()];
        let each = self.order.iter().zip(by_rank);
        each.for_each(|(&vertex, &number)| numbers[vertex as usize] = number);
        numbers
    }
}

/// Where rows of these lengths start, and where the last one ends.
fn offsets(rows: u32, len: impl Fn(u32) -> usize + Sync) -> Vec<u64> {
    let mut offsets = vec![0; rows as usize + 1];
    let lengths = offsets[1..].par_iter_mut().with_min_len(ROWS_PER_PIECE);
    lengths.enumerate().for_each(|(row, place)| *place = len(row as u32) as u64);
    let mut end = 0;
    for offset in &mut offsets {
        end += *offset;
        *offset = end;
    }
    offsets
}

/// The entries of every so many rows, with the number of the first.
fn pieces<'a>(offsets: &[u64], mut targets: &'a mut [u32]) -> Vec<(usize, &'a mut [u32])> {
    let rows = offsets.len() - 1;
    let starts = (0..rows).step_by(ROWS_PER_PIECE);
    starts
        .map(|start| {
            let end = rows.min(start + ROWS_PER_PIECE);
            let length = (offsets[end] - offsets[start]) as usize;
            let (piece, rest) = std::mem::take(&mut targets).split_at_mut(length);
            targets = rest;
            (start, piece)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A star whose center is the last vertex, with an edge between two of its leaves.
    #[test]
    fn edges_are_kept_by_the_end_with_fewer_neighbours() {
        let neighbors = Csr::new(4, vec![0, 2, 4, 5, 8], vec![1, 3, 0, 3, 3, 0, 1, 2]).unwrap();
        let ranked = Ranked::new(&neighbors).unwrap();
        assert_eq!(ranked.order, [3, 0, 1, 2]);
        assert_eq!(ranked.rows.offsets(), [0, 0, 1, 3, 4]);
        assert_eq!(ranked.rows.indices(), [0, 0, 1, 0]);
    }

    #[test]
    fn pieces_are_as_long_as_their_rows() {
        let offsets: Vec<u64> = (0..=2500).map(|row| row * 2).collect();
        let mut targets = vec![0; 5000];
        let pieces = pieces(&offsets, &mut targets);
        let lengths: Vec<_> = pieces.iter().map(|(start, piece)| (*start, piece.len())).collect();
        assert_eq!(lengths, [(0, 2048), (1024, 2048), (2048, 904)]);
    }
}
