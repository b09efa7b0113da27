//! Sparse matrices on a device.

use std::sync::Arc;

use equipoise::{
    LoadedMatrix,
    device::{Device, OpenDevice},
    graph::{Csr, Storage},
    sparse::{Dense, Number, SparseOptions},
};
use equipoise_schedule::device::Gpu;
use pyo3::prelude::*;

use crate::{
    array::{Array, Element},
    device_array::DeviceArray,
    device_product::Prepared,
    errors::Failure,
    graph::{named, parse_device},
    input::{self, Numbers},
    shared::{SharedNumbers, SharedRows},
    work,
};

/// A sparse matrix on a device. Clones share it.
#[pyclass(frozen, module = "equipoise._native")]
#[derive(Clone)]
pub struct Matrix(Kind);

#[derive(Clone)]
enum Kind {
    F32(Loaded<f32>),
    F64(Loaded<f64>),
}

/// A matrix with values of one type.
pub struct Loaded<T: Number>(pub Arc<Inner<T>>);

pub struct Inner<T: Number> {
    /// Borrows from `matrix` and is dropped before it, because fields are dropped in order.
    pub on_device: Prepared<T>,
    pub matrix: Arc<equipoise::graph::Matrix<T>>,
    pub device: Device,
    /// `None` on the cpu.
    pub gpu: Option<Gpu>,
}

impl<T: Number> Clone for Loaded<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: Number + Element> Loaded<T> {
    fn new(matrix: Arc<equipoise::graph::Matrix<T>>, device: Device) -> Result<Self, Failure> {
        matrix.check()?;
        let open = device.open()?;
        // SAFETY: the contents of an `Arc` do not move and are not modified. `Inner` owns the
        // `Arc`, drops it last, and no method returns a borrow of the matrix.
        let forever: &'static equipoise::graph::Matrix<T> = unsafe { &*Arc::as_ptr(&matrix) };
        let on_device = LoadedMatrix::new(&open, forever)?;
        let device = named(device, &open);
        let gpu = match open {
            OpenDevice::Cpu => None,
            OpenDevice::Gpu(gpu) => Some(gpu),
        };
        let on_device = Prepared::new(on_device);
        Ok(Self(Arc::new(Inner { on_device, matrix, device, gpu })))
    }

    fn times_vector(&self, x: &[T]) -> Result<Array, Failure> {
        let options = SparseOptions::default();
        Ok(self.0.on_device.matrix().spmv(&options)?.run(x)?.y.into())
    }

    fn times_dense(&self, values: Vec<T>, columns: u32) -> Result<Array, Failure> {
        let dense = Dense::new(self.0.matrix.columns(), columns, values)?;
        let product =
            self.0.on_device.matrix().spmm(columns, &SparseOptions::default())?.run(&dense)?;
        let (rows, columns) = (product.product.rows() as usize, columns as usize);
        Ok(Array::from(product.product.into_values()).with_shape([rows, columns]))
    }

    fn times_matrix(&self, right: &Self) -> Result<Self, Failure> {
        let options = SparseOptions::default();
        let product =
            self.0.on_device.matrix().spgemm(right.0.on_device.matrix(), &options)?.run()?.product;
        Self::new(Arc::new(product), self.0.device)
    }

    fn rows(&self) -> (Array, Array, Array) {
        let matrix = &self.0.matrix;
        (
            Array::of(matrix, |matrix| matrix.csr().offsets()),
            Array::of(matrix, |matrix| matrix.csr().indices()),
            Array::of(matrix, |matrix| matrix.values()),
        )
    }
}

/// Runs the same code for both types of values.
macro_rules! either {
    ($kind:expr, $matrix:ident => $code:expr) => {
        match $kind {
            Kind::F32($matrix) => $code,
            Kind::F64($matrix) => $code,
        }
    };
}

#[pymethods]
impl Matrix {
    /// Creates a matrix from compressed rows.
    #[staticmethod]
    fn from_rows(
        py: Python<'_>,
        columns: u32,
        offsets: Numbers,
        indices: Numbers,
        values: Numbers,
    ) -> PyResult<Self> {
        work::run(py, move || {
            let Numbers::U64(offsets) = offsets else {
                return Err(Failure::Value("offsets are not of uint64".into()));
            };
            let csr = Csr::new(columns, offsets, input::vertices(indices, "indices")?)?;
            Ok(Self(match values {
                Numbers::F32(values) => Kind::F32(on_cpu(csr, values)?),
                Numbers::F64(values) => Kind::F64(on_cpu(csr, values)?),
                _ => {
                    return Err(Failure::Value("values are of neither float32 nor float64".into()));
                }
            }))
        })
    }

