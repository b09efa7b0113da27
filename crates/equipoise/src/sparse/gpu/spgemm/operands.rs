//! The operands of the kernels: two factors, the rows of a bin, windows, and the product.

use cubecl::prelude::*;
use equipoise_schedule::device::GpuRuntime;

use crate::sparse::gpu::{matrix::DeviceMatrix, number::Number};

/// The factors A and B.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Factors<F: Float> {
    /// The start of each row of A, and the end of the last.
    pub a_offsets: Array<u32>,
    /// The column of each entry of A, which is a row of B.
    pub a_columns: Array<u32>,
    pub a_values: Array<F>,
    /// The start of each row of B, and the end of the last.
    pub b_offsets: Array<u32>,
    /// The column of each entry of B, ascending in each row.
    pub b_columns: Array<u32>,
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

/// The entries from `from` up to, but not including, `to`.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Span {
    pub from: u32,
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

    /// The first entry of a span of one row of B whose column is `column` or greater.
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

/// The rows of a bin.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Lists {
    /// The rows of all bins.
    pub order: Array<u32>,
    /// The index in `order` of the bin's first row.
    pub first: u32,
    /// The number of rows of the bin.
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
    /// The start of each row.
    pub offsets: Array<u32>,
    pub columns: Array<u32>,
    pub values: Array<F>,
}

/// The columns that a pass over a row covers: from `from` up to, but not including, `to`.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Window {
    pub from: u32,
    pub to: u32,
    /// Whether the next visit is of the next window.
    #[cube(comptime)]
    pub moves_on: bool,
}

#[cube]
impl Window {
    /// The entries of B for an entry of A: from its cursor, which the last window set, to the end of
    /// this window.
    pub(super) fn cut<F: Float>(
        &self,
        factors: &Factors<F>,
        entry: u32,
        cursors: &mut Array<u32>,
    ) -> Span {
        let mut span = factors.row_named_by(entry);
        if self.from > 0 {
            span.from = cursors[entry as usize];
        }
        span.to = factors.first_from(span, self.to);
        if comptime!(self.moves_on) {
            cursors[entry as usize] = span.to;
        }
        span
    }
}
