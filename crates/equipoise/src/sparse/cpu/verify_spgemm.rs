//! Whether a sparse product is that of its factors.

use equipoise_graph::{Matrix, Value, memory, parallel::*};

use super::spgemm::{Factors, check_shapes};
use crate::{
    Result,
    error::wrong,
    sparse::verify::{PlainSum, ReferenceSum, check_product_shape},
};

/// The fewest rows per task of a thread.
const ROWS_AT_ONCE: usize = 16;

/// Fails where `product` is not `a` times `b`; otherwise returns the number of multiplications.
pub(super) fn verify<T: Value>(product: &Matrix<T>, a: &Matrix<T>, b: &Matrix<T>) -> Result<u64> {
    a.check()?;
    b.check()?;
    check_shapes(a.columns(), b.rows())?;
    check_product_shape((product.rows(), product.columns()), (a.rows(), b.columns()))?;
    let factors = Factors::new(a, b);
    let rows = a.rows() as usize;
    let all = (0..rows).into_par_iter().map(|row| factors.multiplications(row));
    let (most, all) = all.map(|it| (it, it)).reduce(|| (0, 0), |a, b| (a.0.max(b.0), a.1 + b.1));
    // Each thread adds up the products of a row by column.
    let sums = memory::bytes_of::<PlainSum>(most.min(b.columns().into()));
    let places = memory::bytes_of::<u32>(b.columns().into());
    let bytes = sums.saturating_add(places).saturating_mul(threads_for(rows));
    memory::check("verifying a sparse product", bytes)?;
    let check_row = |check: &mut RowCheck, row: usize| {
        if check.passes(product, &factors, row) {
            Ok(())
        } else {
            verify_row(product, &factors, row)
        }
    };
    let rows = (0..rows).into_par_iter().with_min_len(ROWS_AT_ONCE);
    let checks = rows.map_init(RowCheck::default, check_row);
    checks.find_map_first(Result::err).map_or(Ok(all), Err)
}

/// The largest number of threads that share `rows` rows.
fn threads_for(rows: usize) -> u64 {
    rayon::current_num_threads().min(rows.div_ceil(ROWS_AT_ONCE)) as u64
}

/// The sums of the products of a row, by column.
#[derive(Default)]
struct RowCheck {
    /// The place of each column in `sums`; 0 for columns without an entry. All 0 between rows.
    places: Vec<u32>,
    /// The sums of the entries, after one for all products without an entry.
    sums: Vec<PlainSum>,
}

impl RowCheck {
    /// Whether a row is right beyond doubt. What is close, infinite or not a number is left to [`verify_row`].
    fn passes<T: Value>(&mut self, product: &Matrix<T>, factors: &Factors<T>, row: usize) -> bool {
        let (columns, values) = product.row(row as u32);
        if !columns.is_sorted_by(|a, b| a < b) {
            return false;
        }
        self.places.resize(factors.columns() as usize, 0);
        self.sums.clear();
        self.sums.resize(columns.len() + 1, PlainSum::default());
        for (place, &column) in (1..).zip(columns) {
            self.places[column as usize] = place;
        }
        factors.visit(row, |column, left, right| {
            self.sums[self.places[column as usize] as usize].add(left.to_f64() * right.to_f64());
        });
        columns.iter().for_each(|&column| self.places[column as usize] = 0);
        let has_products = |sum: &PlainSum| sum.products > 0.0;
        let mut sums = self.sums[1..].iter().zip(values);
        !has_products(&self.sums[0])
            && sums.all(|(sum, &value)| has_products(sum) && sum.proves(value))
    }
}

/// Fails unless a row is the right one, or where memory for its products is short.
fn verify_row<T: Value>(product: &Matrix<T>, factors: &Factors<T>, row: usize) -> Result<()> {
    let count = factors.multiplications(row);
    // With as much again to sort.
    let bytes = memory::bytes_of::<[(u32, T, T); 2]>(count);
    let all_threads = bytes.saturating_mul(threads_for(product.rows() as usize));
    memory::check("verifying a row of a sparse product", all_threads)?;
    let mut products = Vec::with_capacity(count as usize);
    factors.visit(row, |column, left, right| products.push((column, left, right)));
    products.sort_by_key(|&(column, ..)| column);
    let (columns, values) = product.row(row as u32);
    let mut entries = columns.iter().zip(values);
    for group in products.chunk_by(|a, b| a.0 == b.0) {
        let column = group[0].0;
        let Some((_, &value)) = entries.next().filter(|entry| *entry.0 == column) else {
            return wrong(format!(
                "row {row} of the product lacks an entry in column {column}, or is not sorted"
            ));
        };
        let reference = ReferenceSum::new(group.iter().map(|&(_, left, right)| (left, right)));
        reference.check(value, || format!("row {row}, column {column}"))?;
    }
    match entries.next() {
        None => Ok(()),
        Some((column, _)) => wrong(format!(
            "row {row} of the product has an entry in column {column}, to which nothing contributes"
        )),
    }
}
