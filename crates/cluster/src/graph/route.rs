//! Sends edges to the owners of their sources.

use std::ops::Range;

use bytemuck::{Pod, pod_read_unaligned};
use equipoise_graph::memory::{self, bytes_of};

use crate::{Comm, Partition, Reduction, Result, agree};

/// The number of inputs per exchange: their messages need little memory compared with the edges.
const INPUTS_AT_ONCE: usize = 1 << 20;

/// Numbered inputs, each of which gives up to two entries.
pub(super) trait Entries {
    /// The number of inputs.
    fn inputs(&self) -> usize;

    /// Calls `push(row, column, input)` for each entry of the inputs in `range`, in order.
    fn visit(&self, range: Range<usize>, push: impl FnMut(u64, u64, usize));
}

/// The entries of a rank's rows, in the order of the sending ranks and of their inputs.
pub(super) struct Routed<W> {
    /// The local row of each.
    pub sources: Vec<u32>,
    /// Its global column.
    pub targets: Vec<u64>,
    /// The weight of its input.
    pub weights: Vec<W>,
}

/// Sends each entry to the owner of its row, with the weight of its input.
pub(super) fn route<W: Pod>(
    comm: &dyn Comm,
    partition: &Partition,
    entries: &impl Entries,
    weights: &[W],
) -> Result<Routed<W>> {
    route_in_batches(comm, partition, entries, weights, INPUTS_AT_ONCE)
}

fn route_in_batches<W: Pod>(
    comm: &dyn Comm,
    partition: &Partition,
    entries: &impl Entries,
    weights: &[W],
    at_once: usize,
) -> Result<Routed<W>> {
    let mut next = agree(comm, starts(comm, partition, entries, size_of::<W>()))?;
    let total = next.last().copied().unwrap_or(0);
    next.pop();
    let mut routed = Routed {
        sources: vec![0; total],
        targets: vec![0; total],
        weights: vec![W::zeroed(); total],
    };
    let mut batches = [entries.inputs().div_ceil(at_once) as u64];
    comm.all_reduce(&mut batches, Reduction::Max);
    for batch in 0..batches[0] as usize {
        let start = (batch * at_once).min(entries.inputs());
        let end = (start + at_once).min(entries.inputs());
        let incoming = comm.all_to_all(&written(partition, entries, start..end, weights));
        for (message, index) in incoming.iter().zip(&mut next) {
            routed.read(message, index);
        }
    }
    Ok(routed)
}

/// The starts of the entries from each rank, and the end of the last.
fn starts(
    comm: &dyn Comm,
    partition: &Partition,
    entries: &impl Entries,
    weight: usize,
) -> Result<Vec<usize>> {
    let mut counts = vec![0u64; comm.size()];
    entries.visit(0..entries.inputs(), |row, _, _| counts[partition.owner(row)] += 1);
    let counts: Vec<Vec<u8>> =
        counts.iter().map(|count| bytemuck::bytes_of(count).to_vec()).collect();
    let mut indices = vec![0];
    let mut total = 0;
    for count in comm.all_to_all(&counts) {
        total += pod_read_unaligned::<u64>(&count);
        indices.push(total as usize);
    }
    let each = size_of::<u32>() + size_of::<u64>() + weight;
    memory::check(
        format_args!("{total} edges"),
        bytes_of::<u8>(total.saturating_mul(each as u64)),
    )?;
    Ok(indices)
}

/// The messages to each rank for the inputs in `range`.
fn written<W: Pod>(
    partition: &Partition,
    entries: &impl Entries,
    range: Range<usize>,
    weights: &[W],
) -> Vec<Vec<u8>> {
    let mut outgoing = vec![Vec::new(); partition.ranks()];
    entries.visit(range, |row, column, input| {
        let owner = partition.owner(row);
        let local = (row - partition.starts[owner]) as u32;
        let message: &mut Vec<u8> = &mut outgoing[owner];
        message.extend_from_slice(bytemuck::bytes_of(&local));
        message.extend_from_slice(bytemuck::bytes_of(&column));
        message.extend_from_slice(bytemuck::bytes_of(&weights[input]));
    });
    outgoing
}

impl<W: Pod> Routed<W> {
    /// Reads a message of [`written`] into the entries from `index` on.
    fn read(&mut self, message: &[u8], index: &mut usize) {
        let (row, column) = (size_of::<u32>(), size_of::<u32>() + size_of::<u64>());
        for entry in message.chunks_exact(column + size_of::<W>()) {
            self.sources[*index] = pod_read_unaligned(&entry[..row]);
            self.targets[*index] = pod_read_unaligned(&entry[row..column]);
            self.weights[*index] = pod_read_unaligned(&entry[column..]);
            *index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_threads;

    /// Entries at rows that follow each other, to columns that say which rank and input they are of.
    struct Numbered(usize);

    impl Entries for Numbered {
        fn inputs(&self) -> usize {
            17 * self.0
        }

        fn visit(&self, range: Range<usize>, mut push: impl FnMut(u64, u64, usize)) {
            range.for_each(|input| push(input as u64 % 10, (self.0 * 1000 + input) as u64, input));
        }
    }

    #[test]
    fn batches_leave_the_order_as_it_is() {
        let partition = Partition { starts: vec![0, 3, 7, 10] };
        for at_once in [1, 5, 1000] {
            let parts = run_threads(3, 16, |comm| {
                let entries = Numbered(comm.rank());
                let weights: Vec<u32> = (0..entries.inputs() as u32).collect();
                let routed = route_in_batches(comm, &partition, &entries, &weights, at_once);
                let Routed { sources, targets, weights } = routed.unwrap();
                let start = partition.starts[comm.rank()];
                let rows = sources.iter().map(|&row| start + u64::from(row));
                assert!(rows.eq(targets.iter().map(|target| target % 1000 % 10)));
                assert!(
                    weights
                        .iter()
                        .zip(&targets)
                        .all(|(&weight, &target)| target % 1000 == u64::from(weight))
                );
                assert!(targets.is_sorted());
                targets.len()
            });
            assert_eq!(parts.iter().sum::<usize>(), 17 + 34);
        }
    }
}
