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
    flow::{Flow, FlowOnGpu, KeptFlows},
};
use crate::{
    Result, Step, Times, Trace,
    gpu_graph::{GpuGraph, GraphOnGpu},
    sparse::{
        MatrixFeatures,
        gpu::{Measured, SchedulePolicy},
    },
    times::{empty_wait, less_wait, prepared, timed_on},
};

/// Iterations between two looks of the host at how much the ranks changed.
const LOOK_EVERY: u32 = 4;

/// As [`pagerank`](super::pagerank()), on a GPU.
pub(super) fn pagerank(
    there: &GraphOnGpu,
    kept: &KeptFlows,
    options: &PageRankOptions,
) -> Result<PageRank> {
    let graph = there.graph;
    options.check(graph)?;
    super::check_memory(graph, options)?;
    let (flow, making) = Flow::new(graph, kept, options)?;
    check_fits(there, &flow)?;
    let there = there.get()?;
    there.entering()?;
    let found = match there.gpu.properties().f64 {
        true => run::<f64>(there, &flow, options),
        false => run::<f32>(there, &flow, options),
    };
    let mut found = found?;
    found.times.prepare += making;
    found.times.upload = there.upload_time(false);
    Ok(found)
}

/// Ranks with sums in `F`.
fn run<F: Float>(graph: &GpuGraph, flow: &Flow, options: &PageRankOptions) -> Result<PageRank> {
    let (ranks, preparing) = prepared(&graph.gpu, || Ranks::<F>::new(graph, flow, options))?;
    let mut found = ranks.run(options)?;
    found.times.prepare = preparing.prepare;
    found.times.compile += preparing.compile;
    Ok(found)
}

fn check_fits(there: &GraphOnGpu, flow: &Flow) -> Result<()> {
    let gpu = &there.gpu;
    let words = |count: u64| gpu.held_by(4 * count.max(1));
    // Ranks, what flows before and after, changes, where to start anew and dangling ranks; what schedules take.
    let beside = words(flow.vertices().into()).saturating_mul(8);
    let shares = flow.edges.bytes_missing(gpu);
    let missing = there.bytes_missing_entering(false)?;
    let what = format!("the ranks of {} vertices", flow.vertices());
    Ok(gpu.require(&what, missing.saturating_add(beside).saturating_add(shares))?)
}

/// Ranks in the making.
struct Ranks<'a, F: Float> {
    gpu: &'a Gpu,
    flow: &'a Flow<'a>,
    gather: RowsGather<'a, Pull<F>>,
    ranks: Buffer<f32>,
    /// What flows in even iterations, and in odd ones.
    flowing: [Buffer<f32>; 2],
    changes: Buffer<f32>,
    edges: &'a FlowOnGpu,
    personal: Buffer<f32>,
    /// Of each dangling vertex its rank, and 0 of the others, where their sum is not known beforehand.
    dangling: Buffer<f32>,
}

