//! The operations of local moves on a GPU.

use cubecl::prelude::*;
use equipoise_schedule::{engine::*, input::Input};

use super::{arithmetic::*, choose::*, row_op::*, visits::*};

/// Vertices move where modularity rises most.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Moving {
    communities: Input<u32>,
    totals: Wide,
    strengths: Input<u32>,
    /// The resolution divided by the sum of all strengths.
    scale: f32,
}

#[cube]
impl Rule for Moving {
    fn own(&self, vertex: u32) -> u32 {
        self.communities[vertex as usize]
    }

    fn may_leave(&self, _vertex: u32) -> bool {
        true.runtime()
    }

    fn around(&self, _vertex: u32, neighbour: u32) -> u32 {
        self.communities[neighbour as usize]
    }

    /// Each difference is exact, and rounded once.
    fn gain(&self, vertex: u32, to_own: u32, label: u32, to_label: u32) -> u32 {
        let own = self.communities[vertex as usize];
        let strength = self.strengths[vertex as usize];
        let weight = signed_difference(to_label, 0u32, to_own, 0u32);
        // The total of its own community excludes the vertex.
        let size = self.totals.difference(label, own, strength);
        let gain = ordered(weight - self.scale * f32::cast_from(strength) * size);
        select(gain > ORDERED_ZERO, gain, 0u32)
    }
}

/// Lets vertices take the labels that they want, unless they wait: a neighbour with a smaller number wants to leave the label that the
/// vertex wants, or to take its own.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Settle {
    batch: Batch,
    from: Input<u32>,
    wanted: Input<u32>,
    strengths: Input<u32>,
    labels: Array<u32>,
    totals: AtomicWide,
    gains: Array<f32>,
    /// Whether each vertex is visited in the next sweep.
    active: Array<u32>,
}

#[cube]
impl RowOp for Settle {
    fn is_due(&self, vertex: u32) -> bool {
        self.from[vertex as usize] != self.wanted[vertex as usize]
    }

    fn first(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let mut waits = false;
        if neighbour < vertex && self.batch.has(neighbour) {
            let from = self.from[neighbour as usize];
            let wanted = self.wanted[neighbour as usize];
            let leaves = from == self.wanted[vertex as usize];
            waits = from != wanted && (leaves || wanted == self.from[vertex as usize]);
        }
        u32::cast_from(waits)
    }

    fn second(&self, _vertex: u32, _neighbour: u32, _edge: u32) -> u32 {
        0u32.runtime()
    }

    fn apply(&mut self, vertex: u32, waits: u32, _second: u32) {
        if waits > 0 {
            self.active[vertex as usize] = 1u32;
            self.gains[vertex as usize] = 0.0;
        } else {
            let strength = self.strengths[vertex as usize];
            let wanted = self.wanted[vertex as usize];
            self.totals.add(wanted, strength);
            self.totals.subtract(self.from[vertex as usize], strength);
            self.labels[vertex as usize] = wanted;
        }
    }
}

/// Activates the neighbours of vertices that have moved, where these are in other communities.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Activate {
    communities: Input<u32>,
    gains: Input<f32>,
    active: Array<u32>,
}

#[cube]
impl RowOp for Activate {
    fn is_due(&self, vertex: u32) -> bool {
        self.gains[vertex as usize] > 0.0
    }

    fn first(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        if self.communities[neighbour as usize] != self.communities[vertex as usize] {
            self.active[neighbour as usize] = 1u32;
        }
        0u32.runtime()
    }

    fn second(&self, _vertex: u32, _neighbour: u32, _edge: u32) -> u32 {
        0u32.runtime()
    }

    fn apply(&mut self, _vertex: u32, _first: u32, _second: u32) {}
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

/// Sums the weights of the edges from each vertex to other communities.
#[derive(CubeType, CubeLaunch)]
pub(super) struct LeavingWeight {
    communities: Input<u32>,
    weights: Input<u32>,
    sums: Array<u32>,
}

impl GatherOpKind for LeavingWeight {}

#[cube]
impl GatherOp for LeavingWeight {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let leaves = self.communities[vertex as usize] != self.communities[neighbour as usize];
        select(leaves, self.weights[edge as usize], 0u32)
    }

    fn combine(a: u32, b: u32) -> u32 {
        a + b
    }

    fn apply(&mut self, vertex: u32, sum: u32) {
        self.sums[vertex as usize] = sum;
    }
}
