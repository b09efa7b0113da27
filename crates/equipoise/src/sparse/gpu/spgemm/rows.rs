//! The rows of a bin, and the product that they fill in, in a kernel.

use cubecl::prelude::*;

/// The rows of a bin.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lists {
    /// The rows of all bins.
    pub order: Array<u32>,
    /// Where in the order those of the bin start.
    pub first: u32,
    /// How many the bin has.
    pub count: u32,
}

#[cube]
impl Lists {
    /// A row of the bin.
    pub(super) fn row(&self, index: u32) -> u32 {
        self.order[(self.first + index) as usize]
    }
}

/// The product, to be filled in.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Target<F: Float> {
    /// Where each row starts.
    pub offsets: Array<u32>,
    /// The column of each entry.
    pub columns: Array<u32>,
    /// The value of each entry.
    pub values: Array<F>,
}
