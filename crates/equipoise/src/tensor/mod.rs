//! MTTKRP, a contraction of sparse tensors: a tensor of three modes times two factor matrices, in
//! `f32`.
//!
//! For mode 1 it is `M(i,:) = Σ X(i,j,k)·(B(j,:) ∘ C(k,:))` over the nonzeros of `X`, and likewise for
//! the others: the tensor, unfolded along the mode, times the Khatri-Rao product of the factors of
//! the two other modes, which is never formed. CP decomposition by alternating least squares spends
//! most of its time in it.
//!
//! A slice of the mode is a tile and a nonzero an atom, so that every
//! [schedule](crate::sparse::SparseSchedule) of sparse products applies. [`mttkrp`] runs on the cpu,
//! [`LoadedTensor`] on any device.

mod cpu;
mod device;
pub mod gpu;
mod verify;

pub use device::{LoadedTensor, Mttkrp, PreparedMttkrp, mttkrp};
