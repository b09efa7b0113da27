//! The two factors of a product, as kernels see them.

use cubecl::prelude::*;
use equipoise_schedule::device::GpuRuntime;

use super::super::{DeviceMatrix, Number};

/// The factors A and B.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Factors<F: Float> {
    /// Where each row of A starts, and where the last one ends.
    pub a_offsets: Array<u32>,
    /// The column of each entry of A, which is a row of B.
    pub a_columns: Array<u32>,
    /// The value of each entry of A.
    pub a_values: Array<F>,
    /// Where each row of B starts, and where the last one ends.
    pub b_offsets: Array<u32>,
    /// The column of each entry of B, ascending in each row.
    pub b_columns: Array<u32>,
    /// The value of each entry of B.
    pub b_values: Array<F>,
}

impl<F: Number> Factors<F> {
    pub(super) fn arg(a: &DeviceMatrix<F>, b: &DeviceMatrix<F>) -> FactorsLaunch<F, GpuRuntime> {
        FactorsLaunch::new(
            a.offsets().arg(),
            a.indices().arg(),
            a.values().arg(),
            b.offsets().arg(),
            b.indices().arg(),
            b.values().arg(),
        )
    }
}

/// A range of entries.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Span {
    /// The first.
    pub from: u32,
    /// Where it ends; not part of it.
    pub to: u32,
}

#[cube]
impl<F: Float> Factors<F> {
    /// The entries of a row of A.
    pub(super) fn row(&self, row: u32) -> Span {
        Span { from: self.a_offsets[row as usize], to: self.a_offsets[row as usize + 1] }
    }

    /// The entries of the row of B that an entry of A names.
    pub(super) fn row_named_by(&self, entry: u32) -> Span {
        let row = self.a_columns[entry as usize];
        Span { from: self.b_offsets[row as usize], to: self.b_offsets[row as usize + 1] }
    }

    /// The first entry of a range of B, all in one row, whose column is not before `column`.
    pub(super) fn first_from(&self, span: Span, column: u32) -> u32 {
        let mut low = span.from;
        let mut high = span.to;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.b_columns[middle as usize] < column {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}
