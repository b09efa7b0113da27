//! What an edge adds to a path: one hop, or its weight.
//!
//! Labels are 32 bits that order as numbers do, so that the smaller of two is found by one atomic
//! minimum: counts of edges, sums of whole weights, or the bits of sums of floating-point weights,
//! which are not negative. [`NONE`](crate::NONE) stands for no path yet.

use cubecl::prelude::*;
use equipoise_schedule::input::Input;

use crate::NONE;

/// Stands for sums of whole weights that do not fit: no other sum is as large.
pub(crate) const TOO_LARGE: u32 = NONE - 1;

/// What is known of a metric when a kernel is compiled.
pub(crate) trait MetricKind: 'static + Send + Sync {
    /// Whether a vertex can be found again, nearer than before: not where each edge counts one and
    /// vertices are found level by level.
    const REPEATS: bool;
}

/// What an edge adds to a path.
#[cube]
pub(crate) trait Metric: MetricKind + LaunchArg {
    /// The label at the end of an edge that starts at a vertex with that label.
    fn along(&self, label: u32, edge: u32) -> u32;
    /// The label at the end of an edge that starts at the source.
    fn length(&self, edge: u32) -> u32;
    /// The label that is farther than another by a length, and at least a little.
    fn beyond(label: u32, length: u32) -> u32;
}

/// Each edge counts one.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Hops {
    /// What an edge counts: 1.
    pub one: u32,
}

impl MetricKind for Hops {
    const REPEATS: bool = false;
}

#[cube]
impl Metric for Hops {
    fn along(&self, label: u32, _edge: u32) -> u32 {
        label + self.one
    }

    fn length(&self, _edge: u32) -> u32 {
        self.one
    }

    fn beyond(label: u32, length: u32) -> u32 {
        label + min(max(length, 1u32), u32::MAX - label)
    }
}

/// Whole weights.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Whole {
    /// The weight of each edge.
    pub weights: Input<u32>,
}

impl MetricKind for Whole {
    const REPEATS: bool = true;
}

#[cube]
impl Metric for Whole {
    fn along(&self, label: u32, edge: u32) -> u32 {
        let weight = self.weights[edge as usize];
        // What would wrap around stays below `NONE`, and is told from other sums at the end.
        label + min(weight, TOO_LARGE - min(label, TOO_LARGE))
    }

    fn length(&self, edge: u32) -> u32 {
        self.weights[edge as usize]
    }

    fn beyond(label: u32, length: u32) -> u32 {
        label + min(max(length, 1u32), u32::MAX - label)
    }
}

/// Floating-point weights.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Real {
    /// The weight of each edge.
    pub weights: Input<f32>,
}

impl MetricKind for Real {
    const REPEATS: bool = true;
}

#[cube]
impl Metric for Real {
    fn along(&self, label: u32, edge: u32) -> u32 {
        let sum = f32::reinterpret(label) + self.weights[edge as usize];
        let mut result = u32::reinterpret(sum);
        // What is too far for a number counts as not reached.
        if result >= INFINITE {
            result = NONE.runtime();
        }
        result
    }

    fn length(&self, edge: u32) -> u32 {
        u32::reinterpret(self.weights[edge as usize])
    }

    fn beyond(label: u32, length: u32) -> u32 {
        let sum = f32::reinterpret(label) + f32::reinterpret(length);
        max(u32::reinterpret(sum), label + min(1u32, u32::MAX - label))
    }
}

/// The bits of infinity.
const INFINITE: u32 = 0x7f80_0000;
