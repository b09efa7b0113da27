//! Deals entries into buckets of neighbouring rows, each with about as many entries as the others.
//!
//! Rows are counted in strips of equal height, finer than buckets: a bucket takes as many
//! neighbouring strips as fill it, so that a graph whose edges are mostly at a few vertices has no
//! bucket that one thread works on while the others wait.

use std::ops::Range;

use rayon::prelude::*;

use super::Entries;
use crate::memory::bytes_of;

#[derive(Clone, Copy)]
pub(super) struct Entry<V> {
    pub row: u32,
    pub column: u32,
    pub value: V,
}

/// Entries by bucket: in each they are in the order they were given.
pub(super) struct Dealt<V> {
    pub entries: Vec<Entry<V>>,
    /// Bucket `b` is `entries[bounds[b]..bounds[b + 1]]`.
    pub bounds: Vec<usize>,
    /// Its rows are `rows[b]..rows[b + 1]`.
    pub rows: Vec<usize>,
}

/// Enough for a thread to be worth starting, few enough for its nearest caches.
const LEAST_PER_BUCKET: u64 = 1 << 13;
/// How many places a core can write to in turn without losing them from its caches.
const MOST_BUCKETS: u64 = 1 << 11;
const STRIPS_PER_BUCKET: usize = 16;
/// The most rows of a bucket, so that tables of its rows are small.
const MOST_ROWS: usize = 1 << 17;
/// The most inputs of a chunk, too: 32 bits count the entries of so many.
const INPUTS_PER_CHUNK: Range<usize> = 1 << 16..1 << 28;

/// How many entries a bucket shall have, of so many in all.
fn entries_per_bucket(entries: u64) -> u64 {
    entries.div_ceil(MOST_BUCKETS).max(LEAST_PER_BUCKET)
}

/// The most bytes that tables of buckets take.
pub(super) fn tables(rows: u64, entries: u64) -> u64 {
    // Two buckets beside each other have more entries or rows than one shall.
    let filled = entries.div_ceil(entries_per_bucket(entries));
    let buckets = 2 * (filled + rows.div_ceil(MOST_ROWS as u64)) + 1;
    bytes_of::<usize>(buckets.saturating_mul(16 + chunks_of(entries as usize) as u64))
}

/// How many chunks so many inputs are cut into.
fn chunks_of(inputs: usize) -> usize {
    let Range { start: least, end: most } = INPUTS_PER_CHUNK;
    (rayon::current_num_threads() * 8).clamp(inputs.div_ceil(most), inputs.div_ceil(least).max(1))
}

/// Deals all entries.
pub(super) fn deal<V, E>(rows: usize, entries: &E) -> Dealt<V>
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let most = (entries.inputs() as u64).saturating_mul(entries.most_per_input());
    let target = entries_per_bucket(most);
    let strips = most.div_ceil(target).max(1) as usize * STRIPS_PER_BUCKET;
    let rows_per_strip = rows.div_ceil(strips).min(MOST_ROWS).next_power_of_two();
    let shift = rows_per_strip.trailing_zeros();
    let chunks = chunks(entries.inputs());
    let counts: Vec<Vec<u32>> = chunks
        .par_iter()
        .with_max_len(1)
        .map(|range| {
            let mut counts = vec![0; rows.div_ceil(1 << shift)];
            entries.visit(range.clone(), |row, _, _| counts[row as usize >> shift] += 1);
            counts
        })
        .collect();
    let plan = Plan::new(rows, shift, &counts, target);
    let cursors = counts.par_iter().map(|counts| plan.count(counts)).collect();
    drop(counts);
    let (cursors, bounds) = places(cursors, plan.buckets());
    let entries = write(entries, &chunks, &plan, cursors, bounds[plan.buckets()]);
    Dealt { entries, bounds, rows: plan.rows }
}

fn chunks(inputs: usize) -> Vec<Range<usize>> {
    let chunk = inputs.div_ceil(chunks_of(inputs)).max(1);
    (0..inputs).step_by(chunk).map(|start| start..(start + chunk).min(inputs)).collect()
}

