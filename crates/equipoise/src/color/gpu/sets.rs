//! The strategies that color independent sets per iteration: Jones-Plassmann, hybrid, work stealing, min-max and
//! multi-hash.
//!
//! An iteration is two launches, like the two loops of the paper's algorithms: gather over the neighbours, and color. The
//! host reads the counts of several iterations at a time.

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
    graph::DeviceNeighbors,
    ops::*,
    outcome::{Iterations, Outcome},
    stealing::DeviceQueues,
};
use crate::{Error, NONE, Result, Step, kernels::UNITS, random::random_of};

/// The most iterations between two readbacks.
const MOST_AT_ONCE: u32 = 32;

/// The largest maximum degree at which multi-hash has one unit per vertex by default.
const FEW: u32 = 256;

/// The keys of uncolored vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Keys {
    /// The degree plus 1.
    Degree,
    Random,
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

/// The distribution of vertices over units.
enum Workers<'a, Op: GatherOp> {
    /// One unit per vertex of the graph.
    AllVertices,
    Queues(DeviceQueues),
    /// A schedule over a list that contains all uncolored vertices.
    Listed(ScheduleName, Option<Box<FrontierGather<'a, Op::Value>>>),
}

struct Sets<'a, Op: GatherOp> {
    graph: &'a DeviceNeighbors<'a>,
    options: &'a ColorOptions,
    /// The key of each uncolored vertex, 0 for colored vertices.
    keys: Buffer<u32>,
    /// The result of the gather for each vertex.
    gathered: Buffer<u32>,
    colors: Buffer<u32>,
    workers: Workers<'a, Op>,
    /// The number of colors per iteration.
    colors_each: u32,
    uncolored: u64,
    steps: Vec<Step>,
}

/// The bytes of the strategy, without the graph.
pub(super) fn bytes(vertices: u32, strategy: ColorStrategy, options: &ColorOptions) -> u64 {
    let is_listed = options.schedule.is_some() || strategy == ColorStrategy::MultiHash;
    let arrays = if is_listed { 6 } else { 3 };
    4 * arrays * u64::from(vertices)
}

