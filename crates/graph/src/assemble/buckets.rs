//! Distributes entries into buckets of neighbouring rows of about equal numbers of entries.
//!
//! Rows are counted in strips of equal height, finer than buckets: a bucket takes neighbouring
//! strips until it is full. So a graph with most edges at a few vertices has no bucket that keeps
//! one thread busy while the others wait.

use std::{mem::MaybeUninit, ops::Range, slice::IterMut};

use super::entries::{Entries, Shape};
use crate::{Error, Result, memory::bytes_of, parallel::*};

#[derive(Clone, Copy)]
pub(super) struct Entry<V> {
    pub row: u32,
    pub column: u32,
    pub value: V,
}

/// Entries by bucket; each bucket keeps the input order.
pub(super) struct Dealt<V> {
    pub entries: Vec<Entry<V>>,
    /// Bucket `b` is `entries[bounds[b]..bounds[b + 1]]`.
    pub bounds: Vec<usize>,
    /// Bucket `b` has rows `rows[b]..rows[b + 1]`.
    pub rows: Vec<usize>,
}

/// Enough entries to be worth a task, few enough for a core's nearest caches.
const LEAST_PER_BUCKET: u64 = 1 << 13;
/// The number of positions that a core can write to in turn without cache misses.
const MOST_BUCKETS: u64 = 1 << 11;
const STRIPS_PER_BUCKET: usize = 16;
/// The maximum number of rows per bucket, so that per-row tables stay small.
const MOST_ROWS: usize = 1 << 17;
/// Bounds of the inputs per chunk; the upper one lets 32 bits count a chunk's entries.
const INPUTS_PER_CHUNK: Range<usize> = 1 << 16..1 << 28;

/// The target number of entries per bucket, for `entries` in total.
fn entries_per_bucket(entries: u64) -> u64 {
    entries.div_ceil(MOST_BUCKETS).max(LEAST_PER_BUCKET)
}

/// The maximum number of bytes that the bucket tables take.
pub(super) fn tables(rows: u64, entries: u64) -> u64 {
    // Two neighbouring buckets together exceed the target of entries or rows of one.
    let filled = entries.div_ceil(entries_per_bucket(entries));
    let buckets = 2 * (filled + rows.div_ceil(MOST_ROWS as u64)) + 1;
    let chunks = chunk_count(entries as usize) as u64;
    bytes_of::<usize>(buckets.saturating_mul(16 + 3 * chunks))
}

/// The number of chunks that `inputs` inputs are cut into.
fn chunk_count(inputs: usize) -> usize {
    let Range { start: least, end: most } = INPUTS_PER_CHUNK;
    (rayon::current_num_threads() * 8).clamp(inputs.div_ceil(most), inputs.div_ceil(least).max(1))
}

/// Distributes all entries into buckets.
///
/// Fails if an entry lies outside of the shape, or a second visit of a range yields other entries
/// than the first: the entries may lie in a file or an array that another program or thread
/// modifies.
pub(super) fn deal<V, E>(shape: Shape, entries: &E) -> Result<Dealt<V>>
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let rows = shape.rows;
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
            entries.visit(range.clone(), |row, _, _| {
                // Rows out of range are detected by the pass that writes.
                if let Some(count) = counts.get_mut(row as usize >> shift) {
                    *count += 1;
                }
            });
            counts
        })
        .collect();
    let plan = Plan::new(rows, shift, &counts, target);
    let counts: Vec<Vec<usize>> = counts.par_iter().map(|counts| plan.count(counts)).collect();
    let bounds = plan.bounds(&counts);
    let entries = write(entries, &chunks, shape, &plan, &counts)?;
    Ok(Dealt { entries, bounds, rows: plan.rows })
}

fn chunks(inputs: usize) -> Vec<Range<usize>> {
    let chunk = inputs.div_ceil(chunk_count(inputs)).max(1);
    (0..inputs).step_by(chunk).map(|start| start..(start + chunk).min(inputs)).collect()
}

/// The rows of each bucket.
struct Plan {
    /// The shift from a row to its strip.
    shift: u32,
    /// The bucket of each strip. 16 bits suffice: at most 2¹⁵ buckets are full of rows and at most
    /// twice `MOST_BUCKETS` are full of entries.
    bucket_of: Vec<u16>,
    rows: Vec<usize>,
}

impl Plan {
    /// Plans buckets of at most `target` entries each, except buckets of a single strip.
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

    /// The number of buckets; of an unfinished plan, the number of finished ones.
    fn buckets(&self) -> usize {
        self.rows.len() - 1
    }

    #[inline]
    fn bucket(&self, row: u32) -> usize {
        self.bucket_of[row as usize >> self.shift].into()
    }

    /// The bounds of the buckets, from the number of entries per bucket and chunk.
    fn bounds(&self, counts: &[Vec<usize>]) -> Vec<usize> {
        let mut bounds = Vec::with_capacity(self.buckets() + 1);
        let mut total = 0;
        bounds.push(total);
        for bucket in 0..self.buckets() {
            total += counts.iter().map(|counts| counts[bucket]).sum::<usize>();
            bounds.push(total);
        }
        bounds
    }

