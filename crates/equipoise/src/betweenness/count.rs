//! Counts of paths: `f64`, and numbers with a separate exponent for counts that exceed it.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// A count of paths, or a quotient of counts.
pub(super) trait PathCount: Copy + From<f64> + Send + Sync {
    /// A shared count with a single writer.
    type Cell: Default + Send + Sync;

    const ZERO: Self;

    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn to_f64(self) -> f64;
    /// Whether products with its reciprocal cannot underflow.
    fn is_safe(self) -> bool;
    fn load(cell: &Self::Cell) -> Self;
    fn store(self, cell: &Self::Cell);
}

/// The largest safe `f64`: its reciprocal times any dependency is a normal number.
const MOST: f64 = 1e300;

impl PathCount for f64 {
    type Cell = AtomicU64;

    const ZERO: Self = 0.0;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }

    #[inline]
    fn times(self, other: Self) -> Self {
        self * other
    }

    #[inline]
    fn over(self, other: Self) -> Self {
        self / other
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn is_safe(self) -> bool {
        self <= MOST
    }

    #[inline]
    fn load(cell: &AtomicU64) -> Self {
        f64::from_bits(cell.load(Relaxed))
    }

    #[inline]
    fn store(self, cell: &AtomicU64) {
        cell.store(self.to_bits(), Relaxed);
    }
}

/// A number from 1 to 2, or 0, times a power of two. A graph of n vertices has fewer than 2ⁿ shortest paths between two
/// vertices, so an exponent of 64 bits suffices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WideCount {
    number: f64,
    exponent: i64,
}

const MANTISSA_BITS: u32 = 52;
const BIAS: i64 = 1023;

impl WideCount {
    /// Normalises `number`, which is a normal number or 0, times 2 to the power of `exponent`.
    fn normalized(number: f64, exponent: i64) -> Self {
        if number == 0.0 {
            return Self::ZERO;
        }
        let bits = number.to_bits();
        let shift = (bits >> MANTISSA_BITS) as i64 - BIAS;
        let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
        let number = f64::from_bits(mantissa | (BIAS as u64) << MANTISSA_BITS);
        Self { number, exponent: exponent + shift }
    }
}

impl From<f64> for WideCount {
    fn from(number: f64) -> Self {
        Self::normalized(number, 0)
    }
}

/// 2 to the power of `exponent`, or 0 if that is not a normal number.
fn power_of_two(exponent: i64) -> f64 {
    match exponent {
        ..-1022 => 0.0,
        1024.. => f64::INFINITY,
        _ => f64::from_bits(((exponent + BIAS) as u64) << MANTISSA_BITS),
    }
}

impl PathCount for WideCount {
    type Cell = (AtomicU64, AtomicI64);

    const ZERO: Self = Self { number: 0.0, exponent: 0 };

    fn plus(self, other: Self) -> Self {
        if self.number == 0.0 || other.number == 0.0 {
            return if self.number == 0.0 { other } else { self };
        }
        let is_larger = self.exponent >= other.exponent;
        let (large, small) = if is_larger { (self, other) } else { (other, self) };
        let number = large.number + small.number * power_of_two(small.exponent - large.exponent);
        Self::normalized(number, large.exponent)
    }

    fn times(self, other: Self) -> Self {
        Self::normalized(self.number * other.number, self.exponent + other.exponent)
    }

    fn over(self, other: Self) -> Self {
        Self::normalized(self.number / other.number, self.exponent - other.exponent)
    }

    fn to_f64(self) -> f64 {
        self.number * power_of_two(self.exponent)
    }

    fn is_safe(self) -> bool {
        true
    }

    fn load(cell: &Self::Cell) -> Self {
        Self { number: f64::load(&cell.0), exponent: cell.1.load(Relaxed) }
    }

    fn store(self, cell: &Self::Cell) {
        self.number.store(&cell.0);
        cell.1.store(self.exponent, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_counts_round_like_f64() {
        let numbers = [0.0, 1.0, 3.0, 0.7, 1e-9, 12345.678, 1e40, 3e-40];
        for a in numbers {
            assert_eq!(WideCount::from(a).to_f64(), a);
            for b in numbers {
                let (wide_a, wide_b) = (WideCount::from(a), WideCount::from(b));
                assert_eq!(wide_a.plus(wide_b).to_f64(), a + b);
                assert_eq!(wide_a.times(wide_b).to_f64(), a * b);
                if b != 0.0 {
                    assert_eq!(wide_a.over(wide_b).to_f64(), a / b);
                }
            }
        }
    }

    #[test]
    fn wide_counts_exceed_f64() {
        let (one, zero) = (WideCount::from(1.0), WideCount::ZERO);
        let large = (0..5000).fold(one, |product, _| product.times(WideCount::from(3.0)));
        let larger = large.plus(large).plus(one);
        let small = one.over(large);
        for (number, expected) in [
            (larger.over(large), 2.0),
            (small.times(larger), 2.0),
            (zero.plus(small).times(large), 1.0),
            (small.plus(zero).times(large), 1.0),
            (large.plus(small).over(large), 1.0),
        ] {
            assert!((number.to_f64() - expected).abs() < 1e-15, "{number:?}");
        }
        assert!(large.to_f64().is_infinite() && !f64::INFINITY.is_safe());
        let cell = <WideCount as PathCount>::Cell::default();
        larger.store(&cell);
        assert_eq!(WideCount::load(&cell), larger);
    }
}
