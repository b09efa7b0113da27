//! `near-far`: SSSP without a look of the host at each turn (Davidson et al.).
//!
//! The vertices nearer than a limit are worked on until there are none, while those found beyond it
//! wait on a pile; then the limit moves on, and the pile is split at it. How a turn is done is
//! decided on the device, as in direction-optimising BFS; so is by how much the limit moves on, where
//! there are several steps to choose from.

mod control;
mod piles;
mod turns;

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use control::{LIMIT, NEAREST, STEP};
use piles::{NOTES, PilesLaunch};
use turns::{narrow_turns, wide_turn};

use super::{
    frontier::{
        halvings, narrow_units,
        pace::{self, Launch},
        parts::{PartBuffer, Parts},
        source::*,
        state::*,
        wide_cubes,
    },
    graph::DeviceGraph,
    metric_on::MetricOn,
};
use crate::{Error, NONE, Result, Trace};

/// Powers of two that adaptive steps are wider than the first.
const ADAPTIVE: std::ops::RangeInclusive<i32> = -3..=4;

/// By how much the limit can move on, and the first of these steps that it does by.
pub(super) struct Widths {
    steps: Vec<u32>,
    first: u32,
}

impl Widths {
    /// One width, or with it as the first several.
    pub fn new<M: MetricOn>(delta: f64, adaptive: bool) -> Self {
        let powers = if adaptive { ADAPTIVE } else { 0..=0 };
        let first = powers.start().unsigned_abs();
        let steps = powers.map(|power| M::farther(0, delta * 2f64.powi(power)));
        Self { steps: steps.collect(), first }
    }
}

/// Buffers for a search of one graph.
pub(super) struct NearFar<'g> {
    graph: &'g DeviceGraph<'g>,
    pub labels: Buffer<u32>,
    turns: Buffer<u32>,
    notes: Buffer<u32>,
    list: PartBuffer,
    words: Buffer<u32>,
    steps: Buffer<u32>,
    /// The number of the first step, and its length.
    first: (u32, u32),
}

impl<'g> NearFar<'g> {
    pub fn new(graph: &'g DeviceGraph<'g>, widths: &Widths) -> Result<Self> {
        let gpu = &graph.gpu;
        graph.leaving.make_weights(gpu)?;
        let vertices = graph.vertices() as usize;
        let notes = NOTES.checked_mul(graph.vertices()).ok_or_else(|| {
            Error::Option(format!(
                "the strategy `near-far` is not for graphs of {vertices} vertices: a GPU's indices \
                 of 32 bits do not tell its notes apart"
            ))
        })?;
        Ok(Self {
            graph,
            labels: gpu.empty(vertices)?,
            turns: gpu.empty(vertices)?,
            notes: gpu.empty(notes as usize)?,
            list: PartBuffer::new(gpu, graph)?,
            words: gpu.empty(ALL_WORDS)?,
            steps: gpu.upload(&widths.steps)?,
            first: (widths.first, widths.steps[widths.first as usize]),
        })
    }

    /// Searches. The labels are in [`labels`](Self::labels) afterwards.
    pub fn run<M: MetricOn>(&mut self, source: u32) -> Result<(Trace, Duration)> {
        let start = self.graph.gpu.stopwatch();
        self.start(source);
        let enqueue = |number, launch| {
            self.enqueue::<M>(number, launch);
            Ok(())
        };
        // Who is worked on was found, once more or the first time.
        let found =
            |before: &[u32], now: &[u32]| now[ALL_VERTICES].wrapping_sub(before[ALL_VERTICES]);
        let trace = pace::run(&self.graph.gpu, &self.words, "near-far", enqueue, found)?;
        Ok((trace, start.elapsed()))
    }

    /// The source is near.
    fn start(&self, source: u32) {
        let gpu = &self.graph.gpu;
        let (first, limit) = self.first;
        let (cubes, units) = wide_cubes(gpu);
        // SAFETY: the source is a vertex, and the list has room for its parts. There is a word for
        // each vertex in the arrays of vertices, and as many others as are written.
        unsafe {
            start_search::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes,
                units,
                self.labels.arg(),
                self.turns.arg(),
                self.notes.arg(),
                self.list.arg(),
                self.words.arg(),
                source_arg(self.graph, source),
                self.graph.vertices(),
                first,
                limit,
            );
        }
    }

    fn enqueue<M: MetricOn>(&self, number: u32, launch: Launch) {
        let gpu = &self.graph.gpu;
        let piles = PilesLaunch::<M, GpuRuntime>::new(
            M::arg(&self.graph.leaving),
            self.labels.arg(),
            self.labels.arg(),
            self.turns.arg(),
            self.notes.arg(),
            self.graph.vertices(),
        );
        // SAFETY: there is a word for each vertex in the arrays of vertices. Both halves of the
        // list have room for the parts of all vertices and both of the far pile for all vertices,
        // and each vertex is on them once; arrays of words have as many, and the step that is chosen
        // is one of those there are.
        unsafe {
            match launch {
                Launch::Narrow => narrow_turns::launch_unchecked::<M, GpuRuntime>(
                    gpu.client(),
                    CubeCount::new_single(),
                    CubeDim::new_1d(narrow_units(gpu)),
                    self.graph.leaving.arg(),
                    piles,
                    self.list.arg(),
                    self.words.arg(),
                    self.words.arg(),
                    self.steps.arg(),
                    number,
                    narrow_units(gpu),
                    halvings(gpu),
                ),
                Launch::Wide => {
                    let (cubes, units) = wide_cubes(gpu);
                    wide_turn::launch_unchecked::<M, GpuRuntime>(
                        gpu.client(),
                        cubes,
                        units,
                        self.graph.leaving.arg(),
                        piles,
                        self.list.arg(),
                        self.words.arg(),
                        self.words.arg(),
                        self.steps.arg(),
                        number,
                        halvings(gpu),
                    );
                }
            }
        }
    }
}

/// The source has label 0 and is near; nobody else was found, left, or waits.
#[cube(launch_unchecked)]
fn start_search(
    labels: &mut Array<u32>,
    turns: &mut Array<u32>,
    notes: &mut Array<u32>,
    list: &mut Parts,
    words: &mut Array<u32>,
    source: &Source,
    vertices: u32,
    first: u32,
    limit: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        labels[vertex as usize] = source.label_of(vertex);
        turns[vertex as usize] = 0u32;
        notes[vertex as usize] = NONE;
        notes[(vertices + vertex) as usize] = 0u32;
    }
    if CUBE_POS == 0 {
        source.list(list);
        if UNIT_POS == 0 {
            let mut now = first_state(words, source.degree);
            now[LIMIT] = limit;
            now[STEP] = first;
            now[NEAREST] = u32::MAX;
            // As if a launch before the first had left it.
            write_state(words, &now, 1u32);
        }
    }
}
