//! `delta`: delta-stepping (Meyer and Sanders).
//!
//! Vertices nearer than a limit are relaxed along edges no longer than the step until none is left, while vertices beyond
//! the limit are deferred. Then the distances below the limit are final, and the longer edges of these vertices are relaxed
//! once. The limit advances, and the deferred vertices are split at it.

mod kernels;

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    primitives,
};

use kernels::*;

use super::{gpu_relax::Relax, weight::WeightOn};
use crate::{
    NONE, Result, Step, Trace,
    gpu_graph::GpuGraph,
    traversal::{
        Bounds, DeviceResult, SearchState, ThisListLaunch, TraversalSettings, UNITS, remaining_arg,
    },
};

/// The factor on the width of steps compared with a cpu: a GPU needs more parallel work.
pub(super) const WIDTH: f64 = 8.0;

/// Finds shortest paths from a source, in steps of `delta`.
pub(super) fn search<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    delta: f64,
    settings: &TraversalSettings,
) -> Result<DeviceResult<'g>> {
    let (search, prepare) = graph.prepared(|| SearchState::<Relax<W>>::new(graph, settings));
    let mut search = search?;
    let ran = run(&mut search, bounds.source, delta)?;
    Ok(DeviceResult::new::<Relax<W>>(graph, bounds, &search.labels, ran)?.prepared_in(prepare))
}

struct Lists {
    near: Buffer<u32>,
    far: Buffer<u32>,
    /// The far worklist before it is split.
    old_far: Buffer<u32>,
    settled: Buffer<u32>,
    marks: Buffer<u32>,
}

#[derive(Clone, Copy, Default)]
struct Lengths {
    near: u32,
    far: u32,
    settled: u32,
}

struct Stepping<'s, 'g, W: WeightOn> {
    search: &'s mut SearchState<'g, Relax<W>>,
    lists: Lists,
    lengths: Lengths,
    limit: u32,
    /// The step, as a label.
    step: u32,
    trace: Trace,
}

fn run<W: WeightOn>(
    search: &mut SearchState<Relax<W>>,
    source: u32,
    delta: f64,
) -> Result<(Trace, Duration)> {
    let gpu = search.gpu();
    let start = gpu.stopwatch();
    let mut stepping = Stepping::new(search, source, delta)?;
    stepping.run(delta)?;
    Ok((stepping.trace, start.elapsed()))
}

impl<'s, 'g, W: WeightOn> Stepping<'s, 'g, W> {
    /// A search whose near and settled worklists contain the source.
    fn new(search: &'s mut SearchState<'g, Relax<W>>, source: u32, delta: f64) -> Result<Self> {
        search.start(source)?;
        let vertices = search.graph.vertices() as usize;
        let gpu = search.gpu();
        let lists = Lists {
            near: gpu.empty(vertices)?,
            far: gpu.empty(vertices)?,
            old_far: gpu.empty(vertices)?,
            settled: gpu.empty(vertices)?,
            marks: gpu.filled(vertices, 0)?,
        };
        let (step, lengths) = (W::farther(0, delta), Lengths::default());
        let trace = Trace::default();
        let mut stepping = Self { search, lists, lengths, limit: step, step, trace };
        let first = gpu.upload(&[source])?;
        gpu.fill(&stepping.search.lists.count, 1)?;
        gpu.fill(&stepping.search.found, 0)?;
        stepping.put(&first, 1)?;
        Ok(stepping)
    }

    fn run(&mut self, delta: f64) -> Result<()> {
        loop {
            while self.lengths.near > 0 {
                let near = self.lists.near.clone();
                self.relax(&near, self.lengths.near, SHORT)?;
            }
            if self.lengths.settled > 0 {
                let (settled, count) = (self.lists.settled.clone(), self.lengths.settled);
                self.unmark();
                self.relax(&settled, count, LONG)?;
            }
            if self.lengths.near > 0 {
                continue;
            }
            if self.lengths.far == 0 {
                return Ok(());
            }
            self.move_limit(delta)?;
        }
    }

