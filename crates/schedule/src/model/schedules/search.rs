//! Binary searches.

use cubecl::prelude::*;

use crate::tiles::*;

/// The number of elements that are at most `value`, among `count` ascending ones from `base` on.
#[cube]
pub(crate) fn first_above(numbers: &SharedMemory<u32>, base: u32, count: u32, value: u32) -> u32 {
    let mut low = 0u32;
    let mut high = count;
    while low < high {
        let middle = (low + high) / 2;
        if numbers[(base + middle) as usize] <= value {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The end of a tile, with ends staged two per word.
#[cube]
pub(super) fn staged_end(ends: &SharedMemory<u32>, tile: u32) -> u32 {
    (ends[(tile / 2) as usize] >> (tile % 2 * 16)) & 0xffff
}

/// The number of the first `count` staged ends that are at most `atom`.
#[cube]
pub(super) fn first_end_after(ends: &SharedMemory<u32>, count: u32, atom: u32) -> u32 {
    let mut low = 0u32;
    let mut high = count;
    while low < high {
        let middle = (low + high) / 2;
        if staged_end(ends, middle) <= atom {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The first tile in `low..high` that ends after `atom`; `high` if none does.
#[cube]
pub(crate) fn first_tile_ending_after<T: TileSet>(set: &T, low: u32, high: u32, atom: u32) -> u32 {
    let mut low = low;
    let mut high = high;
    while low < high {
        let middle = low + (high - low) / 2;
        if set.start(middle + 1) <= atom {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
