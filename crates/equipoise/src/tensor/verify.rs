//! The verifier of MTTKRP.

use equipoise_graph::{
    Mode, SparseTensor,
    memory::{self, bytes_of},
};

use super::device::{Mttkrp, check_factors};
use crate::{
    Result,
    sparse::{Dense, PlainRow, ReferenceSum, check_dense},
};

impl Mttkrp {
    /// Whether this is the tensor times the factors of the two other modes.
    ///
    /// Every number is compared with a plain sum in `f64` over the nonzeros of its slice, which are
    /// found independently. It may be off by the roundings of two multiplications per nonzero and of
    /// the additions, by the rules of [`Spmv::verify`](crate::sparse::Spmv::verify). The factors are
    /// multiplied first, so that numbers are infinite where that product is.
    ///
    /// Fails where it is not, the shapes do not fit, or memory is insufficient.
    pub fn verify(
        &self,
        tensor: &SparseTensor,
        mode: Mode,
        factors: [&Dense<f32>; 2],
    ) -> Result<()> {
        let rank = factors[0].columns();
        check_factors(tensor, mode, rank, factors)?;
        let by_slice = BySlice::new(tensor, mode)?;
        let [first, second] = mode.others().map(|other| tensor.coordinates(other));
        let add = |slice: u32, sums: &mut PlainRow| {
            for &nonzero in by_slice.nonzeros(slice) {
                let value = f64::from(tensor.values()[nonzero]);
                let [left, right] =
                    [factors[0].row(first[nonzero]), factors[1].row(second[nonzero])];
                // Rounded as in the product, so that it is infinite where that is.
                let products = left.iter().zip(right).map(|(b, c)| value * f64::from(b * c));
                sums.add(products);
            }
        };
        check_dense(&self.product, (tensor.size(mode), rank), add, |slice, column| {
            let mut reference = ReferenceSum::default();
            for &nonzero in by_slice.nonzeros(slice) {
                let (j, k) = (first[nonzero], second[nonzero]);
                let (b, c) = (factors[0].row(j)[column], factors[1].row(k)[column]);
                reference.add_of_three(tensor.values()[nonzero], b, c);
            }
            reference
        })
    }
}

/// The nonzeros of each slice, by counting, without code that the product uses.
struct BySlice {
    /// The end of each slice's nonzeros in `order`.
    ends: Vec<usize>,
    order: Vec<usize>,
}

impl BySlice {
    fn new(tensor: &SparseTensor, mode: Mode) -> Result<Self> {
        let (slices, nonzeros) = (u64::from(tensor.size(mode)), tensor.nonzeros());
        memory::check("verifying the product", bytes_of::<usize>(slices + nonzeros))?;
        let mut ends = vec![0; slices as usize];
        for &slice in tensor.coordinates(mode) {
            ends[slice as usize] += 1;
        }
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut order = vec![0; nonzeros as usize];
        for (nonzero, &slice) in tensor.coordinates(mode).iter().enumerate() {
            let end = &mut ends[slice as usize];
            order[*end] = nonzero;
            *end += 1;
        }
        Ok(Self { ends, order })
    }

    fn nonzeros(&self, slice: u32) -> &[usize] {
        let slice = slice as usize;
        let start = if slice == 0 { 0 } else { self.ends[slice - 1] };
        &self.order[start..self.ends[slice]]
    }
}
