//! `delta`: delta-stepping (Meyer and Sanders).
//!
//! The vertices nearer than a limit are worked on until there are none, along edges that are no
//! longer than the step, while those found beyond the limit are deferred. Then all of them have
//! their distance, and the longer edges are relaxed once; the limit moves on, and the deferred ones
//! are split at it.

mod kernels;

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    primitives,
};

use kernels::*;

use super::{gpu::Relax, weight::WeightOn};
use crate::{
    NONE, Result, Step, Trace,
    gpu_graph::GpuGraph,
    traversal::{Bounds, Found, Search, ThisListLaunch, TraversalSettings, UNITS, remaining_arg},
};

/// How much wider steps are than on a cpu, since a GPU has to have more to do at once.
pub(super) const WIDTH: f64 = 8.0;

/// Finds shortest paths from a source, in steps of `delta`.
pub(super) fn search<'g, W: WeightOn>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    delta: f64,
    settings: &TraversalSettings,
) -> Result<Found<'g>> {
    let (search, prepare) = graph.prepared(|| Search::<Relax<W>>::new(graph, settings));
    let mut search = search?;
    let ran = run(&mut search, bounds.source, delta)?;
    Ok(Found::new::<Relax<W>>(graph, bounds, &search.labels, ran)?.prepared_in(prepare))
}

/// Room for the worklists.
struct Room {
    near: Buffer<u32>,
    far: Buffer<u32>,
    /// The far worklist before it is split.
    old_far: Buffer<u32>,
    settled: Buffer<u32>,
    marks: Buffer<u32>,
}

/// How many vertices the worklists have.
#[derive(Clone, Copy, Default)]
struct Sizes {
    near: u32,
    far: u32,
    settled: u32,
}

/// A search under way.
struct Stepping<'s, 'g, W: WeightOn> {
    search: &'s mut Search<'g, Relax<W>>,
    room: Room,
    sizes: Sizes,
    limit: u32,
    /// The step, as a label.
    step: u32,
    trace: Trace,
}

