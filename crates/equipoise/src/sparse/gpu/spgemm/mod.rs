//! SpGEMM on a GPU: a sparse matrix times a sparse one.
//!
//! Rows of the product are put into bins by their number of products. Each bin has a method that
//! counts the entries of its rows, and fills them in: [`merged`], [`small`], [`sorted`], [`wide`].

mod bins;
mod launch;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod merged;
mod operands;
mod small;
mod sorted;
mod stage;
mod weigh;
mod wide;

use bins::{Bin, MERGED, Method, bins};
use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu},
    plan::{Plan, ScheduleOptions},
    primitives::{self, Reduction},
    tiles::CsrRows,
};

use launch::{Multiplication, Rows};
use weigh::{Weigh, WeighLaunch, saturating_sum};

use super::{
    matrix::DeviceMatrix,
    number::{Number, check_count, check_type},
};
use crate::{Result, sparse::cpu::spgemm::check_shapes};

/// The most entries of a factor or the product: kernels add to entry indices in 32 bits.
const MOST_ENTRIES: u32 = u32::MAX - (1 << 24);

/// Multiplies two sparse matrices on a GPU: `C = A·B`.
///
/// The first of two passes counts the entries of each row, the second fills them in, with ascending
/// columns in each row. `C` has an entry wherever at least one multiplication contributes, even if
/// they add up to zero. In rows of many products the order of summation, and with it the last bits of
/// a value, can differ from run to run.
///
/// Fails unless `a` has one column per row of `b`, the product fits the memory of the GPU and the
/// number of its entries 32 bits, and the GPU computes with `T`.
///
/// ```no_run
/// use equipoise::{Result, graph::Matrix, sparse::gpu::{DeviceMatrix, spgemm}};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let matrix = Matrix::from_entries(2, 2, &[(0, 1, 2.0f32), (1, 0, 3.0)])?;
///     let matrix = DeviceMatrix::upload(gpu, &matrix)?;
///     let square = spgemm(gpu, &matrix, &matrix)?.download(gpu)?;
///     assert_eq!(square.row(0), (&[0][..], &[6.0][..]));
///     Ok(())
/// }
/// ```
pub fn spgemm<T: Number>(
    gpu: &Gpu,
    a: &DeviceMatrix<T>,
    b: &DeviceMatrix<T>,
) -> Result<DeviceMatrix<T>> {
    check_shapes(a.columns(), b.rows())?;
    check_type::<T>(gpu)?;
    check_count("the first matrix", a.entries().into(), MOST_ENTRIES)?;
    check_count("the second matrix", b.entries().into(), MOST_ENTRIES)?;
    if a.entries() == 0 || b.entries() == 0 {
        let offsets = gpu.filled(a.rows() as usize + 1, 0)?;
        let (columns, values) = (gpu.empty(0)?, gpu.empty(0)?);
        return Ok(DeviceMatrix::from_parts(a.rows(), b.columns(), offsets, columns, values));
    }
    let multiplication = Multiplication::prepare(gpu, a, b)?;
    let counts = multiplication.count()?;
    multiplication.fill(&counts)
}

impl<'a, T: Number> Multiplication<'a, T> {
    /// Weighs the rows and sorts them into bins.
    fn prepare(gpu: &'a Gpu, a: &'a DeviceMatrix<T>, b: &'a DeviceMatrix<T>) -> Result<Self> {
        let bins = bins(gpu.properties(), b.columns(), size_of::<T>());
        let has_windows = bins.iter().any(Bin::has_windows);
        let cursors = if has_windows { a.entries() as usize } else { 0 };
        let needed = 4 * (4 * u64::from(a.rows()) + cursors as u64);
        gpu.require("working memory for a product", needed)?;

        let by_weight = bins.len() - MERGED.len();
        let limits: Vec<u32> = bins[..by_weight].iter().map(|bin| bin.from).collect();
        let limits = gpu.upload(&limits)?;
        let classes = gpu.empty(a.rows() as usize)?;
        let rows = a.tiles();
        let plan = Plan::<CsrRows, Weigh>::new(gpu, weighing(a), &rows)?;
        let work = || {
            let (offsets, indices) = (a.offsets().arg(), a.indices().arg());
            WeighLaunch::new(offsets, indices, b.offsets().arg(), limits.arg(), classes.arg())
        };
        // SAFETY: each entry has an index, which is a row of `b`, and each row a class.
        unsafe { plan.run(&rows, work) };
        let sorted = primitives::sort_by_class(gpu, &classes, bins.len() as u32)?;
        let starts = gpu.download(&sorted.offsets)?;
        Ok(Self { gpu, a, b, bins, order: sorted.order, starts, cursors: gpu.empty(cursors)? })
    }

    /// The number of entries of each row.
    fn count(&self) -> Result<Buffer<u32>> {
        let counts = self.gpu.filled(self.a.rows() as usize, 0)?;
        for (method, rows) in self.bins_with_rows() {
            self.count_rows(method, rows, &counts);
        }
        Ok(counts)
    }

    /// The product, with `counts` entries per row.
    fn fill(&self, counts: &Buffer<u32>) -> Result<DeviceMatrix<T>> {
        let offsets = primitives::offsets(self.gpu, counts)?;
        let entries = self.total(counts)?;
        let needed = u64::from(entries) * (4 + size_of::<T>() as u64);
        self.gpu.require(&format!("a product of {entries} entries"), needed)?;
        let columns = self.gpu.empty(entries as usize)?;
        let values = self.gpu.empty(entries as usize)?;
        if self.bins_with_rows().any(|(method, _)| matches!(method, Method::Wide(_))) {
            self.gpu.fill(&values, T::default())?;
        }
        let product =
            DeviceMatrix::from_parts(self.a.rows(), self.b.columns(), offsets, columns, values);
        for (method, rows) in self.bins_with_rows() {
            self.fill_rows(method, rows, &product);
        }
        Ok(product)
    }

    /// The number of entries of all rows. Fails where it exceeds the limit.
    fn total(&self, counts: &Buffer<u32>) -> Result<u32> {
        let total = primitives::reduce::<SaturatingSum>(self.gpu, counts)?;
        let total = self.gpu.download(&total)?.into_iter().fold(0, u32::saturating_add);
        if total > MOST_ENTRIES {
            let counts = self.gpu.download(counts)?;
            check_count("the product", counts.into_iter().map(u64::from).sum(), MOST_ENTRIES)?;
        }
        Ok(total)
    }

    fn bins_with_rows(&self) -> impl Iterator<Item = (Method, Rows)> {
        let ends = self.starts.iter().skip(1);
        let ranges = self.starts.iter().zip(ends);
        let rows = ranges.map(|(&first, &end)| Rows { first, count: end - first });
        let bins = self.bins.iter().map(|bin| bin.method).zip(rows);
        bins.filter(|(_, rows)| rows.count > 0)
    }
}

/// The schedule that weighs the rows.
fn weighing<T: Number>(a: &DeviceMatrix<T>) -> ScheduleOptions {
    /// With a larger mean row, some rows are likely to keep one cube busy for long.
    const FEW: u32 = 8;
    if a.entries() / FEW <= a.rows() {
        ScheduleName::GroupMapped.into()
    } else {
        ScheduleName::MergePath.into()
    }
}

struct SaturatingSum;

#[cube]
impl Reduction for SaturatingSum {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn combine(a: u32, b: u32) -> u32 {
        saturating_sum(a, b)
    }
}
