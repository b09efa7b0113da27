//! Reference sums that the verifiers of products compare with.

use equipoise_graph::{Value, parallel::*};

use super::dense::Dense;
use crate::{Result, error::wrong};

/// A sum of products in `f64`, with the bounds of [`Spmv::verify`](super::Spmv::verify).
#[derive(Default)]
pub(crate) struct ReferenceSum {
    products: f64,
    /// The most roundings of a factor before it is multiplied.
    inner_roundings: f64,
    /// The error of factors too small for their type.
    underflow: f64,
    sum: f64,
    /// The sum of the finite products above zero.
    above: f64,
    /// The negated sum of the finite products below zero.
    below: f64,
    has_nan: bool,
    has_infinity: bool,
    has_minus_infinity: bool,
}

impl ReferenceSum {
    /// The sum of the products of pairs.
    pub fn new<T: Value>(pairs: impl IntoIterator<Item = (T, T)>) -> Self {
        let mut sum = Self::default();
        pairs.into_iter().for_each(|(a, b)| sum.add(a.to_f64(), b.to_f64()));
        sum
    }

    /// Adds `a·(b·c)`, of which the inner product is rounded first.
    pub fn add_of_three(&mut self, a: f32, b: f32, c: f32) {
        // Exact, as f64 has more than twice the digits.
        let inner = f64::from(b) * f64::from(c);
        let rounded = f64::from(inner as f32);
        self.inner_roundings = 1.0;
        if !rounded.is_finite() {
            return self.add(a.into(), rounded);
        }
        // Devices may flush subnormal numbers to zero.
        if inner.abs() < f32::MIN_POSITIVE.into() && a.is_finite() {
            let step = f64::from(f32::MIN_POSITIVE) * f64::from(f32::EPSILON);
            self.underflow += f64::from(a).abs() * (inner.abs() + step);
        }
        self.add(a.into(), inner);
    }

    fn add(&mut self, a: f64, b: f64) {
        let product = a * b;
        self.products += 1.0;
        if a.is_finite() && b.is_finite() {
            self.sum += product;
            self.above += product.max(0.0);
            self.below -= product.min(0.0);
            return;
        }
        self.has_nan |= product.is_nan();
        self.has_infinity |= product == f64::INFINITY;
        self.has_minus_infinity |= product == f64::NEG_INFINITY;
    }

    /// Fails where `value` cannot be this sum; `position` names it in the error.
    pub fn check<T: Value>(&self, value: T, position: impl Fn() -> String) -> Result<()> {
        if self.accepts(value) {
            return Ok(());
        }
        wrong(format!(
            "{}: {value} was found, {} expected (± {:e})",
            position(),
            self.sum,
            self.bound::<T>()
        ))
    }

    fn accepts<T: Value>(&self, value: T) -> bool {
        let value = value.to_f64();
        if self.has_nan || self.has_infinity && self.has_minus_infinity {
            return value.is_nan();
        }
        let overflows = |side: f64| {
            let largest = side * (1.0 + growth(self.products + self.inner_roundings, T::EPSILON));
            !T::from_f64(largest).to_f64().is_finite()
        };
        let goes_up = self.has_infinity || overflows(self.above);
        let goes_down = self.has_minus_infinity || overflows(self.below);
        if value.is_nan() {
            return goes_up && goes_down;
        }
        if value == f64::INFINITY {
            return goes_up && !self.has_minus_infinity;
        }
        if value == f64::NEG_INFINITY {
            return goes_down && !self.has_infinity;
        }
        let is_finite = !self.has_infinity && !self.has_minus_infinity;
        is_finite && (!self.sum.is_finite() || (value - self.sum).abs() <= self.bound::<T>())
    }

    fn bound<T: Value>(&self) -> f64 {
        let roundings = self.products + self.inner_roundings + 1.0;
        let relative = growth(roundings, T::EPSILON) + growth(roundings, f64::EPSILON);
        let too_small = self.products * T::MIN_POSITIVE * T::EPSILON + self.underflow;
        relative * (self.above + self.below) + too_small
    }
}

/// A sum of products in `f64` that proves most right values in a tenth of the time of a [`ReferenceSum`].
#[derive(Clone, Copy, Default)]
pub(crate) struct PlainSum {
    pub products: f64,
    sum: f64,
    /// The sum of the absolute values.
    magnitude: f64,
}

impl PlainSum {
    #[inline]
    pub fn add(&mut self, product: f64) {
        self.products += 1.0;
        self.sum += product;
        self.magnitude += product.abs();
    }

