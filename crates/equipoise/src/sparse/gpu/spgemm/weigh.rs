//! The weight of each row of a product, and the class that it puts the row in.

use cubecl::prelude::*;
use equipoise_schedule::{input::Input, work::*};

use super::bins::{MERGED, MOST_MERGED};

/// Puts each row into a class by its weight: the number of its products, where an entry of A that
/// names an empty row of B counts as one. So the weight of a row bounds its entries in A, too.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Weigh {
    /// The start of each row of A, and the end of the last.
    pub a_offsets: Input<u32>,
    /// The column of each entry of A, which is a row of B.
    pub a_columns: Input<u32>,
    /// The start of each row of B, and the end of the last.
    pub b_offsets: Input<u32>,
    /// The least weight of each class, descending.
    pub limits: Input<u32>,
    /// The class of each row: those by weight come first, then those of merged rows, then the one of
    /// empty rows.
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

#[cube]
pub(super) fn saturating_sum(a: u32, b: u32) -> u32 {
    a + min(b, u32::MAX - a)
}
