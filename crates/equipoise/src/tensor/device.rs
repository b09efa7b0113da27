//! MTTKRP on any device.

use equipoise_graph::{Mode, Slices, SparseTensor, memory};
use equipoise_schedule::device::{Gpu, OpenDevice};

use super::{
    cpu,
    gpu::{DeviceSlices, MttkrpPlan},
};
use crate::{
    Error, Result, Times,
    sparse::{
        Dense, MatrixFeatures, ScheduleChoice, SparseOptions, SparseSchedule,
        check_no_spmv_options, for_spmm, gpu::DeviceDense, parts,
    },
    times::{empty_wait, finished, less_wait, prepared, timed},
};

/// The result of [`mttkrp`].
///
/// ```
/// use equipoise::graph::{Mode, SparseTensor};
/// use equipoise::sparse::{Dense, SparseOptions};
/// use equipoise::tensor::mttkrp;
///
/// let tensor = SparseTensor::from_entries([1, 2, 2], &[(0, 0, 1, 2.0), (0, 1, 0, 3.0)])?;
/// let b = Dense::new(2, 1, vec![5.0, 7.0])?;
/// let c = Dense::new(2, 1, vec![1.0, 10.0])?;
/// let result = mttkrp(&tensor, Mode::First, [&b, &c], &SparseOptions::default())?;
/// result.verify(&tensor, Mode::First, [&b, &c])?;
/// assert_eq!(result.product.values(), [2.0 * 5.0 * 10.0 + 3.0 * 7.0 * 1.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Mttkrp {
    /// The product: a row for each slice of the mode.
    pub product: Dense<f32>,
    /// The schedule of the product.
    pub schedule: SparseSchedule,
    /// The times of the run.
    pub times: Times,
}

/// Multiplies a tensor by the factors of its two other modes, in their order, on the cpu.
///
/// Sorting the nonzeros by slices counts as preparation. The order of summation depends on the tensor
/// and the rank only.
///
/// Fails where a factor does not have one row per slice of its mode, the factors differ in their
/// number of columns, memory is short, or the cpu does not have the schedule.
///
/// ```
/// use equipoise::graph::{Mode, SparseTensor};
/// use equipoise::sparse::{Dense, SparseOptions};
/// use equipoise::tensor::mttkrp;
///
/// let tensor = SparseTensor::from_entries([2, 1, 1], &[(1, 0, 0, 4.0)])?;
/// let (a, b) = (Dense::new(2, 1, vec![3.0, 5.0])?, Dense::new(1, 1, vec![2.0])?);
/// let result = mttkrp(&tensor, Mode::Third, [&a, &b], &SparseOptions::default())?;
/// assert_eq!(result.product.values(), [4.0 * 5.0 * 2.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub fn mttkrp(
    tensor: &SparseTensor,
    mode: Mode,
    factors: [&Dense<f32>; 2],
    options: &SparseOptions,
) -> Result<Mttkrp> {
    let loaded = LoadedTensor::new(&OpenDevice::Cpu, tensor);
    loaded.mttkrp(mode, factors[0].columns(), options)?.run(factors)
}

/// A tensor bound to a device.
///
/// ```
/// use equipoise::LoadedTensor;
/// use equipoise::device::Device;
/// use equipoise::graph::{Mode, SparseTensor};
/// use equipoise::sparse::{Dense, SparseOptions};
///
/// let tensor = SparseTensor::from_entries([2, 1, 3], &[(1, 0, 2, 4.0)])?;
/// let device = Device::Auto.open()?;
/// let loaded = LoadedTensor::new(&device, &tensor);
/// let mttkrp = loaded.mttkrp(Mode::First, 2, &SparseOptions::default())?;
/// let b = Dense::new(1, 2, vec![1.0, 2.0])?;
/// let c = Dense::new(3, 2, vec![0.0, 0.0, 0.0, 0.0, 3.0, 5.0])?;
/// assert_eq!(mttkrp.run([&b, &c])?.product.row(1), [12.0, 40.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct LoadedTensor<'a> {
    tensor: &'a SparseTensor,
    device: OpenDevice,
}

/// A tensor made ready on a device for products with the factors of two modes.
///
/// ```
/// use equipoise::LoadedTensor;
/// use equipoise::device::Device;
/// use equipoise::graph::{Mode, SparseTensor};
/// use equipoise::sparse::{Dense, SparseOptions, SparseSchedule};
///
/// let tensor = SparseTensor::from_entries([1, 1, 1], &[(0, 0, 0, 4.0)])?;
/// let loaded = LoadedTensor::new(&Device::Cpu.open()?, &tensor);
/// let mttkrp = loaded.mttkrp(Mode::Second, 1, &SparseOptions::default())?;
/// assert_eq!(mttkrp.choice().schedule, SparseSchedule::MergePath);
/// let two = Dense::new(1, 1, vec![2.0])?;
/// assert_eq!(mttkrp.run([&two, &two])?.product.values(), [16.0]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct PreparedMttkrp<'a> {
    tensor: &'a SparseTensor,
    mode: Mode,
    rank: u32,
    choice: ScheduleChoice,
    multiply: Multiply,
}

impl<'a> LoadedTensor<'a> {
    /// Binds a tensor to a device, without a copy yet: that depends on the mode.
    pub fn new(device: &OpenDevice, tensor: &'a SparseTensor) -> Self {
        Self { tensor, device: device.clone() }
    }

