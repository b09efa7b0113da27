//! MTTKRP on the cpu.

use equipoise_graph::Slices;

use crate::sparse::{Dense, Part, RowSums, fill_row, multiply_rows};

/// The product of slices and two factors, as values row after row.
pub(super) fn multiply(slices: &Slices, factors: [&Dense<f32>; 2], parts: &[Part]) -> Vec<f32> {
    let rank = factors[0].columns() as usize;
    let (firsts, seconds, values) = (slices.rows().indices(), slices.seconds(), slices.values());
    multiply_rows(slices.rows().offsets(), rank, parts, |nonzeros, row| {
        let firsts = &firsts[nonzeros.clone()];
        let seconds = &seconds[nonzeros.clone()];
        let values = &values[nonzeros];
        fill_row(row, &NonzerosTimesFactors { firsts, seconds, values, factors });
    })
}

struct NonzerosTimesFactors<'a> {
    firsts: &'a [u32],
    seconds: &'a [u32],
    values: &'a [f32],
    factors: [&'a Dense<f32>; 2],
}

impl RowSums<f32> for NonzerosTimesFactors<'_> {
    #[inline(always)]
    fn sums<const WIDTH: usize>(&self, first: usize) -> [f32; WIDTH] {
        let [left, right] = self.factors;
        let mut sums = [0.0; WIDTH];
        for ((&j, &k), &value) in self.firsts.iter().zip(self.seconds).zip(self.values) {
            let left = &left.row(j)[first..first + WIDTH];
            let right = &right.row(k)[first..first + WIDTH];
            for ((sum, &left), &right) in sums.iter_mut().zip(left).zip(right) {
                *sum += value * (left * right);
            }
        }
        sums
    }
}
