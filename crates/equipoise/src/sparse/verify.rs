//! What the three verifiers share: a sum of products in `f64`, and how far off it may be.

use equipoise_graph::Value;

use crate::{Error, Result};

/// A sum of products, taken in `f64`. Its rules are those of [`super::Spmv::verify`].
#[derive(Default)]
pub(super) struct Reference {
    products: f64,
    sum: f64,
    magnitude: f64,
    has_nan: bool,
    has_infinite: bool,
}

impl Reference {
    /// Adds one product.
    pub fn add<T: Value>(&mut self, a: T, b: T) {
        let rounded = (a * b).to_f64();
        self.has_nan |= rounded.is_nan();
        self.has_infinite |= rounded.is_infinite();
        let product = a.to_f64() * b.to_f64();
        self.products += 1.0;
        self.sum += product;
        self.magnitude += product.abs();
    }

    /// Fails where `found` cannot be this sum; `place` says where it stands.
    pub fn check<T: Value>(&self, found: T, place: impl Fn() -> String) -> Result<()> {
        match self.accepts(found) {
            true => Ok(()),
            false => Err(Error::Wrong(format!(
                "{}: {found} was found, {} expected (± {:e})",
                place(),
                self.sum,
                self.bound::<T>()
            ))),
        }
    }

    fn accepts<T: Value>(&self, found: T) -> bool {
        let found = found.to_f64();
        if self.has_nan {
            return found.is_nan();
        }
        if self.has_infinite {
            return !found.is_finite();
        }
        let largest = self.magnitude * (1.0 + growth(self.products, T::EPSILON));
        let overflows = !T::from_f64(largest).to_f64().is_finite();
        if overflows && !(found.is_finite() && self.sum.is_finite()) {
            return true;
        }
        (found - self.sum).abs() <= self.bound::<T>()
    }

    fn bound<T: Value>(&self) -> f64 {
        let roundings = self.products + 1.0;
        let relative = growth(roundings, T::EPSILON) + growth(roundings, f64::EPSILON);
        relative * self.magnitude + self.products * T::MIN_POSITIVE * T::EPSILON
    }
}

/// Fails where a product has not the shape (rows, columns) it should have.
pub(super) fn check_product_shape(found: (u32, u32), expected: (u32, u32)) -> Result<()> {
    match found == expected {
        true => Ok(()),
        false => Err(Error::Wrong(format!(
            "the product has {} rows × {} columns, not {} × {}",
            found.0, found.1, expected.0, expected.1
        ))),
    }
}

/// (1 + u)ⁿ − 1: how much n roundings can add to a number of magnitude 1.
fn growth(roundings: f64, epsilon: f64) -> f64 {
    (roundings * (epsilon / 2.0).ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts<T: Value>(products: &[(T, T)], found: T) -> bool {
        let mut reference = Reference::default();
        for &(a, b) in products {
            reference.add(a, b);
        }
        reference.check(found, || "here".into()).is_ok()
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
    }

    #[test]
    fn sums_too_large_for_the_type_may_overflow() {
        assert!(accepts(&[(1e30f32, 1e30)], f32::INFINITY));
        assert!(!accepts(&[(1e30f32, 1e30)], 1.0));
        let partly = [(f32::MAX, 1.0), (f32::MAX, 1.0), (f32::MAX, -1.0)];
        assert!(accepts(&partly, f32::INFINITY));
        assert!(accepts(&partly, f32::MAX));
        assert!(!accepts(&partly, 1.0));
    }

    #[test]
    fn products_may_underflow() {
        assert!(accepts(&[(1e-30f32, 1e-30)], 0.0));
        assert!(accepts(&[(1e-200f64, 1e-200)], 0.0));
        assert!(!accepts(&[(1e-30f32, 1e-30)], f32::MIN_POSITIVE));
    }
}
