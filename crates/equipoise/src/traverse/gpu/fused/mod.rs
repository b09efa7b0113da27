//! `direction-optimising`: BFS without a look of the host at each level.
//!
//! The levels from the frontier's side ([`turns`]) and from the other ([`pull`]) are decided upon
//! on the device ([`control`]).

mod control;
mod levels;
mod pull;
mod turns;

use std::time::{Duration, Instant};

use cubecl::prelude::*;
use equipoise_schedule::{device::Buffer, ranges::*};

use control::{LimitsLaunch, UNEXPLORED};
use levels::LevelsLaunch;
use turns::{narrow_levels, wide_level};

use super::{
    Bounds,
    frontier::{
        WIDE_UNITS, halvings, narrow_units,
        pace::{Launch, Pace},
        parts::{PartBuffer, Parts},
        state::*,
        wide_cubes,
    },
    graph::DeviceGraph,
};
use crate::{Error, NONE, Result, Step, Trace};

/// Buffers for searches of one graph.
pub(super) struct Fused<'g, R: Runtime> {
    graph: &'g DeviceGraph<'g, R>,
    pub labels: Buffer<u32>,
    list: PartBuffer,
    bitmaps: Buffer<u32>,
    words: Buffer<u32>,
}

impl<'g, R: Runtime> Fused<'g, R> {
    pub fn new(graph: &'g DeviceGraph<'g, R>) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices();
        graph.entering()?;
        Ok(Self {
            graph,
            labels: gpu.empty(vertices as usize)?,
            list: PartBuffer::new(gpu, graph)?,
            bitmaps: gpu.empty(2 * vertices.div_ceil(32) as usize)?,
            words: gpu.empty(ALL_WORDS)?,
        })
    }

    /// Searches. The labels are in [`labels`](Self::labels) afterwards.
    pub fn run(&mut self, bounds: Bounds) -> Result<(Trace, Duration)> {
        let start = Instant::now();
        self.start(bounds.source);
        if bounds.target == Some(bounds.source) || bounds.most_turns == 0 {
            return Ok((Trace::default(), start.elapsed()));
        }
        let mut trace = Trace::default();
        let mut before = [0; WORDS];
        let mut pace = Pace::new();
        loop {
            let batch = Instant::now();
            for (number, launch) in pace.batch() {
                match launch {
                    Launch::Narrow => self.enqueue_narrow(number, bounds),
                    Launch::Wide => self.enqueue_wide(number, bounds)?,
                }
                if Pace::begins_after(number) {
                    self.graph.gpu.begin()?;
                }
            }
            let words = self.graph.gpu.download(&self.words)?;
            let now = &words[state_before(pace.launches())];
            let levels = now[TURN] - before[TURN];
            if levels == 0 && now[MODE] != DONE {
                return Err(Error::Wrong("a search does not go on, on the device".into()));
            }
            let seen = |state: &[u32]| state[ALL_VERTICES] + state[VERTICES];
            trace.steps.push(Step {
                frontier: (now[ALL_VERTICES] - before[ALL_VERTICES]).into(),
                edges: now[ALL_EDGES].wrapping_sub(before[ALL_EDGES]).into(),
                found: (seen(now) - seen(&before).max(1)).into(),
                sub_steps: levels,
                time: batch.elapsed(),
                ..Step::new(before[TURN], "direction-optimising")
            });
            if now[MODE] == DONE {
                return Ok((trace, start.elapsed()));
            }
            pace.see(now);
            before.copy_from_slice(now);
        }
    }

    /// Makes the source the frontier.
    fn start(&self, source: u32) {
        let gpu = &self.graph.gpu;
        let degree = self.graph.graph.degree(source) as u32;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the source is a vertex, and the list has room for its parts. There is a label
        // for each vertex, and as many words as are written.
        unsafe {
            start_search::launch_unchecked::<R>(
                gpu.client(),
                cubes,
                units,
                self.labels.arg(),
                self.list.arg(),
                self.words.arg(),
                source,
                self.graph.graph.csr().offsets()[source as usize] as u32,
                degree,
                self.graph.vertices(),
                self.graph.edges(),
            );
        }
    }

    fn limits(&self, bounds: Bounds) -> LimitsLaunch<R> {
        LimitsLaunch::new(self.graph.vertices(), bounds.most_turns)
    }

    fn levels(&self, bounds: Bounds) -> LevelsLaunch<R> {
        LevelsLaunch::new(self.labels.arg(), self.labels.arg(), bounds.target.unwrap_or(NONE))
    }

    fn enqueue_narrow(&self, number: u32, bounds: Bounds) {
        let gpu = &self.graph.gpu;
        let units = narrow_units(gpu);
        // SAFETY: as in `enqueue_wide`.
        unsafe {
            narrow_levels::launch_unchecked::<R>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_1d(units),
                self.graph.leaving.arg(),
                self.levels(bounds),
                self.list.arg(),
                self.words.arg(),
                self.words.arg(),
                self.limits(bounds),
                number,
                units,
                halvings(gpu),
            );
        }
    }

    fn enqueue_wide(&self, number: u32, bounds: Bounds) -> Result<()> {
        let (cubes, units) = wide_cubes(&self.graph.gpu);
        // SAFETY: there is a level and an offset for each vertex. Both halves of the list have
        // room for the parts of all vertices, each of which is listed once, and those of the
        // bitmaps have a bit for each vertex. Arrays of words have as many.
        unsafe {
            wide_level::launch_unchecked::<R>(
                self.graph.gpu.client(),
                cubes,
                units,
                self.graph.leaving.arg(),
                self.graph.entering()?.arg(),
                self.levels(bounds),
                self.bitmaps.arg(),
                self.list.arg(),
                self.words.arg(),
                self.words.arg(),
                self.limits(bounds),
                number,
                halvings(&self.graph.gpu),
            );
        }
        Ok(())
    }
}

/// The source has level 0, and is the frontier; nobody else has a level.
#[cube(launch_unchecked)]
fn start_search(
    labels: &mut Array<u32>,
    list: &mut Parts,
    words: &mut Array<u32>,
    source: u32,
    begin: u32,
    degree: u32,
    vertices: u32,
    edges: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let mut label = NONE.runtime();
        if vertex == source {
            label = 0u32.runtime();
        }
        labels[vertex as usize] = label;
    }
    if CUBE_POS == 0 {
        list.put_all(0u32, source, begin, degree, UNIT_POS, comptime!(WIDE_UNITS));
        if UNIT_POS == 0 {
            let mut now = first_state(words, degree);
            now[UNEXPLORED] = edges - degree;
            // As if a launch before the first had left it.
            write_state(words, &now, 1u32);
        }
    }
}
