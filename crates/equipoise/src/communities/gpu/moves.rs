//! The operations of Louvain on a GPU.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

use super::table::*;
use crate::NONE;

/// The communities around vertices.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Around {
    sums: Sums,
    /// The weight from each vertex to its own community.
    to_own: Input<u32>,
    communities: Input<u32>,
    totals: Input<u32>,
    high_totals: Input<u32>,
    strengths: Input<u32>,
    scale: f32,
}

#[cube]
impl Around {
    /// The gain of modularity if a vertex moves to another community, as bits in the order of the gains. Each difference
    /// is exact, and rounded once.
    fn gain(&self, vertex: u32, other: u32) -> u32 {
        let own = self.communities[vertex as usize];
        let strength = self.strengths[vertex as usize];
        let to_other = self.sums.sum_of(vertex, other);
        let weight = signed_difference(to_other, 0u32, self.to_own[vertex as usize], 0u32);
        // The total of its own community excludes the vertex.
        let low = self.totals[own as usize];
        let own_high = self.high_totals[own as usize] - u32::cast_from(low < strength);
        let other_low = self.totals[other as usize];
        let other_high = self.high_totals[other as usize];
        let size = signed_difference(other_low, other_high, low - strength, own_high);
        ordered(weight - self.scale * f32::cast_from(strength) * size)
    }
}

/// The difference of two numbers of 64 bits, each in two words.
#[cube]
fn signed_difference(low: u32, high: u32, less_low: u32, less_high: u32) -> f32 {
    let is_negative = high < less_high || (high == less_high && low < less_low);
    let large_low = select(is_negative, less_low, low);
    let large_high = select(is_negative, less_high, high);
    let small_low = select(is_negative, low, less_low);
    let small_high = select(is_negative, high, less_high);
    let upper = large_high - small_high - u32::cast_from(large_low < small_low);
    let size = f32::cast_from(upper) * 4294967296.0f32 + f32::cast_from(large_low - small_low);
    select(is_negative, -size, size)
}

/// [`ordered`] of zero.
const NO_GAIN: u32 = 1 << 31;

/// Maps numbers to bits in the same order.
#[cube]
fn ordered(number: f32) -> u32 {
    let bits = u32::reinterpret(number);
    select(bits >= NO_GAIN, !bits, bits | NO_GAIN)
}

/// The number of [`ordered`] bits.
#[cube]
fn unordered(bits: u32) -> f32 {
    f32::reinterpret(select(bits >= NO_GAIN, bits - NO_GAIN, !bits))
}

/// The largest gain of each vertex if all are communities and it alone joins a neighbour.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FirstGain {
    weights: Input<u32>,
    strengths: Input<u32>,
    gains: Array<f32>,
    scale: f32,
}

impl GatherOpKind for FirstGain {}

#[cube]
impl GatherOp for FirstGain {
    type Value = f32;

    fn identity() -> f32 {
        0.0f32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> f32 {
        let own = f32::cast_from(self.strengths[vertex as usize]);
        let other = f32::cast_from(self.strengths[neighbour as usize]);
        f32::cast_from(self.weights[edge as usize]) - self.scale * own * other
    }

    fn combine(a: f32, b: f32) -> f32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, best: f32) {
        self.gains[vertex as usize] = best;
    }
}

/// Makes each vertex a community.
#[derive(CubeType, CubeLaunch)]
pub(super) struct BecomeCommunities {
    communities: Array<u32>,
    targets: Array<u32>,
    strengths: Input<u32>,
    totals: Array<u32>,
}

#[cube]
impl VertexOp for BecomeCommunities {
    fn apply(&mut self, vertex: u32) -> bool {
        self.communities[vertex as usize] = vertex;
        self.targets[vertex as usize] = vertex;
        self.totals[vertex as usize] = self.strengths[vertex as usize];
        true.runtime()
    }
}

/// Keeps the vertices of a batch: those of some ranks that have neighbours.
#[derive(CubeType, CubeLaunch)]
pub(super) struct InBatch {
    offsets: Input<u32>,
    to_rank: u32,
    batches: u32,
    batch: u32,
}

/// The upper bits of a rank decide the batch: at most 64 batches.
const RANK_SHIFT: u32 = 26;

#[cube]
impl VertexOp for InBatch {
    fn apply(&mut self, vertex: u32) -> bool {
        let has_any = self.offsets[vertex as usize + 1] > self.offsets[vertex as usize];
        has_any && ((vertex * self.to_rank) >> RANK_SHIFT) % self.batches == self.batch
    }
}

/// Sums the weights around an active vertex by community, and keeps that to its own.
#[derive(CubeType, CubeLaunch)]
pub(super) struct SumWeights {
    tables: Filling,
    communities: Input<u32>,
    weights: Input<u32>,
    active: Input<u32>,
    to_own: Array<u32>,
}

impl GatherOpKind for SumWeights {}

