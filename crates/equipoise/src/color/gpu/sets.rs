//! Independent sets, an iteration each: Jones-Plassmann, hybrid, work stealing, min-max and
//! multi-hash.
//!
//! An iteration is two launches, as the two loops of the paper's algorithms: look at the
//! neighbours, and color. The host looks at the counts of several iterations at a time.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, GpuRuntime},
    engine::*,
    ranges::*,
};

use super::{
    super::{
        ColorOptions, ColorProgress, ColorStrategy,
        order::{Random, of_seed},
    },
    all_vertices::gather_all,
    graph::{DeviceNeighbors, UNITS},
    numbers::*,
    ops::*,
    outcome::{Iterations, Outcome},
    stealing::DeviceQueues,
};
use crate::{Error, NONE, Result, Step};

/// The most iterations between two looks of the host.
const MOST_AT_ONCE: u32 = 32;

/// Where a vertex has more neighbours, multi-hash does not leave it to one unit unless asked to.
const FEW: u32 = 256;

/// What the keys of uncolored vertices are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Keys {
    /// One more than their degrees.
    Degree,
    /// Their random numbers.
    Random,
    /// One.
    One,
}

impl Keys {
    fn name(self) -> &'static str {
        match self {
            Keys::Degree => "degree",
            _ => "random",
        }
    }
}

/// How the vertices of an iteration are spread over units.
enum Workers<'a, Op: GatherOp> {
    /// A unit for each vertex of the graph.
    AllVertices,
    Queues(DeviceQueues),
    /// A schedule over those that are uncolored, or were not long ago.
    Listed(ScheduleName, Option<Box<FrontierGather<'a, Op>>>),
}

/// A coloring in the making.
struct Sets<'a, Op: GatherOp> {
    graph: &'a DeviceNeighbors<'a>,
    options: &'a ColorOptions,
    /// Of each vertex, 0 once it is colored.
    keys: Buffer<u32>,
    /// What the iteration found for each vertex.
    found: Buffer<u32>,
    colors: Buffer<u32>,
    workers: Workers<'a, Op>,
    /// The colors of an iteration.
    colors_each: u32,
    left: u64,
    steps: Vec<Step>,
}

/// Bytes of a GPU's memory beside the graph.
pub(super) fn bytes(vertices: u32, strategy: ColorStrategy, options: &ColorOptions) -> u64 {
    let is_listed = options.schedule.is_some() || strategy == ColorStrategy::MultiHash;
    let arrays = if is_listed { 6 } else { 3 };
    4 * arrays * u64::from(vertices)
}

/// Jones-Plassmann or hybrid, with queues or without.
pub(super) fn by_largest(
    graph: &DeviceNeighbors,
    options: &ColorOptions,
    strategy: ColorStrategy,
) -> Result<Outcome> {
    let steals = strategy == ColorStrategy::WorkStealing || options.steal;
    let mut sets = Sets::<Largest>::new(graph, options, options.schedule, steals, 1)?;
    let op = |sets: &Sets<Largest>| LargestLaunch::new(sets.keys.arg(), sets.found.arg());
    if strategy == ColorStrategy::Hybrid && !options.switch.at_once(&sets.progress()) {
        sets.set_keys(Keys::Degree);
        while sets.left > 0 {
            sets.iterate(1, Keys::Degree, op)?;
            if options.switch.switches(&sets.progress()) {
                break;
            }
        }
    }
    sets.set_keys(Keys::Random);
    sets.run(Keys::Random, op)?;
    Ok(sets.finish())
}

