//! Louvain and Leiden on a GPU.
//!
//! The vertices of a [batch](super::visits) [choose](super::choose) at the same time; then those that need not wait for a neighbour
//! [settle](super::moves::Settle). Weights are whole or scaled to 32 bits, and their sums exact, so the result does not depend on the
//! order of additions.
//!
//! The GPU [makes](super::aggregate) the graphs of the next levels, too. Once one is small, the host does the rest.

use equipoise_graph::{memory, parallel::*};
use equipoise_schedule::device::{Buffer, Gpu};

use super::{
    super::{
        Communities, CommunitiesOptions, cpu, initial,
        louvain::{self, Pass},
        partition::{Level as FoundLevel, Partition},
        random_order::RandomOrder,
        refinement::connected_parts,
        undirected::{UndirectedGraph, sum_in_parts},
    },
    aggregate::{Aggregated, numbered},
    level::Level,
    movers::{MovedOnGpu, Movers, move_all, scale_of},
    refinement::refine,
    require_memory,
    slots::MOST_EDGES,
};
use crate::{
    Result, Step, Times,
    gpu_graph::GpuGraph,
    permute::{identity, look_up, scatter},
    run::run_on,
    times::{Clock, timed},
};

/// A graph of fewer edges is left to the host.
const FEW_EDGES: u32 = 1 << 17;
/// Words per edge: weights, tables with their sums in two words and their places, and the next level.
const WORDS_PER_EDGE: u64 = 14;
/// Words per vertex: communities and parts, their totals, strengths, wishes, flags, lists of batches, levels, numbers of
/// communities and their sums.
const WORDS_PER_VERTEX: u64 = 40;

/// Runs Louvain or Leiden; on the cpu if edges are too many.
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
        let is_exact = scaled.is_none_or(|scaled| scaled.is_exact);
        Levels::new(&undirected, options, is_exact, FEW_EDGES).run(&first)
    };
    let run = run_on(&graph.gpu, all_levels, Ok)?;
    let times = Times { upload, prepare, ..run.times };
    Ok(Communities { on_gpu: true, ..Communities::new(&undirected, run.result, options, times) })
}

/// The levels so far.
struct Levels<'a> {
    undirected: &'a UndirectedGraph,
    options: &'a CommunitiesOptions,
    /// Whether the weights on the GPU are those of the graph.
    is_exact: bool,
    /// The host takes over a level with fewer edges.
    few: u32,
    clock: Clock,
    /// The modularity.
    last: f64,
    found: Vec<FoundLevel>,
    steps: Vec<Step>,
    converged: bool,
}

/// A level of a descent that goes on.
struct Descent {
    pass: Pass,
    /// The vertex of the level that each vertex of the graph is in.
    membership: Buffer<u32>,
    /// The communities that vertices of the level start from, if they do not start alone.
    start: Option<Buffer<u32>>,
}

impl<'a> Levels<'a> {
    fn new(
        undirected: &'a UndirectedGraph,
        options: &'a CommunitiesOptions,
        is_exact: bool,
        few: u32,
    ) -> Self {
        let (found, steps) = Default::default();
        let (clock, last, converged) = (Clock::start(), f64::NEG_INFINITY, true);
        Self { undirected, options, is_exact, few, clock, last, found, steps, converged }
    }

    fn run(mut self, first: &Level) -> Result<Partition> {
        let mut labels = match &self.options.initial {
            Some(initial) => Some(initial::labelled(initial, 0)?),
            None => None,
        };
        Pass::make_all(self.options, |pass| {
            let (found, rise) = self.descend(first, labels.take(), pass)?;
            labels = Some(found);
            Ok(rise)
        })?;
        let labels = labels.unwrap_or_default();
        Ok(Partition { labels, levels: self.found, converged: self.converged, steps: self.steps })
    }

    /// Goes from level to level, until the host ends the descent. Returns the community of each vertex, and by how much modularity
    /// rose.
    fn descend(
        &mut self,
        first: &Level,
        start: Option<Vec<u32>>,
        pass: Pass,
    ) -> Result<(Vec<u32>, f64)> {
        let gpu = first.gpu();
        let membership = identity(gpu, first.graph.vertices() as usize)?;
        let start = start.map(|start| gpu.upload(&start)).transpose()?;
        let mut descent = Descent { pass, membership, start };
        self.last = self.start_quality(first, &descent)?;
        let before = self.last;
        self.converged = true;
        let mut aggregated: Option<Level> = None;
        loop {
            let level = aggregated.as_ref().unwrap_or(first);
            let is_first = aggregated.is_none();
            if is_first || level.graph.edges() >= self.few {
                let next = self.next_level(level, &mut descent, is_first)?;
                if next.is_some() {
                    aggregated = next;
                    continue;
                }
            }
            let labels = self.finish(level, &descent)?;
            return Ok((labels, self.last - before));
        }
    }

