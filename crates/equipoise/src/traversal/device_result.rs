//! The result of a search in a GPU's memory.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_graph::parallel::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use super::{
    iteration::{GraphOp, UNITS},
    predecessors::find_parents,
};
use crate::{
    NONE, Result, Times, Trace, digest,
    gpu_graph::GpuGraph,
    once::TimedOnce,
    times::{timed_on, times_of_steps},
};

/// Where a search starts, and where it stops.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub source: u32,
    pub target: Option<u32>,
    pub most_iterations: u32,
}

/// The result of a search. Labels stay on the GPU, and parents are found on first use.
pub(crate) struct DeviceResult<'g> {
    pub graph: &'g GpuGraph<'g>,
    pub source: u32,
    pub labels: Buffer<u32>,
    pub totals: Totals,
    pub trace: Trace,
    /// The width of steps, if any.
    pub delta: Option<f64>,
    /// The times of the search without finding parents.
    pub times: Times,
    find_parents: FindParents,
    parents: TimedOnce<Buffer<u32>>,
    parents_on_host: TimedOnce<Vec<u32>>,
}

/// Finds the parents of vertices by the labels of a search from a vertex.
pub(crate) type FindParents = fn(&GpuGraph, &Buffer<u32>, u32) -> Result<Buffer<u32>>;

/// The totals of labels.
#[derive(Clone, Copy)]
pub(crate) struct Totals {
    /// Vertices that have a label.
    pub reached: u32,
    /// Edges that leave them.
    pub edges: u32,
    /// The largest label.
    pub largest: u32,
    /// The label of the target; that of the source without a target.
    pub at_target: u32,
}

/// Digests of labels and parents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digests {
    pub labels: u32,
    pub parents: u32,
}

impl<'g> DeviceResult<'g> {
    /// The result of a search that computed these labels. Resets the labels beyond the target, where the first label of a
    /// vertex is not final.
    pub fn new<Op: GraphOp>(
        graph: &'g GpuGraph<'g>,
        bounds: Bounds,
        labels: &Buffer<u32>,
        (trace, run): (Trace, Duration),
    ) -> Result<Self> {
        let (totals, download) = timed_on(&graph.gpu, || {
            if let (Some(target), false) = (bounds.target, Op::FIRST_LABEL_IS_FINAL) {
                reset_beyond(graph, labels, target);
            }
            totals(graph, labels, bounds.target.unwrap_or(bounds.source))
        });
        let upload = graph.upload_time(Op::READS_WEIGHTS);
        let times = Times { upload, download, ..times_of_steps(&trace.steps, run) };
        Ok(Self {
            graph,
            source: bounds.source,
            labels: labels.clone(),
            totals: totals?,
            trace,
            delta: None,
            times,
            find_parents: find_parents::<Op>,
            parents: TimedOnce::default(),
            parents_on_host: TimedOnce::default(),
        })
    }

    /// Adds a time of preparation.
    pub fn prepared_in(mut self, prepare: Duration) -> Self {
        self.times.prepare += prepare;
        self
    }

    /// Replaces the way to find parents.
    pub fn with_parents_by(mut self, find_parents: FindParents) -> Self {
        self.find_parents = find_parents;
        self
    }

    /// Sets the parents that the search recorded.
    pub fn with_parents(mut self, parents: Buffer<u32>) -> Self {
        self.parents = parents.into();
        self
    }

    /// Adds the vertices that no step of the trace counts to the last step: a search in no particular order does not count
    /// them.
    pub fn count_rest(&mut self) {
        let counted: u64 = self.trace.steps.iter().map(|step| step.found).sum();
        let reached = u64::from(self.totals.reached.saturating_sub(1));
        if let Some(last) = self.trace.steps.last_mut() {
            last.found += reached.saturating_sub(counted);
        }
    }

