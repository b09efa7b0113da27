//! Whether a forest is the minimum spanning forest of a graph, on the GPU that holds the graph.
//!
//! The host merges the vertices along the edges of the forest; the GPU climbs the merges from both ends of each edge of the graph.

use cubecl::prelude::*;
use equipoise_graph::{Weights, parallel::*};
use equipoise_schedule::{device::Buffer, engine::*, input::Input};

use super::{
    SpanningForest,
    light::{Keys, key_of},
};
use crate::{
    NONE, Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
};

impl SpanningForest {
    /// Whether the forest keeps the rules of [`verify`](Self::verify); `None` if only the host can check them: if the trees of
    /// all merges have no number of 32 bits, or the weights of forest and graph are not of one type of 32 bits.
    pub(super) fn passes_on(&self, graph: &GpuGraph) -> Result<Option<bool>> {
        let are_of_one_type = matches!(
            (&self.weights, graph.graph.weights()),
            (Weights::U32(_), None | Some(Weights::U32(_)))
                | (Weights::F32(_), Some(Weights::F32(_)))
        );
        if !are_of_one_type || graph.vertices() > u32::MAX / 4 {
            return Ok(None);
        }
        let merges = self.check_forest(graph.graph)?;
        self.check_total(graph.graph)?;
        // Two numbers for each tree of at most twice as many as vertices, a weight and two ends for each edge of the forest.
        let Some(check) = DeviceCheck::of_weights(graph, 7)? else { return Ok(None) };
        let gpu = check.gpu();
        let in_order = |value: &(dyn Fn(usize) -> u32 + Sync)| -> Vec<u32> {
            merges.order.par_iter().map(|&edge| value(edge as usize)).collect()
        };
        let keys = Keys::of_weights(&self.weights);
        let [keys_in_order, sources, targets] = [
            in_order(&|edge| keys.key(edge)),
            in_order(&|edge| self.edges[edge].0),
            in_order(&|edge| self.edges[edge].1),
        ];
        let upload = |values: &[u32]| gpu.upload(if values.is_empty() { &[0] } else { values });
        let merged = [upload(&merges.into)?, upload(&merges.over)?];
        let edges = [upload(&keys_in_order)?, upload(&sources)?, upload(&targets)?];
        let judge = || {
            let [into, over] = merged.each_ref().map(Buffer::arg);
            let [forest_keys, sources, targets] = edges.each_ref().map(Buffer::arg);
            let forest = ForestLaunch::new(into, over, forest_keys, sources, targets);
            LightestLaunch::new(forest, check.weights(), check.wrong(), keys.are_real())
        };
        // SAFETY: merges lead to trees, over edges of the forest; edges have a weight and lead to vertices.
        check.gather(&unsafe { Operation::<Lightest>::unchecked(judge) })?;
        check.passed().map(Some)
    }
}

/// The merges of a forest's vertices, and its edges by rank, the lightest first.
#[derive(CubeType, CubeLaunch)]
struct Forest {
    into: Input<u32>,
    over: Input<u32>,
    /// The weights as integers in the same order.
    keys: Input<u32>,
    sources: Input<u32>,
    targets: Input<u32>,
}

/// Compares each edge with the heaviest of the forest between its ends.
#[derive(CubeType, CubeLaunch)]
struct Lightest {
    forest: Forest,
    weights: Input<u32>,
    wrong: Wrong,
    /// Whether weights are the bits of `f32`.
    #[cube(comptime)]
    are_real: bool,
}

impl GatherOpKind for Lightest {}

#[cube]
impl GatherOp for Lightest {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    /// 1 if the edge goes before the heaviest edge of the forest between its ends, or if none is.
    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let mut heaviest = 0u32.runtime();
        let mut a = vertex;
        let mut b = neighbour;
        // An edge has two ends, and is compared from the first.
        while vertex < neighbour && a != b {
            let over_a = self.forest.over[a as usize];
            let over_b = self.forest.over[b as usize];
            heaviest = max(heaviest, max(over_a, over_b));
            if heaviest == NONE {
                a = b;
            } else {
                a = self.forest.into[a as usize];
                b = self.forest.into[b as usize];
            }
        }
        let mut goes_before = heaviest == NONE;
        if vertex < neighbour && heaviest != NONE {
            let own = key_of(self.weights[edge as usize], self.are_real);
            let other = self.forest.keys[heaviest as usize];
            let source = self.forest.sources[heaviest as usize];
            let is_earlier = vertex < source
                || (vertex == source && neighbour < self.forest.targets[heaviest as usize]);
            goes_before = own < other || (own == other && is_earlier);
        }
        u32::cast_from(goes_before)
    }

    fn combine(a: u32, b: u32) -> u32 {
        a | b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        if total != 0 {
            self.wrong[0].fetch_min(vertex);
        }
    }
}