    /// Creates a matrix from compressed rows, which are shared with Python.
    #[staticmethod]
    fn from_shared_rows(
        py: Python<'_>,
        rows: SharedRows,
        values: SharedNumbers,
        columns: u32,
    ) -> PyResult<Self> {
        work::run(py, move || {
            let csr = Csr::from_storage(columns, rows.offsets, rows.columns)?;
            Ok(Self(match values {
                SharedNumbers::F32(values) => Kind::F32(on_cpu(csr, values)?),
                SharedNumbers::F64(values) => Kind::F64(on_cpu(csr, values)?),
                SharedNumbers::U32(_) => {
                    return Err(Failure::Value("values are of neither float32 nor float64".into()));
                }
            }))
        })
    }

    /// The same matrix on another device.
    fn to(&self, py: Python<'_>, device: String) -> PyResult<Self> {
        let kind = self.0.clone();
        work::run(py, move || {
            let device = parse_device(&device)?;
            Ok(Self(match kind {
                Kind::F32(matrix) => Kind::F32(Loaded::new(matrix.0.matrix.clone(), device)?),
                Kind::F64(matrix) => Kind::F64(Loaded::new(matrix.0.matrix.clone(), device)?),
            }))
        })
    }

    #[getter]
    fn device(&self) -> String {
        either!(&self.0, matrix => matrix.0.device.to_string())
    }

    #[getter]
    fn shape(&self) -> (u32, u32) {
        either!(&self.0, matrix => (matrix.0.matrix.rows(), matrix.0.matrix.columns()))
    }

    #[getter]
    fn nonzeros(&self) -> u64 {
        either!(&self.0, matrix => matrix.0.matrix.entries())
    }

    /// The start of each row, the columns of its entries, and their values.
    fn rows(&self) -> (Array, Array, Array) {
        either!(&self.0, matrix => matrix.rows())
    }

    /// The product with a vector with the same type of values.
    fn times_vector(&self, py: Python<'_>, x: Numbers) -> PyResult<Array> {
        let kind = self.0.clone();
        work::run(py, move || match (kind, x) {
            (Kind::F32(matrix), Numbers::F32(x)) => matrix.times_vector(&x),
            (Kind::F64(matrix), Numbers::F64(x)) => matrix.times_vector(&x),
            _ => Err(other_kind()),
        })
    }

    /// The product with a vector on the same GPU, which stays there. It is enqueued; the call does not wait for it.
    fn times_device(&self, py: Python<'_>, x: &Bound<'_, PyAny>) -> PyResult<DeviceArray> {
        either!(&self.0, matrix => matrix.times_device(py, x))
    }

    /// The product with a dense matrix with the same type of values, row by row.
    fn times_dense(&self, py: Python<'_>, values: Numbers, columns: u32) -> PyResult<Array> {
        let kind = self.0.clone();
        work::run(py, move || match (kind, values) {
            (Kind::F32(matrix), Numbers::F32(values)) => matrix.times_dense(values, columns),
            (Kind::F64(matrix), Numbers::F64(values)) => matrix.times_dense(values, columns),
            _ => Err(other_kind()),
        })
    }

    /// The product with a sparse matrix with the same type of values.
    fn times_matrix(&self, py: Python<'_>, right: &Self) -> PyResult<Self> {
        let (left, right) = (self.0.clone(), right.0.clone());
        work::run(py, move || match (left, right) {
            (Kind::F32(left), Kind::F32(right)) => Ok(Self(Kind::F32(left.times_matrix(&right)?))),
            (Kind::F64(left), Kind::F64(right)) => Ok(Self(Kind::F64(left.times_matrix(&right)?))),
            _ => Err(other_kind()),
        })
    }
}

fn on_cpu<T: Number + Element>(
    csr: Csr,
    values: impl Into<Storage<T>>,
) -> Result<Loaded<T>, Failure> {
    Loaded::new(Arc::new(equipoise::graph::Matrix::from_storage(csr, values.into())?), Device::Cpu)
}

fn other_kind() -> Failure {
    Failure::Value("the factors of a product are of float32 both, or of float64 both".into())
}
