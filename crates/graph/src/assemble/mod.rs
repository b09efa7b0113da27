//! Parallel assembly of compressed rows from entries in any order.
//!
//! Entries are first distributed, stably and without atomics, into buckets of neighbouring rows
//! that fit in a core's cache. Each bucket is sorted by column, which yields the length and so the
//! start of every row; entries are then written to their rows in column order. The result depends
//! on the order of the entries only, not on the threads.

mod buckets;
mod entries;
mod radix;
mod rows;

use std::mem::replace;

use bytemuck::Pod;
use rayon::iter::{ParallelBridge as _, ParallelIterator as _};

pub(crate) use entries::{Entries, OneEach, Shape};

use self::{
    buckets::{Dealt, Entry, deal},
    radix::Spare,
    rows::{BucketOutput, LastColumns, Merge},
};
use crate::{
    Result,
    memory::{self, bytes_of, free},
    parallel::*,
};

/// Rows in compressed form, with ascending columns in each row.
pub(crate) struct Rows<V> {
    pub offsets: Vec<u64>,
    pub columns: Vec<u32>,
    pub values: Vec<V>,
}

/// The peak number of bytes while [`assemble`] creates `rows` rows of `entries` entries, including
/// the rows and the `freed` bytes released by the entries.
pub(crate) fn memory_of<V>(rows: u64, entries: u64, freed: u64) -> u64 {
    let dealt = bytes_of::<Entry<V>>(entries);
    // Entries of a single row are sorted at once, with a buffer of the same size, which is released
    // before the rows are created.
    let rows_bytes = bytes_of::<u32>(entries).saturating_add(bytes_of::<V>(entries));
    let after = bytes_of::<u64>(rows.saturating_add(1)).saturating_add(dealt.max(rows_bytes));
    let tables = buckets::tables(rows, entries);
    dealt.saturating_add(after.max(freed)).saturating_add(tables)
}

/// Builds the rows. Entries with the same row and column stay in input order, or are merged by
/// `merge` in that order.
///
/// Fails if memory is insufficient, an entry lies outside of the shape, or entries change between
/// two visits.
pub(crate) fn assemble<V, E>(shape: Shape, entries: E, merge: Merge<V>) -> Result<Rows<V>>
where
    V: Pod + Send + Sync,
    E: Entries<V>,
{
    let rows = shape.rows;
    let most = (entries.inputs() as u64).saturating_mul(entries.most_per_input());
    let what = format_args!("making {rows} rows of {most} entries");
    let freed = entries.bytes();
    memory::check(what, memory_of::<V>(rows as u64, most, freed).saturating_sub(freed))?;

    let mut dealt = deal(shape, &entries)?;
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

/// Sorts each bucket by column and counts the entries that each row keeps.
fn sort_and_count<V>(dealt: &mut Dealt<V>, counts: &mut [u64], merge: Merge<V>)
where
    V: Copy + Send + Sync,
{
    let entries = split_at_bounds(&mut dealt.entries, &dealt.bounds);
    let counts = split_at_bounds(counts, &dealt.rows);
    // One bucket at a time, so that a thread reuses its buffers for the next.
    entries.into_iter().zip(counts).zip(&dealt.rows).par_bridge().for_each_init(
        || (Spare::default(), LastColumns::default()),
        |(spare, last), ((entries, counts), &first_row)| {
            spare.sort(entries);
            rows::count(entries, first_row, counts, merge, last);
        },
    );
}

/// Writes the rows of each bucket. On entry, cursors are the starts of rows; on return, their ends.
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
            BucketOutput { cursors, first_row, columns, values, start }.write(entries, merge, last);
        },
    );
}

/// Splits a slice into the pieces `bounds[i]..bounds[i + 1]`.
fn split_at_bounds<'a, T>(mut slice: &'a mut [T], bounds: &[usize]) -> Vec<&'a mut [T]> {
    let mut pieces = Vec::with_capacity(bounds.len());
    for pair in bounds.windows(2) {
        let (piece, rest) = slice.split_at_mut(pair[1] - pair[0]);
        pieces.push(piece);
        slice = rest;
    }
    pieces
}

/// Replaces counts by their exclusive prefix sums; returns the total.
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
