//! PageRank on a GPU: a gather over the edges that enter each vertex, under a schedule of the model.

use std::marker::PhantomData;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu},
    engine::*,
    input::Input,
    plan::ScheduleOptions,
    primitives::{Sum, reduce},
};

use super::{
    PageRank, PageRankOptions,
    flow::{DeviceFlow, Flow, FlowCache},
};
use crate::{
    Result, Step, Trace,
    gpu_graph::GpuGraph,
    run::{buffer_bytes, run_on},
    sparse::{MatrixFeatures, gpu::spmv_schedule},
    times::{less_wait, prepared},
};

/// Iterations between two readbacks of the change.
const ITERATIONS_PER_CHECK: u32 = 4;

pub(super) fn pagerank(
    graph: &GpuGraph,
    cache: &FlowCache,
    options: &PageRankOptions,
) -> Result<PageRank> {
    options.check(graph.graph)?;
    super::check_memory(graph.graph, options)?;
    let (flow, flow_time) = Flow::new(graph.graph, cache, options)?;
    check_fits(graph, &flow)?;
    graph.entering()?;
    let mut result = if graph.gpu.properties().f64 {
        run::<f64>(graph, &flow, options)?
    } else {
        run::<f32>(graph, &flow, options)?
    };
    result.times.prepare += flow_time;
    result.times.upload = graph.upload_time(false);
    result.checked(options)
}

/// Computes ranks with sums in `F`.
fn run<F: Float>(graph: &GpuGraph, flow: &Flow, options: &PageRankOptions) -> Result<PageRank> {
    let (ranks, preparing) = prepared(&graph.gpu, || Ranks::<F>::new(graph, flow, options))?;
    let mut result = ranks.run(options)?;
    result.times.prepare = preparing.prepare;
    result.times.compile += preparing.compile;
    Ok(result)
}

fn check_fits(graph: &GpuGraph, flow: &Flow) -> Result<()> {
    let gpu = &graph.gpu;
    // Ranks, what flows before and after, changes, restarts and dangling ranks; buffers of the schedule.
    let buffers = buffer_bytes(gpu, flow.vertices().into(), 8);
    let shares = flow.edges.bytes_missing(gpu);
    let missing = graph.bytes_missing_entering(false)?;
    let what = format!("the ranks of {} vertices", flow.vertices());
    Ok(gpu.require(&what, missing.saturating_add(buffers).saturating_add(shares))?)
}

/// The state of the iterations.
struct Ranks<'a, F: Float> {
    gpu: &'a Gpu,
    flow: &'a Flow<'a>,
    gather: RowsGather<'a, F>,
    ranks: Buffer<f32>,
    /// What flows in even iterations, and in odd ones.
    flowing: [Buffer<f32>; 2],
    changes: Buffer<f32>,
    edges: &'a DeviceFlow,
    personal: Buffer<f32>,
    /// The ranks of dangling vertices, and 0 for the others, if their sum is not known in advance.
    dangling: Buffer<f32>,
}

impl<'a, F: Float> Ranks<'a, F> {
    fn new(graph: &'a GpuGraph, flow: &'a Flow, options: &PageRankOptions) -> Result<Self> {
        let gpu = &graph.gpu;
        let schedule = match options.schedule {
            Some(schedule) => schedule.into(),
            None => best_schedule(flow),
        };
        let gather = RowsGather::new(gpu, graph.engine_graph()?.entering()?, schedule)?;
        let (len, first) = (flow.scale.len(), flow.first_rank());
        let flowing: Vec<f32> = flow.scale.iter().map(|scale| first * scale).collect();
        Ok(Self {
            gpu,
            flow,
            gather,
            ranks: gpu.filled(len, first)?,
            flowing: [gpu.upload(&flowing)?, gpu.empty(len)?],
            changes: gpu.empty(len)?,
            edges: flow.edges.on_gpu(gpu)?,
            personal: gpu.upload(flow.personal.as_deref().unwrap_or(&[first]))?,
            dangling: gpu.empty(if flow.dangling_is_entered { len } else { 1 })?,
        })
    }

