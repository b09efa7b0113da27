//! Compressed rows from entries in any order, in parallel.
//!
//! Entries are first dealt into buckets of neighbouring rows, stably and without atomics, so
//! that each bucket fits in a core's cache; buckets are then sorted on their own and copied to
//! their final place. The result depends on the order of the entries only, never on the threads.

use std::ops::Range;

use rayon::prelude::*;

use crate::{
    Result,
    memory::{self, bytes_of},
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
}

/// Rows in compressed form; columns ascend within a row.
pub(crate) struct Rows<V> {
    pub offsets: Vec<u64>,
    pub columns: Vec<u32>,
    pub values: Vec<V>,
}

#[derive(Clone, Copy)]
struct Entry<V> {
    /// The row in the high half, the column in the low half.
    key: u64,
    value: V,
}

const ENTRIES_PER_BUCKET: usize = 1 << 13;
const MOST_BUCKETS: usize = 1 << 11;
const INPUTS_PER_CHUNK: usize = 1 << 16;

/// The most bytes that [`assemble`] takes for `entries` entries in `rows` rows, the rows that it
/// makes included.
pub(crate) fn memory_of<V>(rows: u64, entries: u64) -> u64 {
    let dealt = bytes_of::<Entry<V>>(entries);
    // Entries that all have one row are sorted at once, with as much room again; it is free when
    // the rows are made.
    let made = bytes_of::<u32>(entries).saturating_add(bytes_of::<V>(entries));
    let buckets = (entries / ENTRIES_PER_BUCKET as u64).clamp(1, MOST_BUCKETS as u64);
    let cursors = buckets * bytes_of::<usize>(8 + chunks_per_pass() as u64);
    [bytes_of::<u64>(rows.saturating_add(1)), dealt, dealt.max(made), cursors]
        .into_iter()
        .fold(0, u64::saturating_add)
}

/// Builds the rows. Entries with the same row and column stay beside each other in their given
/// order, or become one by `merge` in that order.
///
/// Fails where there is not enough memory.
pub(crate) fn assemble<V, E>(
    rows: usize,
    entries: &E,
    merge: Option<fn(V, V) -> V>,
) -> Result<Rows<V>>
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let most = (entries.inputs() as u64).saturating_mul(entries.most_per_input());
    let what = format_args!("making {rows} rows of {most} entries");
    memory::check(what, memory_of::<V>(rows as u64, most))?;
    let shift = bucket_shift(rows, entries.inputs());
    let (mut dealt, bounds) = deal(rows, shift, entries);

    let mut offsets = vec![0u64; rows + 1];
    let rows_per_bucket = 1usize << shift;
    let kept: Vec<usize> = split_at_bounds(&mut dealt, &bounds)
        .into_par_iter()
        .zip(offsets[1..].par_chunks_mut(rows_per_bucket))
        .enumerate()
        .map_init(Vec::new, |scratch, (bucket, (bucket_entries, counts))| {
            sort(bucket_entries, scratch);
            let kept =
                merge.map_or(bucket_entries.len(), |merge| merge_equal(bucket_entries, merge));
            for entry in &bucket_entries[..kept] {
                counts[(entry.key >> 32) as usize - bucket * rows_per_bucket] += 1;
            }
            kept
        })
        .collect();

    running_sum(&mut offsets[1..]);
    let total: usize = kept.iter().sum();
    let mut columns = vec![0u32; total];
    let mut values = Vec::with_capacity(total);
    let out_bounds: Vec<usize> = std::iter::once(0)
        .chain(kept.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }))
        .collect();
    split_at_bounds(&mut columns, &out_bounds).into_par_iter().zip(&bounds[..kept.len()]).for_each(
        |(columns, &start)| {
            for (column, entry) in columns.iter_mut().zip(&dealt[start..]) {
                *column = entry.key as u32;
            }
        },
    );
    if size_of::<V>() == 0 {
        values.extend(dealt[..total].iter().map(|entry| entry.value));
    } else if let Some(first) = dealt.first() {
        values.resize(total, first.value);
        split_at_bounds(&mut values, &out_bounds)
            .into_par_iter()
            .zip(&bounds[..kept.len()])
            .for_each(|(values, &start)| {
                for (value, entry) in values.iter_mut().zip(&dealt[start..]) {
                    *value = entry.value;
                }
            });
    }
    Ok(Rows { offsets, columns, values })
}

/// How many chunks the inputs are cut into at most.
fn chunks_per_pass() -> usize {
    rayon::current_num_threads() * 8
}

/// How far to shift a row to get its bucket.
fn bucket_shift(rows: usize, inputs: usize) -> u32 {
    let buckets = (inputs / ENTRIES_PER_BUCKET).clamp(1, MOST_BUCKETS);
    let rows_per_bucket = rows.div_ceil(buckets).max(1);
    rows_per_bucket.next_power_of_two().trailing_zeros()
}

