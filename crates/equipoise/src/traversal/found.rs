//! What a search left in a GPU's memory.

use std::{sync::OnceLock, time::Duration};

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};
use rayon::prelude::*;

use super::{UNITS, check::Digests, graph::OnGraph, predecessors::find_parents};
use crate::{NONE, Result, Times, Trace, digest, gpu_graph::GpuGraph, times::timed_on};

/// Where a search starts, and where it stops.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub source: u32,
    pub target: Option<u32>,
    pub most_iterations: u32,
}

/// What a search found. Labels stay on the GPU, and parents are looked for when they are asked for.
pub(crate) struct Found<'g> {
    pub graph: &'g GpuGraph<'g>,
    pub source: u32,
    pub labels: Buffer<u32>,
    pub totals: Totals,
    pub trace: Trace,
    /// The width of steps, if there were any.
    pub delta: Option<f64>,
    /// Where the time went until parents were asked for.
    pub times: Times,
    find_parents: FindParents,
    parents: Late<Buffer<u32>>,
    /// What was copied to the host.
    labels_here: Late<Vec<u32>>,
    parents_here: Late<Vec<u32>>,
}

/// Finds the parents of vertices by their labels, in a search from a vertex.
pub(crate) type FindParents = fn(&GpuGraph, &Buffer<u32>, u32) -> Result<Buffer<u32>>;

/// What labels add up to.
#[derive(Clone, Copy)]
pub(crate) struct Totals {
    /// Vertices that have a label.
    pub reached: u32,
    /// Edges that leave them.
    pub edges: u32,
    /// The largest label.
    pub largest: u32,
    /// The label of the target, or that of the source where there is none.
    pub at_target: u32,
}

/// Something that is made when it is first asked for, with the time that took.
pub(crate) struct Late<T>(OnceLock<Made<T>>);

struct Made<T> {
    what: T,
    time: Duration,
    compile: Duration,
}

impl<T> Late<T> {
    pub fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Something that is there already.
    fn known(what: T) -> Self {
        let (time, compile) = (Duration::ZERO, Duration::ZERO);
        Self(Made { what, time, compile }.into())
    }

    /// What it is, made now if it was not asked for before.
    pub fn get(&self, gpu: &Gpu, make: impl FnOnce() -> Result<T>) -> Result<&T> {
        if let Some(made) = self.0.get() {
            return Ok(&made.what);
        }
        let stopwatch = gpu.stopwatch();
        let what = make()?;
        let (time, compile) = (stopwatch.elapsed(), stopwatch.compiled());
        Ok(&self.0.get_or_init(|| Made { what, time, compile }).what)
    }

    /// What it is, if it was asked for.
    pub fn peek(&self) -> Option<&T> {
        self.0.get().map(|made| &made.what)
    }

    /// The same, for good.
    pub fn into_inner(self) -> Option<T> {
        self.0.into_inner().map(|made| made.what)
    }

    /// How long it took to make it; nothing if it was not asked for.
    pub fn time(&self) -> Duration {
        self.0.get().map_or(Duration::ZERO, |made| made.time)
    }

    fn compile_time(&self) -> Duration {
        self.0.get().map_or(Duration::ZERO, |made| made.compile)
    }
}

impl<'g> Found<'g> {
    /// What a search of an operation found that left these labels. One that goes by distances forgets
    /// what is farther away than its target.
    pub fn new<Op: OnGraph>(
        graph: &'g GpuGraph<'g>,
        bounds: Bounds,
        labels: &Buffer<u32>,
        (trace, run): (Trace, Duration),
    ) -> Result<Self> {
        let kernel = trace.steps.iter().map(|step| step.time).sum();
        let (totals, download) = timed_on(&graph.gpu, || {
            if let (Some(target), false) = (bounds.target, Op::JOINS_ONCE) {
                forget_beyond(graph, labels, target);
            }
            totals(graph, labels, bounds.target.unwrap_or(bounds.source))
        });
        let times = Times {
            upload: graph.upload_time(!Op::JOINS_ONCE),
            kernel,
            overhead: run.saturating_sub(kernel),
            download,
            ..Times::default()
        };
        Ok(Self {
            graph,
            source: bounds.source,
            labels: labels.clone(),
            totals: totals?,
            trace,
            delta: None,
            times,
            find_parents: find_parents::<Op>,
            parents: Late::new(),
            labels_here: Late::new(),
            parents_here: Late::new(),
        })
    }

    /// The same, for which preparations took so long.
    pub fn prepared_in(mut self, prepare: Duration) -> Self {
        self.times.prepare += prepare;
        self
    }

