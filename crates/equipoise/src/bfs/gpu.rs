//! Breadth-first search on a GPU.
//!
//! The operation gives the far end of an edge a level that is one more than its source's, if it has
//! none that is smaller. The engine runs it level by level, pushed or pulled as the device decides
//! by a learned tree or by the rule of Beamer et al., without a host synchronisation at each level;
//! or the host chooses for each level one of the strategies of the papers.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, device::Buffer, engine::*};

use super::{BfsOptions, BfsSearch, gpu_parents, policy};
use crate::{
    NONE, Result, Trace,
    gpu_graph::GpuGraph,
    times::timed,
    traversal::{Bounds, Choice, Found, Seen, Strategy, fused_bytes, start_label, step_of},
};

/// Gives vertices their levels, and their parents where these are recorded.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Discover {
    pub levels: AtomicArray,
    pub parents: ComptimeOption<Array<u32>>,
}

#[cube]
impl Discover {
    fn record(&mut self, vertex: u32, parent: u32) {
        #[comptime]
        match &mut self.parents {
            ComptimeOption::Some(parents) => parents[vertex as usize] = parent,
            ComptimeOption::None => {}
        }
    }
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

    fn relax(&mut self, target: u32, level: u32, source: u32) -> bool {
        let joins = level < self.levels.fetch_min(target, level);
        if joins {
            self.record(target, source);
        }
        joins
    }
}

/// The same in any order: a level may be improved several times.
#[derive(CubeType, CubeLaunch)]
struct Improve {
    levels: AtomicArray,
}

impl EdgeOpKind for Improve {}

#[cube]
impl EdgeOp for Improve {
    fn label(&self, source: u32) -> u32 {
        self.levels.get(source)
    }

    fn along(&self, level: u32, _edge: u32) -> u32 {
        level + 1
    }

    fn improves(&self, target: u32, level: u32) -> bool {
        level < self.levels.get(target)
    }

    fn relax(&mut self, target: u32, level: u32, _source: u32) -> bool {
        level < self.levels.fetch_min(target, level)
    }
}

#[cube]
impl SearchOp for Discover {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        self.levels.set(vertex, start_label(is_source));
        let mut parent = NONE.runtime();
        if is_source {
            parent = vertex;
        }
        self.record(vertex, parent);
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

    fn pull(&mut self, vertex: u32, level: u32, parent: u32) {
        self.levels.set(vertex, level + 1);
        self.record(vertex, parent);
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
        let vertices = graph.vertices() as usize;
        let (made, prepare) = graph.prepared(|| {
            graph.entering()?;
            let parents = (!options.levels_only).then(|| graph.gpu.empty(vertices)).transpose()?;
            let search = LevelSearch::new::<Discover>(&graph.there, tree.as_ref())?;
            Ok((search, graph.gpu.empty(vertices)?, parents))
        });
        let (search, levels, parents) = made?;
        let start = graph.gpu.stopwatch();
        let (batches, went_deep) = run(graph, &search, &levels, parents.as_ref(), bounds)?;
        let strategy = if tree.is_some() { "learned" } else { "direction-optimising" };
        let ran = (trace_of(batches, strategy), start.elapsed());
        let mut found = Found::new::<Discover>(graph, bounds, &levels, ran)?;
        if went_deep {
            found.count_rest();
        }
        // The edges that enter vertices are there.
        let found = match parents.filter(|_| !went_deep) {
            Some(parents) => found.with_parents(parents),
            None => found.with_parents_by(gpu_parents::find_parents),
        };
        Ok(found.prepared_in(choosing + prepare))
    };
    graph.with_compile_time(search).map(Some)
}

/// Searches by levels. What happened between host synchronisations, and whether some levels were found
/// in any order: then the parents are not those.
fn run(
    graph: &GpuGraph,
    search: &LevelSearch,
    levels: &Buffer<u32>,
    parents: Option<&Buffer<u32>>,
    bounds: Bounds,
) -> Result<(Vec<LoopBatch>, bool)> {
    let labels = || AtomicArray::of(&graph.gpu, levels);
    let discover = || DiscoverLaunch::new(labels(), parents.map(Buffer::arg).into());
    // SAFETY: there are a level and a parent for each vertex.
    let (discover, improve) = unsafe {
        (
            Operation::<Discover>::unchecked(discover),
            Operation::<Improve>::unchecked(|| ImproveLaunch::new(labels())),
        )
    };
    let limits = LevelLimits { target: bounds.target, last: bounds.most_iterations };
    match limits == LevelLimits::default() {
        true => Ok(search.run_deep(&discover, &improve, bounds.source)?),
        false => Ok((search.run(&discover, bounds.source, limits)?, false)),
    }
}

fn trace_of(batches: Vec<LoopBatch>, strategy: &'static str) -> Trace {
    // The vertices whose edges were relaxed, and those found: the source was not.
    let (mut relaxed, mut seen) = (0, 1);
    let steps = batches.into_iter().map(|batch| {
        relaxed += batch.vertices;
        let found = (relaxed + batch.left).saturating_sub(seen);
        seen += found;
        step_of(&batch, found, strategy)
    });
    Trace { steps: steps.collect() }
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