    /// Moves the vertices of a level, and aggregates them; `None` where the host has to go on with the level.
    fn next_level(
        &mut self,
        level: &Level,
        descent: &mut Descent,
        is_first: bool,
    ) -> Result<Option<Level<'static>>> {
        let Some(moved) = self.move_level(level, descent)? else { return Ok(None) };
        let communities = &moved.movers.labels;
        // Parts of communities are worth moving where vertices were.
        let pass = descent.pass;
        let refines = pass.refines && (is_first || moved.rise > self.options.tolerance);
        let parts = if refines {
            let order = RandomOrder::new(!self.options.seed);
            refine(&moved.movers, order)?
        } else if pass.refines {
            self.connected_parts(level.gpu(), communities, &descent.membership)?
        } else {
            communities.clone()
        };
        let Aggregated { level: next, into } = level.aggregated(&parts)?;
        if next.graph.vertices() == level.graph.vertices() {
            // No two vertices of a community are well connected: the host finds parts that are.
            descent.start = Some(communities.clone());
            return Ok(None);
        }
        self.record(level, &moved, &descent.membership, next.graph.vertices())?;
        let gpu = level.gpu();
        descent.membership = looked_up(gpu, &into, &descent.membership)?;
        descent.start = if pass.refines {
            start_of(gpu, communities, &into, next.graph.vertices())?
        } else {
            None
        };
        if !refines && descent.start.take().is_some() {
            self.correct_level(&next, descent)?;
        }
        Ok(Some(next))
    }

    /// Moves the vertices of a level; back to their start if modularity did not rise. `None` if they start alone and gain nothing.
    fn move_level<'g>(
        &self,
        level: &'g Level<'g>,
        descent: &Descent,
    ) -> Result<Option<MovedOnGpu<'g>>> {
        let start = descent.start.as_ref();
        let moved = move_all(level, self.options, start, descent.pass.little)?;
        let Some(moved) = moved else { return Ok(None) };
        let rise = self.quality(level, &moved.movers, &descent.membership)? - self.last;
        if rise > 0.0 {
            return Ok(Some(MovedOnGpu { rise, ..moved }));
        }
        let Some(start) = start else { return Ok(None) };
        let movers = Movers::new(level, scale_of(level, self.options), Some(start))?;
        Ok(Some(MovedOnGpu { movers, ..moved }))
    }

    /// The connected parts of the communities of a level, labelled with its vertices. The host finds those of the graph: vertices of
    /// the level are connected.
    fn connected_parts(
        &self,
        gpu: &Gpu,
        communities: &Buffer<u32>,
        membership: &Buffer<u32>,
    ) -> Result<Buffer<u32>> {
        let members = gpu.download(membership)?;
        let labels = gpu.download(&looked_up(gpu, communities, membership)?)?;
        let parts = connected_parts(self.undirected, &labels);
        let mut of_level = vec![0; communities.len()];
        for (&member, &root) in members.iter().zip(&parts) {
            of_level[member as usize] = members[root as usize];
        }
        Ok(gpu.upload(&of_level)?)
    }

    fn record(
        &mut self,
        level: &Level,
        moved: &MovedOnGpu,
        membership: &Buffer<u32>,
        next: u32,
    ) -> Result<()> {
        let vertices = level.graph.vertices();
        self.last += moved.rise;
        self.converged &= moved.converged;
        self.steps.push(Step {
            frontier: vertices.into(),
            edges: u64::from(moved.sweeps) * u64::from(level.graph.edges()),
            found: (vertices - next).into(),
            sub_steps: moved.sweeps,
            time: self.clock.lap(),
            ..Step::new(self.steps.len() as u32, format!("modularity {:.6}", self.last))
        });
        let communities = if self.options.levels {
            let bytes = memory::bytes_of::<u32>(membership.len() as u64);
            memory::check("the communities of a level", bytes)?;
            let gpu = level.gpu();
            Some(gpu.download(&looked_up(gpu, &moved.movers.labels, membership)?)?)
        } else {
            None
        };
        self.found.push(FoundLevel { quality: self.last, communities });
        Ok(())
    }

    /// Replaces the communities of the last level by the vertices of the next one: communities that fell apart are better than they
    /// were.
    fn correct_level(&mut self, next: &Level, descent: &Descent) -> Result<()> {
        self.last = self.start_quality(next, descent)?;
        if let Some(level) = self.found.last_mut() {
            level.quality = self.last;
            if let Some(communities) = &mut level.communities {
                *communities = next.gpu().download(&descent.membership)?;
            }
        }
        Ok(())
    }

    /// The modularity at the start of a descent.
    fn start_quality(&self, first: &Level, descent: &Descent) -> Result<f64> {
        let scale = scale_of(first, self.options);
        let movers = Movers::new(first, scale, descent.start.as_ref())?;
        self.quality(first, &movers, &descent.membership)
    }

    /// The modularity of the communities of a level.
    fn quality(&self, level: &Level, movers: &Movers, membership: &Buffer<u32>) -> Result<f64> {
        let (gpu, resolution) = (level.gpu(), self.options.resolution);
        let total = self.undirected.total;
        if total == 0.0 {
            return Ok(0.0);
        }
        if !self.is_exact {
            let labels = gpu.download(&looked_up(gpu, &movers.labels, membership)?)?;
            return Ok(self.undirected.modularity(&labels, resolution));
        }
        let between = movers.weight_between()?;
        // The sum of all fits one word.
        let totals = gpu.download(&movers.totals.low)?;
        let squares = sum_in_parts(&totals, |&total_of| (f64::from(total_of) / total).powi(2));
        Ok((total - between) / total - resolution * squares)
    }

    /// The host ends a descent. Returns the community of each vertex.
    fn finish(&mut self, level: &Level, descent: &Descent) -> Result<Vec<u32>> {
        let gpu = level.gpu();
        let members = gpu.download(&descent.membership)?;
        let start = descent.start.as_ref().map(|start| gpu.download(start)).transpose()?;
        let graph = if self.is_exact {
            level.download()?
        } else {
            self.undirected.aggregated(&members, level.graph.vertices())?
        };
        let rest = cpu::in_pool(|| louvain::go_on(&graph, self.options, start, descent.pass))?;
        let labelled = |labels: &[u32]| -> Vec<u32> {
            members.par_iter().map(|&member| labels[member as usize]).collect()
        };
        if self.found.is_empty() || !rest.steps.is_empty() {
            self.found.extend(rest.levels.into_iter().map(|level| FoundLevel {
                communities: level.communities.map(|labels| labelled(&labels)),
                ..level
            }));
        }
        self.last = self.found.last().map_or(self.last, |level| level.quality);
        let before = self.steps.len() as u32;
        let steps = rest.steps.into_iter();
        self.steps.extend(steps.map(|step| Step { index: before + step.index, ..step }));
        self.converged &= rest.converged;
        Ok(labelled(&rest.labels))
    }
}

