//! Compressed rows from entries in any order, in parallel.
//!
//! Entries are first dealt into buckets of neighbouring rows, stably and without atomics, so that
//! each bucket fits in a core's cache. Each is then sorted by column on its own, which shows what
//! every row keeps and so where it starts; in the order of their columns, entries are then written
//! to their rows. The result depends on the order of the entries only, never on the threads.

mod buckets;
mod radix;
mod rows;

use std::{mem::replace, ops::Range};

use bytemuck::Pod;
use rayon::prelude::*;

use self::{
    buckets::{Dealt, Entry, deal},
    radix::Spare,
    rows::{LastColumns, Merge, Place},
};
use crate::{
    Result,
    memory::{self, bytes_of, free},
};

/// Where entries come from: `inputs` numbered inputs, each of which gives any number of entries.
pub(crate) trait Entries<V>: Sync {
    /// How many inputs there are.
    fn inputs(&self) -> usize;
    /// How many entries an input gives at most.
    fn most_per_input(&self) -> u64 {
        1
    }
    /// Calls `push(row, column, value)` for each entry of the inputs in `range`, in order. Every
    /// call for the same range pushes the same entries.
    fn visit(&self, range: Range<usize>, push: impl FnMut(u32, u32, V));
    /// The bytes that [`Entries::free`] gives back.
    fn bytes(&self) -> u64 {
        0
    }
    /// Called when all entries are dealt, to give back what they lie in.
    fn free(self)
    where
        Self: Sized,
    {
    }
}

/// Rows in compressed form; columns ascend within a row.
pub(crate) struct Rows<V> {
    pub offsets: Vec<u64>,
    pub columns: Vec<u32>,
    pub values: Vec<V>,
}

/// The most bytes that are taken while [`assemble`] makes `rows` rows of `entries` entries, the
/// rows and the `freed` bytes that entries give back included.
pub(crate) fn memory_of<V>(rows: u64, entries: u64, freed: u64) -> u64 {
    let dealt = bytes_of::<Entry<V>>(entries);
    // Entries that all have one row are sorted at once, with as much room again; it is free when
    // the rows are made.
    let made = bytes_of::<u32>(entries).saturating_add(bytes_of::<V>(entries));
    let after = bytes_of::<u64>(rows.saturating_add(1)).saturating_add(dealt.max(made));
    let tables = buckets::tables(rows, entries);
    dealt.saturating_add(after.max(freed)).saturating_add(tables)
}

/// Builds the rows. Entries with the same row and column stay beside each other in their given
/// order, or become one by `merge` in that order.
///
/// Fails where there is not enough memory.
pub(crate) fn assemble<V, E>(rows: usize, entries: E, merge: Merge<V>) -> Result<Rows<V>>
where
    V: Pod + Send + Sync,
    E: Entries<V>,
{
    let most = (entries.inputs() as u64).saturating_mul(entries.most_per_input());
    let what = format_args!("making {rows} rows of {most} entries");
    let freed = entries.bytes();
    memory::check(what, memory_of::<V>(rows as u64, most, freed).saturating_sub(freed))?;

    let mut dealt = deal(rows, &entries);
    entries.free();
    let mut offsets = vec![0u64; rows + 1];
    sort_and_count(&mut dealt, &mut offsets[1..], merge);
    let total = starts(&mut offsets[1..]) as usize;
    let mut columns = vec![0u32; total];
    let mut values = bytemuck::zeroed_vec(total);
    write_rows(&dealt, &mut offsets[1..], &mut columns, &mut values, merge);
    free(dealt.entries);
    Ok(Rows { offsets, columns, values })
}

/// Sorts each bucket by column, and counts what each row keeps.
fn sort_and_count<V>(dealt: &mut Dealt<V>, counts: &mut [u64], merge: Merge<V>)
where
    V: Copy + Send + Sync,
{
    let entries = split_at_bounds(&mut dealt.entries, &dealt.bounds);
    let counts = split_at_bounds(counts, &dealt.rows);
    // Handed out one by one, so that a thread keeps its room from bucket to bucket.
    entries.into_iter().zip(counts).zip(&dealt.rows).par_bridge().for_each_init(
        || (Spare::default(), LastColumns::default()),
        |(spare, last), ((entries, counts), &first_row)| {
            spare.sort(entries);
            rows::count(entries, first_row, counts, merge, last);
        },
    );
}

/// Writes the rows of each bucket. The cursors are where rows start, and become where they end.
fn write_rows<V>(
    dealt: &Dealt<V>,
    cursors: &mut [u64],
    columns: &mut [u32],
    values: &mut [V],
    merge: Merge<V>,
) where
    V: Copy + Send + Sync,
{
    let firsts = dealt.rows.iter().map(|&row| cursors.get(row).map(|&start| start as usize));
    let bounds: Vec<usize> = firsts.map(|start| start.unwrap_or(columns.len())).collect();
    let cursors = split_at_bounds(cursors, &dealt.rows);
    let columns = split_at_bounds(columns, &bounds);
    let values = split_at_bounds(values, &bounds);
    let parts = cursors.into_iter().zip(columns).zip(values).enumerate();
    parts.par_bridge().for_each_init(
        LastColumns::default,
        |last, (bucket, ((cursors, columns), values))| {
            let (first_row, start) = (dealt.rows[bucket], bounds[bucket] as u64);
            let entries = &dealt.entries[dealt.bounds[bucket]..dealt.bounds[bucket + 1]];
            Place { cursors, first_row, columns, values, start }.write(entries, merge, last);
        },
    );
}

/// Cuts a slice into the pieces `bounds[i]..bounds[i + 1]`.
fn split_at_bounds<'a, T>(mut slice: &'a mut [T], bounds: &[usize]) -> Vec<&'a mut [T]> {
    let mut pieces = Vec::with_capacity(bounds.len());
    for pair in bounds.windows(2) {
        let (piece, rest) = slice.split_at_mut(pair[1] - pair[0]);
        pieces.push(piece);
        slice = rest;
    }
    pieces
}

/// Turns counts into where each starts; returns their sum.
fn starts(counts: &mut [u64]) -> u64 {
    let chunk = counts.len().div_ceil(rayon::current_num_threads() * 4).max(1 << 14);
    let mut before: Vec<u64> = counts.par_chunks(chunk).map(|part| part.iter().sum()).collect();
    let mut total = 0;
    for sum in &mut before {
        total += replace(sum, total);
    }
    counts.par_chunks_mut(chunk).zip(before).for_each(|(part, mut start)| {
        for count in part {
            start += replace(count, start);
        }
    });
    total
}
