//! Searches in which the host chooses the strategy of each iteration.

use std::time::Duration;

use equipoise_graph::{Graph, memory};
use equipoise_schedule::engine::LoopBatch;

use super::{
    device_result::{Bounds, DeviceResult},
    iteration::{GraphOp, SearchState},
    memory::device_bytes,
    options::{Strategy, TraversalSettings},
    policy::{IterationPolicy, SearchProgress},
    strategies::Strategies,
};
use crate::{NONE, Result, Step, Trace, gpu_graph::GpuGraph, times::timed_on, tree::check_vertex};

/// The step of the trace for the iterations between two host synchronisations, in which `found` vertices were found.
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
    /// Searches by the strategies that a policy chooses for each iteration.
    pub fn search<'g: 'c, 'c, Op: GraphOp>(
        &'g self,
        bounds: Bounds,
        settings: &'c TraversalSettings,
        mut policy: IterationPolicy<'c>,
    ) -> Result<DeviceResult<'g>> {
        self.with_compile_time(|| {
            if Op::READS_WEIGHTS {
                self.leaving_with_weights()?;
            }
            let mut strategies = Strategies::<Op>::new();
            let (search, prepare) = self.prepared(|| {
                let search = SearchState::<Op>::new(self, settings)?;
                for &strategy in &policy.strategies {
                    strategies.prepare(strategy, &search)?;
                }
                Ok(search)
            });
            let mut search = search?;
            let ran = self.iterate(&mut search, &mut strategies, bounds, &mut policy)?;
            let result = DeviceResult::new::<Op>(self, bounds, &search.labels, ran)?;
            Ok(result.prepared_in(prepare))
        })
    }

    /// The iterations of a search, and the time of all of them.
    fn iterate<'c, Op: GraphOp>(
        &'c self,
        search: &mut SearchState<'c, Op>,
        strategies: &mut Strategies<'c, Op>,
        bounds: Bounds,
        policy: &mut IterationPolicy<'c>,
    ) -> Result<(Trace, Duration)> {
        let start = self.gpu.stopwatch();
        search.target = bounds.target.unwrap_or(bounds.source);
        search.start(bounds.source)?;
        let mut progress = SearchProgress::new(self.graph);
        let mut trace = Trace::default();
        let mut is_found = Op::FIRST_LABEL_IS_FINAL && bounds.target == Some(bounds.source);
        let goes_on = |search: &SearchState<Op>| {
            search.frontier.vertices > 0 && search.iteration < bounds.most_iterations
        };
        while !is_found && goes_on(search) {
            progress.record(search.frontier);
            let (strategy, settings) = policy.choose(search.iteration, &mut progress);
            search.settings = settings.unwrap_or(search.settings);
            let done = strategies.advance(strategy, search)?;
            trace.steps.push(done.step);
            is_found = Op::FIRST_LABEL_IS_FINAL && bounds.target.is_some() && done.target != NONE;
        }
        Ok((trace, start.elapsed().saturating_sub(search.waited)))
    }

    /// Runs a search and records the time of compiling its kernels.
    pub fn with_compile_time<'g>(
        &self,
        search: impl FnOnce() -> Result<DeviceResult<'g>>,
    ) -> Result<DeviceResult<'g>> {
        let stopwatch = self.gpu.stopwatch();
        let mut result = search()?;
        result.times.compile = stopwatch.compiled();
        Ok(result)
    }

    /// Prepares a search and waits for the GPU, so that the preparation does not count as the search's time.
    pub fn prepared<T>(&self, prepare: impl FnOnce() -> Result<T>) -> (Result<T>, Duration) {
        timed_on(&self.gpu, || {
            let prepared = prepare()?;
            self.gpu.wait()?;
            Ok(prepared)
        })
    }

    /// Fails where the source or target is not a vertex, or main memory has no room for the result.
    pub fn check_bounds(&self, bounds: Bounds) -> Result<()> {
        check_vertex(self.graph, bounds.source)?;
        bounds.target.map_or(Ok(()), |target| check_vertex(self.graph, target))?;
        check_host_memory(self.graph, 1)
    }

    /// Fails where the algorithm does not have the strategy, or the GPU has no memory for it in addition to the graph.
    pub fn check_step<Op: GraphOp>(
        &self,
        strategy: Strategy,
        settings: &TraversalSettings,
    ) -> Result<()> {
        Strategies::<Op>::new().get(strategy)?;
        let needed = device_bytes::<Op>(self.graph, strategy, settings);
        let missing = needed - self.bytes_uploaded(Op::READS_WEIGHTS);
        Ok(self.gpu.require(&format!("the strategy `{strategy}`"), missing)?)
    }
}

/// Fails where main memory has no room for the labels and parents of searches, as they are copied from the device.
pub(crate) fn check_host_memory(graph: &Graph, searches: usize) -> Result<()> {
    let vertices = u64::from(graph.vertices());
    let bytes = memory::bytes_of::<[u32; 4]>(vertices.saturating_mul(searches as u64));
    let what = format_args!("what {searches} searches find of {vertices} vertices");
    Ok(memory::check(what, bytes)?)
}