#[cube]
impl GatherOp for SumWeights {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let mut to_own = 0u32.runtime();
        if self.active[vertex as usize] != 0 {
            let community = self.communities[neighbour as usize];
            let weight = self.weights[edge as usize];
            if community == self.communities[vertex as usize] {
                to_own = weight;
            } else {
                self.tables.add(vertex, community, weight);
            }
        }
        to_own
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, to_own: u32) {
        self.to_own[vertex as usize] = to_own;
    }
}

/// Finds the largest gain of the communities around an active vertex.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FindGain {
    around: Around,
    active: Input<u32>,
    /// The gain by each edge, for [`FindTarget`].
    gains: Array<u32>,
    best: Array<u32>,
}

impl GatherOpKind for FindGain {}

#[cube]
impl GatherOp for FindGain {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let mut gain = 0u32.runtime();
        if self.active[vertex as usize] != 0 {
            let other = self.around.communities[neighbour as usize];
            if other != self.around.communities[vertex as usize] {
                gain = self.around.gain(vertex, other);
            }
            self.gains[edge as usize] = gain;
        }
        gain
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, best: u32) {
        self.best[vertex as usize] = best;
    }
}

/// Finds the smallest community with the largest gain; its own community without a gain.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FindTarget {
    communities: Input<u32>,
    gains: Input<u32>,
    best: Input<u32>,
    targets: Array<u32>,
}

impl GatherOpKind for FindTarget {}

#[cube]
impl GatherOp for FindTarget {
    type Value = u32;

    fn identity() -> u32 {
        NONE.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let best = self.best[vertex as usize];
        let mut target = NONE.runtime();
        // The gains by the edges of a vertex that is not active are old.
        if best > NO_GAIN && self.gains[edge as usize] == best {
            target = self.communities[neighbour as usize];
        }
        target
    }

    fn combine(a: u32, b: u32) -> u32 {
        min(a, b)
    }

    fn apply(&mut self, vertex: u32, target: u32) {
        let own = self.communities[vertex as usize];
        self.targets[vertex as usize] = select(target == NONE, own, target);
    }
}

/// Finds whether a vertex waits: a neighbour with a smaller number wants to leave the community that the vertex wants to join, or
/// to join its own.
#[derive(CubeType, CubeLaunch)]
pub(super) struct FindWaiting {
    communities: Input<u32>,
    targets: Input<u32>,
    waits: Array<u32>,
}

impl GatherOpKind for FindWaiting {}

#[cube]
impl GatherOp for FindWaiting {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let own = self.communities[vertex as usize];
        let target = self.targets[vertex as usize];
        let mut waits = 0u32.runtime();
        if own != target && neighbour < vertex {
            let from = self.communities[neighbour as usize];
            let to = self.targets[neighbour as usize];
            waits = u32::cast_from(from != to && (from == target || to == own));
        }
        waits
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, waits: u32) {
        self.waits[vertex as usize] = waits;
    }
}

/// Moves a vertex to its target, or lets it wait.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Go {
    waits: Input<u32>,
    best: Input<u32>,
    targets: Array<u32>,
    strengths: Input<u32>,
    communities: Array<u32>,
    totals: AtomicArray,
    high_totals: AtomicArray,
    gains: Array<f32>,
}

#[cube]
impl VertexOp for Go {
    fn apply(&mut self, vertex: u32) -> bool {
        let own = self.communities[vertex as usize];
        let target = self.targets[vertex as usize];
        let mut gain = 0.0f32;
        if self.waits[vertex as usize] != 0 {
            self.targets[vertex as usize] = own;
        } else if own != target {
            let strength = self.strengths[vertex as usize];
            // Both words are consistent when all vertices have moved; the launch does not read them.
            add_wide(&mut self.totals, &mut self.high_totals, target, strength);
            let before = self.totals.fetch_add(own, 0u32 - strength);
            if before < strength {
                self.high_totals.fetch_add(own, u32::MAX.runtime());
            }
            self.communities[vertex as usize] = target;
            gain = unordered(self.best[vertex as usize]);
        }
        self.gains[vertex as usize] = gain;
        true.runtime()
    }
}

/// Activates the vertices that wait, and those with a neighbour that has moved and is in another community.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Activate {
    communities: Input<u32>,
    gains: Input<f32>,
    waits: Input<u32>,
    active: Array<u32>,
}

impl GatherOpKind for Activate {}

#[cube]
impl GatherOp for Activate {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let mut is_active = 0u32.runtime();
        if self.gains[neighbour as usize] > 0.0 {
            let own = self.communities[vertex as usize];
            is_active = u32::cast_from(self.communities[neighbour as usize] != own);
        }
        is_active
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, is_active: u32) {
        self.active[vertex as usize] = max(is_active, self.waits[vertex as usize]);
    }
}

/// Adds to a number of two words.
#[cube]
pub(super) fn add_wide(low: &mut AtomicArray, high: &mut AtomicArray, index: u32, more: u32) {
    let before = low.fetch_add(index, more);
    if before > u32::MAX - more {
        high.fetch_add(index, 1u32);
    }
}
