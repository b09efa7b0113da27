//! How much work the rows of a product are, and which class that puts them in.

use cubecl::prelude::*;
use equipoise_schedule::{input::Input, work::*};

use super::bins::{MERGED, MOST_MERGED};

/// Puts each row into a class by its weight: the products it takes, where an entry of A that
/// names an empty row of B counts as one. So the weight of a row bounds its entries, too.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Weigh {
    /// Where each row of A starts, and where the last one ends.
    pub a_offsets: Input<u32>,
    /// The column of each entry of A, which is a row of B.
    pub a_columns: Input<u32>,
    /// Where each row of B starts, and where the last one ends.
    pub b_offsets: Input<u32>,
    /// The weights from which on each class takes rows, descending.
    pub limits: Input<u32>,
    /// The class of each row: by its weight, or after those the ones whose rows are merged, or after
    /// those where it weighs nothing.
    pub classes: Array<u32>,
}

impl WorkKind for Weigh {
    const ATOM_NEEDS_TILE: bool = false;
}

#[cube]
impl Work for Weigh {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, _tile: u32, atom: u32) -> u32 {
        let row = self.a_columns[atom as usize] as usize;
        max(self.b_offsets[row + 1] - self.b_offsets[row], 1u32)
    }

    fn combine(a: u32, b: u32) -> u32 {
        saturating_sum(a, b)
    }

    fn end(&mut self, tile: u32, total: u32) {
        let mut class = 0u32;
        while class < self.limits.len() as u32 && total < self.limits[class as usize] {
            class += 1;
        }
        let row = tile as usize;
        let entries = self.a_offsets[row + 1] - self.a_offsets[row];
        if total <= MOST_MERGED {
            #[unroll]
            for index in 0..comptime!(MERGED.len() as u32) {
                if entries <= comptime!(MERGED[index as usize]) {
                    class = self.limits.len() as u32 + index;
                }
            }
        }
        if entries == 0 {
            class = self.limits.len() as u32 + comptime!(MERGED.len() as u32);
        }
        self.classes[row] = class;
    }
}

/// The sum, or the largest number where it is larger.
#[cube]
pub(super) fn saturating_sum(a: u32, b: u32) -> u32 {
    a + min(b, u32::MAX - a)
}
