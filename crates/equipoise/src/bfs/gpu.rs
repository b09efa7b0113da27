//! Breadth-first search on a GPU.
//!
//! The operation lowers the level of an edge's target to one more than the level of its source. The engine runs it level by
//! level, pushed or pulled as the device decides by a tree or by the rule of Beamer et al., without a host synchronisation
//! per level; or the host chooses one of the papers' strategies for each level.

use cubecl::prelude::*;
use equipoise_schedule::{atomics::*, device::Buffer, engine::*};

use super::{BfsOptions, BfsSearch, gpu_parents, policy, search::on_device};
use crate::{
    NONE, Result, Trace,
    gpu_graph::GpuGraph,
    times::timed,
    traversal::{
        Bounds, DeviceResult, IterationPolicy, SearchProgress, Strategy, fused_bytes, start_label,
        step_of,
    },
};

/// Sets the levels of vertices, and their parents where these are recorded.
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
    // Levels are found in order: the first level of a vertex is its last.
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

/// Lowers the levels of vertices in any order: a level may be improved several times.
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

pub(crate) fn bfs<'g>(
    graph: &'g GpuGraph<'g>,
    source: u32,
    options: &BfsOptions,
) -> Result<BfsSearch<'g>> {
    graph.engine_graph()?;
    options.check()?;
    let most_iterations = options.max_depth.unwrap_or(u32::MAX);
    let bounds = Bounds { source, target: options.target, most_iterations };
    graph.check_bounds(bounds)?;
    let result = match decided_on_device(graph, bounds, options)? {
        Some(result) => result,
        None => decided_by_host(graph, bounds, options)?,
    };
    on_device(result, options)
}

/// A search in which the device chooses the direction of each level; `None` where the options ask for another search, or
/// where memory does not suffice and another strategy is allowed.
fn decided_on_device<'g>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &BfsOptions,
) -> Result<Option<DeviceResult<'g>>> {
    let (decides, choosing) = timed(|| policy::on_device(graph, options));
    let Some(policy::DeviceChoice { tree, name }) = decides? else { return Ok(None) };
    let needed = fused_bytes(graph.graph) - graph.bytes_uploaded(false);
    match graph.gpu.require("the strategy `direction-optimising`", needed) {
        Ok(()) => {}
        Err(error) if options.strategy == Strategy::DirectionOptimising => return Err(error.into()),
        Err(_) => return Ok(None),
    }
    let search = || {
        let vertices = graph.vertices() as usize;
        let (prepared, prepare) = graph.prepared(|| {
            graph.entering()?;
            let parents = (!options.levels_only).then(|| graph.gpu.empty(vertices)).transpose()?;
            let search = LevelSearch::new::<Discover>(graph.engine_graph()?, tree.as_ref())?;
            Ok((search, graph.gpu.empty(vertices)?, parents))
        });
        let (search, levels, parents) = prepared?;
        let start = graph.gpu.stopwatch();
        let (batches, went_deep) = run(graph, &search, &levels, parents.as_ref(), bounds)?;
        let ran = (trace_of(batches, name), start.elapsed());
        let mut result = DeviceResult::new::<Discover>(graph, bounds, &levels, ran)?;
        if went_deep {
            result.count_rest();
        }
        // Pulling parents is fast here, since the edges that enter vertices are on the GPU.
        let result = match parents.filter(|_| !went_deep) {
            Some(parents) => result.with_parents(parents),
            None => result.with_parents_by(gpu_parents::find_parents),
        };
        Ok(result.prepared_in(choosing + prepare))
    };
    graph.with_compile_time(search).map(Some)
}

/// Searches by levels. Returns the batches of iterations between host synchronisations, and whether some levels were found
/// in any order: then the recorded parents may be wrong.
fn run(
    graph: &GpuGraph,
    search: &LevelSearch,
    levels: &Buffer<u32>,
    parents: Option<&Buffer<u32>>,
    bounds: Bounds,
) -> Result<(Vec<LoopBatch>, bool)> {
    let labels = || AtomicArray::bind(&graph.gpu, levels);
    let discover = || DiscoverLaunch::new(labels(), parents.map(Buffer::arg).into());
    // SAFETY: each vertex has a level and a parent.
    let (discover, improve) = unsafe {
        (
            Operation::<Discover>::unchecked(discover),
            Operation::<Improve>::unchecked(|| ImproveLaunch::new(labels())),
        )
    };
    let limits = LevelLimits { target: bounds.target, last: bounds.most_iterations };
    if limits == LevelLimits::default() {
        return Ok(search.run_deep(&discover, &improve, bounds.source)?);
    }
    Ok((search.run(&discover, bounds.source, limits)?, false))
}

fn trace_of(batches: Vec<LoopBatch>, strategy: &'static str) -> Trace {
    // The vertices whose edges were relaxed, and the vertices found, of which the source is not counted in the trace.
    let (mut relaxed, mut seen) = (0, 1);
    let steps = batches.into_iter().map(|batch| {
        relaxed += batch.vertices;
        let found = (relaxed + batch.left).saturating_sub(seen);
        seen += found;
        step_of(&batch, found, strategy)
    });
    Trace { steps: steps.collect() }
}

/// A search in which the host chooses the strategy of each level: by a model, by a plan, the one strategy of the options, or
/// the direction by rule.
fn decided_by_host<'g>(
    graph: &'g GpuGraph<'g>,
    bounds: Bounds,
    options: &BfsOptions,
) -> Result<DeviceResult<'g>> {
    let fits = |strategy| graph.check_step::<Discover>(strategy, &options.gpu);
    let learned;
    let policy = match (&options.model, &options.plan, options.strategy) {
        (Some(model), ..) => {
            learned = policy::Learned::new(graph, model, options, fits)?;
            learned.policy()?
        }
        (None, Some(plan), _) => IterationPolicy::planned(plan, fits)?,
        (None, None, Strategy::Auto | Strategy::DirectionOptimising) => {
            let strategies = [Strategy::Node, Strategy::Decompose, Strategy::Pull];
            IterationPolicy::by_rule(&strategies, fits, SearchProgress::push_or_pull)?
        }
        (None, None, strategy) => IterationPolicy::planned(&strategy.into(), fits)?,
    };
    graph.search::<Discover>(bounds, &options.gpu, policy)
}