/// What happened in a search, and the time of all of it.
fn run<W: WeightOn>(
    search: &mut Search<Relax<W>>,
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
    /// A search whose worklists have the source: near, and settled.
    fn new(search: &'s mut Search<'g, Relax<W>>, source: u32, delta: f64) -> Result<Self> {
        search.start(source)?;
        let vertices = search.graph.vertices() as usize;
        let gpu = search.gpu();
        let room = Room {
            near: gpu.empty(vertices)?,
            far: gpu.empty(vertices)?,
            old_far: gpu.empty(vertices)?,
            settled: gpu.empty(vertices)?,
            marks: gpu.filled(vertices, 0)?,
        };
        let (step, sizes) = (W::farther(0, delta), Sizes::default());
        let trace = Trace::default();
        let mut stepping = Self { search, room, sizes, limit: step, step, trace };
        let first = gpu.upload(&[source])?;
        gpu.fill(&stepping.search.lists.count, 1)?;
        gpu.fill(&stepping.search.found, 0)?;
        stepping.put(&first, 1)?;
        Ok(stepping)
    }

    fn run(&mut self, delta: f64) -> Result<()> {
        loop {
            while self.sizes.near > 0 {
                let near = self.room.near.clone();
                self.relax(&near, self.sizes.near, SHORT)?;
            }
            if self.sizes.settled > 0 {
                let (settled, count) = (self.room.settled.clone(), self.sizes.settled);
                self.unmark();
                self.relax(&settled, count, LONG)?;
            }
            if self.sizes.near > 0 {
                continue;
            }
            if self.sizes.far == 0 {
                return Ok(());
            }
            self.move_limit(delta)?;
        }
    }

    /// Relaxes edges of the first `count` vertices of a list, and sorts out what is found.
    fn relax(&mut self, list: &Buffer<u32>, count: u32, which: u32) -> Result<()> {
        let (graph, gpu) = (self.search.graph, self.search.gpu());
        let start = gpu.stopwatch();
        gpu.fill(&self.search.lists.count, 0)?;
        let sums = self.search.add_up(list, count)?;
        // SAFETY: `sums` has one number more; the next list has room for all vertices, of which
        // none joins twice in an iteration.
        unsafe {
            relax_some::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                self.search.cubes(count.saturating_mul(EDGES_A_VERTEX).min(MOST_UNITS)),
                CubeDim::new_1d(UNITS),
                graph.leaving.arg(),
                remaining_arg(list, &sums, count),
                self.search.field(),
                self.search.next_arg(),
                self.search.found.arg(),
                self.step,
                which,
            );
        }
        let index = self.search.iteration;
        self.search.iteration += 1;
        if which != LONG {
            self.sizes.near = 0;
        }
        let found = self.search.lists.next.clone();
        let (found, edges) = self.put(&found, graph.vertices())?;
        self.trace.steps.push(Step {
            frontier: count.into(),
            edges: edges.into(),
            found: found.into(),
            time: start.elapsed(),
            ..Step::new(index, "delta")
        });
        Ok(())
    }

    /// Puts what is in a list of at most `most` on the worklists. How many it had, and how many edges
    /// were looked at.
    fn put(&mut self, list: &Buffer<u32>, most: u32) -> Result<(u32, u32)> {
        let (gpu, Search { labels, lists, found, .. }) = (self.search.gpu(), &*self.search);
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
        self.look(&counts)
    }

    /// Moves the limit on, to where the nearest of the far worklist are left behind, and splits it.
    fn move_limit(&mut self, delta: f64) -> Result<()> {
        let (gpu, labels) = (self.search.gpu(), &self.search.labels);
        let far = self.sizes.far;
        let cubes = gpu.cubes(u64::from(far).div_ceil(u64::from(UNITS)));
        let of_far = gpu.empty(far as usize)?;
        // SAFETY: the worklist has `far` vertices, as has `of_far`.
        unsafe {
            labels_of::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes.clone(),
                CubeDim::new_1d(UNITS),
                labels.arg(),
                ThisListLaunch::new(self.room.far.arg(), far),
                of_far.arg(),
            );
        }
        let nearest = gpu.download(&primitives::reduce::<primitives::Min<u32>>(gpu, &of_far)?)?;
        let nearest = nearest.into_iter().fold(NONE, u32::min).max(self.limit);
        let limits = [self.limit, W::farther(nearest, delta)];
        self.limit = limits[1];
        let limits = gpu.upload(&limits)?;
        std::mem::swap(&mut self.room.far, &mut self.room.old_far);
        self.sizes = Sizes { near: 0, far: 0, ..self.sizes };
        let counts = self.counts()?;
        // SAFETY: the old worklist has `far` vertices, and each worklist room for all.
        unsafe {
            split_pile::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                CubeDim::new_1d(UNITS),
                self.search.labels.arg(),
                ThisListLaunch::new(self.room.old_far.arg(), far),
                self.worklists(&counts),
                limits.arg(),
            );
        }
        self.look(&counts)?;
        Ok(())
    }

    /// No vertex is settled any more.
    fn unmark(&mut self) {
        let (gpu, count) = (self.search.gpu(), self.sizes.settled);
        // SAFETY: there are `count` settled vertices, and a mark for each vertex.
        unsafe {
            unmark::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(count).div_ceil(u64::from(UNITS))),
                CubeDim::new_1d(UNITS),
                ThisListLaunch::new(self.room.settled.arg(), count),
                self.room.marks.arg(),
            );
        }
        self.sizes.settled = 0;
    }

    /// The sizes of the worklists, for kernels to add to.
    fn counts(&self) -> Result<Buffer<u32>> {
        let Sizes { near, far, settled } = self.sizes;
        Ok(self.search.gpu().upload(&[near, far, settled, 0, 0])?)
    }

    fn look(&mut self, counts: &Buffer<u32>) -> Result<(u32, u32)> {
        let counts = self.search.gpu().download(counts)?;
        self.sizes = Sizes { near: counts[0], far: counts[1], settled: counts[2] };
        Ok((counts[3], counts[4]))
    }

    fn worklists(&self, counts: &Buffer<u32>) -> WorklistsLaunch<GpuRuntime> {
        let Room { near, far, settled, marks, .. } = &self.room;
        WorklistsLaunch::new(near.arg(), far.arg(), settled.arg(), counts.arg(), marks.arg())
    }
}

/// Launches every kernel once, where nothing runs.
#[cfg(all(test, feature = "lower", target_os = "linux"))]
pub(crate) fn launch_all(whole: &GpuGraph, real: &GpuGraph) -> Result<()> {
    fn launch<W: WeightOn>(graph: &GpuGraph) -> Result<()> {
        let settings = TraversalSettings::default();
        let mut search = Search::<Relax<W>>::new(graph, &settings)?;
        let mut stepping = Stepping::new(&mut search, 0, 1.0)?;
        for which in [SHORT, LONG] {
            let list = stepping.room.near.clone();
            stepping.relax(&list, 1, which)?;
        }
        stepping.sizes = Sizes { near: 0, far: 1, settled: 1 };
        stepping.unmark();
        stepping.sizes.far = 1;
        stepping.move_limit(1.0)
    }
    launch::<super::weight::Whole>(whole)?;
    launch::<super::weight::Real>(real)
}

/// Units for each vertex of a list: most have more edges, and then a unit takes several.
const EDGES_A_VERTEX: u32 = 16;
/// Units that keep any GPU busy.
const MOST_UNITS: u32 = 1 << 20;
