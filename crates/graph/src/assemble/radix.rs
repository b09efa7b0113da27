//! Sorts the entries of a bucket by column with a stable LSD radix sort. A bucket and its copy fit
//! in a core's cache, so every pass is cheap.

use super::buckets::Entry;

/// A thread's sort buffers, reused for all of its buckets.
pub(super) struct Spare<V> {
    entries: Vec<Entry<V>>,
    /// The next position of each digit.
    positions: Vec<usize>,
}

impl<V> Default for Spare<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), positions: Vec::new() }
    }
}

impl<V: Copy> Spare<V> {
    /// Sorts entries by column, stably.
    pub(super) fn sort(&mut self, entries: &mut [Entry<V>]) {
        let Some(digits) = Digits::of_columns(entries) else { return };
        if self.entries.len() < entries.len() {
            // Released before the larger buffer is allocated.
            self.entries = Vec::new();
            self.entries = entries.to_vec();
        }
        let spare = &mut self.entries[..entries.len()];
        let (mut from, mut to) = (entries, spare);
        for number in 0..digits.count {
            digits.deal(number, from, to, &mut self.positions);
            (from, to) = (to, from);
        }
        if !digits.count.is_multiple_of(2) {
            to.copy_from_slice(from);
        }
    }
}

const MOST_DIGIT_BITS: u32 = 13;

/// The digits in which the columns differ.
struct Digits {
    count: u32,
    bits: u32,
    /// Subtracted from all columns, so that a narrow range has few digits.
    lowest: u32,
}

impl Digits {
    /// The digits of the entries' columns; `None` if the columns already ascend.
    fn of_columns<V>(entries: &[Entry<V>]) -> Option<Self> {
        let columns = || entries.iter().map(|entry| entry.column);
        if columns().is_sorted() {
            return None;
        }
        let (lowest, highest) = columns().fold((u32::MAX, 0), |(lowest, highest), column| {
            (lowest.min(column), highest.max(column))
        });
        let bits = u32::BITS - (highest - lowest).leading_zeros();
        let count = bits.div_ceil(MOST_DIGIT_BITS);
        Some(Self { count, bits: bits.div_ceil(count), lowest })
    }

    /// Copies entries to their positions by digit `number`; 0 is the lowest digit.
    fn deal<V: Copy>(
        &self,
        number: u32,
        from: &[Entry<V>],
        to: &mut [Entry<V>],
        positions: &mut Vec<usize>,
    ) {
        let (shift, mask) = (number * self.bits, (1 << self.bits) - 1);
        let digit = |entry: &Entry<V>| ((entry.column - self.lowest) >> shift & mask) as usize;
        positions.clear();
        positions.resize(1 << self.bits, 0);
        for entry in from {
            positions[digit(entry)] += 1;
        }
        let mut total = 0;
        for position in positions.iter_mut() {
            total += std::mem::replace(position, total);
        }
        for entry in from {
            let position = &mut positions[digit(entry)];
            to[*position] = *entry;
            *position += 1;
        }
    }
}
