//! `direction-optimising`: BFS without a look of the host at each level.
//!
//! Three launches are enqueued for each level, of which the first ([`control`]) decides on the
//! device what is done: narrow levels it does itself, any number of them; a wide one is pushed
//! ([`push`]) or pulled ([`pull`]) by the others, which otherwise end at once. The host looks after
//! several such levels whether the search is over.

mod control;
mod pull;
mod push;
mod stage;
pub(super) mod walking;

use std::time::{Duration, Instant};

use cubecl::prelude::*;
use equipoise_schedule::device::{Buffer, Gpu};

pub(super) use control::{LARGE_DEGREE, Limits, LimitsLaunch, Lists, ListsLaunch};
pub(super) use stage::WIDE_UNITS;

use control::*;
use pull::pull_level;
use push::push_level;

use super::{Bounds, graph::DeviceGraph};
use crate::{Error, NONE, Result, Step, Trace};

/// Levels that are enqueued before the host looks.
const LEVELS_A_LOOK: u32 = 8;
/// Cubes of wide levels, where the number of multiprocessors is not known.
const CUBES: u32 = 64;
/// Cubes of wide levels that a multiprocessor has at the same time.
const CUBES_EACH: u32 = 8;

/// Buffers for searches of one graph.
pub(super) struct Fused<'g, R: Runtime> {
    graph: &'g DeviceGraph<'g, R>,
    pub labels: Buffer<u32>,
    small: Buffer<u32>,
    large: Buffer<u32>,
    bitmaps: Buffer<u32>,
    found: Buffer<u32>,
    large_room: u32,
}

impl<'g, R: Runtime> Fused<'g, R> {
    pub fn new(graph: &'g DeviceGraph<'g, R>) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices();
        graph.entering()?;
        let large_room = large_room(graph);
        Ok(Self {
            graph,
            labels: gpu.empty(vertices as usize)?,
            small: gpu.empty(2 * vertices as usize)?,
            large: gpu.empty(2 * large_room as usize)?,
            bitmaps: gpu.empty(2 * vertices.div_ceil(32) as usize)?,
            found: gpu.empty(COUNTERS)?,
            large_room,
        })
    }

    /// Searches. The labels are in [`labels`](Self::labels) afterwards.
    pub fn run(&mut self, bounds: Bounds) -> Result<(Trace, Duration)> {
        let gpu = &self.graph.gpu;
        let start = Instant::now();
        let state = self.start(bounds.source)?;
        let mut trace = Trace::default();
        let mut before = [0; WORDS];
        loop {
            let batch = Instant::now();
            for _ in 0..LEVELS_A_LOOK {
                self.enqueue_level(&state, bounds)?;
            }
            let now = gpu.download(&state)?;
            let levels = now[LEVEL].saturating_sub(before[LEVEL]);
            if levels == 0 && now[MODE] != DONE {
                return Err(Error::Wrong("a search does not go on, on the device".into()));
            }
            let seen = |state: &[u32]| state[ALL_VERTICES] + state[VERTICES] + state[LARGE];
            let found = seen(&now) - seen(&before).max(1);
            trace.steps.push(Step {
                frontier: (now[ALL_VERTICES] - before[ALL_VERTICES]).into(),
                edges: (now[ALL_EDGES] - before[ALL_EDGES]).into(),
                found: found.into(),
                sub_steps: levels,
                time: batch.elapsed(),
                ..Step::new(before[LEVEL], "direction-optimising")
            });
            if now[MODE] == DONE {
                return Ok((trace, start.elapsed()));
            }
            before.copy_from_slice(&now);
        }
    }

    /// Makes the source the frontier. Gives the state of the search.
    fn start(&self, source: u32) -> Result<Buffer<u32>> {
        let gpu = &self.graph.gpu;
        let degree = self.graph.graph.degree(source) as u32;
        let mut state = [0; WORDS];
        let is_large = degree > LARGE_DEGREE;
        (state[VERTICES], state[LARGE]) = (u32::from(!is_large), u32::from(is_large));
        state[MODE] = NARROW;
        state[EDGES] = degree;
        state[UNEXPLORED] = self.graph.edges() - degree;
        gpu.fill(&self.labels, NONE)?;
        gpu.fill(&self.found, 0)?;
        let state = gpu.upload(&state)?;
        // SAFETY: the source is a vertex, and all lists have room for one.
        unsafe {
            set_source::launch_unchecked::<R>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_single(),
                self.labels.arg(),
                self.lists(),
                source,
            );
        }
        Ok(state)
    }

    fn enqueue_level(&self, state: &Buffer<u32>, bounds: Bounds) -> Result<()> {
        let gpu = &self.graph.gpu;
        let wide = wide_cubes(gpu);
        let rows = || self.graph.leaving.arg();
        let limits = || {
            let target = bounds.target.unwrap_or(NONE);
            LimitsLaunch::new(self.graph.vertices(), bounds.most_turns, target, self.large_room)
        };
        let levels = || LevelsLaunch::new(self.labels.arg(), self.labels.arg());
        // SAFETY: there is a level and an offset for each vertex. Both halves of the lists have
        // room for all vertices with few edges and all with many, and each vertex is listed once;
        // those of the bitmaps have a bit for each vertex. Arrays of words have as many.
        unsafe {
            decide::launch_unchecked::<R>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_1d(UNITS.min(gpu.properties().max_units)),
                rows(),
                levels(),
                self.lists(),
                state.arg(),
                self.found.arg(),
                limits(),
            );
            push_level::launch_unchecked::<R>(
                gpu.client(),
                wide.0.clone(),
                wide.1,
                rows(),
                levels(),
                self.lists(),
                state.arg(),
                self.found.arg(),
                limits(),
            );
            pull_level::launch_unchecked::<R>(
                gpu.client(),
                wide.0,
                wide.1,
                rows(),
                self.graph.entering()?.arg(),
                self.labels.arg(),
                self.bitmaps.arg(),
                self.lists(),
                state.arg(),
                self.found.arg(),
                limits(),
            );
        }
        Ok(())
    }

    fn lists(&self) -> ListsLaunch<R> {
        ListsLaunch::new(self.small.arg(), self.large.arg())
    }
}

/// The cubes of a wide level, and their units.
pub(super) fn wide_cubes<R: Runtime>(gpu: &Gpu<R>) -> (CubeCount, CubeDim) {
    let cubes = gpu.properties().multiprocessors.map_or(CUBES, |count| count * CUBES_EACH);
    (gpu.cubes(cubes.into()), CubeDim::new_1d(WIDE_UNITS))
}

/// Vertices of many edges that a graph can have.
pub(super) fn large_room<R: Runtime>(graph: &DeviceGraph<R>) -> u32 {
    graph.edges() / LARGE_DEGREE + 1
}

/// The source has level 0, and is the first of both lists: how many they have, the state says.
#[cube(launch_unchecked)]
fn set_source(labels: &mut Array<u32>, lists: &mut Lists, source: u32) {
    labels[source as usize] = 0u32;
    lists.small[0] = source;
    lists.large[0] = source;
}