    /// Whether a value is this sum beyond doubt: within a rounding per product, which every [`ReferenceSum`] allows. Doubts
    /// remain about infinite sums and about what is not a number.
    #[inline]
    pub fn proves<T: Value>(&self, value: T) -> bool {
        let bound = self.products * (T::EPSILON / 2.0) * self.magnitude;
        self.magnitude.is_finite() && (value.to_f64() - self.sum).abs() <= bound
    }
}

/// The plain sums of a row, by column.
pub(crate) struct PlainRow {
    products: f64,
    sums: Vec<f64>,
    magnitudes: Vec<f64>,
}

impl PlainRow {
    fn new(columns: u32) -> Self {
        let zeros = || vec![0.0; columns as usize];
        Self { products: 0.0, sums: zeros(), magnitudes: zeros() }
    }

    fn clear(&mut self) {
        self.products = 0.0;
        self.sums.fill(0.0);
        self.magnitudes.fill(0.0);
    }

    /// Adds a product to each column.
    #[inline]
    pub fn add(&mut self, products: impl Iterator<Item = f64>) {
        self.products += 1.0;
        for ((sum, magnitude), product) in
            self.sums.iter_mut().zip(&mut self.magnitudes).zip(products)
        {
            *sum += product;
            *magnitude += product.abs();
        }
    }

    fn proves<T: Value>(&self, column: usize, value: T) -> bool {
        let (sum, magnitude) = (self.sums[column], self.magnitudes[column]);
        PlainSum { products: self.products, sum, magnitude }.proves(value)
    }
}

/// Fails unless each number of a product is its reference sum, given by row and column. `add` adds the products of a row.
pub(crate) fn check_dense<T: Value>(
    product: &Dense<T>,
    shape: (u32, u32),
    add: impl Fn(u32, &mut PlainRow) + Sync,
    reference: impl Fn(u32, usize) -> ReferenceSum + Sync,
) -> Result<()> {
    check_product_shape((product.rows(), product.columns()), shape)?;
    let check_row = |sums: &mut PlainRow, row: u32| {
        sums.clear();
        add(row, sums);
        let values = product.row(row).iter().enumerate();
        let mut doubtful = values.filter(|&(column, &value)| !sums.proves(column, value));
        doubtful.try_for_each(|(column, &value)| {
            reference(row, column).check(value, || format!("row {row}, column {column}"))
        })
    };
    let rows = (0..product.rows()).into_par_iter();
    let checks = rows.map_init(|| PlainRow::new(product.columns()), check_row);
    checks.find_map_first(Result::err).map_or(Ok(()), Err)
}

/// Fails unless a product has the expected shape: rows and columns.
pub(super) fn check_product_shape(shape: (u32, u32), expected: (u32, u32)) -> Result<()> {
    if shape == expected {
        return Ok(());
    }
    wrong(format!(
        "the product has {} rows × {} columns, not {} × {}",
        shape.0, shape.1, expected.0, expected.1
    ))
}

