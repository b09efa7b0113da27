//! Counts of paths.

use cubecl::prelude::*;
use equipoise_schedule::ranges::*;

/// The difference of exponents from which on the smaller number is treated as 0. Mantissas have 24 bits.
const BEYOND_BITS: u32 = 64;
const MANTISSA_BITS: u32 = 23;
const MANTISSA: u32 = (1 << MANTISSA_BITS) - 1;
const BIAS: u32 = 127;

/// A number and the exponent of a power of two, as stored.
pub(super) type Words = Vector<u32, Const<2>>;

/// `number` divided by 2 to the power of `times`.
#[cube]
pub(super) fn halved(number: f32, times: u32) -> f32 {
    let mut result = 0.0f32;
    if times < BEYOND_BITS {
        result = number * f32::reinterpret((BIAS - times) << MANTISSA_BITS);
    }
    result
}

/// The bits of a number and an exponent as words.
#[cube]
pub(super) fn words_of(number: u32, power: u32) -> Words {
    let mut words = Words::new(number);
    words[1] = power;
    words
}

/// A count of paths: a number times a power of two.
#[derive(CubeType, Clone, Copy)]
pub(super) struct Count {
    pub number: f32,
    pub power: u32,
}

#[cube]
impl Count {
    pub fn zero() -> Count {
        Count { number: 0.0f32.runtime(), power: 0u32.runtime() }
    }

    /// The words of one path.
    pub fn one() -> Words {
        words_of(comptime!(BIAS << MANTISSA_BITS).runtime(), 0u32.runtime())
    }

    /// Adds `number` times 2 to the power of `power`.
    pub fn add(&mut self, number: f32, power: u32) {
        let larger = max(self.power, power);
        self.number = halved(self.number, larger - self.power) + halved(number, larger - power);
        self.power = larger;
    }

    /// Adds the counts of `lanes` neighbouring units, in the same order for each of them. All units of a plane call it
    /// together.
    pub fn add_lanes(&mut self, lanes: u32) {
        let mut distance = 1u32;
        while distance < lanes {
            let number = plane_shuffle_xor(self.number, distance);
            let power = plane_shuffle_xor(self.power, distance);
            self.add(number, power);
            distance *= 2;
        }
    }

    /// The words of the count, normalised to a number from 1 to 2.
    pub fn words(&self) -> Words {
        let bits = u32::reinterpret(self.number);
        let number = (bits & MANTISSA) | (BIAS << MANTISSA_BITS);
        words_of(number, self.power + (bits >> MANTISSA_BITS) - BIAS)
    }
}

/// The most planes of a cube: planes have at least four units.
const MOST_PLANES: usize = 256;

/// Sums counts over the units of a cube, in shared memory.
#[derive(CubeType)]
pub(super) struct CubeSum {
    numbers: SharedMemory<f32>,
    powers: SharedMemory<u32>,
}

#[cube]
impl CubeSum {
    pub fn new() -> CubeSum {
        CubeSum {
            numbers: SharedMemory::<f32>::new(MOST_PLANES),
            powers: SharedMemory::<u32>::new(MOST_PLANES),
        }
    }

    /// The sum for the first unit. All units of a cube call it together.
    pub fn sum(&mut self, number: f32, power: u32) -> Count {
        let mut count = Count::zero();
        count.add(number, power);
        count.add_lanes(PLANE_DIM);
        sync_cube();
        if UNIT_POS_PLANE == 0 {
            self.numbers[(UNIT_POS / PLANE_DIM) as usize] = count.number;
            self.powers[(UNIT_POS / PLANE_DIM) as usize] = count.power;
        }
        sync_cube();
        if UNIT_POS == 0 {
            for plane in step_range(1u32, CUBE_DIM / PLANE_DIM, 1u32) {
                count.add(self.numbers[plane as usize], self.powers[plane as usize]);
            }
        }
        count
    }
}
