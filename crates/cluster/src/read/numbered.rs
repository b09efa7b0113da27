//! Vertices counted from 0 in place of any numbers, in the order of these, though no rank has them all.
//!
//! Every rank has the numbers of a range: samples of all numbers tell where ranges end so that they hold about equally many.
//! It is sent the numbers of that range that occur on other ranks, each once, sorts them, and answers with their places.

use rayon::prelude::*;

use crate::{
    Comm, EdgeSlice, Reduction, Result, SliceIds, memory::check_memory, share::sum_before,
};

/// How many numbers a rank shows for each range that is to be cut.
const SAMPLES: usize = 32;

/// The ids of all vertices, of which this rank has a part.
pub(super) struct Numbered {
    /// How many vertices there are.
    pub vertices: u64,
    /// The vertex of the first id that is here.
    pub first: u64,
    /// The ids that are here, ascending.
    pub ids: Vec<u64>,
}

/// Replaces the ends of `edges`, which are any numbers, by vertices counted from 0. `further` are vertices without edges.
pub(super) fn number(
    comm: &dyn Comm,
    edges: &mut EdgeSlice,
    further: &[u64],
    ranks_on_node: usize,
) -> Result<Numbered> {
    let ends = 2 * edges.len() as u64 + further.len() as u64;
    // The numbers themselves, those on their way there and back, and those that other ranks send: as many, if ranges are
    // about as large.
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
    let place = |id: &u64| first + ids.partition_point(|other| other < id) as u64;
    let answers: Vec<Vec<u8>> = incoming
        .iter()
        .map(|asked| {
            bytemuck::cast_slice(&asked.par_iter().map(place).collect::<Vec<u64>>()).to_vec()
        })
        .collect();
    drop(incoming);
    let places = numbers(&comm.all_to_all(&answers)).concat();

    let vertex = |id: &mut u64| *id = places[known.partition_point(|other| other < id)];
    edges.sources.par_iter_mut().for_each(vertex);
    edges.targets.par_iter_mut().for_each(vertex);
    Ok(Numbered { vertices, first, ids })
}

/// The part of the ascending numbers `known` that lies in the range of each rank.
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
    /// What the input calls the vertices: all numbers from 0 or from 1 on need no table.
    pub fn ids(self, comm: &dyn Comm) -> SliceIds {
        let (mut smallest, mut largest) = (
            [self.ids.first().copied().unwrap_or(u64::MAX)],
            [self.ids.last().copied().unwrap_or(0)],
        );
        comm.all_reduce(&mut smallest, Reduction::Min);
        comm.all_reduce(&mut largest, Reduction::Max);
        // They are distinct: without gaps where they are as many as from the smallest to the largest.
        let dense = |first: u64| smallest[0] == first && largest[0] - first == self.vertices - 1;
        match self.vertices == 0 || dense(0) {
            true => SliceIds::Dense { first: 0 },
            false if dense(1) => SliceIds::Dense { first: 1 },
            false => SliceIds::Table { first: self.first, table: self.ids },
        }
    }
}