/// The communities that the vertices of the next level start from; `None` if each is one.
fn start_of(
    gpu: &Gpu,
    communities: &Buffer<u32>,
    into: &Buffer<u32>,
    vertices: u32,
) -> Result<Option<Buffer<u32>>> {
    let (numbers, count) = numbered(gpu, communities)?;
    if count == vertices {
        return Ok(None);
    }
    // SAFETY: each vertex is in one of the next level.
    unsafe { scatter(gpu, &numbers, into, vertices as usize) }.map(Some)
}

/// The label of the vertex that each vertex of the graph is in.
fn looked_up(gpu: &Gpu, labels: &Buffer<u32>, membership: &Buffer<u32>) -> Result<Buffer<u32>> {
    // SAFETY: members are vertices of a level, of which each has a label.
    unsafe { look_up(gpu, labels, membership) }
}

#[cfg(all(test, feature = "wgpu"))]
mod device_tests {
    use equipoise_graph::{io::ReadOptions, load};
    use equipoise_schedule::{
        device::{Device, OpenDevice},
        engine::DeviceGraph,
    };

    use super::*;
    use crate::communities::CommunitiesStrategy;

    /// Graphs of every kind of weights: two have more weight than 32 bits hold, and fractions. The last one has more labels around
    /// a vertex than a table in shared memory has slots.
    const GRAPHS: [&str; 6] = [
        "grid:width=40,height=30",
        "rmat:scale=9,edge-factor=8",
        "er:n=300,m=900,weights=1..9",
        "small-world:n=500,k=6,rewire=0.1,weights=100000000..200000000",
        "grid:width=40,height=30,weights=0.1..0.9",
        "star:n=5000,weights=1..9",
    ];

    #[test]
    fn levels_on_the_gpu_end_like_those_of_the_host() {
        let OpenDevice::Gpu(gpu) = Device::Wgpu(0).open().unwrap() else { unreachable!() };
        let strategies = [CommunitiesStrategy::Louvain, CommunitiesStrategy::Leiden];
        for (spec, strategy) in GRAPHS.into_iter().flat_map(|spec| strategies.map(|it| (spec, it)))
        {
            let graph = load(spec, &ReadOptions::default()).unwrap();
            let options = CommunitiesOptions { strategy, ..CommunitiesOptions::default() };
            let on_host = crate::communities::communities(&graph, &options).unwrap();
            let undirected = UndirectedGraph::new(&graph).unwrap();
            let scaled = undirected.scaled();
            // SAFETY: the rows of a sound graph.
            let device =
                unsafe { DeviceGraph::from_neighbors(&gpu, &undirected.neighbors) }.unwrap();
            let first = Level::of_weights(&device, &scaled).unwrap();
            let run = || {
                let levels = Levels::new(&undirected, &options, scaled.is_exact, 0);
                let partition = levels.run(&first).unwrap();
                assert!(!partition.steps.is_empty(), "{spec}");
                Communities::new(&undirected, partition, &options, Times::default())
            };
            let found = run();
            found.verify(&graph, &options).unwrap();
            assert!(found.converged, "{spec}");
            let both = [found.modularity, on_host.modularity];
            assert!(both[0] > both[1] - 0.015, "{strategy} of {spec}: GPU and host {both:?}");
            assert!(run().communities == found.communities, "{strategy} of {spec} again");
        }
    }
}
