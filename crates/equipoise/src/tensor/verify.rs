//! The verifier of MTTKRP.

use equipoise_graph::{
    Mode, SparseTensor,
    memory::{self, bytes_of},
};
use rayon::prelude::*;

use super::{Mttkrp, check_factors};
use crate::{
    Result,
    sparse::{Dense, Reference, check_product_shape},
};

impl Mttkrp {
    /// Whether this is the tensor times the factors of the two other modes.
    ///
    /// Every number is compared with a plain sum in `f64` over the nonzeros of its slice, which are
    /// looked up anew: it may be as far off as the roundings of so many additions and two
    /// multiplications each can make it, and no further, by the rules of
    /// [`Spmv::verify`](crate::sparse::Spmv::verify). The factors are multiplied first, so that
    /// numbers are infinite where that product is.
    ///
    /// Fails where it is not, the shapes do not fit, or there is not enough memory.
    pub fn verify(
        &self,
        tensor: &SparseTensor,
        mode: Mode,
        factors: [&Dense<f32>; 2],
    ) -> Result<()> {
        let rank = factors[0].columns();
        check_factors(tensor, mode, rank, factors)?;
        let found = (self.product.rows(), self.product.columns());
        check_product_shape(found, (tensor.size(mode), rank))?;
        let by_slice = BySlice::of(tensor, mode)?;
        let [first, second] = mode.others().map(|other| tensor.coordinates(other));
        (0..tensor.size(mode)).into_par_iter().try_for_each(|slice| {
            for (place, &found) in self.product.row(slice).iter().enumerate() {
                let mut reference = Reference::default();
                for &nonzero in by_slice.nonzeros(slice) {
                    let (j, k) = (first[nonzero], second[nonzero]);
                    let (b, c) = (factors[0].row(j)[place], factors[1].row(k)[place]);
                    reference.add_of_three(tensor.values()[nonzero], b, c);
                }
                reference.check(found, || format!("row {slice}, column {place}"))?;
            }
            Ok(())
        })
    }
}

/// Which nonzeros each slice has, by counting: nothing of what the product was made by is used.
struct BySlice {
    /// Where the nonzeros of each slice end.
    ends: Vec<usize>,
    order: Vec<usize>,
}

impl BySlice {
    fn of(tensor: &SparseTensor, mode: Mode) -> Result<Self> {
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
            let place = &mut ends[slice as usize];
            order[*place] = nonzero;
            *place += 1;
        }
        Ok(Self { ends, order })
    }

    fn nonzeros(&self, slice: u32) -> &[usize] {
        let slice = slice as usize;
        let start = if slice == 0 { 0 } else { self.ends[slice - 1] };
        &self.order[start..self.ends[slice]]
    }
}