    /// Relaxes edges of the first `count` vertices of a list, and puts the found vertices on the worklists.
    fn relax(&mut self, list: &Buffer<u32>, count: u32, which: u32) -> Result<()> {
        let (graph, gpu) = (self.search.graph, self.search.gpu());
        let start = gpu.stopwatch();
        gpu.fill(&self.search.lists.count, 0)?;
        let sums = self.search.degree_sums(list, count)?;
        // SAFETY: `sums` has one number more than the list; the next list has room for all vertices, none of which joins
        // twice in an iteration.
        unsafe {
            relax_some::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                self.search.cubes(count.saturating_mul(UNITS_PER_VERTEX).min(MOST_UNITS)),
                CubeDim::new_1d(UNITS),
                self.search.rows.arg(),
                remaining_arg(list, &sums, count),
                self.search.labels_arg(),
                self.search.next_arg(),
                self.search.found.arg(),
                self.step,
                which,
            );
        }
        let index = self.search.iteration;
        self.search.iteration += 1;
        if which != LONG {
            self.lengths.near = 0;
        }
        let next = self.search.lists.next.clone();
        let (found, edges) = self.put(&next, graph.vertices())?;
        self.trace.steps.push(Step {
            frontier: count.into(),
            edges: edges.into(),
            found: found.into(),
            time: start.elapsed(),
            ..Step::new(index, "delta")
        });
        Ok(())
    }

    /// Puts the vertices of a list, at most `most`, on the worklists. Returns their number, and the number of edges examined.
    fn put(&mut self, list: &Buffer<u32>, most: u32) -> Result<(u32, u32)> {
        let (gpu, SearchState { labels, lists, found, .. }) = (self.search.gpu(), &*self.search);
        let counts = self.counts()?;
        // SAFETY: each worklist has room for all vertices, each of which is on it once.
        unsafe {
            put_on_worklists::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(most.min(MOST_UNITS)).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                labels.arg(),
                FoundListLaunch::new(list.arg(), lists.count.arg(), found.arg()),
                self.worklists(&counts),
                self.limit,
            );
        }
        self.read_counts(&counts)
    }

    /// Advances the limit beyond the nearest vertices of the far worklist, and splits the worklist at it.
    fn move_limit(&mut self, delta: f64) -> Result<()> {
        let (gpu, labels) = (self.search.gpu(), &self.search.labels);
        let far = self.lengths.far;
        let cubes = gpu.cubes(u64::from(far).div_ceil(u64::from(UNITS)));
        let of_far = gpu.empty(far as usize)?;
        // SAFETY: the worklist has `far` vertices, as has `of_far`.
        unsafe {
            labels_of::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes.clone(),
                CubeDim::new_1d(UNITS),
                labels.arg(),
                ThisListLaunch::new(self.lists.far.arg(), far),
                of_far.arg(),
            );
        }
        let nearest = gpu.download(&primitives::reduce::<primitives::Min<u32>>(gpu, &of_far)?)?;
        let nearest = nearest.into_iter().fold(NONE, u32::min).max(self.limit);
        let limits = [self.limit, W::farther(nearest, delta)];
        self.limit = limits[1];
        let limits = gpu.upload(&limits)?;
        std::mem::swap(&mut self.lists.far, &mut self.lists.old_far);
        self.lengths = Lengths { near: 0, far: 0, ..self.lengths };
        let counts = self.counts()?;
        // SAFETY: the old worklist has `far` vertices, and each worklist has room for all vertices.
        unsafe {
            split_far::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                CubeDim::new_1d(UNITS),
                self.search.labels.arg(),
                ThisListLaunch::new(self.lists.old_far.arg(), far),
                self.worklists(&counts),
                limits.arg(),
            );
        }
        self.read_counts(&counts)?;
        Ok(())
    }

    /// Clears the settled worklist and its marks.
    fn unmark(&mut self) {
        let (gpu, count) = (self.search.gpu(), self.lengths.settled);
        // SAFETY: the settled worklist has `count` vertices, and each vertex has marks.
        unsafe {
            unmark::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(count).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                ThisListLaunch::new(self.lists.settled.arg(), count),
                self.lists.marks.arg(),
            );
        }
        self.lengths.settled = 0;
    }

    /// The lengths of the worklists, to which kernels add.
    fn counts(&self) -> Result<Buffer<u32>> {
        let Lengths { near, far, settled } = self.lengths;
        Ok(self.search.gpu().upload(&[near, far, settled, 0, 0])?)
    }

    fn read_counts(&mut self, counts: &Buffer<u32>) -> Result<(u32, u32)> {
        let counts = self.search.gpu().download(counts)?;
        self.lengths = Lengths { near: counts[0], far: counts[1], settled: counts[2] };
        Ok((counts[3], counts[4]))
    }

    fn worklists(&self, counts: &Buffer<u32>) -> WorklistsLaunch<GpuRuntime> {
        let Lists { near, far, settled, marks, .. } = &self.lists;
        WorklistsLaunch::new(near.arg(), far.arg(), settled.arg(), counts.arg(), marks.arg())
    }
}

/// Launches every kernel once, on a GPU that only compiles.
#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) fn launch_all(whole: &GpuGraph, real: &GpuGraph) -> Result<()> {
    fn launch<W: WeightOn>(graph: &GpuGraph) -> Result<()> {
        let settings = TraversalSettings::default();
        let mut search = SearchState::<Relax<W>>::new(graph, &settings)?;
        let mut stepping = Stepping::new(&mut search, 0, 1.0)?;
        for which in [SHORT, LONG] {
            let list = stepping.lists.near.clone();
            stepping.relax(&list, 1, which)?;
        }
        stepping.lengths = Lengths { near: 0, far: 1, settled: 1 };
        stepping.unmark();
        stepping.lengths.far = 1;
        stepping.move_limit(1.0)
    }
    launch::<super::weight::Whole>(whole)?;
    launch::<super::weight::Real>(real)
}

/// Units per vertex of a list; each takes several edges where a vertex has more.
const UNITS_PER_VERTEX: u32 = 16;
/// The number of units that keeps any GPU busy.
const MOST_UNITS: u32 = 1 << 20;
