//! Sorts the entries of a bucket by column: stably, by one digit after the other, the lowest first.
//! A bucket and as much again fit in a core's cache, so that every pass is cheap.

use super::buckets::Entry;

/// A thread's room to sort buckets in, kept from one to the next.
pub(super) struct Spare<V> {
    entries: Vec<Entry<V>>,
    /// Where the entries of each digit go.
    places: Vec<usize>,
}

impl<V> Default for Spare<V> {
    fn default() -> Self {
        Self { entries: Vec::new(), places: Vec::new() }
    }
}

impl<V: Copy> Spare<V> {
    /// Sorts by column.
    pub(super) fn sort(&mut self, entries: &mut [Entry<V>]) {
        let Some(digits) = Digits::of(entries) else { return };
        if self.entries.len() < entries.len() {
            // Given back before more is taken.
            self.entries = Vec::new();
            self.entries = entries.to_vec();
        }
        let spare = &mut self.entries[..entries.len()];
        let (mut from, mut to) = (entries, spare);
        for number in 0..digits.count {
            digits.deal(number, from, to, &mut self.places);
            (from, to) = (to, from);
        }
        if !digits.count.is_multiple_of(2) {
            to.copy_from_slice(from);
        }
    }
}

const MOST_DIGIT_BITS: u32 = 13;

/// The digits that columns differ in.
struct Digits {
    count: u32,
    bits: u32,
    /// What is subtracted from all columns, so that near ones have few digits.
    lowest: u32,
}

impl Digits {
    /// Those of entries whose columns do not ascend yet.
    fn of<V>(entries: &[Entry<V>]) -> Option<Self> {
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

    /// Copies entries to where they belong by digit `number`, 0 being the lowest.
    fn deal<V: Copy>(
        &self,
        number: u32,
        from: &[Entry<V>],
        to: &mut [Entry<V>],
        places: &mut Vec<usize>,
    ) {
        let (shift, mask) = (number * self.bits, (1 << self.bits) - 1);
        let digit = |entry: &Entry<V>| ((entry.column - self.lowest) >> shift & mask) as usize;
        places.clear();
        places.resize(1 << self.bits, 0);
        for entry in from {
            places[digit(entry)] += 1;
        }
        let mut total = 0;
        for place in places.iter_mut() {
            total += std::mem::replace(place, total);
        }
        for entry in from {
            let place = &mut places[digit(entry)];
            to[*place] = *entry;
            *place += 1;
        }
    }
}