/// Which rows make a bucket.
struct Plan {
    /// How far to shift a row to get its strip.
    shift: u32,
    /// The bucket of each strip. 16 bits are enough: 2¹⁵ buckets can be full of rows, and twice
    /// `MOST_BUCKETS` of entries.
    bucket_of: Vec<u16>,
    /// As in [`Dealt`].
    rows: Vec<usize>,
}

impl Plan {
    /// Buckets of at most `target` entries each, but for those that are one strip.
    fn new(rows: usize, shift: u32, counts: &[Vec<u32>], target: u64) -> Self {
        let mut totals = vec![0u64; rows.div_ceil(1 << shift)];
        for counts in counts {
            totals.iter_mut().zip(counts).for_each(|(total, &count)| *total += u64::from(count));
        }
        let mut plan = Self { shift, bucket_of: Vec::with_capacity(totals.len()), rows: vec![0] };
        let (mut filled, mut first) = (0, 0);
        for (strip, total) in totals.into_iter().enumerate() {
            let full = filled > 0 && filled + total > target;
            if full || (strip + 1 - first) << shift > MOST_ROWS {
                plan.rows.push(strip << shift);
                (filled, first) = (0, strip);
            }
            filled += total;
            plan.bucket_of.push(plan.buckets() as u16);
        }
        if rows > 0 {
            plan.rows.push(rows);
        }
        plan
    }

    /// How many buckets there are; of an unfinished plan, those that are finished.
    fn buckets(&self) -> usize {
        self.rows.len() - 1
    }

    #[inline]
    fn bucket(&self, row: u32) -> usize {
        self.bucket_of[row as usize >> self.shift].into()
    }

    /// The entries of each bucket, from those of each strip.
    fn count(&self, of_strips: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; self.buckets()];
        for (&bucket, &count) in self.bucket_of.iter().zip(of_strips) {
            counts[usize::from(bucket)] += count as usize;
        }
        counts
    }
}

/// Turns each chunk's counts into the places where its entries start, and bounds the buckets.
fn places(mut counts: Vec<Vec<usize>>, buckets: usize) -> (Vec<Vec<usize>>, Vec<usize>) {
    let mut bounds = Vec::with_capacity(buckets + 1);
    let mut total = 0;
    for bucket in 0..buckets {
        bounds.push(total);
        for counts in &mut counts {
            total += std::mem::replace(&mut counts[bucket], total);
        }
    }
    bounds.push(total);
    (counts, bounds)
}

/// Writes the entries of each chunk to its places, `total` in all.
fn write<V, E>(
    entries: &E,
    chunks: &[Range<usize>],
    plan: &Plan,
    cursors: Vec<Vec<usize>>,
    total: usize,
) -> Vec<Entry<V>>
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let mut dealt: Vec<Entry<V>> = Vec::with_capacity(total);
    let slots = Slots(dealt.as_mut_ptr());
    chunks.par_iter().zip(cursors).with_max_len(1).for_each(|(range, mut cursors)| {
        entries.visit(range.clone(), |row, column, value| {
            let cursor = &mut cursors[plan.bucket(row)];
            // SAFETY: each chunk's cursor runs over the places counted for it in the first pass,
            // which are disjoint from all others' and below `total`: `Entries` asks that `visit`
            // push the same entries both times.
            unsafe { slots.at(*cursor).write(Entry { row, column, value }) };
            *cursor += 1;
        });
    });
    // SAFETY: the places below `total` were all written above.
    unsafe { dealt.set_len(total) };
    dealt
}

/// A pointer that several threads write through, each to places of its own.
struct Slots<T>(*mut T);
// SAFETY: users of `at` write to disjoint places.
unsafe impl<T: Send> Sync for Slots<T> {}

impl<T> Slots<T> {
    fn at(&self, index: usize) -> *mut T {
        self.0.wrapping_add(index)
    }
}
