//! The launches of a bin's kernels.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, Gpu, GpuRuntime};

use super::{
    bins::{Bin, Method},
    merged::{self, count_merged, fill_merged},
    operands::{Factors, FactorsLaunch, ListsLaunch, TargetLaunch},
    small::{self, count_small, fill_small},
    sorted::{count_sorted, fill_sorted},
    wide::{
        AtomicSums, AtomicSumsLaunch, PatternLaunch, PlainSums, PlainSumsLaunch, Sums, WideShape,
        count_wide, fill_wide,
    },
};
use crate::sparse::gpu::{
    matrix::DeviceMatrix,
    number::{Number, adds_atomically},
};

/// Two factors, with the rows of their product in bins.
pub(super) struct Multiplication<'a, T: Number> {
    pub gpu: &'a Gpu,
    pub a: &'a DeviceMatrix<T>,
    pub b: &'a DeviceMatrix<T>,
    pub bins: Vec<Bin>,
    /// The rows of all bins, one bin after the other.
    pub order: Buffer<u32>,
    /// The start of each bin in `order`, and the end of the last.
    pub starts: Vec<u32>,
    /// For each entry of A, the next entry in B; empty if no bin has windows.
    pub cursors: Buffer<u32>,
}

/// `count` consecutive rows of `order`.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub first: u32,
    pub count: u32,
}

impl<T: Number> Multiplication<'_, T> {
    pub(super) fn count_rows(&self, method: Method, rows: Rows, counts: &Buffer<u32>) {
        let client = self.gpu.client();
        let (cubes, cube) = self.grid(method, rows);
        let (factors, lists, counts) = (self.factors(), self.lists(rows), counts.arg());
        // SAFETY: `order` has the rows, each below the number of rows of A, and `counts` has an
        // element per row of A. The factors are sound: their offsets ascend to the number of entries,
        // and the columns of A are rows of B. No row exceeds the weight and the entries of its
        // method. `cursors` has an element per entry of A where the method has windows.
        unsafe {
            match method {
                Method::Merged(entries) => count_merged::launch_unchecked::<T, GpuRuntime>(
                    client, cubes, cube, factors, lists, counts, entries,
                ),
                Method::Small(group) => count_small::launch_unchecked::<T, GpuRuntime>(
                    client, cubes, cube, factors, lists, counts, group,
                ),
                Method::Sorted(shape) => count_sorted::launch_unchecked::<T, GpuRuntime>(
                    client, cubes, cube, factors, lists, counts, shape,
                ),
                Method::Wide(shape) => count_wide::launch_unchecked::<T, GpuRuntime>(
                    client,
                    cubes,
                    cube,
                    factors,
                    lists,
                    self.cursors.arg(),
                    counts,
                    self.b.columns(),
                    shape,
                ),
            }
        }
    }

    /// Fills in the entries of rows. The values of wide rows must be zero.
    pub(super) fn fill_rows(&self, method: Method, rows: Rows, product: &DeviceMatrix<T>) {
        let client = self.gpu.client();
        let (cubes, cube) = self.grid(method, rows);
        let (factors, lists) = (self.factors(), self.lists(rows));
        let (offsets, columns) = (product.offsets().arg(), product.indices().arg());
        let target = TargetLaunch::new(offsets, columns, product.values().arg());
        // SAFETY: as in `count_rows`; each row of the product has the counted number of entries.
        unsafe {
            match method {
                Method::Merged(entries) => fill_merged::launch_unchecked::<T, GpuRuntime>(
                    client, cubes, cube, factors, lists, target, entries,
                ),
                Method::Small(group) => fill_small::launch_unchecked::<T, GpuRuntime>(
                    client, cubes, cube, factors, lists, target, group,
                ),
                Method::Sorted(shape) => fill_sorted::launch_unchecked::<T, GpuRuntime>(
                    client, cubes, cube, factors, lists, target, shape,
                ),
                Method::Wide(shape) if adds_atomically::<T>(self.gpu) => {
                    let sums = AtomicSumsLaunch::new(product.values().arg());
                    self.fill_wide_rows::<AtomicSums<T>>(shape, rows, product, sums);
                }
                Method::Wide(shape) => {
                    let sums = PlainSumsLaunch::new(product.values().arg());
                    self.fill_wide_rows::<PlainSums<T>>(shape, rows, product, sums);
                }
            }
        }
    }

    /// Fills in the entries of wide rows, with their values in `sums`.
    ///
    /// # Safety
    ///
    /// `sums` are the values of the product, whose rows have the counted number of entries.
    pub(super) unsafe fn fill_wide_rows<S: Sums<Value = T>>(
        &self,
        shape: WideShape,
        rows: Rows,
        product: &DeviceMatrix<T>,
        sums: S::RuntimeArg<GpuRuntime>,
    ) {
        let (cubes, cube) = self.grid(Method::Wide(shape), rows);
        // SAFETY: as in `count_rows`; the caller guarantees the rest.
        unsafe {
            fill_wide::launch_unchecked::<S, GpuRuntime>(
                self.gpu.client(),
                cubes,
                cube,
                self.factors(),
                self.lists(rows),
                self.cursors.arg(),
                PatternLaunch::new(product.offsets().arg(), product.indices().arg()),
                sums,
                self.b.columns(),
                shape,
            );
        }
    }

    fn factors(&self) -> FactorsLaunch<T, GpuRuntime> {
        Factors::arg(self.a, self.b)
    }

    fn lists(&self, rows: Rows) -> ListsLaunch<GpuRuntime> {
        ListsLaunch::new(self.order.arg(), rows.first, rows.count)
    }

    /// The number of cubes, rounded up, and their shape.
    fn grid(&self, method: Method, rows: Rows) -> (CubeCount, CubeDim) {
        let (rows_per_cube, units) = match method {
            Method::Merged(_) => (merged::UNITS, merged::UNITS),
            Method::Small(group) => (small::UNITS / group, small::UNITS),
            Method::Sorted(shape) => (1, shape.units),
            Method::Wide(shape) => (1, shape.units),
        };
        let cubes = rows.count.div_ceil(rows_per_cube);
        let layers = cubes.div_ceil(self.gpu.properties().max_cubes.max(1)).max(1);
        let count = CubeCount::Static(cubes.div_ceil(layers), layers, 1);
        (count, CubeDim::new_1d(units))
    }
}
