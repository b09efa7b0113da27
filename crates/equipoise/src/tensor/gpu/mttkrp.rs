//! MTTKRP as a work under any schedule.
//!
//! An atom is a nonzero times a row of each factor. As with SpMM, the units of a worker take four
//! columns each, so that they read neighbouring parts of those rows together, and wider factors take
//! one launch per tile of columns.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    input::Input,
    plan::{Plan, ScheduleOptions},
    tiles::CsrRows,
    work::{Work, WorkExpand, WorkKind},
};

use super::slices::DeviceSlices;
use crate::{
    Error, Result,
    sparse::gpu::{DeviceDense, Four},
};

/// A slice times two factors, by workers of `LANES` units.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct SliceTimesFactors<F: Float, const LANES: u32> {
    firsts: Input<u32>,
    seconds: Input<u32>,
    values: Input<F>,
    left: Input<Four<F>>,
    right: Input<Four<F>>,
    product: Array<Four<F>>,
    /// The fours per row of the factors and the product.
    width: u32,
    /// The four that lane 0 takes.
    first: u32,
}

impl<F: Float, const LANES: u32> WorkKind for SliceTimesFactors<F, LANES> {
    const ATOM_NEEDS_TILE: bool = false;
    const LANES: u32 = LANES;
}

#[cube]
impl<F: Float, const LANES: u32> Work for SliceTimesFactors<F, LANES> {
    type Value = Four<F>;

    fn identity() -> Four<F> {
        Four::<F>::new(F::new(0.0))
    }

    fn atom(&mut self, _slice: u32, nonzero: u32) -> Four<F> {
        // Lanes beyond the last column do its work once more, and end nothing.
        let four = min(self.first + UNIT_POS % LANES, self.width - 1);
        let left = self.left[(self.firsts[nonzero as usize] * self.width + four) as usize];
        let right = self.right[(self.seconds[nonzero as usize] * self.width + four) as usize];
        Four::<F>::new(self.values[nonzero as usize]) * (left * right)
    }

    fn combine(a: Four<F>, b: Four<F>) -> Four<F> {
        a + b
    }

    fn end(&mut self, slice: u32, total: Four<F>) {
        let four = self.first + UNIT_POS % LANES;
        if four < self.width {
            self.product[(slice * self.width + four) as usize] = total;
        }
    }
}

/// A tensor's slices in a GPU's memory, made ready for products with factors under one schedule.
///
/// ```no_run
/// use equipoise::Result;
/// use equipoise::graph::{Mode, SparseTensor};
/// use equipoise::sparse::{Dense, gpu::DeviceDense};
/// use equipoise::tensor::gpu::{DeviceSlices, MttkrpPlan};
/// use equipoise_schedule::{ScheduleName, device::Gpu};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     let tensor = SparseTensor::from_entries([1, 1, 1], &[(0, 0, 0, 4.0)])?;
///     let slices = DeviceSlices::upload(gpu, &tensor.slices(Mode::First)?)?;
///     let factor = DeviceDense::upload(gpu, &Dense::new(1, 2, vec![1.0, 3.0])?)?;
///     let product = DeviceDense::empty(gpu, 1, 2)?;
///     let plan = MttkrpPlan::new(gpu, &slices, 2, ScheduleName::MergePath.into())?;
///     plan.run([&factor, &factor], &product)?;
///     assert_eq!(product.download(gpu)?.values(), [4.0, 36.0]);
///     Ok(())
/// }
/// ```
pub struct MttkrpPlan {
    slices: DeviceSlices,
    rank: u32,
    plan: Wide,
}

/// The plan for each width of workers.
enum Wide {
    One(Plan<CsrRows, SliceTimesFactors<f32, 1>>),
    Two(Plan<CsrRows, SliceTimesFactors<f32, 2>>),
    Four(Plan<CsrRows, SliceTimesFactors<f32, 4>>),
    Eight(Plan<CsrRows, SliceTimesFactors<f32, 8>>),
}

impl MttkrpPlan {
    /// Prepares the schedule for the slices, and factors of `rank` columns.
    pub fn new(
        gpu: &Gpu,
        slices: &DeviceSlices,
        rank: u32,
        schedule: ScheduleOptions,
    ) -> Result<Self> {
        let tiles = slices.tiles();
        let lanes = rank.div_ceil(4).clamp(1, 8).next_power_of_two().min(gpu.plane_size());
        let plan = match lanes {
            1 => Wide::One(Plan::new(gpu, schedule, &tiles)?),
            2 => Wide::Two(Plan::new(gpu, schedule, &tiles)?),
            4 => Wide::Four(Plan::new(gpu, schedule, &tiles)?),
            _ => Wide::Eight(Plan::new(gpu, schedule, &tiles)?),
        };
        Ok(Self { slices: slices.clone(), rank, plan })
    }

    /// Enqueues the product with the factors of the two other modes, in their order.
    ///
    /// Fails where the shapes do not fit, a factor has too few rows for the nonzeros, or the product
    /// shares a buffer with a factor.
    pub fn run(&self, factors: [&DeviceDense<f32>; 2], product: &DeviceDense<f32>) -> Result<()> {
        let columns = [factors[0], factors[1], product].map(DeviceDense::columns);
        if product.rows() != self.slices.slices() || columns != [self.rank; 3] {
            return Err(Error::Shape(format!(
                "a product of {} × {} cannot come of {} slices and factors of {} and {} columns \
                 (planned for {} columns)",
                product.rows(),
                product.columns(),
                self.slices.slices(),
                columns[0],
                columns[1],
                self.rank
            )));
        }
        for (factor, reach) in factors.into_iter().zip(self.slices.reach) {
            if factor.rows() < reach {
                return Err(Error::Shape(format!(
                    "a factor has {} rows, but the tensor has nonzeros for row {}, counted from 0",
                    factor.rows(),
                    reach - 1
                )));
            }
            if factor.values().is_same(product.values()) {
                return Err(Error::Shape("a factor cannot be multiplied into itself".into()));
            }
        }
        match &self.plan {
            Wide::One(plan) => self.run_tiles(plan, factors, product),
            Wide::Two(plan) => self.run_tiles(plan, factors, product),
            Wide::Four(plan) => self.run_tiles(plan, factors, product),
            Wide::Eight(plan) => self.run_tiles(plan, factors, product),
        }
        Ok(())
    }

    /// A launch for each tile of columns.
    fn run_tiles<const LANES: u32>(
        &self,
        plan: &Plan<CsrRows, SliceTimesFactors<f32, LANES>>,
        [left, right]: [&DeviceDense<f32>; 2],
        product: &DeviceDense<f32>,
    ) {
        let slices = &self.slices;
        let fours = |buffer: &Buffer<f32>| buffer.vector_arg(4);
        for first in (0..product.width()).step_by(LANES as usize) {
            let work = || {
                SliceTimesFactorsLaunch::new(
                    slices.rows.indices().arg(),
                    slices.seconds.arg(),
                    slices.rows.values().arg(),
                    fours(left.values()),
                    fours(right.values()),
                    fours(product.values()),
                    product.width(),
                    first,
                )
            };
            // SAFETY: each nonzero has two coordinates and a value, each coordinate a row of a
            // factor, and each slice one of the product, which is no factor.
            unsafe { plan.run(&slices.tiles(), work) };
        }
    }
}
