//! Whether ranks are those of a graph, with the sums over its edges on the GPU that holds it.

use cubecl::prelude::*;
use equipoise_graph::{Graph, parallel::*};
use equipoise_schedule::{engine::*, input::Input};

use super::{PageRank, PageRankOptions, verify::change_by};
use crate::{Result, device_check::DeviceCheck, gpu_graph::GpuGraph};

impl PageRank {
    /// Whether the ranks keep the rules of [`verify`](Self::verify); `None` if only the host can check them: if edges have
    /// weights or directions, or the GPU has no `f64`.
    pub(super) fn passes_on(
        &self,
        graph: &GpuGraph,
        options: &PageRankOptions,
    ) -> Result<Option<bool>> {
        let is_weighted = graph.graph.weights().is_some() && !options.unweighted;
        if is_weighted
            || !graph.gpu.properties().f64
            || self.ranks.len() != graph.vertices() as usize
        {
            return Ok(None);
        }
        // Two numbers of 64 bits per vertex.
        let Some(check) = DeviceCheck::of_undirected(graph, 4)? else { return Ok(None) };
        let host_graph = graph.graph;
        let is_dangling = |vertex: u32| host_graph.degree(vertex) == 0;
        self.verify_with(host_graph, options, || {
            let flows = flows(&check, host_graph, &self.ranks)?;
            Ok(change_by(&self.ranks, options, is_dangling, |vertex| flows[vertex as usize]))
        })?;
        check.passed().map(Some)
    }
}

/// The rank that arrives at each vertex along its edges, undamped.
fn flows(check: &DeviceCheck, graph: &Graph, ranks: &[f32]) -> Result<Vec<f64>> {
    let gpu = check.gpu();
    let share =
        |vertex: u32| f64::from(ranks[vertex as usize]) / graph.degree(vertex).max(1) as f64;
    let shares: Vec<f64> = (0..graph.vertices()).into_par_iter().map(share).collect();
    let (shares, flows) = (gpu.upload(&shares)?, gpu.empty(ranks.len())?);
    let flow = || FlowLaunch::new(shares.arg(), flows.arg());
    // SAFETY: each vertex has a share and a flow, and edges lead to vertices.
    check.gather(&unsafe { Operation::<Flow>::unchecked(flow) })?;
    Ok(gpu.download(&flows)?)
}

/// Adds up what flows to a vertex.
#[derive(CubeType, CubeLaunch)]
struct Flow {
    shares: Input<f64>,
    flows: Array<f64>,
}

impl GatherOpKind for Flow {
    const NEEDS_VERTEX: bool = false;
}

#[cube]
impl GatherOp for Flow {
    type Value = f64;

    fn identity() -> f64 {
        0.0f64.runtime()
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, _edge: u32) -> f64 {
        self.shares[neighbour as usize]
    }

    fn combine(a: f64, b: f64) -> f64 {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: f64) {
        self.flows[vertex as usize] = total;
    }
}