    /// The number of entries per bucket, from the number per strip.
    fn count(&self, strip_counts: &[u32]) -> Vec<usize> {
        let mut counts = vec![0; self.buckets()];
        for (&bucket, &count) in self.bucket_of.iter().zip(strip_counts) {
            counts[usize::from(bucket)] += count as usize;
        }
        counts
    }
}

/// The output slots of a chunk's entries of one bucket.
type Slots<'a, V> = IterMut<'a, MaybeUninit<Entry<V>>>;

/// Cuts the buffer into slots per chunk and bucket; within a bucket, chunks are in order.
fn slots<'a, V>(
    mut room: &'a mut [MaybeUninit<Entry<V>>],
    counts: &[Vec<usize>],
    buckets: usize,
) -> Vec<Vec<Slots<'a, V>>> {
    let mut slots: Vec<_> = counts.iter().map(|_| Vec::with_capacity(buckets)).collect();
    for bucket in 0..buckets {
        for (slots, counts) in slots.iter_mut().zip(counts) {
            let (own, rest) = std::mem::take(&mut room).split_at_mut(counts[bucket]);
            slots.push(own.iter_mut());
            room = rest;
        }
    }
    slots
}

/// Writes the entries of each chunk to its slots.
fn write<V, E>(
    entries: &E,
    chunks: &[Range<usize>],
    shape: Shape,
    plan: &Plan,
    counts: &[Vec<usize>],
) -> Result<Vec<Entry<V>>>
where
    V: Copy + Send + Sync,
    E: Entries<V>,
{
    let total = counts.iter().flatten().sum();
    let mut dealt: Vec<Entry<V>> = Vec::with_capacity(total);
    let slots = slots(&mut dealt.spare_capacity_mut()[..total], counts, plan.buckets());
    let is_as_counted = |(range, mut slots): (&Range<usize>, Vec<Slots<'_, V>>)| {
        let mut fits = true;
        entries.visit(range.clone(), |row, column, value| {
            let slot =
                if shape.contains(row, column) { slots[plan.bucket(row)].next() } else { None };
            match slot {
                Some(slot) => _ = slot.write(Entry { row, column, value }),
                None => fits = false,
            }
        });
        fits && slots.iter().all(|left| left.len() == 0)
    };
    if !chunks.par_iter().zip(slots).with_max_len(1).map(is_as_counted).all(|fits| fits) {
        return Err(Error::changed());
    }
    // SAFETY: every position below `total` was written: each belongs to one chunk and bucket, whose
    // iterators are all exhausted.
    unsafe { dealt.set_len(total) };
    Ok(dealt)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;

    type Listed = (u32, u32, u8);

    /// Entries of one input that differ between the first and the second visit.
    struct Changing([Vec<Listed>; 2], AtomicU32);

    impl Entries<u8> for Changing {
        fn inputs(&self) -> usize {
            1
        }

        fn most_per_input(&self) -> u64 {
            9
        }

        fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, u8)) {
            assert_eq!(range, 0..1);
            let visit = self.1.fetch_add(1, Relaxed) as usize;
            self.0[visit].iter().for_each(|&(row, column, value)| push(row, column, value));
        }
    }

    const ROWS: u32 = 1 << 18;

    fn dealt(first: &[Listed], again: &[Listed]) -> Result<Vec<Listed>> {
        let entries = Changing([first.to_vec(), again.to_vec()], AtomicU32::new(0));
        let shape = Shape { rows: ROWS as usize, columns: 5 };
        let listed = |entry: &Entry<u8>| (entry.row, entry.column, entry.value);
        Ok(deal(shape, &entries)?.entries.iter().map(listed).collect())
    }

    #[test]
    fn entries_that_are_others_the_second_time_are_refused() {
        let last = ROWS - 1;
        let first = [(0, 1, 7), (last, 2, 8), (last, 4, 9)];
        assert_eq!(dealt(&first, &first).unwrap(), first);
        let others: [&[Listed]; 7] = [
            &[],
            &first[..2],
            &[(0, 1, 7), (last, 2, 8), (last, 4, 9), (last, 4, 9)],
            // The same number of entries, in other buckets.
            &[(0, 1, 7), (0, 2, 8), (last, 4, 9)],
            &[(0, 1, 7), (last, 2, 8), (ROWS, 4, 9)],
            &[(0, 1, 7), (last, 2, 8), (u32::MAX, 4, 9)],
            &[(0, 1, 7), (last, 2, 8), (last, 5, 9)],
        ];
        for again in others {
            assert!(matches!(dealt(&first, again), Err(Error::Changed { .. })), "{again:?}");
            // Reversed: values seen only by the counting pass are ignored.
            let reversed = dealt(again, &first);
            let is_sound = reversed.as_ref().is_ok_and(|entries| *entries == first);
            assert!(is_sound || matches!(reversed, Err(Error::Changed { .. })), "{again:?}");
        }
    }

    #[test]
    fn entries_outside_are_refused() {
        for outside in [(ROWS, 0, 1), (u32::MAX, 0, 1), (0, 5, 1)] {
            assert!(matches!(dealt(&[outside], &[outside]), Err(Error::Changed { .. })));
        }
    }
}
