//! A matrix on a GPU, and what it takes to time the parts of a product there.

use std::{any::Any, rc::Rc, time::Duration};

use equipoise_graph::Matrix;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    plan::ScheduleOptions,
};

use super::{
    Choice, OnGpu, PreparedSpgemm, PreparedSpmm, PreparedSpmv,
    choice::{for_spmm, for_spmv},
    elsewhere,
};
use crate::{
    LoadedVector, Result, Times,
    sparse::{
        Dense, MatrixFeatures, Number, SparseLayout, SparseOptions, SparseOrder, SparseSchedule,
        Spgemm, Spmm, Spmv,
        gpu::{
            DeviceDense, DeviceMatrix, DeviceReordering, Reordering, ScatterPlan, SpmmPlan,
            SpmvPlan, spgemm,
        },
    },
    times::{empty_wait, finished, less_wait, prepared},
};

/// A matrix in the memory of a GPU.
pub(super) struct Uploaded<T> {
    gpu: Gpu,
    matrix: DeviceMatrix<T>,
    features: MatrixFeatures,
    upload: Duration,
}

/// Copies a matrix to a GPU.
pub(super) fn upload<T: Number>(gpu: &Gpu, matrix: &Matrix<T>) -> Result<Box<dyn OnGpu<T>>> {
    let (there, upload) = finished(gpu, || DeviceMatrix::upload(gpu, matrix))?;
    let features = MatrixFeatures::of(matrix);
    Ok(Box::new(Uploaded { gpu: gpu.clone(), matrix: there, features, upload }))
}

impl<T: Number> OnGpu<T> for Uploaded<T> {
    fn spmv(&self, matrix: &Matrix<T>, options: &SparseOptions) -> Result<PreparedSpmv<'_, T>> {
        let gpu = &self.gpu;
        let most_units = gpu.properties().max_units;
        let (settings, choice) = for_spmv(options, &self.features, most_units)?;
        let (run, mut setup) = match options.layout {
            SparseLayout::Csr => self.by_rows(matrix, options.reorder, settings)?,
            layout => self.scattering(matrix, layout, settings)?,
        };
        setup.upload = self.upload;
        // A vector for which there is no room is refused now, not when it comes.
        drop(gpu.empty::<T>(matrix.columns() as usize)?);
        let y = gpu.empty(matrix.rows() as usize)?;
        let (again, rows) = (Rc::clone(&run), matrix.rows() as usize);
        let chain = move |x: &LoadedVector<T>| {
            let x = x.on(gpu).ok_or_else(elsewhere)?;
            let y = gpu.empty(rows)?;
            again(x, &y)?;
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
        let (multiply, chain) = (Box::new(multiply), Box::new(chain));
        Ok(PreparedSpmv { choice, multiply, chain })
    }

    fn spmm(&self, columns: u32, options: &SparseOptions) -> Result<PreparedSpmm<'_, T>> {
        let (gpu, matrix) = (&self.gpu, &self.matrix);
        let (settings, choice) = for_spmm(options, &self.features, columns)?;
        let (plan, mut setup) = prepared(gpu, || SpmmPlan::new(gpu, matrix, columns, settings))?;
        setup.upload = self.upload;
        // As above.
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
        if !self.gpu.is_same(&right.gpu) {
            return None;
        }
        Some(self.spgemm_with(right, multiplications))
    }
}

/// Enqueues a product with a vector.
type Multiplying<'m, T> = Rc<dyn Fn(&Buffer<T>, &Buffer<T>) -> Result<()> + 'm>;

/// A matrix with its columns in the order that was asked for.
struct Ordered<T> {
    matrix: DeviceMatrix<T>,
    /// The order, and room for a vector in it.
    order: Option<(DeviceReordering, Buffer<T>)>,
}

impl<T: Number> Ordered<T> {
    /// A vector in the matrix' order.
    fn x<'a>(&'a self, gpu: &Gpu, x: &'a Buffer<T>) -> Result<&'a Buffer<T>> {
        let Some((order, room)) = &self.order else { return Ok(x) };
        order.gather(gpu, x, room)?;
        Ok(room)
    }
}

impl<T: Number> Uploaded<T> {
    fn by_rows(
        &self,
        matrix: &Matrix<T>,
        order: SparseOrder,
        settings: ScheduleOptions,
    ) -> Result<(Multiplying<'_, T>, Times)> {
        let gpu = &self.gpu;
        let (ordered, ordering) = finished(gpu, || self.ordered(matrix, order))?;
        let (plan, mut setup) = prepared(gpu, || SpmvPlan::new(gpu, &ordered.matrix, settings))?;
        setup.prepare += ordering;
        Ok((Rc::new(move |x, y| plan.run(ordered.x(gpu, x)?, y)), setup))
    }

    /// The matrix in a layout that is not by rows; bringing it there is preparation.
    fn scattering(
        &self,
        matrix: &Matrix<T>,
        layout: SparseLayout,
        settings: ScheduleOptions,
    ) -> Result<(Multiplying<'_, T>, Times)> {
        let gpu = &self.gpu;
        let (plan, setup) = prepared(gpu, || match layout {
            SparseLayout::Coo => ScatterPlan::by_entries(gpu, matrix, settings),
            _ => ScatterPlan::by_columns(gpu, matrix, settings),
        })?;
        Ok((Rc::new(move |x, y| plan.run(x, y)), setup))
    }

    fn ordered(&self, matrix: &Matrix<T>, by: SparseOrder) -> Result<Ordered<T>> {
        let order = match by {
            SparseOrder::None => return Ok(Ordered { matrix: self.matrix.clone(), order: None }),
            SparseOrder::Degree => Reordering::by_degree(matrix),
        };
        let there = DeviceMatrix::upload(&self.gpu, &order.apply(matrix)?)?;
        let room = self.gpu.empty(matrix.columns() as usize)?;
        let order = DeviceReordering::upload(&self.gpu, &order)?;
        Ok(Ordered { matrix: there, order: Some((order, room)) })
    }

    fn spgemm_with<'m>(
        &'m self,
        right: &'m Self,
        multiplications: u64,
    ) -> Result<PreparedSpgemm<'m, T>> {
        let gpu = &self.gpu;
        let multiply = || spgemm(gpu, &self.matrix, &right.matrix);
        let upload = match std::ptr::eq(self, right) {
            true => self.upload,
            false => self.upload + right.upload,
        };
        let (schedule, wait) = (SparseSchedule::Auto, empty_wait(gpu)?);
        let reason = "a GPU has its own two passes: rows in bins by their products";
        let multiply = move || {
            let stopwatch = gpu.stopwatch();
            let (product, run) = finished(gpu, multiply)?;
            let compile = stopwatch.compiled();
            let (product, download) = finished(gpu, || product.download(gpu))?;
            let times = Times { upload, compile, download, ..Times::default() };
            Ok(Spgemm { product, multiplications, schedule, times: less_wait(times, run, wait) })
        };
        let choice = Choice { schedule, reason: Some(reason.into()) };
        Ok(PreparedSpgemm { choice, multiply: Box::new(multiply) })
    }
}