    /// Iterates until the ranks converge.
    fn run(&self, options: &PageRankOptions) -> Result<PageRank> {
        let gpu = self.gpu;
        let run = run_on(
            gpu,
            || self.iterate(options),
            |(change, trace)| Ok((gpu.download(&self.ranks)?, change, trace)),
        )?;
        let (ranks, change, trace) = run.result;
        // The host waits once per step, and at the end.
        let waits = run.wait * (trace.steps.len() as u32 + 1);
        Ok(PageRank {
            ranks,
            iterations: trace.steps.iter().map(|step| step.sub_steps).sum(),
            change,
            converged: change <= options.tolerance,
            trace,
            times: less_wait(run.times, run.time, waits),
        })
    }

    /// The change of the last iteration, and a step per readback.
    fn iterate(&self, options: &PageRankOptions) -> Result<(f64, Trace)> {
        let (gpu, mut trace) = (self.gpu, Trace::default());
        if self.flow.vertices() == 0 {
            return Ok((0.0, trace));
        }
        let mut masses = gpu.upload(&self.dangling_masses(options))?;
        let mut done = 0;
        loop {
            let stopwatch = gpu.stopwatch();
            let batch = ITERATIONS_PER_CHECK.min(options.most_iterations() - done);
            for iteration in done..done + batch {
                let is_last = iteration + 1 == done + batch;
                self.pull(iteration, is_last, &masses, options)?;
                if self.flow.dangling_is_entered {
                    masses = reduce::<Sum<f32>>(gpu, &self.dangling)?;
                }
            }
            let change = gpu.download(&reduce::<Sum<f32>>(gpu, &self.changes)?)?;
            let change = f64::from(change[0]);
            let index = trace.steps.len() as u32;
            trace.steps.push(self.step(index, batch, stopwatch.elapsed()));
            done += batch;
            if options.ends_after(change) || done == options.most_iterations() {
                return Ok((change, trace));
            }
        }
    }

    /// The total rank of dangling vertices before each iteration. If an edge enters one of them, only that before the
    /// first; otherwise the total follows from its previous value.
    fn dangling_masses(&self, options: &PageRankOptions) -> Vec<f32> {
        let first = self.flow.first_dangling();
        if self.flow.dangling_is_entered {
            return vec![first as f32];
        }
        let next = |mass: &f64| {
            let restart = 1.0 - options.damping + options.damping * mass;
            Some(self.flow.dangling_share * restart)
        };
        let masses = std::iter::successors(Some(first), next);
        masses.take(options.most_iterations() as usize).map(|mass| mass as f32).collect()
    }

    /// Enqueues an iteration, which computes the changes of ranks if `compares` is set.
    fn pull(
        &self,
        iteration: u32,
        compares: bool,
        masses: &Buffer<f32>,
        options: &PageRankOptions,
    ) -> Result<()> {
        let [even, odd] = &self.flowing;
        let (from, to) = if iteration.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let mass_index = if self.flow.dangling_is_entered { 0 } else { iteration };
        let damping = options.damping as f32;
        let pull = || {
            PullLaunch::new(
                from.arg(),
                self.edges.shares.as_ref().unwrap_or(&self.edges.scale).arg(),
                self.edges.scale.arg(),
                self.personal.arg(),
                masses.arg(),
                self.ranks.arg(),
                to.arg(),
                self.changes.arg(),
                self.dangling.arg(),
                damping,
                (1.0 - options.damping) as f32,
                mass_index,
                self.edges.shares.is_some(),
                self.flow.personal.is_some(),
                self.flow.dangling_is_entered,
                compares,
                PhantomData,
            )
        };
        // SAFETY: arrays that are indexed by vertices have an entry for each, edges have shares if these are read, and
        // `mass_index` is an index of `masses`.
        let pull = unsafe { Operation::<Pull<F>>::unchecked(pull) };
        Ok(self.gather.run(&pull)?)
    }

    fn step(&self, index: u32, iterations: u32, time: std::time::Duration) -> Step {
        let vertices = u64::from(self.flow.vertices());
        let (times, edges) = (u64::from(iterations), self.flow.entering.entries());
        Step {
            frontier: vertices * times,
            edges: edges * times,
            found: vertices * times,
            sub_steps: iterations,
            time,
            ..Step::new(index, "pull")
        }
    }
}

