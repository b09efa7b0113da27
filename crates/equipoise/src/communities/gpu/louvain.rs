//! Louvain on a GPU.
//!
//! The vertices of a [batch](super::super::local_moves) choose at the same time. The first pass over their edges sums the weights to
//! each community around them, the second finds the largest gain of modularity, the third the community with that gain, and the
//! fourth which vertices wait for a neighbour. Then the others with a gain move. Weights are whole or scaled to 32 bits, and their
//! sums exact, so the result does not depend on the order of additions.
//!
//! The GPU [makes](super::aggregate) the graphs of the next levels, too. Once one is small, the host does the rest.

use equipoise_graph::{cancel, memory, parallel::*};
use equipoise_schedule::device::{Buffer, Gpu};

use super::{
    super::{
        Communities, CommunitiesOptions, cpu,
        local_moves::LITTLE,
        louvain,
        partition::{Level as FoundLevel, Partition},
        undirected::UndirectedGraph,
    },
    aggregate::{Aggregated, look_up},
    level::Level,
    movers::{Batches, Movers},
    require_memory,
    table::MOST_EDGES,
};
use crate::{
    Result, Step, Times,
    gpu_graph::GpuGraph,
    run::run_on,
    times::{Clock, timed},
};

/// A graph of fewer edges is left to the host.
const FEW_EDGES: u32 = 1 << 17;
/// Words per edge: weights, gains, tables with their sums in two words and their places, and the next level.
const WORDS_PER_EDGE: u64 = 14;
/// Words per vertex: communities, their totals, strengths, gains, targets, flags, levels, numbers of communities and their
/// sums, and the lists of batches with the buffers of their schedules.
const WORDS_PER_VERTEX: u64 = 35;

/// Runs Louvain; on the cpu if edges are too many.
pub(in super::super) fn louvain(
    graph: &GpuGraph,
    options: &CommunitiesOptions,
) -> Result<Communities> {
    let (undirected, prepare) = timed(|| UndirectedGraph::new(graph.graph));
    let undirected = undirected?;
    if undirected.neighbors.entries() > MOST_EDGES {
        return cpu::run(&undirected, options, prepare);
    }
    let (words, missing) = ([WORDS_PER_EDGE, WORDS_PER_VERTEX], graph.bytes_missing_simple()?);
    require_memory(&graph.gpu, "louvain", &undirected.neighbors, words, missing)?;
    let (simple, upload) = graph.simple()?;
    let are_ones = graph.graph.weights().is_none() && graph.neighbors.are_rows_of(graph.graph)?;
    let all_levels = || {
        let scaled = (!are_ones).then(|| undirected.scaled());
        let first = match &scaled {
            None => Level::of_ones(simple)?,
            Some(scaled) => Level::of_weights(simple, scaled)?,
        };
        let within = scaled.map_or(Some(0.0), |scaled| scaled.exact_within());
        Levels::new(&graph.gpu, &undirected, options, within)?.run(first, FEW_EDGES)
    };
    let run = run_on(&graph.gpu, all_levels, Ok)?;
    let times = Times { upload, prepare, ..run.times };
    Ok(Communities { on_gpu: true, ..Communities::new(&undirected, run.result, options, times) })
}

/// The levels so far.
struct Levels<'a> {
    undirected: &'a UndirectedGraph,
    options: &'a CommunitiesOptions,
    /// The vertex of the current level that each vertex of the graph is in.
    membership: Buffer<u32>,
    /// The weight within the vertices of the current level, if that is exact.
    within: Option<f64>,
    found: Vec<FoundLevel>,
    steps: Vec<Step>,
    converged: bool,
}

impl<'a> Levels<'a> {
    fn new(
        gpu: &Gpu,
        undirected: &'a UndirectedGraph,
        options: &'a CommunitiesOptions,
        within: Option<f64>,
    ) -> Result<Self> {
        let own: Vec<u32> = (0..undirected.neighbors.rows()).collect();
        let (found, steps) = Default::default();
        let membership = gpu.upload(&own)?;
        Ok(Self { undirected, options, membership, within, found, steps, converged: true })
    }

    /// Moves and aggregates until fewer edges than `few` are left, or the GPU finds no better communities.
    fn run(mut self, first: Level<'_>, few: u32) -> Result<Partition> {
        let mut clock = Clock::start();
        let mut last = self.modularity(&first, self.within, &self.membership)?;
        let mut level = first;
        while self.steps.is_empty() || level.graph.edges() >= few {
            let moved = move_all(&level, self.options)?;
            let Some(moved) = moved else { break };
            let Aggregated { level: next, inside, into } = level.aggregated(&moved.communities)?;
            let membership = level.gpu().empty(self.membership.len())?;
            look_up(level.gpu(), &into, &self.membership, &membership);
            let within = self.within.map(|within| within + f64::from(inside));
            let modularity = self.modularity(&next, within, &membership)?;
            if modularity <= last {
                break;
            }
            (self.membership, self.within, last) = (membership, within, modularity);
            let (before, after) = (level.graph.vertices(), next.graph.vertices());
            self.steps.push(Step {
                frontier: before.into(),
                edges: u64::from(moved.sweeps) * u64::from(level.graph.edges()),
                found: (before - after).into(),
                sub_steps: moved.sweeps,
                time: clock.lap(),
                ..Step::new(self.steps.len() as u32, format!("modularity {modularity:.6}"))
            });
            self.found.push(self.found_level(level.gpu(), modularity)?);
            self.converged &= moved.converged;
            level = next;
        }
        self.finish(&level)
    }

