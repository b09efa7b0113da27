//! The kernels of betweenness.
#![allow(clippy::collapsible_if, reason = "a kernel evaluates both sides of `&&`")]

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, ranges::*};

use super::{pairs::*, paths::*};
use crate::{NONE, kernels::UNITS};

/// The difference of exponents from which on the smaller number is treated as 0. Mantissas have 24 bits.
const BEYOND_BITS: u32 = 64;
const MANTISSA_BITS: u32 = 23;
const MANTISSA: u32 = (1 << MANTISSA_BITS) - 1;
const BIAS: u32 = 127;

/// The pairs, sorted by level.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Levels {
    pairs: AtomicArray,
    list: Array<u32>,
    counts: AtomicArray,
    starts: Array<u32>,
}

/// `number` divided by 2 to the power of `times`.
#[cube]
fn halved(number: f32, times: u32) -> f32 {
    let mut result = 0.0f32;
    if times < BEYOND_BITS {
        result = number * f32::reinterpret((BIAS - times) << MANTISSA_BITS);
    }
    result
}

/// A count of paths: a number times a power of two.
#[derive(CubeType, Clone, Copy)]
struct Count {
    number: f32,
    power: u32,
}

#[cube]
impl Count {
    fn of_pair(pairs: &AtomicArray, pair: u32) -> Count {
        let number = f32::reinterpret(pairs.get(word(pair, PATHS)));
        Count { number, power: pairs.get(word(pair, POWER)) }
    }

    /// Adds `number` times 2 to the power of `power`.
    fn plus(self, number: f32, power: u32) -> Count {
        let larger = max(self.power, power);
        let sum = halved(self.number, larger - self.power) + halved(number, larger - power);
        Count { number: sum, power: larger }
    }

    /// Stores the count, normalised to a number from 1 to 2.
    fn store(self, pairs: &mut AtomicArray, pair: u32) {
        let bits = u32::reinterpret(self.number);
        pairs.set(word(pair, PATHS), (bits & MANTISSA) | (BIAS << MANTISSA_BITS));
        pairs.set(word(pair, POWER), self.power + (bits >> MANTISSA_BITS) - BIAS);
    }
}

/// Initialises the first level: the source of each search.
#[cube(launch_unchecked)]
pub(super) fn begin(sources: &Array<u32>, levels: &mut Levels, count: u32, vertices: u32) {
    for search in grid_stride_range(0, count) {
        let pair = search * vertices + sources[search as usize];
        levels.pairs.set(word(pair, LEVEL), 0u32);
        // One path, of no edges.
        levels.pairs.set(word(pair, PATHS), BIAS << MANTISSA_BITS);
        levels.pairs.set(word(pair, POWER), 0u32);
        levels.list[search as usize] = pair;
    }
    if ABSOLUTE_POS == 0 {
        levels.counts.set(0u32, count);
        levels.starts[0] = 0u32;
    }
}

/// Counts the paths to the pairs of a level, and lists the pairs of the next level. `lanes` units share the edges of a pair.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
pub(super) fn forward_level(
    leaving: &Rows,
    entering: &ComptimeOption<Rows>,
    weighing: &ComptimeOption<Weighing>,
    levels: &mut Levels,
    last: &mut Array<u32>,
    vertices: u32,
    level: u32,
    lanes: u32,
) {
    let start = levels.starts[level as usize];
    let count = levels.counts.get(level);
    if ABSOLUTE_POS == 0 {
        levels.starts[level as usize + 1] = start + count;
        last[0] = count;
        last[1] = start + count;
    }
    let mut numbers = SharedMemory::<f32>::new(UNITS as usize);
    let mut powers = SharedMemory::<u32>::new(UNITS as usize);
    let (lane, groups) = (UNIT_POS % lanes, CUBE_DIM / lanes);
    // The same number of iterations for all units of a cube, because they synchronise.
    for first in step_range(CUBE_POS as u32 * groups, count, CUBE_COUNT as u32 * groups) {
        let index = first + UNIT_POS / lanes;
        let mut number = 0.0f32;
        let mut power = 0u32;
        let mut pair = 0u32;
        if index < count {
            pair = levels.list[(start + index) as usize];
            let vertex = pair % vertices;
            let row = pair - vertex;
            let end = leaving.offsets[vertex as usize + 1];
            let distance = distance_of(&levels.pairs, weighing, pair);
            for edge in step_range(leaving.offsets[vertex as usize] + lane, end, lanes) {
                let other = row + leaving.targets[edge as usize];
                let other_distance = distance_of(&levels.pairs, weighing, other);
                let weight = weight_of(weighing, edge);
                let leads_on = is_on_path(distance, other_distance, weight);
                if joins(&mut levels.pairs, weighing, other, other_distance, leads_on, level) {
                    let index = levels.counts.fetch_add(level + 1, 1u32);
                    levels.list[(start + count + index) as usize] = other;
                }
                #[comptime]
                if entering.is_none() {
                    if is_on_path(other_distance, distance, weight) {
                        let more = Count::of_pair(&levels.pairs, other);
                        let paths = more.plus(number, power);
                        number = paths.number;
                        power = paths.power;
                    }
                }
            }
            #[comptime]
            if let ComptimeOption::Some(entering) = entering {
                let end = entering.offsets[vertex as usize + 1];
                for edge in step_range(entering.offsets[vertex as usize] + lane, end, lanes) {
                    let other = row + entering.targets[edge as usize];
                    let other_distance = distance_of(&levels.pairs, weighing, other);
                    if is_on_path(other_distance, distance, weight_of_entering(weighing, edge)) {
                        let more = Count::of_pair(&levels.pairs, other);
                        let paths = more.plus(number, power);
                        number = paths.number;
                        power = paths.power;
                    }
                }
            }
        }
        numbers[UNIT_POS as usize] = number;
        powers[UNIT_POS as usize] = power;
        sync_cube();
        if lane == 0 && index < count && level > 0 {
            for other in 1..lanes {
                let unit = (UNIT_POS + other) as usize;
                let more = Count { number: numbers[unit], power: powers[unit] };
                let paths = more.plus(number, power);
                number = paths.number;
                power = paths.power;
            }
            Count { number, power }.store(&mut levels.pairs, pair);
        }
        sync_cube();
    }
}