/// As Jones-Plassmann, with two independent sets an iteration: the largest and the smallest.
pub(super) fn min_max(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Outcome> {
    let mut sets =
        Sets::<LargestOrSmallest>::new(graph, options, options.schedule, options.steal, 2)?;
    sets.set_keys(Keys::Random);
    sets.run(Keys::Random, |sets| LargestOrSmallestLaunch::new(sets.keys.arg(), sets.found.arg()))?;
    Ok(sets.finish())
}

/// Several independent sets an iteration.
pub(super) fn multi_hash(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Outcome> {
    let own = (graph.degrees.max > FEW).then_some(ScheduleName::MergePath);
    let schedule = options.schedule.or(own);
    let mut sets = Sets::<Extremes>::new(graph, options, schedule, false, 2 * options.hashes)?;
    let seed = of_seed(options.seed);
    sets.set_keys(Keys::One);
    sets.run(Keys::One, |sets| {
        ExtremesLaunch::new(sets.keys.arg(), sets.found.arg(), seed, options.hashes)
    })?;
    Ok(sets.finish())
}

impl<'a, Op: GatherOp> Sets<'a, Op> {
    fn new(
        graph: &'a DeviceNeighbors<'a>,
        options: &'a ColorOptions,
        schedule: Option<ScheduleName>,
        steals: bool,
        colors_each: u32,
    ) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu, graph.vertices as usize);
        let workers = match schedule {
            _ if steals => Workers::Queues(DeviceQueues::new(graph, options)?),
            Some(schedule) => Workers::Listed(schedule, None),
            None => Workers::AllVertices,
        };
        Ok(Self {
            graph,
            options,
            keys: gpu.filled(vertices, 1u32)?,
            found: gpu.empty(vertices)?,
            colors: gpu.filled(vertices, NONE)?,
            workers,
            colors_each,
            left: graph.vertices.into(),
            steps: Vec::new(),
        })
    }

    /// Iterations until all vertices are colored.
    fn run(&mut self, keys: Keys, op: impl Fn(&Self) -> Op::RuntimeArg<GpuRuntime>) -> Result<()> {
        let mut at_once = 1;
        while self.left > 0 {
            self.iterate(at_once, keys, &op)?;
            at_once = (2 * at_once).min(MOST_AT_ONCE);
            if self.steps.len() as u64 > u64::from(self.graph.vertices) + u64::from(MOST_AT_ONCE) {
                return Err(Error::Wrong("there were more iterations than vertices".into()));
            }
        }
        Ok(())
    }

    /// So many iterations, and a look at how many each has colored.
    fn iterate(
        &mut self,
        iterations: u32,
        keys: Keys,
        op: impl Fn(&Self) -> Op::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        let gpu = self.graph.gpu;
        let clock = gpu.stopwatch();
        let counts = self.graph.gpu.upload(&vec![0u32; iterations as usize])?;
        if let Workers::Queues(queues) = &mut self.workers {
            queues.expect(gpu, iterations)?;
        }
        for iteration in 0..iterations {
            self.look(&op, iteration)?;
            self.color(&counts, iteration);
        }
        let counts = self.graph.gpu.download(&counts)?;
        let time = clock.elapsed() / iterations;
        for count in counts.into_iter().map(u64::from) {
            if self.left > 0 {
                let index = self.steps.len() as u32;
                let (frontier, found) = (self.left, count);
                self.steps.push(Step { frontier, found, time, ..Step::new(index, keys.name()) });
                self.left -= count.min(self.left);
            }
        }
        Ok(())
    }

    /// Looks at the neighbours, in the iteration that is so many behind the last one looked at.
    fn look(
        &mut self,
        op: &impl Fn(&Self) -> Op::RuntimeArg<GpuRuntime>,
        place: u32,
    ) -> Result<()> {
        let graph = self.graph;
        if let Workers::Listed(schedule, listed) = &self.workers {
            // A list is good enough until a quarter of it is colored.
            let is_old = |listed: &FrontierGather<Op>| {
                self.left < u64::from(listed.frontier().len()) / 4 * 3
            };
            if listed.as_deref().is_none_or(is_old) {
                let left = Frontier::from_flags(graph.graph, &self.keys)?;
                let listed = FrontierGather::new(&left, (*schedule).into())?;
                self.workers = Workers::Listed(*schedule, Some(Box::new(listed)));
            }
        }
        match &self.workers {
            Workers::Listed(_, listed) => {
                // SAFETY: operations have a place for each vertex.
                let op = unsafe { Operation::unchecked(|| op(self)) };
                listed.as_deref().map_or(Ok(()), |listed| listed.run(&op))?;
            }
            Workers::Queues(queues) => queues.run::<Op>(graph, &self.keys, op(self), place),
            // SAFETY: there are keys and offsets for all vertices.
            Workers::AllVertices => unsafe {
                gather_all::launch_unchecked::<Op, GpuRuntime>(
                    graph.gpu.client(),
                    graph.cubes(),
                    CubeDim::new_1d(UNITS),
                    self.keys.arg(),
                    graph.graph.rows(),
                    op(self),
                    graph.vertices,
                );
            },
        }
        Ok(())
    }

    /// Colors those that won, in the iteration that is so many behind the last one looked at.
    fn color(&self, counts: &Buffer<u32>, place: u32) {
        let iteration = self.steps.len() as u32 + place;
        // SAFETY: there are a key, something found and a color for each vertex, and a count.
        unsafe {
            color_winners::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                self.graph.cubes(),
                CubeDim::new_1d(UNITS),
                self.keys.arg(),
                self.found.arg(),
                self.colors.arg(),
                counts.arg(),
                place,
                iteration * self.colors_each,
                self.graph.vertices,
                self.colors_each > 1,
            );
        }
    }

    fn set_keys(&self, keys: Keys) {
        // SAFETY: there are a key and offsets for each vertex.
        unsafe {
            set_keys::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                self.graph.cubes(),
                CubeDim::new_1d(UNITS),
                self.keys.arg(),
                self.graph.graph.offsets().arg(),
                self.graph.vertices,
                Random::new(self.options.seed, 0).multiplier,
                keys,
            );
        }
    }

    fn progress(&self) -> ColorProgress {
        let vertices = u64::from(self.graph.vertices);
        ColorProgress {
            iterations: self.steps.len() as u32,
            newly: self.steps.last().map_or(0, |step| step.found),
            colored: vertices - self.left,
            vertices,
            units: self.graph.units(),
            degrees: self.graph.degrees,
        }
    }

    fn finish(self) -> Outcome {
        let queues = match self.workers {
            Workers::Queues(queues) => Some(queues),
            _ => None,
        };
        let iterations = Iterations::Colors(self.colors_each);
        Outcome { colors: self.colors, iterations, steps: self.steps, queues }
    }
}

