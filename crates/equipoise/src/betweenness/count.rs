//! Numbers of paths: `f64`, and numbers with an exponent of their own where those are too small.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// A number of paths, or a share of one.
pub(super) trait Count: Copy + Send + Sync {
    /// Where one is kept that several threads read, and one at a time writes.
    type Cell: Default + Send + Sync;

    const ZERO: Self;

    fn of(number: f64) -> Self;
    fn plus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn over(self, other: Self) -> Self;
    fn to_f64(self) -> f64;
    /// Whether it is so small that nothing made of it and its inverse is lost.
    fn is_safe(self) -> bool;
    fn load(cell: &Self::Cell) -> Self;
    fn store(self, cell: &Self::Cell);
}

/// The largest `f64` that counts paths: its inverse, times any dependency, is a normal number still.
const MOST: f64 = 1e300;

impl Count for f64 {
    type Cell = AtomicU64;

    const ZERO: Self = 0.0;

    fn of(number: f64) -> Self {
        number
    }

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
/// of them, so that no exponent of 64 bits is too small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Wide {
    number: f64,
    exponent: i64,
}

const MANTISSA_BITS: u32 = 52;
const BIAS: i64 = 1023;

impl Wide {
    /// The same with a number from 1 to 2: what it is given is a normal number or 0.
    fn of_parts(number: f64, exponent: i64) -> Self {
        if number == 0.0 {
            return Self::ZERO;
        }
        let bits = number.to_bits();
        let by = (bits >> MANTISSA_BITS) as i64 - BIAS;
        let mantissa = bits & ((1 << MANTISSA_BITS) - 1);
        let number = f64::from_bits(mantissa | (BIAS as u64) << MANTISSA_BITS);
        Self { number, exponent: exponent + by }
    }
}

/// Two to this power; 0 where that is less than a normal number.
fn power_of_two(exponent: i64) -> f64 {
    match exponent {
        ..-1022 => 0.0,
        1024.. => f64::INFINITY,
        _ => f64::from_bits(((exponent + BIAS) as u64) << MANTISSA_BITS),
    }
}

impl Count for Wide {
    type Cell = (AtomicU64, AtomicI64);

    const ZERO: Self = Self { number: 0.0, exponent: 0 };

    fn of(number: f64) -> Self {
        Self::of_parts(number, 0)
    }

    fn plus(self, other: Self) -> Self {
        if self.number == 0.0 || other.number == 0.0 {
            return if self.number == 0.0 { other } else { self };
        }
        let (large, small) = match self.exponent >= other.exponent {
            true => (self, other),
            false => (other, self),
        };
        let number = large.number + small.number * power_of_two(small.exponent - large.exponent);
        Self::of_parts(number, large.exponent)
    }

    fn times(self, other: Self) -> Self {
        Self::of_parts(self.number * other.number, self.exponent + other.exponent)
    }

    fn over(self, other: Self) -> Self {
        Self::of_parts(self.number / other.number, self.exponent - other.exponent)
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
    fn wide_numbers_calculate_as_others_do() {
        let numbers = [0.0, 1.0, 3.0, 0.7, 1e-9, 12345.678, 1e40, 3e-40];
        for a in numbers {
            assert_eq!(Wide::of(a).to_f64(), a);
            for b in numbers {
                let (wide_a, wide_b) = (Wide::of(a), Wide::of(b));
                assert_eq!(wide_a.plus(wide_b).to_f64(), a + b);
                assert_eq!(wide_a.times(wide_b).to_f64(), a * b);
                if b != 0.0 {
                    assert_eq!(wide_a.over(wide_b).to_f64(), a / b);
                }
            }
        }
    }

    #[test]
    fn wide_numbers_have_no_end() {
        let (mut large, three) = (Wide::of(1.0), Wide::of(3.0));
        (0..5000).for_each(|_| large = large.times(three));
        let larger = large.plus(large).plus(Wide::of(1.0));
        let small = Wide::of(1.0).over(large);
        for (number, expected) in [
            (larger.over(large), 2.0),
            (small.times(larger), 2.0),
            (Wide::ZERO.plus(small).times(large), 1.0),
            (small.plus(Wide::ZERO).times(large), 1.0),
            (large.plus(small).over(large), 1.0),
        ] {
            assert!((number.to_f64() - expected).abs() < 1e-15, "{number:?}");
        }
        assert!(large.to_f64().is_infinite() && !f64::INFINITY.is_safe());
        let cell = <Wide as Count>::Cell::default();
        larger.store(&cell);
        assert_eq!(Wide::load(&cell), larger);
    }
}
