//! Products whose rows are sums over the entries of a row.

use std::{mem::MaybeUninit, ops::Range};

use equipoise_graph::{Value, cancel::Cancel, parallel::*};

use super::parts::{Part, cut};

/// The product of rows with these offsets, `width` numbers per row. `fill` sets a row of numbers to
/// the sums over some of the row's entries.
pub(crate) fn multiply_rows<T: Value>(
    offsets: &[u64],
    width: usize,
    parts: &[Part],
    fill: impl Fn(Range<usize>, &mut [T]) + Sync,
) -> Vec<T> {
    let numbers = (offsets.len() - 1) * width;
    assert_eq!(parts.iter().map(|part| part.rows.len() * width).sum::<usize>(), numbers);
    let mut product = Vec::with_capacity(numbers);
    let slots = &mut product.spare_capacity_mut()[..numbers];
    let cancel = Cancel::current();
    let carries: Vec<Vec<T>> = cut(slots, parts, |part| part.rows.len() * width)
        .into_par_iter()
        .zip(parts)
        .map(|(slots, part)| {
            cancel.poll();
            let rows = zeroed(slots);
            for (row, entries) in rows.chunks_exact_mut(width.max(1)).zip(part.pieces(offsets)) {
                fill(entries, row);
            }
            let rest = part.rest(offsets);
            let mut carry = vec![T::default(); if rest.is_empty() { 0 } else { width }];
            fill(rest, &mut carry);
            carry
        })
        .collect();
    // SAFETY: the vector has room for `numbers` values, and the parts, whose slots were all set to zero, have that many.
    unsafe { product.set_len(numbers) };
    for (part, carry) in parts.iter().zip(carries) {
        for (sum, carry) in product[part.rows.end * width..].iter_mut().zip(carry) {
            *sum += carry;
        }
    }
    product
}

/// Sets memory to zero. A thread does so right before it fills the memory: zeroing all of it first would take one thread
/// longer than all threads need for the product of a sparse matrix.
fn zeroed<T: Value>(slots: &mut [MaybeUninit<T>]) -> &mut [T] {
    for slot in slots.iter_mut() {
        slot.write(T::default());
    }
    // SAFETY: each slot was written.
    unsafe { slots.assume_init_mut() }
}

/// The sums of a row over some of its entries.
pub(crate) trait RowSums<T> {
    /// `WIDTH` neighbouring sums, the first of them in column `first`. Always inlined: sums that are returned by
    /// reference stay in memory instead of registers.
    fn sums<const WIDTH: usize>(&self, first: usize) -> [T; WIDTH];
}

/// Fills a row a tile of columns at a time, so that sums stay in registers.
pub(crate) fn fill_row<T: Value>(mut row: &mut [T], sums: &impl RowSums<T>) {
    let mut first = 0;
    while !row.is_empty() {
        let width = match row.len() {
            16.. => fill_tile::<T, 16>(row, sums, first),
            8.. => fill_tile::<T, 8>(row, sums, first),
            4.. => fill_tile::<T, 4>(row, sums, first),
            _ => fill_tile::<T, 1>(row, sums, first),
        };
        first += width;
        row = &mut row[width..];
    }
}

#[inline(always)]
fn fill_tile<T: Value, const WIDTH: usize>(
    row: &mut [T],
    sums: &impl RowSums<T>,
    first: usize,
) -> usize {
    row[..WIDTH].copy_from_slice(&sums.sums::<WIDTH>(first));
    WIDTH
}
