//! Bins: rows of about the same weight, with the method that multiplies them.

use equipoise_schedule::device::Properties;

use super::{
    sorted::SortShape,
    stage::stage_bytes,
    wide::{WORD, WideShape},
};

/// The units that share a small row.
const GROUPS: [u32; 3] = [32, 16, 8];
/// The most entries in A, and the largest weight, of a row that one unit multiplies.
pub(super) const MERGED: [u32; 2] = [8, 4];
pub(super) const MOST_MERGED: u32 = GROUPS[0];
/// The maximum number of products of a sort, and the units that sort them.
const SORTS: [(u32, u32); 4] = [(8192, 1024), (2048, 512), (512, 128), (128, 64)];
/// The possible words of bits of a window.
const WORDS: [u32; 3] = [512, 2048, 8192];
const WIDE_UNITS: u32 = 256;
/// The units of a row that would keep fewer busy for long, and the least weight of such a row.
const HEAVY: (u32, u32) = (1024, 1 << 15);
/// Bytes of shared memory per word: its bits twice, and the number of marks before it.
const BYTES_PER_WORD: u64 = 12;

/// The method that multiplies the rows of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// One unit merges the rows of B that up to this number of entries of A name.
    Merged(u32),
    /// A group of this number of units, with one product each.
    Small(u32),
    /// A cube sorts the products.
    Sorted(SortShape),
    /// A cube has one bit per column.
    Wide(WideShape),
}

/// Rows of weight `from` or more, without those of heavier bins and those that are merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bin {
    pub from: u32,
    pub method: Method,
}

impl Bin {
    /// Whether its rows take several windows.
    pub(super) fn has_windows(&self) -> bool {
        matches!(self.method, Method::Wide(WideShape { windowed: true, .. }))
    }
}

/// The bins of a product, heaviest first and merged ones last. `value` is the size of a value in
/// bytes.
pub(super) fn bins(device: &Properties, columns: u32, value: usize) -> Vec<Bin> {
    let fits = |&(capacity, units): &(u32, u32)| {
        let bytes = u64::from(capacity) * (4 + value as u64) + stage_bytes(units, value);
        units <= device.max_units && bytes <= device.shared_memory
    };
    let sorts: Vec<(u32, u32)> = SORTS.into_iter().filter(fits).collect();
    let most_sorted = sorts.first().map_or(GROUPS[0], |&(capacity, _)| capacity);
    // Sorting pays where words of bits outnumber products.
    let wide_from = columns.div_ceil(WORD).clamp(GROUPS[0], most_sorted) + 1;

    let usual = wide(device, columns, value, WIDE_UNITS);
    let heavy = wide(device, columns, value, HEAVY.0);
    let mut bins = Vec::new();
    if HEAVY.0 <= device.max_units && heavy.words == usual.words {
        bins.push(Bin { from: HEAVY.1.max(wide_from), method: Method::Wide(heavy) });
    }
    bins.push(Bin { from: wide_from, method: Method::Wide(usual) });
    let capacities = sorts.iter().map(|&(capacity, _)| capacity).chain(GROUPS).skip(1);
    for (&(capacity, units), smaller) in sorts.iter().zip(capacities) {
        let method = Method::Sorted(SortShape { capacity, units });
        bins.push(Bin { from: smaller + 1, method });
    }
    let smaller = GROUPS.into_iter().skip(1).chain([0]);
    let small = GROUPS.into_iter().zip(smaller);
    bins.extend(
        small.map(|(group, smaller)| Bin { from: smaller + 1, method: Method::Small(group) }),
    );
    bins.extend(MERGED.map(|entries| Bin { from: 1, method: Method::Merged(entries) }));
    bins
}

/// The shape of wide rows, with the smallest window that has all columns, or else the largest that
/// fits shared memory.
fn wide(device: &Properties, columns: u32, value: usize, units: u32) -> WideShape {
    let fits = |words: &&u32| {
        let bytes = u64::from(**words) * BYTES_PER_WORD + 4 + stage_bytes(units, value);
        bytes <= device.shared_memory
    };
    let fitting: Vec<u32> = WORDS.iter().filter(fits).copied().collect();
    let all = |&words: &u32| words >= columns.div_ceil(WORD);
    let largest = fitting.last().copied().unwrap_or(WORDS[0]);
    let words = fitting.into_iter().find(all).unwrap_or(largest);
    WideShape { units, words, windowed: !all(&words) }
}
