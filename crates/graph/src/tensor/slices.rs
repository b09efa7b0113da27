//! A tensor's nonzeros by the slices of a mode.

use std::ops::Range;

use rayon::prelude::*;

use super::{Mode, SparseTensor};
use crate::{
    Csr, Result,
    assemble::{Entries, assemble},
    memory::{self, bytes_of},
};

/// The nonzeros of a tensor by the slices of one mode, as compressed rows: what has the same
/// coordinate in that mode lies together, by ascending coordinate in the first of the other modes.
/// Nonzeros at the same place keep their order.
///
/// ```
/// use equipoise_graph::{Mode, SparseTensor};
///
/// let entries = [(0, 5, 1, 1.0), (2, 3, 0, 2.0), (0, 4, 0, 3.0)];
/// let slices = SparseTensor::from_entries([3, 6, 2], &entries)?.slices(Mode::First)?;
/// assert_eq!(slices.rows().row(0), [4, 5]);
/// assert_eq!(slices.values(), [3.0, 1.0, 2.0]);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Slices {
    rows: Csr,
    seconds: Vec<u32>,
    values: Vec<f32>,
}

impl Slices {
    pub(super) fn of(tensor: &SparseTensor, mode: Mode) -> Result<Self> {
        let [first, second] = mode.others();
        let nonzeros = Nonzeros {
            slices: tensor.coordinates(mode),
            firsts: tensor.coordinates(first),
            seconds: tensor.coordinates(second),
            values: tensor.values(),
        };
        let rows = assemble(tensor.size(mode) as usize, nonzeros, None)?;
        let what = format_args!("the slices of {} nonzeros", tensor.nonzeros());
        memory::check(what, bytes_of::<(u32, f32)>(tensor.nonzeros()))?;
        Ok(Self {
            seconds: rows.values.par_iter().map(|&[second, _]| second).collect(),
            values: rows.values.par_iter().map(|&[_, bits]| f32::from_bits(bits)).collect(),
            rows: Csr::unchecked(tensor.size(first), rows.offsets.into(), rows.columns.into()),
        })
    }

    /// Where each slice starts, and the coordinate of each nonzero in the first of the other modes.
    pub fn rows(&self) -> &Csr {
        &self.rows
    }

    /// The coordinate of each nonzero in the second of the other modes.
    pub fn seconds(&self) -> &[u32] {
        &self.seconds
    }

    /// The value of each nonzero.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// The nonzeros in their own order. What is beside a column is the second coordinate and the bits
/// of the value.
struct Nonzeros<'a> {
    slices: &'a [u32],
    firsts: &'a [u32],
    seconds: &'a [u32],
    values: &'a [f32],
}

impl Entries<[u32; 2]> for Nonzeros<'_> {
    fn inputs(&self) -> usize {
        self.values.len()
    }

    fn visit(&self, range: Range<usize>, mut push: impl FnMut(u32, u32, [u32; 2])) {
        for nonzero in range {
            let beside = [self.seconds[nonzero], self.values[nonzero].to_bits()];
            push(self.slices[nonzero], self.firsts[nonzero], beside);
        }
    }
}
