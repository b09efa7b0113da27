//! The kernels of a round.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input, ranges::*};

use super::super::light::key_of;
use crate::{NONE, kernels::UNITS};

/// The most pointer jumps per vertex and launch.
pub(super) const STEPS: u32 = 1 << 10;

/// The sources and targets of edges, and the bits of their weights.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Pairs {
    origins: Input<u32>,
    targets: Input<u32>,
    weights: Input<u32>,
}

/// The edges that a round visits.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Range {
    /// The smallest and the largest key.
    low: u32,
    high: u32,
    /// The number of edges of the graph if the round visits all of them; 0 if it visits a list.
    all: u32,
    /// The index of the round's counter.
    round: u32,
}

/// Lists the edges that join two trees, each once, and finds the smallest key that leaves each tree.
#[cube(launch_unchecked)]
pub(super) fn shrink(
    pairs: &Pairs,
    trees: &Array<u32>,
    keys: &mut AtomicArray,
    from: &Array<u32>,
    to: &mut Array<u32>,
    counts: &mut AtomicArray,
    range: &Range,
    #[comptime] is_real: bool,
) {
    let listed = SharedMemory::<Atomic<u32>>::new(1usize);
    let mut begin = SharedMemory::<u32>::new(1usize);
    let mut len = range.all;
    if len == 0 {
        len = counts.get(range.round);
    }
    for block in cube_grid_stride_range(0, len.div_ceil(UNITS)) {
        let index = block * UNITS + UNIT_POS;
        let mut edge = index;
        let mut joins_two = false;
        if index < len {
            if range.all == 0 {
                edge = from[index as usize];
            }
            let origin = pairs.origins[edge as usize];
            let target = pairs.targets[edge as usize];
            // One direction of each edge suffices.
            if origin < target {
                let key = key_of(pairs.weights[edge as usize], is_real);
                if key >= range.low && key <= range.high {
                    let a = trees[origin as usize];
                    let b = trees[target as usize];
                    if a != b {
                        joins_two = true;
                        lower(keys, a, key);
                        lower(keys, b, key);
                    }
                }
            }
        }
        if UNIT_POS == 0 {
            listed[0].store(0u32);
        }
        sync_cube();
        let mut offset = 0u32;
        if joins_two {
            offset = listed[0].fetch_add(1u32);
        }
        sync_cube();
        if UNIT_POS == 0 {
            let count = listed[0].load();
            if count > 0 {
                begin[0] = counts.fetch_add(range.round + 1, count);
            }
        }
        sync_cube();
        if joins_two {
            to[(begin[0] + offset) as usize] = edge;
        }
    }
}

/// Finds for each tree the first of the edges with the smallest key that leave it.
#[cube(launch_unchecked)]
pub(super) fn elect(
    pairs: &Pairs,
    trees: &Array<u32>,
    keys: &Array<u32>,
    first: &mut AtomicArray,
    list: &Array<u32>,
    counts: &Array<u32>,
    round: u32,
    #[comptime] is_real: bool,
) {
    for index in grid_stride_range(0, counts[round as usize + 1]) {
        let edge = list[index as usize];
        let key = key_of(pairs.weights[edge as usize], is_real);
        let a = trees[pairs.origins[edge as usize] as usize];
        let b = trees[pairs.targets[edge as usize] as usize];
        if keys[a as usize] == key {
            lower(first, a, edge);
        }
        if keys[b as usize] == key {
            lower(first, b, edge);
        }
    }
}

/// An atomic minimum. Loads first, because a contended `fetch_min` is expensive.
#[cube]
fn lower(numbers: &mut AtomicArray, index: u32, to: u32) {
    if to < numbers.get(index) {
        numbers.fetch_min(index, to);
    }
}

/// Makes each vertex a tree.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Plant {
    trees: Array<u32>,
}

#[cube]
impl VertexOp for Plant {
    fn apply(&mut self, vertex: u32) -> bool {
        self.trees[vertex as usize] = vertex;
        true.runtime()
    }
}

/// Points each root to the tree at the other end of its chosen edge. If two trees choose the same edge, the smaller root
/// stays. Longer cycles are impossible, because edges are totally ordered.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Join {
    origins: Input<u32>,
    targets: Input<u32>,
    before: Input<u32>,
    first: Input<u32>,
    after: Array<u32>,
    joined_by: Array<u32>,
}

#[cube]
impl VertexOp for Join {
    fn apply(&mut self, vertex: u32) -> bool {
        let mut tree = self.before[vertex as usize];
        let edge = self.first[vertex as usize];
        // Only roots have a chosen edge.
        if edge != NONE {
            let a = self.before[self.origins[edge as usize] as usize];
            let b = self.before[self.targets[edge as usize] as usize];
            let other = select(a == vertex, b, a);
            if self.first[other as usize] != edge || other < vertex {
                tree = other;
                self.joined_by[vertex as usize] = edge;
            }
        }
        self.after[vertex as usize] = tree;
        true.runtime()
    }
}

/// Points each vertex closer to its root, and resets the keys and chosen edges for the next round.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Compress {
    trees: AtomicArray,
    keys: Array<u32>,
    first: Array<u32>,
}

#[cube]
impl VertexOp for Compress {
    fn apply(&mut self, vertex: u32) -> bool {
        let mut tree = self.trees.get(vertex);
        let mut next = self.trees.get(tree);
        let mut steps = 0u32;
        while next != tree && steps < STEPS {
            tree = next;
            next = self.trees.get(tree);
            steps += 1;
        }
        self.trees.set(vertex, tree);
        self.keys[vertex as usize] = u32::MAX.runtime();
        self.first[vertex as usize] = NONE.runtime();
        true.runtime()
    }
}
