//! Launching the kernels of a bin.

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, GpuRuntime};

use super::{
    super::{DeviceMatrix, Number, adds_atomically},
    Multiplication,
    bins::Method,
    factors::{Factors, FactorsLaunch},
    merged::{self, count_merged, fill_merged},
    rows::{ListsLaunch, TargetLaunch},
    small::{self, count_small, fill_small},
    sorted::{count_sorted, fill_sorted},
    sums::{AtomicSums, AtomicSumsLaunch, PlainSums, PlainSumsLaunch, Sums},
    wide::{PlacesLaunch, WideShape, count_wide, fill_wide},
};

/// Some of the rows in the order: where they start, and how many they are.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub first: u32,
    pub count: u32,
}

impl<T: Number> Multiplication<'_, T> {
    /// Counts the entries of some rows.
    pub(super) fn count_rows(&self, method: Method, rows: Rows, counts: &Buffer<u32>) {
        let client = self.gpu.client();
        let (cubes, cube) = self.grid(method, rows);
        let (factors, lists, counts) = (self.factors(), self.lists(rows), counts.arg());
        // SAFETY: `order` has the rows, each below the number of rows of A, and `counts` has a
        // place for each row of A. Factors are sound: their offsets ascend to the number of their
        // entries, and the columns of A are rows of B. The rows weigh no more, and have no more entries,
        // than their method has room for. `cursors` has a place for each entry of A where the method has windows.
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

    /// Fills in the entries of some rows. Where those are wide, the values are zero before.
    pub(super) fn fill_rows(&self, method: Method, rows: Rows, product: &DeviceMatrix<T>) {
        let client = self.gpu.client();
        let (cubes, cube) = self.grid(method, rows);
        let (factors, lists) = (self.factors(), self.lists(rows));
        let (offsets, columns) = (product.offsets().arg(), product.indices().arg());
        let target = TargetLaunch::new(offsets, columns, product.values().arg());
        // SAFETY: as in `count_rows`; a row of the product has as many places as it was found to
        // have different columns.
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

    /// Fills in the entries of wide rows, whose values are added up in `sums`.
    ///
    /// # Safety
    ///
    /// `sums` are the values of the product, whose rows have a place for each different column.
    pub(super) unsafe fn fill_wide_rows<S: Sums<Value = T>>(
        &self,
        shape: WideShape,
        rows: Rows,
        product: &DeviceMatrix<T>,
        sums: S::RuntimeArg<GpuRuntime>,
    ) {
        let (cubes, cube) = self.grid(Method::Wide(shape), rows);
        // SAFETY: as in `count_rows`, and as the caller says.
        unsafe {
            fill_wide::launch_unchecked::<S, GpuRuntime>(
                self.gpu.client(),
                cubes,
                cube,
                self.factors(),
                self.lists(rows),
                self.cursors.arg(),
                PlacesLaunch::new(product.offsets().arg(), product.indices().arg()),
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

    /// Cubes for the rows, and their units. A launch can have some cubes too many.
    fn grid(&self, method: Method, rows: Rows) -> (CubeCount, CubeDim) {
        let (rows_a_cube, units) = match method {
            Method::Merged(_) => (merged::UNITS, merged::UNITS),
            Method::Small(group) => (small::UNITS / group, small::UNITS),
            Method::Sorted(shape) => (1, shape.units),
            Method::Wide(shape) => (1, shape.units),
        };
        let cubes = rows.count.div_ceil(rows_a_cube);
        let layers = cubes.div_ceil(self.gpu.properties().max_cubes.max(1)).max(1);
        let count = CubeCount::Static(cubes.div_ceil(layers), layers, 1);
        (count, CubeDim::new_1d(units))
    }
}
