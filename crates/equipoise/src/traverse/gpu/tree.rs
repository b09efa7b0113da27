//! Trees of shortest paths, found from the labels alone: after a search, and apart from it.
//!
//! A vertex takes as its parent any vertex with a smaller label from which an edge leads to it that
//! adds up to its own. Labels fall along such a path, so that it ends at the source. Where an edge
//! adds nothing, labels do not fall: those vertices then take, a round at a time, parents that have
//! one.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName, device::Buffer, input::Input, plan::Plan, tiles::CsrRows, work::*,
};

use super::{graph::DeviceGraph, metric::*, metric_on::MetricOn};
use crate::{NONE, Result};

/// Offers each edge's start to its end as a parent, where the label there is smaller.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Descend<M: Metric> {
    metric: M,
    labels: Input<u32>,
    targets: Input<u32>,
    parents: Array<u32>,
}

impl<M: Metric> WorkKind for Descend<M> {
    const REDUCES: bool = false;
}

#[cube]
impl<M: Metric> Work for Descend<M> {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let label = self.labels[vertex as usize];
        if label != NONE {
            let target = self.targets[edge as usize];
            let at_target = self.labels[target as usize];
            if label < at_target && self.metric.along(label, edge) == at_target {
                self.parents[target as usize] = vertex;
            }
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn end(&mut self, _vertex: u32, _total: u32) {}
}

/// The same where labels are equal, for vertices that have no parent, if the other has one.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct EqualLevelParents<M: Metric> {
    metric: M,
    labels: Input<u32>,
    targets: Input<u32>,
    parents: Array<Atomic<u32>>,
    parents_seen: Array<u32>,
    /// How many were found, in an array of length one.
    found: Array<Atomic<u32>>,
}

impl<M: Metric> WorkKind for EqualLevelParents<M> {
    const REDUCES: bool = false;
}

#[cube]
impl<M: Metric> Work for EqualLevelParents<M> {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let label = self.labels[vertex as usize];
        let target = self.targets[edge as usize];
        let wanted = label != NONE
            && label == self.labels[target as usize]
            && self.parents_seen[target as usize] == NONE
            && self.parents_seen[vertex as usize] != NONE;
        if wanted && self.metric.along(label, edge) == label {
            // Only the first counts: who has a parent keeps it, so that no circle is closed.
            let none = NONE.runtime();
            let old = self.parents[target as usize].compare_exchange_weak(none, vertex);
            if old == NONE {
                self.found[0].fetch_add(1u32);
            }
        }
        0u32.runtime()
    }

    fn combine(a: u32, _b: u32) -> u32 {
        a
    }

    fn end(&mut self, _vertex: u32, _total: u32) {}
}

/// The parent of each vertex that has a label; the source is its own.
pub(crate) fn parents<M: MetricOn>(
    graph: &DeviceGraph,
    labels: &Buffer<u32>,
    source: u32,
) -> Result<Vec<u32>> {
    let (gpu, rows) = (&graph.gpu, &graph.leaving);
    let tiles = || -> Result<_> { Ok(CsrRows::of(&rows.offsets, rows.edges())?) };
    let mut start = vec![NONE; graph.vertices() as usize];
    start[source as usize] = source;
    let parents = gpu.upload(&start)?;
    let plan = Plan::<CsrRows, Descend<M>>::new(gpu, ScheduleName::MergePath.into(), &tiles()?)?;
    let work = || DescendLaunch::new(M::arg(rows), labels.arg(), rows.targets.arg(), parents.arg());
    // SAFETY: there is a target and a weight for each edge, a label and a parent for each vertex.
    unsafe { plan.run(&tiles()?, work) };
    if M::REPEATS {
        let plan = Plan::<CsrRows, EqualLevelParents<M>>::new(
            gpu,
            ScheduleName::MergePath.into(),
            &tiles()?,
        )?;
        let found = gpu.filled(1, 1)?;
        while gpu.download(&found)? != [0] {
            gpu.fill(&found, 0)?;
            let work = || {
                EqualLevelParentsLaunch::new(
                    M::arg(rows),
                    labels.arg(),
                    rows.targets.arg(),
                    parents.arg(),
                    parents.arg(),
                    found.arg(),
                )
            };
            // SAFETY: as above, and `found` has its one number.
            unsafe { plan.run(&tiles()?, work) };
        }
    }
    Ok(gpu.download(&parents)?)
}
