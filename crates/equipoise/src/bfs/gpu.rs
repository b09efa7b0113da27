//! Breadth-first search on a GPU.
//!
//! The operation gives the far end of an edge a level that is one more than its source's, if it has
//! none that is smaller. The engine runs it level by level, pushed or pulled as the device decides
//! by a learned tree or by the rule of Beamer et al., without a host synchronisation at each level;
//! or the host chooses for each level one of the strategies of the papers.

use std::time::Duration;

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, device::Buffer, engine::*};

use super::{Bfs, BfsOptions, BfsSearch, policy};
use crate::{
    Error, NONE, Result, Trace,
    gpu_graph::GpuGraph,
    times::timed,
    traversal::{
        Bounds, Choice, Found, OnGraph, Seen, Strategy, check_host_memory, fused_bytes,
        start_label, step_of,
    },
    tree::check_vertex,
};

/// Gives vertices their levels.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Discover {
    pub levels: AtomicArray,
}

impl EdgeOpKind for Discover {
    // Levels are found in order: a vertex that has one has the right one.
    const JOINS_ONCE: bool = true;
    const LABELS_ARE_ITERATIONS: bool = true;
}

#[cube]
impl EdgeOp for Discover {
    fn label(&self, source: u32) -> u32 {
        self.levels.get(source)
    }

    fn along(&self, level: u32, _edge: u32) -> u32 {
        level + 1
    }

    fn improves(&self, target: u32, level: u32) -> bool {
        level < self.levels.get(target)
    }

    fn relax(&mut self, target: u32, level: u32) -> bool {
        level < self.levels.fetch_min(target, level)
    }
}

#[cube]
impl SearchOp for Discover {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        self.levels.set(vertex, start_label(is_source));
    }

    fn is_at(&self, vertex: u32, level: u32) -> bool {
        self.levels.get(vertex) == level
    }
}

#[cube]
impl PullOp for Discover {
    fn is_open(&self, vertex: u32) -> bool {
        self.levels.get(vertex) == NONE
    }

    fn pull(&mut self, vertex: u32, level: u32) {
        self.levels.set(vertex, level + 1);
    }
}

/// Searches from a vertex.
pub(crate) fn bfs<'g>(
    graph: &'g GpuGraph<'g>,
    source: u32,
    options: &BfsOptions,
) -> Result<BfsSearch<'g>> {
    options.check()?;
    let most_iterations = options.max_depth.unwrap_or(u32::MAX);
    let bounds = Bounds { source, target: options.target, most_iterations };
    graph.check_bounds(bounds)?;
    let found = match decided_on_device(graph, bounds, options)? {
        Some(found) => found,
        None => decided_by_host(graph, bounds, options)?,
    };
    BfsSearch::on_device(found, options)
}

/// A search in which the device decides how each level is done, if that is asked for and there is
/// memory for it; an error where there is none and nothing else is allowed.
fn decided_on_device<'g>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &BfsOptions,
) -> Result<Option<Found<'g>>> {
    let (decides, choosing) = timed(|| policy::on_device(graph, options));
    let Some(tree) = decides? else { return Ok(None) };
    let needed = fused_bytes(graph.graph) - graph.bytes_there(false);
    match graph.gpu.require("the strategy `direction-optimising`", needed) {
        Ok(()) => {}
        Err(error) if options.strategy == Strategy::DirectionOptimising => return Err(error.into()),
        Err(_) => return Ok(None),
    }
    let search = || {
        let (made, prepare) = graph.prepared(|| {
            graph.entering()?;
            let levels = graph.gpu.empty(graph.vertices() as usize)?;
            Ok((LevelSearch::new::<Discover>(&graph.there, tree.as_ref())?, levels))
        });
        let (search, levels) = made?;
        let ran = run(graph, &search, &levels, bounds, tree.is_some())?;
        Ok(Found::new::<Discover>(graph, bounds, &levels, ran)?.prepared_in(choosing + prepare))
    };
    graph.with_compile_time(search).map(Some)
}

/// What happened in a search, and the time of all of it.
fn run(
    graph: &GpuGraph,
    search: &LevelSearch,
    levels: &Buffer<u32>,
    bounds: Bounds,
    is_learned: bool,
) -> Result<(Trace, Duration)> {
    let start = graph.gpu.stopwatch();
    let limits = LevelLimits { target: bounds.target, last: bounds.most_iterations };
    let batches = search.run(&Discover::on(graph, levels), bounds.source, limits)?;
    let strategy = if is_learned { "learned" } else { "direction-optimising" };
    // The vertices whose edges were relaxed, and those found: the source was not.
    let (mut relaxed, mut seen) = (0, 1);
    let steps = batches.into_iter().map(|batch| {
        relaxed += batch.vertices;
        let found = relaxed + batch.left - seen;
        seen += found;
        step_of(&batch, found, strategy)
    });
    Ok((Trace { steps: steps.collect() }, start.elapsed()))
}

/// A search in which the host chooses the strategy of each level: as a plan or a model says, the one
/// that is asked for, or the direction by rule.
fn decided_by_host<'g>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &BfsOptions,
) -> Result<Found<'g>> {
    let fits = |strategy| graph.check_step::<Discover>(strategy, &options.gpu);
    let learned;
    let choice = match (&options.model, &options.plan, options.strategy) {
        (Some(model), ..) => {
            learned = policy::Learned::new(graph, model, options, fits)?;
            learned.choice()?
        }
        (None, Some(plan), _) => Choice::planned(plan, fits)?,
        (None, None, Strategy::Auto | Strategy::DirectionOptimising) => {
            let strategies = [Strategy::Node, Strategy::Decompose, Strategy::Pull];
            Choice::by_rule(&strategies, fits, Seen::direction)?
        }
        (None, None, strategy) => Choice::planned(&strategy.into(), fits)?,
    };
    graph.search::<Discover>(bounds, &options.gpu, choice)
}

/// A breadth-first search from each of several vertices, 32 in one pass.
pub(crate) fn bfs_batch(
    graph: &GpuGraph,
    sources: &[u32],
    options: &BfsOptions,
) -> Result<Vec<Bfs>> {
    options.check()?;
    if options.target.is_some() || options.plan.is_some() || options.model.is_some() {
        let problem = "searches in a batch have no target, no plan and no model";
        return Err(Error::Option(problem.into()));
    }
    sources.iter().try_for_each(|&source| check_vertex(graph.graph, source))?;
    check_host_memory(graph.graph, sources.len())?;
    let mut searches = Vec::new();
    for sources in sources.chunks(super::batch::SEARCHES) {
        searches.extend(super::batch::search(graph, sources, options)?);
    }
    Ok(searches)
}