/// (1 + u)ⁿ − 1: the most that n roundings add to a number of magnitude 1.
fn growth(roundings: f64, epsilon: f64) -> f64 {
    (roundings * (epsilon / 2.0).ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts<T: Value>(products: &[(T, T)], value: T) -> bool {
        ReferenceSum::new(products.iter().copied()).accepts(value)
    }

    #[test]
    fn a_sum_may_be_off_by_its_roundings_and_no_more() {
        let products = [(1.0f32, 1.0), (1.0, 2.0), (0.1, 0.1)];
        let sum = 1.0 + 2.0 + 0.1f32 * 0.1;
        assert!(accepts(&products, sum));
        assert!(accepts(&products, sum + 2.0 * f32::EPSILON));
        assert!(!accepts(&products, sum + 10.0 * f32::EPSILON));
        assert!(!accepts(&products, sum - 10.0 * f32::EPSILON));
        assert!(!accepts(&products, -sum));
    }

    /// Whatever a plain sum proves, the reference accepts.
    #[test]
    fn plain_sums_prove_less_than_references_accept() {
        let factors = [0.1f32, -0.3, 1e-30, 3e38, -7.0, 1e20];
        for (count, first) in (1..40).zip((0..6).cycle()) {
            let pair = |index: usize| (factors[(first + index) % 6], factors[(index * index) % 5]);
            let pairs: Vec<_> = (0..count).map(pair).collect();
            let (mut plain, reference) = (PlainSum::default(), ReferenceSum::new(pairs.clone()));
            pairs.iter().for_each(|&(a, b)| plain.add(f64::from(a) * f64::from(b)));
            let near = (0..40).map(|step| plain.sum * (1.0 + f64::from(step - 20) * 3e-8));
            let values = near.map(|value| value as f32).chain([0.0, f32::INFINITY, f32::NAN]);
            for value in values.filter(|&value| plain.proves(value)) {
                assert!(reference.accepts(value), "{value} for {pairs:?}");
            }
        }
        let mut one = PlainSum::default();
        one.add(1.0);
        assert!(
            one.proves(1.0f32) && !one.proves(1.0 + 2.0 * f32::EPSILON) && !one.proves(f32::NAN)
        );
    }

    #[test]
    fn what_cancels_is_bounded_by_the_size_of_its_terms() {
        let products = [(1e8f64, 1.0), (1.0, 1.0), (-1e8, 1.0)];
        assert!(accepts(&products, 1.0));
        assert!(!accepts(&products, 1.0 + 1e-6));
        assert!(!accepts::<f64>(&[], 1e-300));
        assert!(accepts::<f64>(&[], 0.0));
    }

    #[test]
    fn not_a_number_is_accepted_only_where_it_must_be() {
        for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert!(!accepts(&[(1.0, 1.0)], wrong));
            assert!(!accepts::<f32>(&[], wrong));
        }
        assert!(accepts(&[(f32::NAN, 1.0)], f32::NAN));
        assert!(!accepts(&[(f32::NAN, 1.0)], 1.0));
        assert!(!accepts(&[(f32::NAN, 1.0)], f32::INFINITY));
        assert!(accepts(&[(f32::INFINITY, 1.0), (1.0, 1.0)], f32::INFINITY));
        assert!(!accepts(&[(f32::INFINITY, 1.0)], f32::MAX));
        assert!(!accepts(&[(f32::INFINITY, 1.0)], f32::NEG_INFINITY));
        assert!(!accepts(&[(f32::INFINITY, 1.0)], f32::NAN));
        assert!(accepts(&[(f32::INFINITY, 1.0), (f32::INFINITY, -1.0)], f32::NAN));
        // What is added before the infinity may be one of the other sign.
        let huge = [(-f32::MAX, 2.0), (f32::INFINITY, 1.0)];
        assert!(accepts(&huge, f32::NAN) && accepts(&huge, f32::INFINITY));
        assert!(!accepts(&huge, f32::NEG_INFINITY) && !accepts(&huge, 0.0));
    }

    #[test]
    fn sums_too_large_for_the_type_may_overflow() {
        assert!(accepts(&[(1e30f32, 1e30)], f32::INFINITY));
        assert!(!accepts(&[(1e30f32, 1e30)], 1.0));
        let partly = [(f32::MAX, 1.0), (f32::MAX, 0.5), (f32::MAX, -0.5)];
        assert!(accepts(&partly, f32::INFINITY));
        assert!(accepts(&partly, f32::MAX));
        assert!(!accepts(&partly, 1.0));
        assert!(!accepts(&partly, f32::NEG_INFINITY));
        assert!(!accepts(&partly, f32::NAN));
    }

    #[test]
    fn of_three_the_inner_product_is_rounded_and_may_overflow_or_underflow() {
        let accepts = |[a, b, c]: [f32; 3], value: f32| {
            let mut reference = ReferenceSum::default();
            reference.add_of_three(a, b, c);
            reference.accepts(value)
        };
        let exact = 0.1f32 * (0.3 * 0.7);
        assert!(accepts([0.1, 0.3, 0.7], exact));
        assert!(!accepts([0.1, 0.3, 0.7], exact * (1.0 + 10.0 * f32::EPSILON)));
        assert!(accepts([1e-30, 1e30, 1e30], f32::INFINITY));
        assert!(!accepts([1e-30, 1e30, 1e30], 1e30));
        assert!(accepts([0.0, 1e30, 1e30], f32::NAN));
        assert!(accepts([1e30, 1e-30, 1e-30], 0.0));
        assert!(!accepts([1e30, 1e-30, 1e-30], 1.0));
    }

    #[test]
    fn products_may_underflow() {
        assert!(accepts(&[(1e-30f32, 1e-30)], 0.0));
        assert!(accepts(&[(1e-200f64, 1e-200)], 0.0));
        assert!(!accepts(&[(1e-30f32, 1e-30)], f32::MIN_POSITIVE));
    }
}