/// The contribution of a pair to the dependency of a pair before it.
#[cube]
fn share(pairs: &AtomicArray, paths: Count, other: u32) -> f32 {
    let beyond = Count::of_pair(pairs, other);
    let dependency = f32::reinterpret(pairs.get(word(other, DEPENDENCY)));
    // All paths to the pair before lead to this pair, so its power is not smaller.
    halved(paths.number / beyond.number, beyond.power - paths.power) * (1.0f32 + dependency)
}

/// Computes the dependencies of the pairs of a level from those of the next level.
#[cube(launch_unchecked)]
pub(super) fn backward_level(
    leaving: &Rows,
    weighing: &ComptimeOption<Weighing>,
    levels: &mut Levels,
    vertices: u32,
    level: u32,
    lanes: u32,
) {
    let start = levels.starts[level as usize];
    let count = levels.counts.get(level);
    let mut sums = SharedMemory::<f32>::new(UNITS as usize);
    let (lane, groups) = (UNIT_POS % lanes, CUBE_DIM / lanes);
    for first in step_range(CUBE_POS as u32 * groups, count, CUBE_COUNT as u32 * groups) {
        let index = first + UNIT_POS / lanes;
        let mut sum = 0.0f32;
        let mut pair = 0u32;
        if index < count {
            pair = levels.list[(start + index) as usize];
            let paths = Count::of_pair(&levels.pairs, pair);
            let vertex = pair % vertices;
            let row = pair - vertex;
            let distance = distance_of(&levels.pairs, weighing, pair);
            let end = leaving.offsets[vertex as usize + 1];
            for edge in step_range(leaving.offsets[vertex as usize] + lane, end, lanes) {
                let other = row + leaving.targets[edge as usize];
                let other_distance = distance_of(&levels.pairs, weighing, other);
                if is_on_path(distance, other_distance, weight_of(weighing, edge)) {
                    sum += share(&levels.pairs, paths, other);
                }
            }
        }
        sums[UNIT_POS as usize] = sum;
        sync_cube();
        if lane == 0 && index < count {
            for other in 1..lanes {
                sum += sums[(UNIT_POS + other) as usize];
            }
            levels.pairs.set(word(pair, DEPENDENCY), u32::reinterpret(sum));
        }
        sync_cube();
    }
}

/// Sums the dependencies of each vertex. The dependency on the source itself counts only as an endpoint.
#[cube(launch_unchecked)]
pub(super) fn add_vertices(
    pairs: &Array<u32>,
    sums: &mut Array<f32>,
    vertices: u32,
    sources: u32,
    #[comptime] endpoints: bool,
) {
    for vertex in grid_stride_range(0, vertices) {
        let mut sum = 0.0f32;
        for search in 0..sources {
            let pair = search * vertices + vertex;
            let level = pairs[word(pair, LEVEL) as usize];
            if level != NONE {
                let dependency = f32::reinterpret(pairs[word(pair, DEPENDENCY) as usize]);
                if level != 0 {
                    sum += dependency;
                }
                if comptime!(endpoints) {
                    sum += select(level == 0, dependency, 1.0f32);
                }
            }
        }
        sums[vertex as usize] = sum;
    }
}

/// Sums the dependencies of each edge. `lanes` units share the edges of a vertex.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
pub(super) fn add_edges(
    leaving: &Rows,
    weighing: &ComptimeOption<Weighing>,
    pairs: &AtomicArray,
    sums: &mut Array<f32>,
    vertices: u32,
    sources: u32,
    lanes: u32,
) {
    let groups = CUBE_DIM / lanes;
    let first = CUBE_POS as u32 * groups + UNIT_POS / lanes;
    for vertex in step_range(first, vertices, CUBE_COUNT as u32 * groups) {
        let end = leaving.offsets[vertex as usize + 1];
        let start = leaving.offsets[vertex as usize] + UNIT_POS % lanes;
        for edge in step_range(start, end, lanes) {
            let target = leaving.targets[edge as usize];
            let mut sum = 0.0f32;
            for search in 0..sources {
                let pair = search * vertices + vertex;
                let other = search * vertices + target;
                let distance = distance_of(pairs, weighing, pair);
                let other_distance = distance_of(pairs, weighing, other);
                if is_on_path(distance, other_distance, weight_of(weighing, edge)) {
                    sum += share(pairs, Count::of_pair(pairs, pair), other);
                }
            }
            sums[edge as usize] = sum;
        }
    }
}