/// Colors by Jones-Plassmann or hybrid, with queues or without.
pub(super) fn by_largest(
    graph: &DeviceNeighbors,
    options: &ColorOptions,
    strategy: ColorStrategy,
) -> Result<Outcome> {
    let steals = strategy == ColorStrategy::WorkStealing || options.steal;
    let mut sets = Sets::<Largest>::new(graph, options, options.schedule, steals, 1)?;
    let op = |sets: &Sets<Largest>| LargestLaunch::new(sets.keys.arg(), sets.gathered.arg());
    if strategy == ColorStrategy::Hybrid && !options.switch.at_once(&sets.progress()) {
        sets.set_keys(Keys::Degree);
        while sets.uncolored > 0 {
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

/// Colors like Jones-Plassmann, with two independent sets per iteration: local maxima and local minima.
pub(super) fn min_max(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Outcome> {
    let mut sets =
        Sets::<LargestOrSmallest>::new(graph, options, options.schedule, options.steal, 2)?;
    sets.set_keys(Keys::Random);
    sets.run(Keys::Random, |sets| {
        LargestOrSmallestLaunch::new(sets.keys.arg(), sets.gathered.arg())
    })?;
    Ok(sets.finish())
}

/// Colors with several independent sets per iteration.
pub(super) fn multi_hash(graph: &DeviceNeighbors, options: &ColorOptions) -> Result<Outcome> {
    let default = (graph.degrees.max > FEW).then_some(ScheduleName::MergePath);
    let schedule = options.schedule.or(default);
    let mut sets = Sets::<Extremes>::new(graph, options, schedule, false, 2 * options.hashes)?;
    let seed = of_seed(options.seed);
    sets.set_keys(Keys::One);
    sets.run(Keys::One, |sets| {
        ExtremesLaunch::new(sets.keys.arg(), sets.gathered.arg(), seed, options.hashes)
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
            gathered: gpu.empty(vertices)?,
            colors: gpu.filled(vertices, NONE)?,
            workers,
            colors_each,
            uncolored: graph.vertices.into(),
            steps: Vec::new(),
        })
    }

    /// Iterates until all vertices are colored.
    fn run(&mut self, keys: Keys, op: impl Fn(&Self) -> Op::RuntimeArg<GpuRuntime>) -> Result<()> {
        let mut at_once = 1;
        while self.uncolored > 0 {
            self.iterate(at_once, keys, &op)?;
            at_once = (2 * at_once).min(MOST_AT_ONCE);
            if self.steps.len() as u64 > u64::from(self.graph.vertices) + u64::from(MOST_AT_ONCE) {
                return Err(Error::Wrong("the iterations are more than the vertices".into()));
            }
        }
        Ok(())
    }

    /// Runs some iterations, and reads back the number of vertices that each has colored.
    fn iterate(
        &mut self,
        iterations: u32,
        keys: Keys,
        op: impl Fn(&Self) -> Op::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        let gpu = self.graph.gpu;
        let clock = gpu.stopwatch();
        let counts = gpu.upload(&vec![0u32; iterations as usize])?;
        if let Workers::Queues(queues) = &mut self.workers {
            queues.add_passes(gpu, iterations)?;
        }
        for iteration in 0..iterations {
            self.gather(&op, iteration)?;
            self.color(&counts, iteration);
        }
        let counts = gpu.download(&counts)?;
        let time = clock.elapsed() / iterations;
        for found in counts.into_iter().map(u64::from) {
            if self.uncolored > 0 {
                let (index, frontier) = (self.steps.len() as u32, self.uncolored);
                self.steps.push(Step { frontier, found, time, ..Step::new(index, keys.name()) });
                self.uncolored -= found.min(self.uncolored);
            }
        }
        Ok(())
    }

    /// Gathers over the neighbours. `iteration` counts from the last readback.
    fn gather(
        &mut self,
        op: &impl Fn(&Self) -> Op::RuntimeArg<GpuRuntime>,
        iteration: u32,
    ) -> Result<()> {
        let graph = self.graph;
        if let Workers::Listed(schedule, list) = &self.workers {
            // A list is renewed once a quarter of it is colored.
            let is_old = |list: &FrontierGather<Op::Value>| {
                self.uncolored < u64::from(list.frontier().len()) / 4 * 3
            };
            if list.as_deref().is_none_or(is_old) {
                let uncolored = Frontier::from_flags(graph.graph, &self.keys)?;
                let list = FrontierGather::new(&uncolored, (*schedule).into())?;
                self.workers = Workers::Listed(*schedule, Some(Box::new(list)));
            }
        }
        match &self.workers {
            Workers::Listed(_, list) => {
                // SAFETY: the arrays of operations have an entry per vertex.
                let op = unsafe { Operation::<Op>::unchecked(|| op(self)) };
                list.as_deref().map_or(Ok(()), |list| list.run(&op))?;
            }
            Workers::Queues(queues) => queues.run::<Op>(graph, &self.keys, op(self), iteration),
            // SAFETY: each vertex has a key and offsets.
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

    /// Colors the winners. `index` counts iterations from the last readback.
    fn color(&self, counts: &Buffer<u32>, index: u32) {
        let iteration = self.steps.len() as u32 + index;
        // SAFETY: each vertex has a key, a gathered value and a color, and `index` is an index of `counts`.
        unsafe {
            color_winners::launch_unchecked::<GpuRuntime>(
                self.graph.gpu.client(),
                self.graph.cubes(),
                CubeDim::new_1d(UNITS),
                self.keys.arg(),
                self.gathered.arg(),
                self.colors.arg(),
                counts.arg(),
                index,
                iteration * self.colors_each,
                self.graph.vertices,
                self.colors_each > 1,
            );
        }
    }

    fn set_keys(&self, keys: Keys) {
        // SAFETY: each vertex has a key and offsets.
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
            colored: vertices - self.uncolored,
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

/// Colors the vertices whose key is larger than the gathered value with `color`; or, with `sets`, the vertices in a set
/// with the color of the set.
#[cube(launch_unchecked)]
fn color_winners(
    keys: &mut Array<u32>,
    gathered: &Array<u32>,
    colors: &mut Array<u32>,
    counts: &mut Array<Atomic<u32>>,
    count_index: u32,
    color: u32,
    vertices: u32,
    #[comptime] sets: bool,
) {
    let mut won = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        let key = keys[vertex as usize];
        if key != 0 {
            let value = gathered[vertex as usize];
            let mut wins = key > value;
            let mut own = color;
            if comptime!(sets) {
                wins = value != 0;
                own += value.trailing_zeros();
            }
            if wins {
                colors[vertex as usize] = own;
                keys[vertex as usize] = 0u32;
                won += 1;
            }
        }
    }
    add_up(won, counts, count_index);
}

/// Adds the values of the units of a cube to a counter. All units of the cube must call it.
#[cube]
fn add_up(value: u32, counts: &mut Array<Atomic<u32>>, index: u32) {
    let sum = SharedMemory::<Atomic<u32>>::new(1usize);
    if UNIT_POS == 0 {
        sum[0].store(0u32);
    }
    sync_cube();
    if value > 0 {
        sum[0].fetch_add(value);
    }
    sync_cube();
    if UNIT_POS == 0 {
        let total = sum[0].load();
        if total > 0 {
            counts[index as usize].fetch_add(total);
        }
    }
}
