//! The sums of each vertex: integers of several words.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, device::GpuRuntime};

use super::super::{HopSum, SumsOfVertices, VertexSums, inverse};

/// Words per vertex.
pub(super) const WORDS: u32 = 6;
/// The number of sources that reach it.
const REACHED: u32 = 0;
/// The sum of the distances: the low word and the high one.
const DISTANCE: u32 = 1;
/// The sum of the reciprocals: three words, the last one of whole numbers.
const INVERSE: u32 = 3;

/// A distance, and its reciprocal in units of 2⁻⁶⁴.
#[derive(CubeType, CubeLaunch, Clone, Copy)]
pub(super) struct Distance {
    pub hops: u32,
    low: u32,
    middle: u32,
    whole: u32,
}

/// The argument that binds a distance.
pub(super) fn distance_arg(hops: u32) -> DistanceLaunch<GpuRuntime> {
    let inverse = inverse(hops);
    DistanceLaunch::new(hops, inverse as u32, (inverse >> 32) as u32, (inverse >> 64) as u32)
}

/// The words of all vertices.
pub(in super::super) struct WordSums(pub Vec<u32>);

impl SumsOfVertices for WordSums {
    fn sums_of(&self, vertex: u32) -> VertexSums {
        let words = &self.0[(vertex * WORDS) as usize..][..WORDS as usize];
        let word = |index: u32| u64::from(words[index as usize]);
        let wide = |low: u32| word(low) | word(low + 1) << 32;
        let whole = u128::from(word(INVERSE + 2));
        let inverse = whole << 64 | u128::from(wide(INVERSE));
        HopSum { reached: words[REACHED as usize], distance: wide(DISTANCE), inverse }.into()
    }
}

/// A sum of two words.
#[derive(CubeType, Clone, Copy)]
struct Wide {
    low: u32,
    high: u32,
}

/// A number below 2¹⁶ times a word.
#[cube]
fn product(small: u32, word: u32) -> Wide {
    let low = small * (word & 0xffff);
    let high = small * (word >> 16);
    let sum = low + (high << 16);
    Wide { low: sum, high: (high >> 16) + u32::cast_from(sum < low) }
}

/// Adds a distance to the sums of a vertex, once per search that reaches it there. No other unit adds to them.
#[cube]
pub(super) fn add_distance(sums: &mut Array<u32>, vertex: u32, searches: u32, distance: Distance) {
    let first = (vertex * comptime!(WORDS)) as usize;
    sums[first] += searches;

    let hops = product(searches, distance.hops);
    let low = sums[first + 1] + hops.low;
    sums[first + 1] = low;
    sums[first + 2] += hops.high + u32::cast_from(low < hops.low);

    let by_low = product(searches, distance.low);
    let by_middle = product(searches, distance.middle);
    let low = sums[first + 3] + by_low.low;
    sums[first + 3] = low;
    let carry = by_low.high + u32::cast_from(low < by_low.low);
    let middle = sums[first + 4] + carry;
    let carry = u32::cast_from(middle < carry);
    let sum = middle + by_middle.low;
    sums[first + 4] = sum;
    let carry = carry + u32::cast_from(sum < middle);
    sums[first + 5] += by_middle.high + searches * distance.whole + carry;
}

/// Adds to a word, and returns what to carry to the next one.
#[cube]
fn add_word(sums: &mut AtomicArray, index: u32, word: u32) -> u32 {
    let mut carry = 0u32;
    if word != 0 {
        let before = sums.fetch_add(index, word);
        carry = u32::cast_from(before > !word);
    }
    carry
}

/// Adds as [`add_distance`] does, while other units add to the sums of the same vertex.
#[cube]
pub(super) fn add_distance_atomically(
    sums: &mut AtomicArray,
    vertex: u32,
    searches: u32,
    distance: Distance,
) {
    let first = vertex * comptime!(WORDS);
    sums.fetch_add(first, searches);

    let hops = product(searches, distance.hops);
    let carry = add_word(sums, first + 1, hops.low);
    sums.fetch_add(first + 2, hops.high + carry);

    let by_low = product(searches, distance.low);
    let by_middle = product(searches, distance.middle);
    let carry = add_word(sums, first + 3, by_low.low);
    let carry_of_high = add_word(sums, first + 4, by_low.high + carry);
    let carry = carry_of_high + add_word(sums, first + 4, by_middle.low);
    sums.fetch_add(first + 5, by_middle.high + searches * distance.whole + carry);
}
