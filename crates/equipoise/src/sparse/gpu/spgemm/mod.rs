//! SpGEMM on a GPU: a sparse matrix times a sparse one.
//!
//! Rows of the product are put into bins by the number of products they add up. Each bin has its
//! way to count the entries of its rows, and to fill them in: [`merged`], [`small`], [`sorted`], [`wide`].

mod bins;
mod factors;
mod launch;
#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod lower;
mod merged;
mod rows;
mod small;
mod sorted;
mod stage;
mod sums;
mod weigh;
mod wide;
mod window;

use bins::{Bin, MERGED, Method, bins};
use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu},
    plan::{Plan, ScheduleOptions},
    primitives::{self, Reduction},
    tiles::CsrRows,
};

use launch::Rows;
use weigh::{Weigh, WeighLaunch, saturating_sum};

use super::{DeviceMatrix, Number};
use crate::{Error, Result};

/// Entries that a factor or the product may have: what kernels add to them still fits 32 bits.
const MOST_ENTRIES: u32 = u32::MAX - (1 << 24);

/// Multiplies two sparse matrices on a GPU: `C = A·B`.
///
/// Two passes are made: the first counts the entries of each row, the second fills them in, with
/// the columns of each row in ascending order. `C` has an entry wherever at least one
/// multiplication contributes, even if they add up to zero. In rows of many products the order in
/// which they are added can differ from run to run, and with it the last bits of a value.
///
/// Fails where `a` has not one column for each row of `b`, the product does not fit the memory of
/// the GPU or has more entries than 32 bits count, or the GPU does not compute with `T`.
///
/// ```no_run
/// use equipoise::{Result, graph::Matrix, sparse::gpu::{DeviceMatrix, spgemm}};
/// use equipoise_schedule::device::Gpu;
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let matrix = Matrix::from_entries(2, 2, &[(0, 1, 2.0f32), (1, 0, 3.0)])?;
///     let there = DeviceMatrix::upload(gpu, &matrix)?;
///     let square = spgemm(gpu, &there, &there)?.download(gpu)?;
///     assert_eq!(square.row(0), (&[0][..], &[6.0][..]));
///     Ok(())
/// }
/// ```
pub fn spgemm<T: Number>(
    gpu: &Gpu,
    a: &DeviceMatrix<T>,
    b: &DeviceMatrix<T>,
) -> Result<DeviceMatrix<T>> {
    check::<T>(gpu, a, b)?;
    if a.entries() == 0 || b.entries() == 0 {
        let offsets = gpu.filled(a.rows() as usize + 1, 0)?;
        let (columns, values) = (gpu.empty(0)?, gpu.empty(0)?);
        return Ok(DeviceMatrix::from_parts(a.rows(), b.columns(), offsets, columns, values));
    }
    let multiplication = Multiplication::prepare(gpu, a, b)?;
    let counts = multiplication.count()?;
    multiplication.fill(&counts)
}

fn check<T: Number>(gpu: &Gpu, a: &DeviceMatrix<T>, b: &DeviceMatrix<T>) -> Result<()> {
    if a.columns() != b.rows() {
        return Err(Error::Shape(format!(
            "the second matrix has {} rows, but the first has {} columns",
            b.rows(),
            a.columns()
        )));
    }
    if T::NAME == "f64" && !gpu.properties().f64 {
        return Err(equipoise_schedule::Error::Unusable(format!(
            "{} does not compute with f64",
            gpu.properties().name
        ))
        .into());
    }
    for (what, matrix) in [("the first matrix", a), ("the second matrix", b)] {
        check_entries(what, matrix.entries().into())?;
    }
    Ok(())
}

fn check_entries(what: &str, count: u64) -> Result<()> {
    let limit = u64::from(MOST_ENTRIES);
    match count <= limit {
        true => Ok(()),
        false => Err(equipoise_schedule::Error::TooMany { what: what.into(), count, limit }.into()),
    }
}

/// Two factors, with the rows of their product in bins.
struct Multiplication<'a, T: Number> {
    gpu: &'a Gpu,
    a: &'a DeviceMatrix<T>,
    b: &'a DeviceMatrix<T>,
    bins: Vec<Bin>,
    /// The rows of all bins, one bin after the other.
    order: Buffer<u32>,
    /// Where in the order each bin starts, and where the last one ends.
    starts: Vec<u32>,
    /// Where in B each entry of A has come to, if windows need that.
    cursors: Buffer<u32>,
}

impl<'a, T: Number> Multiplication<'a, T> {
    /// Weighs the rows and sorts them into bins.
    fn prepare(gpu: &'a Gpu, a: &'a DeviceMatrix<T>, b: &'a DeviceMatrix<T>) -> Result<Self> {
        let bins = bins(gpu.properties(), b.columns(), size_of::<T>());
        let cursors = match bins.iter().any(Bin::has_windows) {
            true => a.entries() as usize,
            false => 0,
        };
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
        // SAFETY: there is an index for each entry, all of them rows of `b`, and a class for each row.
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

    /// The product, whose rows have so many entries.
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

    /// How many entries all rows have.
    fn total(&self, counts: &Buffer<u32>) -> Result<u32> {
        let total = primitives::reduce::<SaturatingSum>(self.gpu, counts)?;
        let total = self.gpu.download(&total)?.into_iter().fold(0, u32::saturating_add);
        if total > MOST_ENTRIES {
            let counts = self.gpu.download(counts)?;
            check_entries("the product", counts.into_iter().map(u64::from).sum())?;
        }
        Ok(total)
    }

    /// The methods of the bins that have rows, and those.
    fn bins_with_rows(&self) -> impl Iterator<Item = (Method, Rows)> {
        let ends = self.starts.iter().skip(1);
        let ranges = self.starts.iter().zip(ends);
        let rows = ranges.map(|(&first, &end)| Rows { first, count: end - first });
        let bins = self.bins.iter().map(|bin| bin.method).zip(rows);
        bins.filter(|(_, rows)| rows.count > 0)
    }
}

/// How the entries of rows are weighed: the mean row says which schedule is cheaper.
fn weighing<T: Number>(a: &DeviceMatrix<T>) -> ScheduleOptions {
    /// With more entries a row, some rows are likely to keep one cube busy for long.
    const FEW: u32 = 8;
    match a.entries() / FEW <= a.rows() {
        true => ScheduleName::GroupMapped.into(),
        false => ScheduleName::MergePath.into(),
    }
}

/// The sum, or the largest number where it is larger.
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
