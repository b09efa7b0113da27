//! `direction-optimising`: BFS without a look of the host at each level.
//!
//! The levels from the frontier's side ([`turns`]) and from the other ([`pull`]) are decided upon
//! on the device ([`control`]), by a rule or by a learned policy ([`tree`]).

mod control;
mod levels;
mod pull;
mod single;
pub(super) mod tree;
mod turns;

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use control::{FREE, Limits, LimitsLaunch, UNEXPLORED, choose};
use levels::LevelsLaunch;
use tree::Tree;
use turns::{narrow_levels, wide_level};

use super::{
    Bounds,
    frontier::{
        halvings, narrow_units,
        pace::{self, Launch},
        parts::{PartBuffer, Parts},
        source::*,
        state::*,
        wide_cubes,
    },
    graph::DeviceGraph,
};
use crate::{NONE, Result, Trace};

/// Buffers for searches of one graph.
pub(super) struct Fused<'g> {
    graph: &'g DeviceGraph<'g>,
    pub labels: Buffer<u32>,
    list: PartBuffer,
    bitmaps: Buffer<u32>,
    words: Buffer<u32>,
    /// Whether a learned policy decides, whose tree is behind the words.
    learned: bool,
}

impl<'g> Fused<'g> {
    /// For searches in which a learned policy decides, or the rule.
    pub fn new(graph: &'g DeviceGraph<'g>, policy: Option<&Tree>) -> Result<Self> {
        let labels = graph.gpu.empty(graph.vertices() as usize)?;
        let mut fused = Self::along(graph, labels)?;
        if let Some(tree) = policy {
            let mut words = vec![0; ALL_WORDS];
            words.extend(&tree.words);
            fused.words = graph.gpu.upload(&words)?;
            fused.learned = true;
        }
        Ok(fused)
    }

    /// For levels of a search that has these labels.
    pub fn along(graph: &'g DeviceGraph<'g>, labels: Buffer<u32>) -> Result<Self> {
        let gpu = &graph.gpu;
        graph.entering()?;
        Ok(Self {
            graph,
            labels,
            list: PartBuffer::new(gpu, graph)?,
            bitmaps: gpu.empty(2 * graph.vertices().div_ceil(32) as usize)?,
            words: gpu.empty(ALL_WORDS)?,
            learned: false,
        })
    }

    /// What is changed by a level and needed to do it again.
    pub fn words(&self) -> &Buffer<u32> {
        &self.words
    }

    /// Searches. The labels are in [`labels`](Self::labels) afterwards.
    pub fn run(&mut self, bounds: Bounds) -> Result<(Trace, Duration)> {
        let start = self.graph.gpu.stopwatch();
        self.start(bounds);
        if bounds.target == Some(bounds.source) || bounds.most_turns == 0 {
            return Ok((Trace::default(), start.elapsed()));
        }
        let enqueue = |number, launch| match launch {
            Launch::Narrow => {
                self.enqueue_narrow(number, bounds, FREE);
                Ok(())
            }
            Launch::Wide => self.enqueue_wide(number, bounds, FREE),
        };
        let seen = |state: &[u32]| state[ALL_VERTICES] + state[VERTICES];
        // The source was not found by anybody.
        let found = |before: &[u32], now: &[u32]| seen(now) - seen(before).max(1);
        let gpu = &self.graph.gpu;
        let name = if self.learned { "learned" } else { "direction-optimising" };
        let trace = pace::run(gpu, &self.words, name, enqueue, found)?;
        Ok((trace, start.elapsed()))
    }

    /// Makes the source the frontier.
    fn start(&self, bounds: Bounds) {
        let gpu = &self.graph.gpu;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the source is a vertex, and the list has room for its parts. There is a label
        // for each vertex, and as many words as are written.
        unsafe {
            start_search::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                self.labels.arg(),
                self.list.arg(),
                self.words.arg(),
                source_arg(self.graph, bounds.source),
                self.limits(bounds, FREE),
                self.graph.edges(),
                self.learned,
            );
        }
    }

    fn limits(&self, bounds: Bounds, only: u32) -> LimitsLaunch<GpuRuntime> {
        LimitsLaunch::new(self.graph.vertices(), bounds.most_turns, only)
    }

    fn levels(&self, bounds: Bounds) -> LevelsLaunch<GpuRuntime> {
        LevelsLaunch::new(self.labels.arg(), self.labels.arg(), bounds.target.unwrap_or(NONE))
    }

    fn enqueue_narrow(&self, number: u32, bounds: Bounds, only: u32) {
        let gpu = &self.graph.gpu;
        let units = narrow_units(gpu);
        // SAFETY: as in `enqueue_wide`.
        unsafe {
            narrow_levels::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_1d(units),
                self.graph.leaving.arg(),
                self.levels(bounds),
                self.list.arg(),
                self.words.arg(),
                self.words.arg(),
                self.limits(bounds, only),
                number,
                units,
                halvings(gpu),
                self.learned,
            );
        }
    }

    fn enqueue_wide(&self, number: u32, bounds: Bounds, only: u32) -> Result<()> {
        let (cubes, units) = wide_cubes(&self.graph.gpu);
        // SAFETY: there is a level and an offset for each vertex. Both halves of the list have
        // room for the parts of all vertices, each of which is listed once, and those of the
        // bitmaps have a bit for each vertex. Arrays of words have as many.
        unsafe {
            wide_level::launch_unchecked::<GpuRuntime>(
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
                self.limits(bounds, only),
                number,
                halvings(&self.graph.gpu),
                self.learned,
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
    source: &Source,
    limits: &Limits,
    edges: u32,
    #[comptime] learned: bool,
) {
    for vertex in grid_stride_range(0, limits.vertices) {
        labels[vertex as usize] = source.label_of(vertex);
    }
    if CUBE_POS == 0 {
        source.list(list);
        if UNIT_POS == 0 {
            let mut now = first_state(words, source.degree);
            now[UNEXPLORED] = edges - source.degree;
            now[MODE] = choose(words, &now, limits, learned);
            // As if a launch before the first had left it.
            write_state(words, &now, 1u32);
        }
    }
}
