//! The operation of shortest paths on a GPU: it lowers the distance of an edge's target to that of its source plus the
//! weight.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{two_phase::TwoPhase, weight::*};
use crate::{
    gpu_graph::WeightedRows,
    traversal::{GraphOp, Implementation, start_label},
};

/// Lowers the distances of vertices.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Relax<W: Weight> {
    distances: AtomicArray,
    weights: W,
}

impl<W: Weight> EdgeOpKind for Relax<W> {}

#[cube]
impl<W: Weight> EdgeOp for Relax<W> {
    fn label(&self, source: u32) -> u32 {
        self.distances.get(source)
    }

    fn along(&self, distance: u32, edge: u32) -> u32 {
        self.weights.along(distance, edge)
    }

    fn improves(&self, target: u32, distance: u32) -> bool {
        distance < self.distances.get(target)
    }

    fn relax(&mut self, target: u32, distance: u32, _source: u32) -> bool {
        distance < self.distances.fetch_min(target, distance)
    }
}

#[cube]
impl<W: Weight> SearchOp for Relax<W> {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        self.distances.set(vertex, start_label(is_source));
    }

    // Vertices join several times, so that their labels do not tell when.
    fn is_at(&self, _vertex: u32, _iteration: u32) -> bool {
        false.runtime()
    }
}

#[cube]
impl<W: Weight> DistanceOp for Relax<W> {
    fn beyond(&self, distance: u32, length: u32) -> u32 {
        W::beyond(distance, length)
    }
}

impl<W: WeightOn> GraphOp for Relax<W> {
    const ALGORITHM: &'static str = "sssp";
    const READS_WEIGHTS: bool = true;
    const FIRST_LABEL_IS_FINAL: bool = false;
    const EDGES_RAISE_LABELS: bool = false;

    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>> {
        vec![Box::new(TwoPhase::default())]
    }

    fn arg(gpu: &Gpu, rows: &WeightedRows, labels: &Buffer<u32>) -> RelaxLaunch<W, GpuRuntime> {
        RelaxLaunch::new(AtomicArray::bind(gpu, labels), W::arg(rows))
    }
}