impl<'a, F: Float> Ranks<'a, F> {
    fn new(graph: &'a GpuGraph, flow: &'a Flow, options: &PageRankOptions) -> Result<Self> {
        let gpu = &graph.gpu;
        let schedule = match options.schedule {
            Some(schedule) => schedule.into(),
            None => best_schedule(flow),
        };
        let gather = RowsGather::new(gpu, graph.there.entering()?, schedule)?;
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

    /// Iterates until the ranks have settled.
    fn run(&self, options: &PageRankOptions) -> Result<PageRank> {
        let gpu = self.gpu;
        gpu.wake();
        let wait = empty_wait(gpu)?;
        let stopwatch = gpu.stopwatch();
        let (iterated, run) = timed_on(gpu, || self.iterate(options));
        let (change, trace) = iterated?;
        let compile = stopwatch.compiled();
        let (ranks, download) = timed_on(gpu, || gpu.download(&self.ranks));
        let waits = wait * trace.steps.len() as u32;
        let times = Times { compile, download, ..Times::default() };
        Ok(PageRank {
            ranks: ranks?,
            iterations: trace.steps.iter().map(|step| step.sub_steps).sum(),
            change,
            converged: change <= options.tolerance,
            trace,
            times: less_wait(times, run, waits),
        })
    }

    /// How much the last iteration changed the ranks, and all iterations.
    fn iterate(&self, options: &PageRankOptions) -> Result<(f64, Trace)> {
        let (gpu, mut trace) = (self.gpu, Trace::default());
        if self.flow.vertices() == 0 {
            return Ok((0.0, trace));
        }
        let mut masses = gpu.upload(&self.dangling_masses(options))?;
        let mut done = 0;
        loop {
            let stopwatch = gpu.stopwatch();
            let now = LOOK_EVERY.min(options.max_iterations - done);
            for iteration in done..done + now {
                let is_last = iteration + 1 == done + now;
                self.pull(iteration, is_last, &masses, options)?;
                if self.flow.dangling_is_entered {
                    masses = reduce::<Sum<f32>>(gpu, &self.dangling)?;
                }
            }
            let change = gpu.download(&reduce::<Sum<f32>>(gpu, &self.changes)?)?;
            let change = f64::from(change[0]);
            let index = trace.steps.len() as u32;
            trace.steps.push(self.step(index, now, stopwatch.elapsed()));
            done += now;
            if change <= options.tolerance || done == options.max_iterations {
                return Ok((change, trace));
            }
        }
    }

    /// The rank of dangling vertices before each iteration, where no edge enters one: it depends on nothing but itself.
    /// Otherwise that before the first.
    fn dangling_masses(&self, options: &PageRankOptions) -> Vec<f32> {
        let first = self.flow.first_dangling();
        if self.flow.dangling_is_entered {
            return vec![first as f32];
        }
        let next = |mass: &f64| {
            let anew = 1.0 - options.damping + options.damping * mass;
            Some(self.flow.dangling_share * anew)
        };
        let masses = std::iter::successors(Some(first), next);
        masses.take(options.max_iterations as usize).map(|mass| mass as f32).collect()
    }

    /// Does an iteration, and finds how much it changes the ranks where the host looks at that.
    fn pull(
        &self,
        iteration: u32,
        compares: bool,
        masses: &Buffer<f32>,
        options: &PageRankOptions,
    ) -> Result<()> {
        let [even, odd] = &self.flowing;
        let (from, to) = if iteration.is_multiple_of(2) { (even, odd) } else { (odd, even) };
        let place = if self.flow.dangling_is_entered { 0 } else { iteration };
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
                place,
                self.edges.shares.is_some(),
                self.flow.personal.is_some(),
                self.flow.dangling_is_entered,
                compares,
                PhantomData,
            )
        };
        // SAFETY: there is a number for each vertex in all arrays that are read or written by vertices, a share for each
        // edge where they have them, and a mass at its place.
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

/// What was fastest for a product of such a matrix with a vector.
fn best_schedule(flow: &Flow) -> ScheduleOptions {
    Measured.spmv(&MatrixFeatures::of_rows(flow.entering))
}

/// What a vertex makes of what flows into it, summed in `F`.
#[derive(CubeType, CubeLaunch)]
struct Pull<F: Float> {
    flowing: Input<f32>,
    /// Of each edge; anything where they have none.
    shares: Input<f32>,
    scale: Input<f32>,
    /// Of each vertex, or one for all.
    personal: Input<f32>,
    masses: Input<f32>,
    ranks: Array<f32>,
    next: Array<f32>,
    changes: Array<f32>,
    /// Of each vertex, where that is wanted.
    dangling: Array<f32>,
    damping: f32,
    /// One less that.
    rest: f32,
    /// Where the rank of dangling vertices is.
    place: u32,
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
        let anew = self.rest + self.damping * self.masses[self.place as usize];
        let mut personal = self.personal[0];
        if comptime!(self.is_personal) {
            personal = self.personal[index];
        }
        let new = personal * anew + self.damping * f32::cast_from(total);
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
    use equipoise_schedule::lower::{self, Nvrtc};

    use super::*;

    fn pull_once<F: Float>(gpu: &Gpu, graph: &Graph, options: &PageRankOptions) -> Result<()> {
        let there = GpuGraph::upload(gpu, graph)?;
        there.entering()?;
        let kept = KeptFlows::default();
        let (flow, _) = Flow::new(graph, &kept, options)?;
        let masses = gpu.filled(2, 0.0)?;
        let ranks = Ranks::<F>::new(&there, &flow, options)?;
        ranks.pull(0, false, &masses, options)?;
        ranks.pull(1, true, &masses, options)
    }

    #[test]
    fn every_kernel_compiles_for_cuda() {
        let gpu = lower::gpu();
        let plain = PageRankOptions::default();
        let undirected = GraphBuilder::new().undirected(true);
        pull_once::<f32>(&gpu, &undirected.build(Edges::from(vec![(0, 1)])).unwrap(), &plain)
            .unwrap();
        let weighted = GraphBuilder::new().build(Edges::from(vec![(0, 1, 3u32), (1, 2, 4)]));
        let personal = PageRankOptions { personalization: Some(vec![1.0, 0.0, 2.0]), ..plain };
        pull_once::<f64>(&gpu, &weighted.unwrap(), &personal).unwrap();
        let kernels = lower::kernels(&gpu).unwrap();
        assert!(kernels.iter().filter(|kernel| kernel.name.contains("Pull")).count() >= 2);
        Nvrtc::find().and_then(|nvrtc| nvrtc.compile(&kernels)).unwrap();
    }
}