    /// The parent of each vertex, on the GPU.
    pub fn parents(&self) -> Result<&Buffer<u32>> {
        let gpu = &self.graph.gpu;
        self.parents.get_or_try_init(gpu, || {
            let parents = (self.find_parents)(self.graph, &self.labels, self.source)?;
            gpu.wait()?;
            Ok(parents)
        })
    }

    /// The parents on the host, found and copied on first use.
    pub fn parents_on_host(&self) -> Result<&[u32]> {
        // Before the copy, whose time is separate.
        let parents = self.parents()?;
        let gpu = &self.graph.gpu;
        let parents = self.parents_on_host.get_or_try_init(gpu, || Ok(gpu.download(parents)?))?;
        Ok(parents)
    }

    /// Fails where parents on the host have another digest.
    pub fn check_parents(&self, on_device: u32) -> Result<()> {
        let parents = self.parents_on_host.get();
        digest::check_copy(
            parents.map(|parents| digest::of_numbers(parents.par_iter().copied())),
            on_device,
        )
    }

    /// Moves the parents on the host out; empty where they were not copied.
    pub fn take_parents(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.parents_on_host).into_inner().unwrap_or_default()
    }

    /// The times of the search, of finding parents and of copying them, as far as they happened.
    pub fn times(&self) -> Times {
        let mut times = self.times;
        times.tree += self.parents.time();
        times.compile += self.parents.compile_time();
        times.download += self.parents_on_host.time();
        times
    }
}

fn totals(graph: &GpuGraph, labels: &Buffer<u32>, target: u32) -> Result<Totals> {
    let (gpu, rows) = (&graph.gpu, graph.leaving()?);
    let sums = gpu.filled(4, 0u32)?;
    // SAFETY: each vertex has a label and an offset, the target is a vertex, and `sums` has four numbers.
    unsafe {
        add_up::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            graph.vertex_cubes(UNITS),
            CubeDim::new_1d(UNITS),
            labels.arg(),
            rows.offsets.arg(),
            sums.arg(),
            graph.vertices(),
            target,
        );
    }
    let [reached, edges, largest, at_target] = gpu.download(&sums)?[..] else {
        unreachable!("the array has four numbers")
    };
    Ok(Totals { reached, edges, largest, at_target })
}

fn reset_beyond(graph: &GpuGraph, labels: &Buffer<u32>, target: u32) {
    // SAFETY: each vertex has a label, and the target is a vertex.
    unsafe {
        forget::launch_unchecked::<GpuRuntime>(
            graph.gpu.client(),
            graph.vertex_cubes(UNITS),
            CubeDim::new_1d(UNITS),
            labels.arg(),
            graph.vertices(),
            target,
        );
    }
}

/// Counts the vertices that have a label and their edges, and finds the largest label.
#[cube(launch_unchecked)]
fn add_up(
    labels: &Array<u32>,
    offsets: &Array<u32>,
    sums: &mut Array<Atomic<u32>>,
    vertices: u32,
    target: u32,
) {
    let mut reached = 0u32;
    let mut edges = 0u32;
    let mut largest = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        let label = labels[vertex as usize];
        if label != NONE {
            reached += 1u32;
            edges += offsets[vertex as usize + 1] - offsets[vertex as usize];
            largest = max(largest, label);
        }
    }
    let all_reached = plane_sum(reached);
    let all_edges = plane_sum(edges);
    let largest_of_all = plane_max(largest);
    if UNIT_POS_PLANE == 0 && all_reached > 0 {
        sums[0].fetch_add(all_reached);
        sums[1].fetch_add(all_edges);
        sums[2].fetch_max(largest_of_all);
    }
    if ABSOLUTE_POS == 0 {
        sums[3].store(labels[target as usize]);
    }
}

/// Resets the labels that are larger than the target's.
#[cube(launch_unchecked)]
fn forget(labels: &mut Array<u32>, vertices: u32, target: u32) {
    let limit = labels[target as usize];
    for vertex in grid_stride_range(0, vertices) {
        if labels[vertex as usize] > limit {
            labels[vertex as usize] = NONE.runtime();
        }
    }
}