#[cube(launch_unchecked)]
fn set_keys(
    keys: &mut Array<u32>,
    offsets: &Array<u32>,
    vertices: u32,
    multiplier: u32,
    #[comptime] kind: Keys,
) {
    for vertex in grid_stride_range(0, vertices) {
        if keys[vertex as usize] != 0 {
            let mut key = 1u32;
            if comptime!(kind == Keys::Degree) {
                key += offsets[vertex as usize + 1] - offsets[vertex as usize];
            }
            if comptime!(kind == Keys::Random) {
                key = random_of(multiplier, vertex);
            }
            keys[vertex as usize] = key;
        }
    }
}

/// Colors vertices: those whose key is larger than what was found, with `color`; or, with `sets`,
/// those found to be in a set, with a color of that.
#[cube(launch_unchecked)]
fn color_winners(
    keys: &mut Array<u32>,
    found: &Array<u32>,
    colors: &mut Array<u32>,
    counts: &mut Array<Atomic<u32>>,
    place: u32,
    color: u32,
    vertices: u32,
    #[comptime] sets: bool,
) {
    let mut won = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        let key = keys[vertex as usize];
        if key != 0 {
            let found = found[vertex as usize];
            let mut wins = key > found;
            let mut own = color;
            if comptime!(sets) {
                wins = found != 0;
                own += found.trailing_zeros();
            }
            if wins {
                colors[vertex as usize] = own;
                keys[vertex as usize] = 0u32;
                won += 1;
            }
        }
    }
    add_up(won, counts, place);
}
