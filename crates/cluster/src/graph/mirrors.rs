//! Mirrors: the targets of a rank's edges that other ranks own.

use std::ops::Range;

use equipoise_graph::{
    MAX_VERTICES,
    memory::{self, bytes_of},
};
use rayon::prelude::*;

use crate::{Comm, Error, Partition, Result};

/// The targets that are not owned, ascending and distinct.
pub(super) fn mirrors_among(rank: usize, owned: &Range<u64>, targets: &[u64]) -> Result<Vec<u64>> {
    let remote = || targets.iter().filter(|target| !owned.contains(target));
    let count = remote().count() as u64;
    memory::check(format_args!("{count} edges to other ranks"), bytes_of::<u64>(count))?;
    let mut mirrors = Vec::with_capacity(count as usize);
    mirrors.extend(remote());
    mirrors.par_sort_unstable();
    mirrors.dedup();
    mirrors.shrink_to_fit();
    let owned = owned.end - owned.start;
    if owned.saturating_add(mirrors.len() as u64) <= MAX_VERTICES {
        Ok(mirrors)
    } else {
        Err(Error::TooManyOnRank { rank, owned, mirrors: mirrors.len() as u64 })
    }
}

/// Finds mirrors by their global ids, with a table of the first mirror of each range of ids.
#[derive(Debug)]
pub(super) struct MirrorIndex {
    shift: u32,
    starts: Vec<u32>,
}

impl MirrorIndex {
    /// A table with about one range per mirror. Mirrors ascend and are below `vertices`.
    pub fn new(mirrors: &[u64], vertices: u64) -> Self {
        let width = (vertices / (mirrors.len() as u64 + 1)).max(1).next_power_of_two();
        let shift = width.trailing_zeros();
        let mut starts = vec![0; (vertices >> shift) as usize + 2];
        mirrors.iter().for_each(|mirror| starts[(mirror >> shift) as usize + 1] += 1);
        let mut total = 0;
        for start in &mut starts {
            total += *start;
            *start = total;
        }
        Self { shift, starts }
    }

    /// The index of the mirror with this global id.
    #[inline]
    pub fn find(&self, mirrors: &[u64], global: u64) -> Option<u32> {
        let part = (global >> self.shift) as usize;
        let (&start, &end) = (self.starts.get(part)?, self.starts.get(part + 1)?);
        let found = mirrors[start as usize..end as usize].binary_search(&global).ok()?;
        Some(start + found as u32)
    }
}

/// The lists of mirrors that pairs of ranks share, in the same order on both sides.
#[derive(Debug)]
pub(super) struct Lists {
    /// The local numbers of mirrors, by their owner.
    pub mirrors_of: Vec<Range<u32>>,
    /// The local numbers of owned vertices, by the rank with mirrors of them.
    pub mirrored_by: Vec<Vec<u32>>,
}

impl Lists {
    /// Sends each rank the list of its vertices with mirrors on this rank.
    pub fn agree_upon(comm: &dyn Comm, partition: &Partition, mirrors: &[u64]) -> Self {
        let owned = partition.range(comm.rank());
        let first = (owned.end - owned.start) as u32;
        let ranges: Vec<Range<usize>> = (0..comm.size())
            .map(|rank| {
                let Range { start, end } = partition.range(rank);
                let index = |vertex| mirrors.partition_point(|&mirror| mirror < vertex);
                index(start)..index(end)
            })
            .collect();
        let outgoing = ranges.iter().enumerate().map(|(rank, range)| {
            let start = partition.range(rank).start;
            let local = |&mirror: &u64| ((mirror - start) as u32).to_ne_bytes();
            mirrors[range.clone()].iter().flat_map(local).collect()
        });
        let incoming = comm.all_to_all(&outgoing.collect::<Vec<Vec<u8>>>());
        let local = |range: Range<usize>| first + range.start as u32..first + range.end as u32;
        Self {
            mirrors_of: ranges.into_iter().map(local).collect(),
            mirrored_by: incoming.iter().map(|list| bytemuck::pod_collect_to_vec(list)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirrors_are_found_wherever_they_are() {
        for vertices in [1, 2, 63, 64, 1000, 1 << 40] {
            let mirrors: Vec<u64> = (0..20).map(|part| part * vertices / 20).collect();
            let mut mirrors: Vec<u64> = mirrors.into_iter().chain([vertices - 1]).collect();
            mirrors.dedup();
            let index = MirrorIndex::new(&mirrors, vertices);
            for (number, &mirror) in (0..).zip(&mirrors) {
                assert_eq!(index.find(&mirrors, mirror), Some(number));
                assert_eq!(
                    index.find(&mirrors, mirror + 1).is_some(),
                    mirrors.contains(&(mirror + 1))
                );
            }
        }
        assert_eq!(MirrorIndex::new(&[], 0).find(&[], 0), None);
    }

    #[test]
    fn mirrors_are_the_targets_that_others_own() {
        let mirrors = mirrors_among(0, &(10..20), &[25, 3, 12, 25, 9, 20, 19]);
        assert_eq!(mirrors.unwrap(), [3, 9, 20, 25]);
    }
}
