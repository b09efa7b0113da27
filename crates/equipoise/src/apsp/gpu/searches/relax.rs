//! What happens along an edge, and where a search starts.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, engine::*, input::Input};

/// Lowers the lengths of paths. A label is the bits of a length, which order as the lengths do.
#[derive(CubeType, CubeLaunch)]
pub(in super::super) struct Relax<L: Numeric> {
    lengths: AtomicArray,
    weights: Input<L>,
}

impl<L: Numeric> EdgeOpKind for Relax<L> {}

#[cube]
impl<L: Numeric> EdgeOp for Relax<L> {
    fn label(&self, source: u32) -> u32 {
        self.lengths.get(source)
    }

    fn along(&self, length: u32, edge: u32) -> u32 {
        u32::reinterpret(L::reinterpret(length) + self.weights[edge as usize])
    }

    fn improves(&self, target: u32, length: u32) -> bool {
        length < self.lengths.get(target)
    }

    fn relax(&mut self, target: u32, length: u32) -> bool {
        length < self.lengths.fetch_min(target, length)
    }
}

/// Gives a source its length: zero.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Start {
    lengths: Array<u32>,
}

#[cube]
impl VertexOp for Start {
    fn apply(&mut self, source: u32) -> bool {
        self.lengths[source as usize] = 0u32;
        true.runtime()
    }
}
