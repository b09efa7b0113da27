//! MTTKRP on whichever device is there.

use equipoise_graph::{Mode, Slices, SparseTensor, memory};
use equipoise_schedule::device::{Gpu, OpenDevice};

use super::{
    Mttkrp, check_factors, cpu,
    gpu::{DeviceSlices, MttkrpPlan},
};
use crate::{
    Result, Times,
    sparse::{
        Choice, Dense, MatrixFeatures, SparseOptions, for_spmm, gpu::DeviceDense,
        without_what_is_for_spmv,
    },
    times::{empty_wait, finished, less_wait, prepared, timed},
};

/// A tensor and the device that it is multiplied on.
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

/// A tensor made ready, on a device, to be multiplied by the factors of two modes.
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
    choice: Choice,
    multiply: Multiply,
}

impl<'a> LoadedTensor<'a> {
    /// Binds a tensor to a device. Nothing is copied yet: what is needed there depends on the mode.
    pub fn new(device: &OpenDevice, tensor: &'a SparseTensor) -> Self {
        Self { tensor, device: device.clone() }
    }

    /// Sorts the nonzeros by the slices of a mode, copies them to the device and prepares products
    /// with factors of `rank` columns.
    ///
    /// Fails where the device does not have the schedule, or there is no room for the tensor, the
    /// factors or the product.
    pub fn mttkrp(
        &self,
        mode: Mode,
        rank: u32,
        options: &SparseOptions,
    ) -> Result<PreparedMttkrp<'a>> {
        options.check()?;
        without_what_is_for_spmv(options)?;
        let rows = self.tensor.size(mode);
        let what = format_args!("a dense product of {rows} rows × {rank} columns");
        memory::check(what, memory::bytes_of::<f32>(u64::from(rows) * u64::from(rank)))?;
        let (slices, sorting) = timed(|| self.tensor.slices(mode));
        let slices = slices?;
        let setup = Times { prepare: sorting, ..Times::default() };
        let (choice, multiply) = match &self.device {
            OpenDevice::Cpu => on_cpu(slices, options, setup, rank)?,
            OpenDevice::Gpu(gpu) => {
                on_gpu(gpu, &slices, self.factor_rows(mode), rank, options, setup)?
            }
        };
        Ok(PreparedMttkrp { tensor: self.tensor, mode, rank, choice, multiply })
    }

    fn factor_rows(&self, mode: Mode) -> [u32; 2] {
        mode.others().map(|other| self.tensor.size(other))
    }
}

impl PreparedMttkrp<'_> {
    /// The schedule it goes by.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// Multiplies by the factors of the two other modes, in their order. `kernel` and `overhead` in
    /// the result's times are together the host's clock from before the first launch until the last
    /// has ended; on a GPU, overhead is what waiting for nothing takes. Sorting, and copies to and
    /// from the device, are apart from them, and what was done once for all runs counts in each.
    ///
    /// Fails where a factor has not the shape that this was prepared for.
    pub fn run(&self, factors: [&Dense<f32>; 2]) -> Result<Mttkrp> {
        check_factors(self.tensor, self.mode, self.rank, factors)?;
        (self.multiply)(factors)
    }
}

/// Multiplies by factors whose shapes were checked.
type Multiply = Box<dyn Fn([&Dense<f32>; 2]) -> Result<Mttkrp>>;

fn on_cpu(
    slices: Slices,
    options: &SparseOptions,
    setup: Times,
    rank: u32,
) -> Result<(Choice, Multiply)> {
    let choice = Choice::of_cpu(options)?;
    let schedule = options.schedule.on_cpu()?;
    let multiply = move |factors: [&Dense<f32>; 2]| {
        let (values, kernel) = timed(|| {
            let parts = schedule.parts(slices.rows().offsets(), rank.into());
            cpu::multiply(&slices, factors, &parts)
        });
        let product = Dense::new(slices.rows().rows(), rank, values)?;
        Ok(Mttkrp { product, schedule: schedule.name(), times: Times { kernel, ..setup } })
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
) -> Result<(Choice, Multiply)> {
    let features = MatrixFeatures::of_rows(slices.rows());
    let (settings, choice) = for_spmm(options, &features, rank)?;
    let (there, upload) = finished(gpu, || DeviceSlices::upload(gpu, slices))?;
    let (plan, planning) = prepared(gpu, || MttkrpPlan::new(gpu, &there, rank, settings))?;
    setup.prepare += planning.prepare;
    let product = DeviceDense::empty(gpu, there.slices(), rank)?;
    // Factors for which there is no room are refused now, not when they come.
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