/// The schedule that was fastest for a product of such a matrix with a vector.
fn best_schedule(flow: &Flow) -> ScheduleOptions {
    spmv_schedule(&MatrixFeatures::from_csr(flow.entering))
}

/// Computes the rank of a vertex from what flows into it, summed in `F`.
#[derive(CubeType, CubeLaunch)]
struct Pull<F: Float> {
    flowing: Input<f32>,
    /// Per edge; not read if `has_shares` is false.
    shares: Input<f32>,
    scale: Input<f32>,
    /// Per vertex, or one value for all.
    personal: Input<f32>,
    masses: Input<f32>,
    ranks: Array<f32>,
    next: Array<f32>,
    changes: Array<f32>,
    /// Per vertex; not written if `wants_dangling` is false.
    dangling: Array<f32>,
    damping: f32,
    /// `1 - damping`.
    rest: f32,
    /// The index of the total rank of dangling vertices in `masses`.
    mass_index: u32,
    #[cube(comptime)]
    has_shares: bool,
    #[cube(comptime)]
    is_personal: bool,
    #[cube(comptime)]
    wants_dangling: bool,
    #[cube(comptime)]
    compares: bool,
    #[cube(comptime)]
    sums: PhantomData<F>,
}

impl<F: Float> GatherOpKind for Pull<F> {
    const NEEDS_VERTEX: bool = false;
}

#[cube]
impl<F: Float> GatherOp for Pull<F> {
    type Value = F;

    fn identity() -> F {
        F::new(0.0)
    }

    fn gather(&mut self, _vertex: u32, neighbour: u32, edge: u32) -> F {
        let mut flows = self.flowing[neighbour as usize];
        if comptime!(self.has_shares) {
            flows *= self.shares[edge as usize];
        }
        F::cast_from(flows)
    }

    fn combine(a: F, b: F) -> F {
        a + b
    }

    fn apply(&mut self, vertex: u32, total: F) {
        let index = vertex as usize;
        let restart = self.rest + self.damping * self.masses[self.mass_index as usize];
        let mut personal = self.personal[0];
        if comptime!(self.is_personal) {
            personal = self.personal[index];
        }
        let new = personal * restart + self.damping * f32::cast_from(total);
        let scale = self.scale[index];
        if comptime!(self.compares) {
            let old = self.ranks[index];
            self.changes[index] = max(new - old, old - new);
        }
        self.ranks[index] = new;
        self.next[index] = new * scale;
        if comptime!(self.wants_dangling) {
            self.dangling[index] = select(scale == 0.0, new, 0.0f32);
        }
    }
}

#[cfg(all(test, feature = "lower", target_os = "linux"))]
mod tests {
    use equipoise_graph::{Edges, Graph, GraphBuilder};
    use equipoise_schedule::lower;

    use super::*;
    use crate::lower::assert_compiles;

    fn pull_twice<F: Float>(gpu: &Gpu, graph: &Graph, options: &PageRankOptions) -> Result<()> {
        let gpu_graph = GpuGraph::new(gpu, graph);
        gpu_graph.entering()?;
        let cache = FlowCache::default();
        let (flow, _) = Flow::new(graph, &cache, options)?;
        let masses = gpu.filled(2, 0.0)?;
        let ranks = Ranks::<F>::new(&gpu_graph, &flow, options)?;
        ranks.pull(0, false, &masses, options)?;
        ranks.pull(1, true, &masses, options)
    }

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let plain = PageRankOptions::default();
        let undirected = GraphBuilder::new().undirected(true).build(Edges::from(vec![(0, 1)]));
        pull_twice::<f32>(&gpu, &undirected.unwrap(), &plain).unwrap();
        let weighted = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]));
        let personal = PageRankOptions { personalization: Some(vec![1.0, 0.0, 2.0]), ..plain };
        pull_twice::<f64>(&gpu, &weighted.unwrap(), &personal).unwrap();
        assert_compiles(&gpu, "Pull<f32 Pull<f64");
    }
}
