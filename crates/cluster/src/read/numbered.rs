//! Distributed renumbering of vertices from 0, in the order of their ids.
//!
//! Every rank is responsible for a range of ids; samples of all ids determine ranges of about equal size. It receives the
//! distinct ids in its range from other ranks, sorts them, and answers with their ranks in the order.

use rayon::prelude::*;

use crate::{
    Comm, EdgeSlice, Reduction, Result, SliceIds, memory::check_memory, share::sum_before,
};

/// Samples per rank and range.
const SAMPLES: usize = 32;

/// The ids of vertices, distributed over ranks.
pub(super) struct Numbered {
    /// The number of vertices.
    pub vertices: u64,
    /// The vertex of the first id on this rank.
    pub first: u64,
    /// The ids on this rank, ascending.
    pub ids: Vec<u64>,
}

/// Replaces the ids of the ends of `edges` by vertices from 0 on. `further` are ids without edges.
pub(super) fn number(
    comm: &dyn Comm,
    edges: &mut EdgeSlice,
    further: &[u64],
    ranks_on_node: usize,
) -> Result<Numbered> {
    let ends = 2 * edges.len() as u64 + further.len() as u64;
    // The ids, the messages to and from the owners, and those of other ranks: about as many if ranges are even.
    let what = format_args!("numbering the ids of {} edges", edges.len());
    check_memory(comm, what, ends.saturating_mul(6 * 8), ranks_on_node)?;

    let mut known: Vec<u64> =
        edges.sources.iter().chain(&edges.targets).chain(further).copied().collect();
    known.par_sort_unstable();
    known.dedup();
    let ranges = ranges(comm, &known);
    let outgoing: Vec<Vec<u8>> =
        ranges.iter().map(|range| bytemuck::cast_slice(range).to_vec()).collect();
    let incoming = numbers(&comm.all_to_all(&outgoing));

    let mut ids = incoming.concat();
    ids.par_sort_unstable();
    ids.dedup();
    let (first, vertices) = sum_before(comm, ids.len() as u64);
    let index = |id: &u64| first + ids.partition_point(|other| other < id) as u64;
    let answers: Vec<Vec<u8>> = incoming
        .iter()
        .map(|wanted| {
            bytemuck::cast_slice(&wanted.par_iter().map(index).collect::<Vec<u64>>()).to_vec()
        })
        .collect();
    drop(incoming);
    let indices = numbers(&comm.all_to_all(&answers)).concat();

    let vertex = |id: &mut u64| *id = indices[known.partition_point(|other| other < id)];
    edges.sources.par_iter_mut().for_each(vertex);
    edges.targets.par_iter_mut().for_each(vertex);
    Ok(Numbered { vertices, first, ids })
}

/// The part of the ascending ids `known` in the range of each rank.
fn ranges<'a>(comm: &dyn Comm, known: &'a [u64]) -> Vec<&'a [u64]> {
    let ranks = comm.size();
    let wanted = (SAMPLES * ranks).min(known.len());
    let shown: Vec<u64> = (0..wanted).map(|i| known[i * known.len() / wanted]).collect();
    let mut samples = numbers(&comm.all_gather(bytemuck::cast_slice(&shown))).concat();
    samples.sort_unstable();
    let mut left = known;
    (1..=ranks)
        .map(|rank| {
            let end = match (rank < ranks, samples.get(rank * samples.len() / ranks)) {
                (true, Some(end)) => left.partition_point(|id| id < end),
                _ => left.len(),
            };
            let (range, rest) = left.split_at(end);
            left = rest;
            range
        })
        .collect()
}

fn numbers(messages: &[Vec<u8>]) -> Vec<Vec<u64>> {
    messages.iter().map(|bytes| bytemuck::pod_collect_to_vec(bytes)).collect()
}

impl Numbered {
    /// The ids of vertices. Consecutive ids from 0 or 1 need no table.
    pub fn ids(self, comm: &dyn Comm) -> SliceIds {
        let (mut smallest, mut largest) = (
            [self.ids.first().copied().unwrap_or(u64::MAX)],
            [self.ids.last().copied().unwrap_or(0)],
        );
        comm.all_reduce(&mut smallest, Reduction::Min);
        comm.all_reduce(&mut largest, Reduction::Max);
        // Ids are distinct: they have no gaps if their number equals the size of their range.
        let dense = |first: u64| smallest[0] == first && largest[0] - first == self.vertices - 1;
        if self.vertices == 0 || dense(0) {
            SliceIds::Dense { first: 0 }
        } else if dense(1) {
            SliceIds::Dense { first: 1 }
        } else {
            SliceIds::Table { first: self.first, table: self.ids }
        }
    }
}
