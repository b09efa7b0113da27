//! `near-far`: SSSP without a look of the host at each turn (Davidson et al.).
//!
//! The vertices nearer than a limit are worked on until there are none, while those found beyond it
//! wait on a pile; then the limit moves on, and the pile is split at it. As in direction-optimising
//! BFS, three launches are enqueued for each turn, of which the first decides, and does narrow
//! turns itself.

mod control;
mod piles;
mod wide;

use std::time::{Duration, Instant};

use cubecl::prelude::*;
use equipoise_schedule::device::Buffer;

use control::*;
use piles::PilesLaunch;
use wide::{wide_split, wide_turn};

use super::{
    fused::{LARGE_DEGREE, LimitsLaunch, ListsLaunch, large_room, wide_cubes},
    graph::DeviceGraph,
    metric_on::MetricOn,
};
use crate::{Error, NONE, Result, Step, Trace};

/// Turns that are enqueued before the host looks.
const TURNS_A_LOOK: u32 = 16;

/// Buffers for a search of one graph.
pub(super) struct NearFar<'g, R: Runtime> {
    graph: &'g DeviceGraph<'g, R>,
    pub labels: Buffer<u32>,
    turns: Buffer<u32>,
    left_with: Buffer<u32>,
    waits: Buffer<u32>,
    far: Buffer<u32>,
    small: Buffer<u32>,
    large: Buffer<u32>,
    found: Buffer<u32>,
}

impl<'g, R: Runtime> NearFar<'g, R> {
    pub fn new(graph: &'g DeviceGraph<'g, R>) -> Result<Self> {
        let gpu = &graph.gpu;
        graph.leaving.make_weights(gpu)?;
        let vertices = graph.vertices() as usize;
        Ok(Self {
            graph,
            labels: gpu.empty(vertices)?,
            turns: gpu.empty(vertices)?,
            left_with: gpu.empty(vertices)?,
            waits: gpu.empty(vertices)?,
            far: gpu.empty(2 * vertices)?,
            small: gpu.empty(2 * vertices)?,
            large: gpu.empty(2 * large_room(graph) as usize)?,
            found: gpu.empty(COUNTERS)?,
        })
    }

    /// Searches, with a limit that moves on by `delta`. The labels are in
    /// [`labels`](Self::labels) afterwards.
    pub fn run<M: MetricOn>(&mut self, source: u32, delta: f64) -> Result<(Trace, Duration)> {
        let gpu = &self.graph.gpu;
        let start = Instant::now();
        let step = M::farther(0, delta);
        let state = self.start(source, step)?;
        let mut trace = Trace::default();
        let mut before = [0; WORDS];
        loop {
            let batch = Instant::now();
            for _ in 0..TURNS_A_LOOK {
                self.enqueue_turn::<M>(&state, step);
            }
            let now = gpu.download(&state)?;
            let turns = now[TURN].saturating_sub(before[TURN]);
            if turns == 0 && now[MODE] != DONE {
                return Err(Error::Wrong("a search does not go on, on the device".into()));
            }
            let worked_on = now[ALL_VERTICES].wrapping_sub(before[ALL_VERTICES]);
            trace.steps.push(Step {
                frontier: worked_on.into(),
                edges: now[ALL_EDGES].wrapping_sub(before[ALL_EDGES]).into(),
                found: worked_on.into(),
                sub_steps: turns,
                time: batch.elapsed(),
                ..Step::new(before[TURN], "near-far")
            });
            if now[MODE] == DONE {
                return Ok((trace, start.elapsed()));
            }
            before.copy_from_slice(&now);
        }
    }

    /// The source is near. Gives the state of the search.
    fn start(&self, source: u32, step: u32) -> Result<Buffer<u32>> {
        let gpu = &self.graph.gpu;
        let degree = self.graph.graph.degree(source) as u32;
        let mut state = [0; WORDS];
        let is_large = degree > LARGE_DEGREE;
        (state[VERTICES], state[LARGE]) = (u32::from(!is_large), u32::from(is_large));
        (state[EDGES], state[LIMIT], state[MODE]) = (degree, step, NARROW);
        for (buffer, value) in [
            (&self.labels, NONE),
            (&self.turns, 0),
            (&self.left_with, NONE),
            (&self.waits, 0),
            (&self.found, 0),
        ] {
            gpu.fill(buffer, value)?;
        }
        let state = gpu.upload(&state)?;
        // SAFETY: the source is a vertex, the lists have room for one, and the counters are there.
        unsafe {
            set_source::launch_unchecked::<R>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_single(),
                self.labels.arg(),
                self.small.arg(),
                self.large.arg(),
                self.found.arg(),
                source,
            );
        }
        Ok(state)
    }

    fn enqueue_turn<M: MetricOn>(&self, state: &Buffer<u32>, step: u32) {
        let gpu = &self.graph.gpu;
        let wide = wide_cubes(gpu);
        let rows = || self.graph.leaving.arg();
        let vertices = self.graph.vertices();
        let limits = || LimitsLaunch::new(vertices, NONE, NONE, large_room(self.graph));
        let lists = || ListsLaunch::new(self.small.arg(), self.large.arg());
        let piles = || {
            PilesLaunch::<M, R>::new(
                M::arg(&self.graph.leaving),
                self.labels.arg(),
                self.labels.arg(),
                self.turns.arg(),
                self.left_with.arg(),
                self.waits.arg(),
                self.far.arg(),
                vertices,
            )
        };
        // SAFETY: there is a word for each vertex in the arrays of vertices. Both halves of the
        // lists and of the far pile have room for all vertices, and each vertex is on them once;
        // arrays of words have as many.
        unsafe {
            decide::launch_unchecked::<M, R>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_1d(UNITS.min(gpu.properties().max_units)),
                rows(),
                piles(),
                lists(),
                state.arg(),
                self.found.arg(),
                limits(),
                step,
            );
            wide_turn::launch_unchecked::<M, R>(
                gpu.client(),
                wide.0.clone(),
                wide.1,
                rows(),
                piles(),
                lists(),
                state.arg(),
                self.found.arg(),
                limits(),
            );
            wide_split::launch_unchecked::<M, R>(
                gpu.client(),
                wide.0,
                wide.1,
                rows(),
                piles(),
                lists(),
                state.arg(),
                self.found.arg(),
                limits(),
            );
        }
    }
}

/// The source has label 0, and is the first of both lists: how many they have, the state says.
#[cube(launch_unchecked)]
fn set_source(
    labels: &mut Array<u32>,
    small: &mut Array<u32>,
    large: &mut Array<u32>,
    found: &mut Array<u32>,
    source: u32,
) {
    labels[source as usize] = 0u32;
    small[0] = source;
    large[0] = source;
    found[FAR_NEAREST] = u32::MAX;
}
