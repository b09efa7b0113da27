//! MTTKRP on the cpu.

use std::ops::Range;

use equipoise_graph::Slices;
use rayon::prelude::*;

use crate::sparse::{Dense, Part, cut};

/// The product of slices and two factors, as values row after row.
pub(super) fn multiply(slices: &Slices, factors: [&Dense<f32>; 2], parts: &[Part]) -> Vec<f32> {
    let rank = factors[0].columns() as usize;
    let mut product = vec![0.0; slices.rows().rows() as usize * rank];
    let carries: Vec<Vec<f32>> = cut(&mut product, parts, |part| part.rows.len() * rank)
        .into_par_iter()
        .zip(parts)
        .map(|(rows, part)| multiply_part(slices, factors, part, rows))
        .collect();
    for (part, carry) in parts.iter().zip(carries) {
        for (sum, carry) in product[part.rows.end * rank..].iter_mut().zip(carry) {
            *sum += carry;
        }
    }
    product
}

/// Writes the rows that end in the part; returns the sums of the nonzeros left over, if any.
fn multiply_part(
    slices: &Slices,
    factors: [&Dense<f32>; 2],
    part: &Part,
    product: &mut [f32],
) -> Vec<f32> {
    let rank = factors[0].columns() as usize;
    let offsets = slices.rows().offsets();
    if rank > 0 {
        for (row, nonzeros) in product.chunks_exact_mut(rank).zip(part.pieces(offsets)) {
            multiply_slice(slices, nonzeros, factors, row);
        }
    }
    let rest = part.rest(offsets);
    if rest.is_empty() {
        return Vec::new();
    }
    let mut carry = vec![0.0; rank];
    multiply_slice(slices, rest, factors, &mut carry);
    carry
}

/// One row of the product from some of its slice's nonzeros, tile of columns after tile, so that
/// sums stay in registers.
fn multiply_slice(
    slices: &Slices,
    nonzeros: Range<usize>,
    factors: [&Dense<f32>; 2],
    mut row: &mut [f32],
) {
    let mut first = 0;
    while !row.is_empty() {
        let tile = match row.len() {
            16.. => tile::<16>,
            8.. => tile::<8>,
            4.. => tile::<4>,
            _ => tile::<1>,
        };
        let done = tile(slices, nonzeros.clone(), factors, first, row);
        first += done;
        row = &mut row[done..];
    }
}

/// `WIDTH` neighbouring sums of a row of the product, the first of them in column `first`.
fn tile<const WIDTH: usize>(
    slices: &Slices,
    nonzeros: Range<usize>,
    [left, right]: [&Dense<f32>; 2],
    first: usize,
    row: &mut [f32],
) -> usize {
    let firsts = &slices.rows().indices()[nonzeros.clone()];
    let seconds = &slices.seconds()[nonzeros.clone()];
    let mut sums = [0.0; WIDTH];
    for ((&j, &k), &value) in firsts.iter().zip(seconds).zip(&slices.values()[nonzeros]) {
        let left = &left.row(j)[first..first + WIDTH];
        let right = &right.row(k)[first..first + WIDTH];
        for ((sum, &left), &right) in sums.iter_mut().zip(left).zip(right) {
            *sum += value * (left * right);
        }
    }
    row[..WIDTH].copy_from_slice(&sums);
    WIDTH
}
