//! Renumbers ids with gaps to vertices counted from 0.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::{
    Edges, Error, MAX_VERTICES, Result,
    memory::{self, bytes_of},
    parallel::*,
};

/// A type of ids: `u32` or `u64`.
pub(super) trait Id: Copy + Default + Ord + Into<u64> + Send + Sync {}
impl Id for u32 {}
impl Id for u64 {}

/// Edges between vertices counted from 0, in ascending order of their ids.
pub(super) struct Compacted {
    pub sources: Vec<u32>,
    pub targets: Vec<u32>,
    /// The id of each vertex, ascending.
    pub ids: Vec<u64>,
}

/// Up to this many ids per edge, presence bits for all ids are allocated.
const IDS_PER_EDGE: u64 = 64;

/// Compacts the ids of edges and of vertices without edges.
pub(super) fn compact<I: Id>(
    sources: Vec<I>,
    targets: Vec<I>,
    without_edges: &[u64],
) -> Result<Compacted> {
    let ends = sources.par_iter().chain(&targets).map(|&id| id.into());
    let largest = ends.chain(without_edges.par_iter().copied()).max().unwrap_or(0);
    let few_gaps = (sources.len() + without_edges.len()) as u64 * IDS_PER_EDGE;
    let few_gaps = largest < few_gaps.max(1 << 16);
    check_memory(sources.len() as u64, without_edges.len() as u64, few_gaps.then_some(largest))?;
    let compacted = if few_gaps {
        compact_by_bits(&sources, &targets, without_edges, largest)
    } else {
        compact_by_sort(&sources, &targets, without_edges)
    };
    match compacted.ids.len() as u64 {
        count if count > MAX_VERTICES => Err(Error::TooMany { what: "vertices", count }),
        _ => Ok(compacted),
    }
}

/// Checks the memory: for a copy of the edges, a list of ids, and presence bits for all ids up to
/// the largest.
fn check_memory(edges: u64, without_edges: u64, by_bits_up_to: Option<u64>) -> Result<()> {
    let most_ids = edges.saturating_mul(2).saturating_add(without_edges);
    let (ids, bits) = match by_bits_up_to {
        None => (most_ids, 0),
        Some(largest) => {
            let words = largest / 64 + 1;
            (most_ids.min(largest + 1), bytes_of::<(u64, Block)>(words))
        }
    };
    let bytes = [bytes_of::<u64>(ids), bits, Edges::memory_of(edges, 0)];
    let what = format_args!("numbering the ids of {edges} edges");
    memory::check(what, bytes.into_iter().fold(0, u64::saturating_add))
}

/// The presence bits of 64 ids, and the number of present ids below all of them.
struct Block {
    present: u64,
    before: u32,
}

fn compact_by_bits<I: Id>(
    sources: &[I],
    targets: &[I],
    without_edges: &[u64],
    largest: u64,
) -> Compacted {
    let words: Vec<AtomicU64> = (0..=largest / 64).map(|_| AtomicU64::new(0)).collect();
    let mark = |id: u64| {
        let (word, bit) = (&words[(id / 64) as usize], 1 << (id % 64));
        if word.load(Relaxed) & bit == 0 {
            word.fetch_or(bit, Relaxed);
        }
    };
    sources.par_iter().chain(targets).for_each(|&id| mark(id.into()));
    without_edges.par_iter().for_each(|&id| mark(id));

    let present = |word: &AtomicU64| word.load(Relaxed).count_ones() as usize;
    let mut ids = Vec::with_capacity(words.par_iter().map(present).sum());
    let mut blocks = Vec::with_capacity(words.len());
    for (index, word) in words.into_iter().enumerate() {
        let present = word.into_inner();
        blocks.push(Block { present, before: ids.len() as u32 });
        let mut left = present;
        while left != 0 {
            ids.push(index as u64 * 64 + u64::from(left.trailing_zeros()));
            left &= left - 1;
        }
    }
    let vertex = |&id: &I| {
        let id: u64 = id.into();
        let block = &blocks[(id / 64) as usize];
        block.before + (block.present & ((1 << (id % 64)) - 1)).count_ones()
    };
    Compacted {
        sources: sources.par_iter().map(vertex).collect(),
        targets: targets.par_iter().map(vertex).collect(),
        ids,
    }
}

fn compact_by_sort<I: Id>(sources: &[I], targets: &[I], without_edges: &[u64]) -> Compacted {
    let ends = sources.par_iter().chain(targets).map(|&id| id.into());
    let mut ids: Vec<u64> = ends.chain(without_edges.par_iter().copied()).collect();
    ids.par_sort_unstable();
    ids.dedup();
    ids.shrink_to_fit();
    let vertex = |&id: &I| ids.partition_point(|&other| other < id.into()) as u32;
    Compacted {
        sources: sources.par_iter().map(vertex).collect(),
        targets: targets.par_iter().map(vertex).collect(),
        ids,
    }
}