    /// The modularity of the communities that are the vertices of a level.
    fn modularity(
        &self,
        level: &Level,
        within: Option<f64>,
        membership: &Buffer<u32>,
    ) -> Result<f64> {
        let (gpu, resolution) = (level.gpu(), self.options.resolution);
        let Some(within) = within else {
            return Ok(self.undirected.modularity(&gpu.download(membership)?, resolution));
        };
        let total = self.undirected.total;
        if total == 0.0 {
            return Ok(0.0);
        }
        let strengths = gpu.download(&level.strengths)?;
        let squares = strengths.iter().map(|&strength| (f64::from(strength) / total).powi(2));
        Ok(within / total - resolution * squares.sum::<f64>())
    }

    /// The communities so far, if those of all levels are requested.
    fn found_level(&self, gpu: &Gpu, quality: f64) -> Result<FoundLevel> {
        if !self.options.levels {
            return Ok(FoundLevel { quality, communities: None });
        }
        let bytes = memory::bytes_of::<u32>(self.membership.len() as u64);
        memory::check("the communities of a level", bytes)?;
        Ok(FoundLevel { quality, communities: Some(gpu.download(&self.membership)?) })
    }

    /// The host goes on where the GPU ended.
    fn finish(self, level: &Level) -> Result<Partition> {
        let gpu = level.gpu();
        let members = gpu.download(&self.membership)?;
        let graph = match self.within {
            Some(_) => level.download()?,
            None => self.undirected.aggregated(&members, level.graph.vertices())?,
        };
        let rest = cpu::in_pool(|| louvain::run(&graph, self.options))?;
        let labelled = |labels: &[u32]| -> Vec<u32> {
            members.par_iter().map(|&member| labels[member as usize]).collect()
        };
        let (mut levels, mut steps) = (self.found, self.steps);
        if levels.is_empty() || !rest.steps.is_empty() {
            levels.extend(rest.levels.into_iter().map(|level| FoundLevel {
                communities: level.communities.map(|labels| labelled(&labels)),
                ..level
            }));
        }
        let before = steps.len() as u32;
        steps
            .extend(rest.steps.into_iter().map(|step| Step { index: before + step.index, ..step }));
        let converged = self.converged && rest.converged;
        Ok(Partition { labels: labelled(&rest.labels), levels, converged, steps })
    }
}

/// The communities after the sweeps of a level.
struct MovedOnGpu {
    communities: Buffer<u32>,
    sweeps: u32,
    converged: bool,
}

/// Sweeps over the vertices, each of which starts as a community, until modularity hardly rises; `None` if nothing can be gained.
fn move_all(level: &Level, options: &CommunitiesOptions) -> Result<Option<MovedOnGpu>> {
    if level.total == 0.0 || level.graph.edges() == 0 {
        return Ok(None);
    }
    let movers = Movers::new(level, options.resolution / level.total)?;
    let rise = |gain: f64| 2.0 * gain / level.total;
    if rise(movers.first_gains()?) <= options.tolerance {
        return Ok(None);
    }
    let mut batches = Batches::new(&level.graph, options.seed)?;
    let (mut sweeps, mut converged, mut all) = (0, false, 0.0);
    while !converged && sweeps < options.max_iterations {
        cancel::poll();
        if sweeps > 0 {
            batches.fit(movers.activate()?)?;
        }
        let last = rise(movers.sweep(&batches)?);
        all += last;
        converged = last <= options.tolerance.max(LITTLE * all);
        sweeps += 1;
    }
    Ok(Some(MovedOnGpu { communities: movers.communities, sweeps, converged }))
}

#[cfg(all(test, feature = "wgpu"))]
mod device_tests {
    use equipoise_graph::{io::ReadOptions, load};
    use equipoise_schedule::{
        device::{Device, OpenDevice},
        engine::DeviceGraph,
    };

    use super::*;

    /// Graphs of every kind of weights; the last two have more weight than 32 bits hold, and fractions.
    const GRAPHS: [&str; 5] = [
        "grid:width=40,height=30",
        "rmat:scale=9,edge-factor=8",
        "er:n=300,m=900,weights=1..9",
        "small-world:n=500,k=6,rewire=0.1,weights=100000000..200000000",
        "grid:width=40,height=30,weights=0.1..0.9",
    ];

    #[test]
    fn levels_on_the_gpu_end_like_those_of_the_host() {
        let OpenDevice::Gpu(gpu) = Device::Wgpu(0).open().unwrap() else { unreachable!() };
        for spec in GRAPHS {
            let graph = load(spec, &ReadOptions::default()).unwrap();
            let options = CommunitiesOptions::default();
            let on_host = crate::communities::communities(&graph, &options).unwrap();
            let undirected = UndirectedGraph::new(&graph).unwrap();
            let scaled = undirected.scaled();
            // SAFETY: the rows of a sound graph.
            let device =
                unsafe { DeviceGraph::from_neighbors(&gpu, &undirected.neighbors) }.unwrap();
            let first = Level::of_weights(&device, &scaled).unwrap();
            let levels = Levels::new(&gpu, &undirected, &options, scaled.exact_within()).unwrap();
            let partition = levels.run(first, 0).unwrap();
            assert!(partition.steps.len() > 1, "{spec}: {:?}", partition.steps);
            let found = Communities::new(&undirected, partition, &options, Times::default());
            found.verify(&graph, &options).unwrap();
            assert!(found.converged, "{spec}");
            let (found, expected) = (found.modularity, on_host.modularity);
            assert!(found > expected - 0.015, "{spec}: {found}, and {expected} on the host");
        }
    }
}
