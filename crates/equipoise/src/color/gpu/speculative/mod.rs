//! First fit for all at once, and conflicts mended: as [on the cpu](super::super::speculative), with
//! the same colors.
//!
//! One launch an iteration, and the device goes from class to class by itself; the host looks once
//! in a while whether all are colored.

mod classes;
mod control;
mod cubes;
mod iteration;
mod look;
mod planes;
mod units;

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, GpuRuntime},
    ranges::*,
};

use self::{classes::Classes, control::*, iteration::iterate, look::*};
use super::{
    super::{ColorOptions, order::Random},
    graph::{DeviceNeighbors, UNITS},
    outcome::{Iterations, Outcome},
};
use crate::{Error, NONE, Result, Step};

/// Launches between two looks of the host.
const LAUNCHES: u32 = 32;

/// Bytes of a GPU's memory beside the graph.
pub(super) fn bytes(vertices: u32, edges: u64) -> u64 {
    4 * (10 * u64::from(vertices) + edges)
}

/// What a coloring is made with.
struct Speculation<'a> {
    graph: &'a DeviceNeighbors<'a>,
    classes: Classes,
    lists: [Buffer<u32>; 2],
    picks: [Buffer<u32>; 2],
    settled_by: Buffer<u32>,
    words: Buffer<u32>,
    multiplier: u32,
}

/// Colors all vertices.
pub(super) fn speculative(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Outcome> {
    let speculation = Speculation::new(graph, options)?;
    let most = 2 * u64::from(graph.vertices) + u64::from(classes::CLASSES + LAUNCHES);
    let mut notes = Vec::new();
    let mut is_done = graph.vertices == 0;
    while !is_done {
        let clock = graph.gpu.stopwatch();
        let batch = notes.len() as u32;
        for launch in batch..batch + LAUNCHES {
            speculation.launch(launch, batch);
        }
        let words = graph.gpu.download(&speculation.words)?;
        let time = clock.elapsed() / LAUNCHES;
        let (all, _) = words[NOTES_AT as usize..].as_chunks::<{ NOTES as usize }>();
        notes.extend(all.iter().map(|&[class, left]| (class, left, time)));
        is_done = all.last().is_some_and(|note| note[0] == DONE);
        if notes.len() as u64 > most {
            return Err(Error::Wrong("coloring took more iterations than it can".into()));
        }
    }
    speculation.finish(&notes)
}

impl<'a> Speculation<'a> {
    fn new(graph: &'a DeviceNeighbors<'a>, options: &ColorOptions) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu, graph.vertices as usize);
        Ok(Self {
            graph,
            classes: Classes::new(graph)?,
            lists: [gpu.empty(vertices)?, gpu.empty(vertices)?],
            picks: [gpu.filled(vertices, NONE)?, gpu.filled(vertices, NONE)?],
            settled_by: gpu.empty(vertices)?,
            words: gpu.upload(&start(LAUNCHES))?,
            multiplier: Random::new(options.seed, 0).multiplier,
        })
    }

    fn launch(&self, launch: u32, batch: u32) {
        let (graph, classes) = (self.graph, &self.classes);
        let (these, others) = (launch as usize % 2, (launch as usize + 1) % 2);
        // SAFETY: there are offsets, an end, a place in each list, two picks and a launch for each
        // vertex; the order and the lists hold vertices only, and each vertex is in one place of a
        // list at most; the words are those of `start`.
        unsafe {
            iterate::launch_unchecked::<GpuRuntime>(
                graph.gpu.client(),
                graph.gpu.cubes(graph.gpu.properties().cubes_at_work().into()),
                CubeDim::new_1d(UNITS),
                NearLaunch::new(graph.offsets.arg(), classes.ends.arg(), classes.targets.arg()),
                ListsLaunch::new(
                    classes.order.arg(),
                    classes.starts.arg(),
                    self.lists[these].arg(),
                    self.lists[others].arg(),
                ),
                PicksLaunch::new(
                    self.picks[these].arg(),
                    self.picks[others].arg(),
                    self.settled_by.arg(),
                    self.multiplier,
                ),
                AtomicArray::of(graph.gpu, &self.words),
                launch,
                batch,
            );
        }
    }

    /// The colors, and an iteration for each launch that did something.
    fn finish(self, notes: &[(u32, u32, Duration)]) -> Result<Outcome> {
        let (graph, vertices) = (self.graph, self.graph.vertices);
        let done = notes.iter().take_while(|(class, ..)| *class != DONE);
        let steps: Vec<Step> = (0..)
            .zip(done)
            .map(|(index, &(_, left, time))| Step {
                frontier: left.into(),
                time,
                ..Step::new(index, "first-fit")
            })
            .collect();
        let colors = graph.gpu.empty(vertices as usize)?;
        // SAFETY: there are a pick and a color for each vertex. The last launch that did something
        // has written the picks that the next one reads.
        unsafe {
            read_colors::launch_unchecked::<GpuRuntime>(
                graph.gpu.client(),
                graph.cubes(),
                CubeDim::new_1d(UNITS),
                self.picks[steps.len() % 2].arg(),
                colors.arg(),
                vertices,
            );
        }
        let iterations = Iterations::Recorded(self.settled_by);
        Ok(Outcome { colors, iterations, steps, queues: None })
    }
}

#[cube(launch_unchecked)]
fn read_colors(picks: &Array<u32>, colors: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        colors[vertex as usize] = picks[vertex as usize] / 2;
    }
}