    /// Sorts the nonzeros by the slices of a mode, copies them to the device and prepares products
    /// with factors of `rank` columns.
    ///
    /// Fails where the device does not have the schedule, or lacks the memory for the tensor, the
    /// factors or the product.
    pub fn mttkrp(
        &self,
        mode: Mode,
        rank: u32,
        options: &SparseOptions,
    ) -> Result<PreparedMttkrp<'a>> {
        options.check()?;
        check_no_spmv_options(options)?;
        let rows = self.tensor.size(mode);
        let what = format_args!("a dense product of {rows} rows × {rank} columns");
        memory::check(what, memory::bytes_of::<f32>(u64::from(rows) * u64::from(rank)))?;
        let (slices, sorting) = timed(|| self.tensor.slices(mode));
        let slices = slices?;
        let setup = Times { prepare: sorting, ..Times::default() };
        let (choice, multiply) = match &self.device {
            OpenDevice::Cpu => on_cpu(slices, options, setup, rank)?,
            OpenDevice::Gpu(gpu) => {
                let factor_rows = mode.others().map(|other| self.tensor.size(other));
                on_gpu(gpu, &slices, factor_rows, rank, options, setup)?
            }
        };
        Ok(PreparedMttkrp { tensor: self.tensor, mode, rank, choice, multiply })
    }
}

impl PreparedMttkrp<'_> {
    /// The schedule, and why it was chosen.
    pub fn choice(&self) -> &ScheduleChoice {
        &self.choice
    }

    /// Multiplies by the factors of the two other modes, in their order. The times are those of
    /// [`PreparedSpmv::run`](crate::sparse::PreparedSpmv::run); sorting the nonzeros is preparation.
    ///
    /// Fails where a factor does not have the prepared shape.
    pub fn run(&self, factors: [&Dense<f32>; 2]) -> Result<Mttkrp> {
        check_factors(self.tensor, self.mode, self.rank, factors)?;
        (self.multiply)(factors)
    }
}

/// Multiplies by factors of checked shapes.
type Multiply = Box<dyn Fn([&Dense<f32>; 2]) -> Result<Mttkrp>>;

fn on_cpu(
    slices: Slices,
    options: &SparseOptions,
    setup: Times,
    rank: u32,
) -> Result<(ScheduleChoice, Multiply)> {
    let choice = ScheduleChoice::on_cpu(options)?;
    let schedule = choice.schedule;
    let multiply = move |factors: [&Dense<f32>; 2]| {
        let (values, kernel) = timed(|| {
            let parts = parts(schedule, slices.rows().offsets(), rank.into());
            cpu::multiply(&slices, factors, &parts)
        });
        let product = Dense::new(slices.rows().rows(), rank, values)?;
        Ok(Mttkrp { product, schedule, times: Times { kernel, ..setup } })
    };
    Ok((choice, Box::new(multiply)))
}

fn on_gpu(
    gpu: &Gpu,
    slices: &Slices,
    factor_rows: [u32; 2],
    rank: u32,
    options: &SparseOptions,
    mut setup: Times,
) -> Result<(ScheduleChoice, Multiply)> {
    let (settings, choice) = for_spmm(options, &MatrixFeatures::from_csr(slices.rows()))?;
    let (slices, upload) = finished(gpu, || DeviceSlices::upload(gpu, slices))?;
    let (plan, planning) = prepared(gpu, || MttkrpPlan::new(gpu, &slices, rank, settings))?;
    setup.prepare += planning.prepare;
    let product = DeviceDense::empty(gpu, slices.slices(), rank)?;
    // Refuses factors that do not fit now, not when they come.
    let [left, right] = factor_rows.map(|rows| DeviceDense::<f32>::empty(gpu, rows, rank));
    drop((left?, right?));
    let (schedule, wait, gpu) = (choice.schedule, empty_wait(gpu)?, gpu.clone());
    let multiply = move |[left, right]: [&Dense<f32>; 2]| {
        let ([left, right], copying) = finished(&gpu, || {
            Ok([DeviceDense::upload(&gpu, left)?, DeviceDense::upload(&gpu, right)?])
        })?;
        let stopwatch = gpu.stopwatch();
        let ((), run) = finished(&gpu, || plan.run([&left, &right], &product))?;
        let compile = planning.compile + stopwatch.compiled();
        let (product, download) = finished(&gpu, || product.download(&gpu))?;
        let times = Times { upload: upload + copying, compile, download, ..setup };
        Ok(Mttkrp { product, schedule, times: less_wait(times, run, wait) })
    };
    Ok((choice, Box::new(multiply)))
}

/// Fails unless the factors fit the two other modes and have `rank` columns.
pub(super) fn check_factors(
    tensor: &SparseTensor,
    mode: Mode,
    rank: u32,
    factors: [&Dense<f32>; 2],
) -> Result<()> {
    for (other, factor) in mode.others().into_iter().zip(factors) {
        let (shape, expected) = ((factor.rows(), factor.columns()), (tensor.size(other), rank));
        if shape != expected {
            return Err(Error::Shape(format!(
                "the factor of mode {other} is of {} × {}: {} × {} is needed, a row for each slice \
                 of that mode and a column for each of the rank",
                shape.0, shape.1, expected.0, expected.1
            )));
        }
    }
    Ok(())
}
