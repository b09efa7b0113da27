//! The edges of a graph, each stored with its end of lower degree.

use std::{cmp::Reverse, sync::OnceLock, time::Duration};

use equipoise_graph::{Csr, memory, parallel::*};

use crate::{Result, once::get_or_try_init, rows::pieces, times::timed};

/// Rows per task.
const ROWS_PER_PIECE: usize = 1 << 10;

/// Vertices ranked by descending degree, and for each rank its neighbours of smaller rank.
///
/// The first ranks are in most rows. Their data is close together and stays cached.
pub(crate) struct Ranked {
    /// The vertex of each rank.
    pub order: Vec<u32>,
    /// For each rank, the smaller ranks of neighbours, ascending.
    pub rows: Csr,
}

/// Ranked edges, created on first use, and the time that took.
#[derive(Default)]
pub(crate) struct RankedCache(OnceLock<(Ranked, Duration)>);

impl RankedCache {
    /// The ranked edges, and the time that ranking took.
    pub fn get(&self, neighbors: &Csr) -> Result<(&Ranked, Duration)> {
        let (ranked, time) = get_or_try_init(&self.0, || {
            let (ranked, time) = timed(|| Ranked::new(neighbors));
            Ok((ranked?, time))
        })?;
        Ok((ranked, *time))
    }
}

impl Ranked {
    pub fn new(neighbors: &Csr) -> Result<Self> {
        let vertices = neighbors.rows();
        let edges = memory::bytes_of::<u32>(neighbors.entries() / 2);
        // Ranks, their vertices, and offsets of rows.
        let bytes = memory::bytes_of::<[u32; 4]>(u64::from(vertices) + 1).saturating_add(edges);
        memory::check(format_args!("the ranked edges of {vertices} vertices"), bytes)?;
        let mut order: Vec<u32> = (0..vertices).collect();
        order.par_sort_unstable_by_key(|&vertex| (Reverse(neighbors.row_len(vertex)), vertex));
        let mut ranks = vec![0; vertices as usize];
        (0..).zip(&order).for_each(|(rank, &vertex)| ranks[vertex as usize] = rank);
        let smaller = |rank: u32| {
            let row = neighbors.row(order[rank as usize]).iter();
            row.map(|&other| ranks[other as usize]).filter(move |&other| other < rank)
        };
        let offsets = offsets(vertices, |rank| smaller(rank).count());
        let mut targets = vec![0; offsets[vertices as usize] as usize];
        pieces(&offsets, &mut targets, ROWS_PER_PIECE).into_par_iter().for_each(
            |(start, mut piece)| {
                for (rank, ends) in
                    (start as u32..).zip(offsets[start..].windows(2).take(ROWS_PER_PIECE))
                {
                    let (row, rest) = piece.split_at_mut((ends[1] - ends[0]) as usize);
                    row.iter_mut().zip(smaller(rank)).for_each(|(entry, other)| *entry = other);
                    row.sort_unstable();
                    piece = rest;
                }
            },
        );
        Ok(Self { order, rows: Csr::new(vertices, offsets, targets)? })
    }

    /// Permutes values by rank into values by vertex.
    pub fn by_vertex(&self, by_rank: &[u64]) -> Vec<u64> {
        let mut values = vec![0; by_rank.len()];
        let ranks = self.order.iter().zip(by_rank);
        ranks.for_each(|(&vertex, &value)| values[vertex as usize] = value);
        values
    }
}

/// The offsets of rows of these lengths, and the end of the last row.
fn offsets(rows: u32, len: impl Fn(u32) -> usize + Sync) -> Vec<u64> {
    let mut offsets = vec![0; rows as usize + 1];
    let lengths = offsets[1..].par_iter_mut().with_min_len(ROWS_PER_PIECE);
    lengths.enumerate().for_each(|(row, length)| *length = len(row as u32) as u64);
    let mut end = 0;
    for offset in &mut offsets {
        end += *offset;
        *offset = end;
    }
    offsets
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A star whose center is the last vertex, with an edge between two of its leaves.
    #[test]
    fn each_edge_is_stored_with_its_end_of_lower_degree() {
        let neighbors = Csr::new(4, vec![0, 2, 4, 5, 8], vec![1, 3, 0, 3, 3, 0, 1, 2]).unwrap();
        let ranked = Ranked::new(&neighbors).unwrap();
        assert_eq!(ranked.order, [3, 0, 1, 2]);
        assert_eq!(ranked.rows.offsets(), [0, 0, 1, 3, 4]);
        assert_eq!(ranked.rows.indices(), [0, 0, 1, 0]);
    }
}
