//! Values of the atoms of a probe, on the device and on the host.

use cubecl::prelude::*;

/// The value of an atom, made from a number.
#[cube]
pub(crate) trait Values: HostValues {
    fn zero() -> Self;
    /// The part of a lane.
    fn from_number(number: u32, lane: u32) -> Self;
    fn add(a: Self, b: Self) -> Self;
}

/// The value on the host, by 32-bit words.
pub(crate) trait HostValues: CubePrimitive {
    /// Words per value.
    const WORDS: u32;

    /// One word of the total of values made from numbers; `word` counts over all lanes.
    fn total(numbers: impl Iterator<Item = u32>, word: u32) -> u32;
}

impl HostValues for u32 {
    const WORDS: u32 = 1;

    fn total(numbers: impl Iterator<Item = u32>, _: u32) -> u32 {
        numbers.fold(0, u32::wrapping_add)
    }
}

#[cube]
impl Values for u32 {
    fn zero() -> u32 {
        0u32.runtime()
    }

    fn from_number(number: u32, _lane: u32) -> u32 {
        number
    }

    fn add(a: u32, b: u32) -> u32 {
        a + b
    }
}

/// Bound of floating-point values, which are whole, so that totals are exact.
const DIGITS: u32 = 8;

impl HostValues for f32 {
    const WORDS: u32 = 1;

    fn total(numbers: impl Iterator<Item = u32>, word: u32) -> u32 {
        let digits = numbers.map(|number| u64::from(number.wrapping_add(word) % DIGITS));
        (digits.sum::<u64>() as f32).to_bits()
    }
}

#[cube]
impl Values for f32 {
    fn zero() -> f32 {
        0.0f32.runtime()
    }

    fn from_number(number: u32, _lane: u32) -> f32 {
        f32::cast_from(number % DIGITS)
    }

    fn add(a: f32, b: f32) -> f32 {
        a + b
    }
}

/// Four words, made from consecutive numbers.
type Four = Vector<f32, Const<4>>;

impl HostValues for Four {
    const WORDS: u32 = 4;

    fn total(numbers: impl Iterator<Item = u32>, word: u32) -> u32 {
        f32::total(numbers, word)
    }
}

#[cube]
impl Values for Four {
    fn zero() -> Four {
        Four::new(0.0f32)
    }

    fn from_number(number: u32, lane: u32) -> Four {
        let mut four = RuntimeCell::<Four>::new(Four::new(0.0f32));
        #[unroll]
        for word in 0..4u32 {
            let digit = f32::cast_from((number + lane * 4 + word) % DIGITS);
            four.store_at(word as usize, digit);
        }
        four.consume()
    }

    fn add(a: Four, b: Four) -> Four {
        a + b
    }
}