    /// The same, whose parents are found in another way.
    pub fn with_parents_by(mut self, find_parents: FindParents) -> Self {
        self.find_parents = find_parents;
        self
    }

    /// Counts what no step of the trace has as found by the last one: a search in no particular order
    /// does not count it on the way.
    pub fn count_rest(&mut self) {
        let counted: u64 = self.trace.steps.iter().map(|step| step.found).sum();
        let found = u64::from(self.totals.reached.saturating_sub(1));
        if let Some(last) = self.trace.steps.last_mut() {
            last.found += found.saturating_sub(counted);
        }
    }

    /// The same, with its parents.
    pub fn with_parents(mut self, parents: Buffer<u32>) -> Self {
        self.parents = Late::known(parents);
        self
    }

    /// The parent of each vertex, on the GPU.
    pub fn parents(&self) -> Result<&Buffer<u32>> {
        let gpu = &self.graph.gpu;
        self.parents.get(gpu, || {
            let parents = (self.find_parents)(self.graph, &self.labels, self.source)?;
            gpu.wait()?;
            Ok(parents)
        })
    }

    /// The labels on the host, copied now if they were not.
    pub fn labels_here(&self) -> Result<&[u32]> {
        let labels = self.labels_here.get(&self.graph.gpu, || self.copy_labels())?;
        Ok(labels)
    }

    /// A copy of the labels of one's own.
    pub fn copy_labels(&self) -> Result<Vec<u32>> {
        match self.labels_here.peek() {
            Some(labels) => Ok(labels.clone()),
            None => Ok(self.graph.gpu.download(&self.labels)?),
        }
    }

    /// The parents on the host, looked for and copied now if they were not.
    pub fn parents_here(&self) -> Result<&[u32]> {
        // They are found first, so that only copying them is timed.
        let parents = self.parents()?;
        let gpu = &self.graph.gpu;
        let parents = self.parents_here.get(gpu, || Ok(gpu.download(parents)?))?;
        Ok(parents)
    }

    /// Fails where labels or parents that were copied to the host are not those with these digests.
    pub fn check_copies(&self, digests: Digests) -> Result<()> {
        let digest = |copy: &Late<Vec<u32>>| {
            copy.peek().map(|copy| digest::of_numbers(copy.par_iter().copied()))
        };
        digest::check_copy(digest(&self.labels_here), digests.labels)?;
        digest::check_copy(digest(&self.parents_here), digests.parents)
    }

    /// Labels and parents, if they were copied to the host.
    pub fn into_copied(self) -> (Vec<u32>, Vec<u32>) {
        let [labels, parents] = [self.labels_here, self.parents_here].map(Late::into_inner);
        (labels.unwrap_or_default(), parents.unwrap_or_default())
    }

    /// Counts a time as one of copying to the host, but for what copying labels took.
    pub fn count_download(&mut self, time: Duration) {
        self.times.download += time.saturating_sub(self.labels_here.time());
    }

    /// Where the time went, with that of what was asked for until now.
    pub fn times(&self) -> Times {
        let mut times = self.times;
        times.tree += self.parents.time();
        times.compile += self.parents.compile_time();
        times.download += self.labels_here.time() + self.parents_here.time();
        times
    }
}

fn totals(graph: &GpuGraph, labels: &Buffer<u32>, target: u32) -> Result<Totals> {
    let gpu = &graph.gpu;
    let sums = gpu.filled(4, 0u32)?;
    // SAFETY: there is a label and an offset for each vertex, of which the target is one, and there
    // are four sums.
    unsafe {
        add_up::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            graph.vertex_cubes(UNITS),
            CubeDim::new_1d(UNITS),
            labels.arg(),
            graph.leaving.offsets.arg(),
            sums.arg(),
            graph.vertices(),
            target,
        );
    }
    let [reached, edges, largest, at_target] = gpu.download(&sums)?[..] else {
        unreachable!("four numbers were asked for")
    };
    Ok(Totals { reached, edges, largest, at_target })
}

fn forget_beyond(graph: &GpuGraph, labels: &Buffer<u32>, target: u32) {
    // SAFETY: there is a label for each vertex, of which the target is one.
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

/// Adds up the vertices that have a label and their edges, and finds the largest label.
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

/// Takes back the labels that are larger than the target's, which stays as it is.
#[cube(launch_unchecked)]
fn forget(labels: &mut Array<u32>, vertices: u32, target: u32) {
    let limit = labels[target as usize];
    for vertex in grid_stride_range(0, vertices) {
        if labels[vertex as usize] > limit {
            labels[vertex as usize] = NONE.runtime();
        }
    }
}
