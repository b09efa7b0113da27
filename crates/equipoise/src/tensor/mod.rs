//! A contraction of sparse tensors: MTTKRP, a tensor of three modes times two factor matrices, in
//! `f32`.
//!
//! For mode 1 it is `M(i,:) = Σ X(i,j,k)·(B(j,:) ∘ C(k,:))` over the nonzeros of `X`, and likewise for
//! the others: the tensor, unfolded along the mode, times the Khatri-Rao product of the factors of
//! the two other modes, which is never made. A decomposition of a tensor (CP by alternating least
//! squares) spends most of its time there.
//!
//! A slice of the mode is a tile and a nonzero an atom, so that every
//! [schedule](crate::sparse::SparseSchedule) of sparse products does it. [`mttkrp`] runs on the cpu,
//! [`LoadedTensor`] on any device.

mod cpu;
mod device;
pub mod gpu;
mod verify;

pub use device::{LoadedTensor, PreparedMttkrp};

use equipoise_graph::{Mode, SparseTensor};

use crate::{
    Error, Result, Times,
    sparse::{Dense, SparseOptions, SparseSchedule},
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
    /// The schedule it was made under.
    pub schedule: SparseSchedule,
    /// Where the time went.
    pub times: Times,
}

/// Multiplies a tensor by the factors of its two other modes, in their order, on the cpu.
///
/// Sorting the nonzeros by slices counts as preparation, not as the product's own time. The order of
/// summation depends on the tensor and the rank only.
///
/// Fails where a factor has not one row for each slice of its mode, the two have not equally many
/// columns, there is not enough memory, or the schedule is not one of the cpu's.
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
    let device = crate::device::OpenDevice::Cpu;
    let loaded = LoadedTensor::new(&device, tensor);
    loaded.mttkrp(mode, factors[0].columns(), options)?.run(factors)
}

/// Fails where the factors are not those of the two other modes with so many columns.
fn check_factors(
    tensor: &SparseTensor,
    mode: Mode,
    rank: u32,
    factors: [&Dense<f32>; 2],
) -> Result<()> {
    for (other, factor) in mode.others().into_iter().zip(factors) {
        let (found, expected) = ((factor.rows(), factor.columns()), (tensor.size(other), rank));
        if found != expected {
            return Err(Error::Shape(format!(
                "the factor of mode {other} is of {} × {}: {} × {} is needed, a row for each slice \
                 of that mode and a column for each of the rank",
                found.0, found.1, expected.0, expected.1
            )));
        }
    }
    Ok(())
}