/// Deals all entries into their buckets; bucket `b` is `dealt[bounds[b]..bounds[b + 1]]`.
fn deal<V, E>(rows: usize, shift: u32, entries: &E) -> (Vec<Entry<V>>, Vec<usize>)
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let buckets = rows.div_ceil(1 << shift);
    let chunk = INPUTS_PER_CHUNK.max(entries.inputs().div_ceil(chunks_per_pass()));
    let chunks: Vec<Range<usize>> = (0..entries.inputs())
        .step_by(chunk)
        .map(|start| start..(start + chunk).min(entries.inputs()))
        .collect();

    let mut cursors: Vec<Vec<usize>> = chunks
        .par_iter()
        .map(|range| {
            let mut counts = vec![0; buckets];
            entries.visit(range.clone(), |row, _, _| counts[row as usize >> shift] += 1);
            counts
        })
        .collect();
    let mut bounds = Vec::with_capacity(buckets + 1);
    let mut total = 0;
    for bucket in 0..buckets {
        bounds.push(total);
        for counts in &mut cursors {
            let count = counts[bucket];
            counts[bucket] = total;
            total += count;
        }
    }
    bounds.push(total);

    let mut dealt: Vec<Entry<V>> = Vec::with_capacity(total);
    let slots = Slots(dealt.as_mut_ptr());
    chunks.par_iter().zip(cursors).for_each(|(range, mut cursors)| {
        entries.visit(range.clone(), |row, column, value| {
            let cursor = &mut cursors[row as usize >> shift];
            let key = u64::from(row) << 32 | u64::from(column);
            // SAFETY: each chunk's cursor runs over the places counted for it in the first pass,
            // which are disjoint from all others' and below `total`: `Entries` asks that `visit`
            // push the same entries both times.
            unsafe { slots.at(*cursor).write(Entry { key, value }) };
            *cursor += 1;
        });
    });
    // SAFETY: the places below `total` were all written above.
    unsafe { dealt.set_len(total) };
    (dealt, bounds)
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

/// So few are sorted by comparisons, which is faster than counting digits.
const FEW_ENTRIES: usize = 1 << 11;
const DIGIT_BITS: u32 = 11;
/// Where the digits of a key start: three for the column, three for the row.
const DIGITS: [u32; 6] = [0, DIGIT_BITS, 2 * DIGIT_BITS, 32, 32 + DIGIT_BITS, 32 + 2 * DIGIT_BITS];

/// Sorts by key, stably: by one digit after the other, the lowest first, skipping those that are
/// the same in all keys.
fn sort<V: Copy>(entries: &mut [Entry<V>], scratch: &mut Vec<Entry<V>>) {
    let Some(&first) = entries.first() else { return };
    if entries.is_sorted_by_key(|entry| entry.key) {
        return;
    }
    if entries.len() < FEW_ENTRIES {
        return entries.sort_by_key(|entry| entry.key);
    }
    if scratch.capacity() < entries.len() {
        // Given back before more is taken.
        *scratch = Vec::new();
        scratch.reserve_exact(entries.len());
    }
    scratch.clear();
    scratch.resize(entries.len(), first);
    let differing = entries.iter().fold(0, |bits, entry| bits | (entry.key ^ first.key));
    let (mut from, mut to) = (&mut *entries, &mut scratch[..]);
    let mut swapped = false;
    for shift in DIGITS {
        if digit(differing, shift) != 0 {
            deal_by_digit(from, to, shift);
            (from, to) = (to, from);
            swapped = !swapped;
        }
    }
    if swapped {
        to.copy_from_slice(from);
    }
}

/// The digit of a key that starts at bit `shift`; a column's last must not reach into the row.
fn digit(key: u64, shift: u32) -> usize {
    let half = (key >> (shift & 32)) as u32;
    (half >> (shift & 31)) as usize & ((1 << DIGIT_BITS) - 1)
}

/// Copies entries to where they belong by one digit.
fn deal_by_digit<V: Copy>(from: &[Entry<V>], to: &mut [Entry<V>], shift: u32) {
    let mut places = [0usize; 1 << DIGIT_BITS];
    for entry in from {
        places[digit(entry.key, shift)] += 1;
    }
    let mut total = 0;
    for place in &mut places {
        total += std::mem::replace(place, total);
    }
    for entry in from {
        let place = &mut places[digit(entry.key, shift)];
        to[*place] = *entry;
        *place += 1;
    }
}

/// Merges neighbours with equal keys to the front; returns how many are left.
fn merge_equal<V: Copy>(entries: &mut [Entry<V>], merge: fn(V, V) -> V) -> usize {
    if entries.is_empty() {
        return 0;
    }
    let mut last = 0;
    for next in 1..entries.len() {
        if entries[next].key == entries[last].key {
            entries[last].value = merge(entries[last].value, entries[next].value);
        } else {
            last += 1;
            entries[last] = entries[next];
        }
    }
    last + 1
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

/// Turns counts into running sums, each including its own.
pub(crate) fn running_sum(counts: &mut [u64]) {
    let chunk = counts.len().div_ceil(rayon::current_num_threads() * 4).max(1 << 14);
    let mut before: Vec<u64> = counts.par_chunks(chunk).map(|part| part.iter().sum()).collect();
    let mut total = 0;
    for sum in &mut before {
        total += std::mem::replace(sum, total);
    }
    counts.par_chunks_mut(chunk).zip(before).for_each(|(part, mut sum)| {
        for count in part {
            sum += *count;
            *count = sum;
        }
    });
}
