//! A matrix on a GPU, and its timed products.

use std::{any::Any, sync::Arc, time::Duration};

use equipoise_graph::Matrix;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    plan::ScheduleOptions,
};

use super::{
    choice::{for_spmm, for_spmv},
    prepared::{OnGpu, PreparedSpgemm, PreparedSpmm, PreparedSpmv, ScheduleChoice, ToGpu},
};
use crate::{
    Error, Result, Times,
    sparse::{
        dense::Dense,
        features::MatrixFeatures,
        gpu::{
            DeviceDense, DeviceMatrix, DeviceReordering, Number, Reordering, ScatterPlan, SpmmPlan,
            SpmvPlan, spgemm,
        },
        options::{SparseLayout, SparseOptions, SparseOrder, SparseSchedule},
        spgemm::Spgemm,
        spmm::Spmm,
        spmv::Spmv,
        vector::LoadedVector,
    },
    times::{empty_wait, finished, less_wait, prepared},
};

impl ToGpu for f32 {
    fn to_gpu(gpu: &Gpu, matrix: &Matrix<f32>) -> Result<Box<dyn OnGpu<f32>>> {
        Uploaded::upload(gpu, matrix)
    }
}

impl ToGpu for f64 {
    fn to_gpu(gpu: &Gpu, matrix: &Matrix<f64>) -> Result<Box<dyn OnGpu<f64>>> {
        Uploaded::upload(gpu, matrix)
    }
}

struct Uploaded<T> {
    gpu: Gpu,
    matrix: DeviceMatrix<T>,
    features: MatrixFeatures,
    upload: Duration,
}

impl<T: Number> OnGpu<T> for Uploaded<T> {
    fn spmv(&self, matrix: &Matrix<T>, options: &SparseOptions) -> Result<PreparedSpmv<'_, T>> {
        let gpu = &self.gpu;
        let most_units = gpu.properties().max_units;
        let (settings, choice) = for_spmv(options, &self.features, most_units)?;
        let (run, mut setup) = match options.layout {
            SparseLayout::Csr => self.by_rows(matrix, options.reorder, settings)?,
            layout => self.by_scattering(matrix, layout, settings)?,
        };
        setup.upload = self.upload;
        // Refuses vectors that do not fit now, not when they come.
        drop(gpu.empty::<T>(matrix.columns() as usize)?);
        let y = gpu.empty(matrix.rows() as usize)?;
        let (chained, rows) = (Arc::clone(&run), matrix.rows() as usize);
        let chain = move |x: &LoadedVector<T>| {
            let x = x.buffer_on(gpu).ok_or_else(different_devices)?;
            let y = gpu.empty(rows)?;
            chained(x, &y)?;
            Ok(LoadedVector::on_gpu(gpu, y))
        };
        let (schedule, wait) = (choice.schedule, empty_wait(gpu)?);
        let multiply = move |x: &[T]| {
            let (x, upload) = finished(gpu, || Ok(gpu.upload(x)?))?;
            let stopwatch = gpu.stopwatch();
            let ((), run) = finished(gpu, || run(&x, &y))?;
            let compile = setup.compile + stopwatch.compiled();
            let (y, download) = finished(gpu, || Ok(gpu.download(&y)?))?;
            let times = Times { upload: setup.upload + upload, compile, download, ..setup };
            Ok(Spmv { y, schedule, times: less_wait(times, run, wait) })
        };
        Ok(PreparedSpmv { choice, multiply: Box::new(multiply), chain: Box::new(chain) })
    }

    fn spmm(&self, columns: u32, options: &SparseOptions) -> Result<PreparedSpmm<'_, T>> {
        let (gpu, matrix) = (&self.gpu, &self.matrix);
        let (settings, choice) = for_spmm(options, &self.features)?;
        let (plan, mut setup) = prepared(gpu, || SpmmPlan::new(gpu, matrix, columns, settings))?;
        setup.upload = self.upload;
        // Refuses operands that do not fit now, not when they come.
        drop(DeviceDense::<T>::empty(gpu, matrix.columns(), columns)?);
        let product = DeviceDense::empty(gpu, matrix.rows(), columns)?;
        let (schedule, wait) = (choice.schedule, empty_wait(gpu)?);
        let multiply = move |dense: &Dense<T>| {
            let (dense, upload) = finished(gpu, || DeviceDense::upload(gpu, dense))?;
            let stopwatch = gpu.stopwatch();
            let ((), run) = finished(gpu, || plan.run(&dense, &product))?;
            let compile = setup.compile + stopwatch.compiled();
            let (product, download) = finished(gpu, || product.download(gpu))?;
            let times = Times { upload: setup.upload + upload, compile, download, ..setup };
            Ok(Spmm { product, schedule, times: less_wait(times, run, wait) })
        };
        Ok(PreparedSpmm { choice, multiply: Box::new(multiply) })
    }

    fn spgemm<'m>(
        &'m self,
        right: &'m (dyn OnGpu<T> + 'static),
        multiplications: u64,
    ) -> Option<Result<PreparedSpgemm<'m, T>>> {
        let right = (right as &dyn Any).downcast_ref::<Self>()?;
        self.gpu.is_same(&right.gpu).then(|| self.spgemm_with(right, multiplications))
    }
}

