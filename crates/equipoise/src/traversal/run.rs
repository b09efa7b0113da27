//! Searches in which the host chooses how each iteration is done.

use std::time::Duration;

use equipoise_graph::{Graph, memory};
use equipoise_schedule::engine::LoopBatch;

use super::{
    choose::{Choice, Seen},
    found::{Bounds, Found},
    graph::OnGraph,
    iteration::{Search, Strategies},
    memory::device_bytes,
};
use crate::{
    NONE, Result, Step, Trace,
    gpu_graph::GpuGraph,
    times::timed_on,
    traversal::{Strategy, TraversalSettings},
    tree::check_vertex,
};

/// What happened between two host synchronisations of a loop on the device, in which so many vertices
/// were found.
pub(crate) fn step_of(batch: &LoopBatch, found: u32, strategy: &'static str) -> Step {
    Step {
        frontier: batch.vertices.into(),
        edges: batch.edges.into(),
        found: found.into(),
        sub_steps: batch.iterations,
        time: batch.time,
        ..Step::new(batch.first, strategy)
    }
}

impl GpuGraph<'_> {
    /// Searches by the strategies that are chosen for each iteration.
    pub fn search<'g: 'c, 'c, Op: OnGraph>(
        &'g self,
        bounds: Bounds,
        settings: &'c TraversalSettings,
        mut choice: Choice<'c>,
    ) -> Result<Found<'g>> {
        self.with_compile_time(|| {
            if !Op::JOINS_ONCE {
                self.upload_weights()?;
            }
            let mut strategies = Strategies::<Op>::new();
            let (search, prepare) = self.prepared(|| {
                let search = Search::<Op>::new(self, settings)?;
                for &strategy in &choice.strategies {
                    strategies.prepare(strategy, &search)?;
                }
                Ok(search)
            });
            let mut search = search?;
            let ran = self.iterate(&mut search, &mut strategies, bounds, &mut choice)?;
            let found = Found::new::<Op>(self, bounds, &search.labels, ran)?;
            Ok(found.prepared_in(prepare))
        })
    }

    /// The iterations of a search, and the time of all of them.
    fn iterate<'c, Op: OnGraph>(
        &'c self,
        search: &mut Search<'c, Op>,
        strategies: &mut Strategies<'c, Op>,
        bounds: Bounds,
        choice: &mut Choice<'c>,
    ) -> Result<(Trace, Duration)> {
        let start = self.gpu.stopwatch();
        search.target = bounds.target.unwrap_or(bounds.source);
        search.start(bounds.source)?;
        let mut seen = Seen::new(self.graph);
        let mut trace = Trace::default();
        // Levels are found in order: a vertex that has a label has the right one.
        let mut is_found = Op::JOINS_ONCE && bounds.target == Some(bounds.source);
        let goes_on = |search: &Search<Op>| {
            search.frontier.vertices > 0 && search.iteration < bounds.most_iterations
        };
        while !is_found && goes_on(search) {
            seen.see(search.frontier);
            let (strategy, settings) = choice.pick(search.iteration, &mut seen);
            search.settings = settings.unwrap_or(search.settings);
            let done = search.advance(strategies, strategy)?;
            trace.steps.push(done.step);
            is_found = Op::JOINS_ONCE && bounds.target.is_some() && done.target != NONE;
        }
        Ok((trace, start.elapsed().saturating_sub(search.waited)))
    }

    /// Does something that launches kernels, and records how long they took to be compiled.
    pub fn with_compile_time<'g>(
        &self,
        search: impl FnOnce() -> Result<Found<'g>>,
    ) -> Result<Found<'g>> {
        let stopwatch = self.gpu.stopwatch();
        let mut found = search()?;
        found.times.compile = stopwatch.compiled();
        Ok(found)
    }

    /// Makes what a search needs, and waits until it is there: what is left to do does not count as
    /// the search's.
    pub fn prepared<T>(&self, make: impl FnOnce() -> Result<T>) -> (Result<T>, Duration) {
        timed_on(&self.gpu, || {
            let made = make()?;
            self.gpu.wait()?;
            Ok(made)
        })
    }

    /// Fails where a search starts or stops at what is no vertex, or main memory has no room for
    /// what it finds.
    pub fn check_bounds(&self, bounds: Bounds) -> Result<()> {
        check_vertex(self.graph, bounds.source)?;
        bounds.target.map_or(Ok(()), |target| check_vertex(self.graph, target))?;
        check_host_memory(self.graph, 1)
    }

    /// Refuses a strategy that the algorithm does not have, or for which there is no memory beside
    /// the graph, which is there.
    pub fn check_step<Op: OnGraph>(
        &self,
        strategy: Strategy,
        settings: &TraversalSettings,
    ) -> Result<()> {
        Strategies::<Op>::new().get(strategy)?;
        let needed = device_bytes::<Op>(self.graph, strategy, settings);
        let beside_graph = needed - self.bytes_there(!Op::JOINS_ONCE);
        Ok(self.gpu.require(&format!("the strategy `{strategy}`"), beside_graph)?)
    }
}

/// Refuses searches for whose labels and parents main memory has no room, as they are copied from
/// the device.
pub(crate) fn check_host_memory(graph: &Graph, searches: usize) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let bytes = memory::bytes_of::<[u32; 4]>(vertices.saturating_mul(searches as u64));
    let what = format_args!("what {searches} searches find of {vertices} vertices");
    Ok(memory::check(what, bytes)?)
}
