//! Whether a set is the maximal independent set that was asked for, on the GPU that holds the graph.

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{engine::*, input::Input};

use super::{Mis, MisOptions, order::Order};
use crate::{
    Result,
    device_check::{DeviceCheck, Wrong},
    gpu_graph::GpuGraph,
};

/// What neighbours say of a vertex: one of the set goes before it.
const KEEPS_OUT: u32 = 1;
/// What neighbours say of a vertex: one is in the set.
const IS_IN: u32 = 2;

impl Mis {
    /// Whether the set keeps the rules of [`verify`](Self::verify); `None` if only the host can check them.
    pub(super) fn passes_on(&self, graph: &GpuGraph, options: &MisOptions) -> Result<Option<bool>> {
        self.check_numbers(graph.vertices())?;
        let Some(check) = DeviceCheck::of_simple(graph, 2)? else { return Ok(None) };
        let (gpu, order) = (check.gpu(), Order::new(options));
        let key = |vertex: u32| order.key(vertex, graph.graph.degree(vertex));
        let keys: Vec<u32> = (0..graph.vertices()).into_par_iter().map(key).collect();
        let in_set: Vec<u32> = self.in_set.par_iter().map(|&is_in| u32::from(is_in)).collect();
        let (keys, in_set) = (gpu.upload(&keys)?, gpu.upload(&in_set)?);
        let judge = || NeighborsInSetLaunch::new(keys.arg(), in_set.arg(), check.wrong());
        // SAFETY: each vertex has a key and an answer, and edges lead to vertices.
        check.gather(&unsafe { Operation::<NeighborsInSet>::unchecked(judge) })?;
        check.passed().map(Some)
    }
}

/// Compares each vertex with its neighbours in the set.
#[derive(CubeType, CubeLaunch)]
struct NeighborsInSet {
    keys: Input<u32>,
    in_set: Input<u32>,
    wrong: Wrong,
}

impl GatherOpKind for NeighborsInSet {}

#[cube]
impl GatherOp for NeighborsInSet {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn gather(&mut self, vertex: u32, neighbour: u32, _edge: u32) -> u32 {
        let mut said = 0u32.runtime();
        if self.in_set[neighbour as usize] != 0 {
            said = IS_IN.runtime();
            let own = self.keys[vertex as usize];
            let other = self.keys[neighbour as usize];
            if other > own || (other == own && neighbour > vertex) {
                said = (IS_IN | KEEPS_OUT).runtime();
            }
        }
        said
    }

    fn combine(a: u32, b: u32) -> u32 {
        a | b
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        let mut is_right = (total & KEEPS_OUT) != 0;
        if self.in_set[vertex as usize] != 0 {
            is_right = total == 0;
        }
        if !is_right {
            self.wrong[0].fetch_min(vertex);
        }
    }
}