type Multiply<'m, T> = Arc<dyn Fn(&Buffer<T>, &Buffer<T>) -> Result<()> + Send + Sync + 'm>;

impl<T: Number> Uploaded<T> {
    fn upload(gpu: &Gpu, matrix: &Matrix<T>) -> Result<Box<dyn OnGpu<T>>> {
        let (uploaded, upload) = finished(gpu, || DeviceMatrix::upload(gpu, matrix))?;
        let features = MatrixFeatures::new(matrix);
        Ok(Box::new(Self { gpu: gpu.clone(), matrix: uploaded, features, upload }))
    }

    /// Prepares products by rows; bringing the columns into the order is preparation.
    fn by_rows(
        &self,
        matrix: &Matrix<T>,
        order: SparseOrder,
        settings: ScheduleOptions,
    ) -> Result<(Multiply<'_, T>, Times)> {
        let gpu = &self.gpu;
        if order == SparseOrder::None {
            let (plan, setup) = prepared(gpu, || SpmvPlan::new(gpu, &self.matrix, settings))?;
            return Ok((Arc::new(move |x, y| plan.run(x, y)), setup));
        }
        let ((reordered, order, room), ordering) = finished(gpu, || {
            let order = Reordering::by_degree(matrix);
            let reordered = DeviceMatrix::upload(gpu, &order.apply(matrix)?)?;
            let room = gpu.empty(matrix.columns() as usize)?;
            Ok((reordered, DeviceReordering::upload(gpu, &order)?, room))
        })?;
        let (plan, mut setup) = prepared(gpu, || SpmvPlan::new(gpu, &reordered, settings))?;
        setup.prepare += ordering;
        let multiply = move |x: &Buffer<T>, y: &Buffer<T>| {
            order.gather(gpu, x, &room)?;
            plan.run(&room, y)
        };
        Ok((Arc::new(multiply), setup))
    }

    /// Prepares products by columns or by entries; changing the layout is preparation.
    fn by_scattering(
        &self,
        matrix: &Matrix<T>,
        layout: SparseLayout,
        settings: ScheduleOptions,
    ) -> Result<(Multiply<'_, T>, Times)> {
        let gpu = &self.gpu;
        let (plan, setup) = prepared(gpu, || match layout {
            SparseLayout::Coo => ScatterPlan::by_entries(gpu, matrix, settings),
            _ => ScatterPlan::by_columns(gpu, matrix, settings),
        })?;
        Ok((Arc::new(move |x, y| plan.run(x, y)), setup))
    }

    fn spgemm_with<'m>(
        &'m self,
        right: &'m Self,
        multiplications: u64,
    ) -> Result<PreparedSpgemm<'m, T>> {
        let gpu = &self.gpu;
        let is_square = std::ptr::eq(self, right);
        let upload = if is_square { self.upload } else { self.upload + right.upload };
        let (schedule, wait) = (SparseSchedule::Auto, empty_wait(gpu)?);
        let reason = "a GPU has its own two passes: rows in bins by their products";
        let multiply = move || {
            let stopwatch = gpu.stopwatch();
            let (product, run) = finished(gpu, || spgemm(gpu, &self.matrix, &right.matrix))?;
            let compile = stopwatch.compiled();
            let (product, download) = finished(gpu, || product.download(gpu))?;
            let times = Times { upload, compile, download, ..Times::default() };
            Ok(Spgemm { product, multiplications, schedule, times: less_wait(times, run, wait) })
        };
        let choice = ScheduleChoice { schedule, reason: Some(reason.into()) };
        Ok(PreparedSpgemm { choice, multiply: Box::new(multiply) })
    }
}

pub(super) fn different_devices() -> Error {
    Error::Option("both factors of a product must be on the same device".into())
}
