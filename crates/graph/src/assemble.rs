//! Compressed rows from entries in any order, in parallel.
//!
//! Entries are first dealt into buckets of neighbouring rows, stably and without atomics, so
//! that each bucket fits in a core's cache; buckets are then sorted on their own and copied to
//! their final place. The result depends on the order of the entries only, never on the threads.

use std::ops::Range;

use rayon::prelude::*;

/// Where entries come from: `inputs` numbered inputs, each of which gives any number of entries.
pub(crate) trait Entries<V>: Sync {
    /// How many inputs there are.
    fn inputs(&self) -> usize;
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

const ENTRIES_PER_BUCKET: usize = 1 << 15;
const MOST_BUCKETS: usize = 1 << 11;
const INPUTS_PER_CHUNK: usize = 1 << 16;

/// Builds the rows. Entries with the same row and column stay beside each other in their given
/// order, or become one by `merge` in that order.
pub(crate) fn assemble<V, E>(rows: usize, entries: &E, merge: Option<fn(V, V) -> V>) -> Rows<V>
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let shift = bucket_shift(rows, entries.inputs());
    let (mut dealt, bounds) = deal(rows, shift, entries);

    let mut offsets = vec![0u64; rows + 1];
    let rows_per_bucket = 1usize << shift;
    let kept: Vec<usize> = split_at_bounds(&mut dealt, &bounds)
        .into_par_iter()
        .zip(offsets[1..].par_chunks_mut(rows_per_bucket))
        .enumerate()
        .map_init(Vec::new, |copy, (bucket, (bucket_entries, counts))| {
            sort(bucket_entries, bucket * rows_per_bucket, counts.len(), copy);
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
    Rows { offsets, columns, values }
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
    let chunk = INPUTS_PER_CHUNK.max(entries.inputs().div_ceil(rayon::current_num_threads() * 8));
    let chunks: Vec<Range<usize>> = (0..entries.inputs())
        .step_by(chunk)
        .map(|start| start..(start + chunk).min(entries.inputs()))
        .collect();

    let mut cursors: Vec<Vec<usize>> = chunks
        .par_iter()
        .map(|range| {
            let mut counts = vec![0; buckets];
            entries.visit(range.clone(), |row, _, _| counts[(row >> shift) as usize] += 1);
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
            let cursor = &mut cursors[(row >> shift) as usize];
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

/// Sorts the entries of a bucket, whose rows are the `rows` from `first` on, and keeps equal ones
/// in order. Entries are moved to their row by counting, which leaves few to compare. What is in
/// `copy` is overwritten.
fn sort<V: Copy>(entries: &mut [Entry<V>], first: usize, rows: usize, copy: &mut Vec<Entry<V>>) {
    if entries.is_sorted_by_key(|entry| entry.key) {
        return;
    }
    if rows > 2 * entries.len() {
        return sort_by_comparing(entries);
    }
    let row = |entry: &Entry<V>| (entry.key >> 32) as usize - first;
    let mut ends = vec![0usize; rows];
    for entry in entries.iter() {
        ends[row(entry)] += 1;
    }
    let mut before = 0;
    for end in &mut ends {
        before += std::mem::replace(end, before);
    }
    copy.clear();
    copy.extend_from_slice(entries);
    for &entry in copy.iter() {
        let place = &mut ends[row(&entry)];
        entries[*place] = entry;
        *place += 1;
    }
    let mut start = 0;
    for end in ends {
        sort_by_comparing(&mut entries[start..end]);
        start = end;
    }
}

fn sort_by_comparing<V>(entries: &mut [Entry<V>]) {
    match size_of::<V>() {
        0 => entries.sort_unstable_by_key(|entry| entry.key),
        _ => entries.sort_by_key(|entry| entry.key),
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
