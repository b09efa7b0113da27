//! Trees of shortest paths, found from the labels alone: after a search, and apart from it.
//!
//! A vertex takes as its parent any vertex with a smaller label from which an edge leads to it that
//! adds up to its own. Labels fall along such a path, so that it ends at the source. Where an edge
//! adds nothing, labels do not fall: if vertices are left without a parent for that reason, they take,
//! a round at a time, parents that have one.

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    atomics::*,
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    plan::Plan,
    ranges::*,
    tiles::CsrRows,
    work::*,
};

use super::{UNITS, graph::OnGraph};
use crate::{NONE, Result, gpu_graph::GpuGraph};

/// Offers each edge's start to its end as a parent, where the label there is smaller.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Descend {
    op: AnySearchOp,
    targets: Input<u32>,
    parents: Array<u32>,
}

impl WorkKind for Descend {
    const REDUCES: bool = false;
}

#[cube]
impl Work for Descend {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let label = self.op.label(vertex);
        if label != NONE {
            let target = self.targets[edge as usize];
            let at_target = self.op.label(target);
            if at_target != NONE && label < at_target && self.op.along(label, edge) == at_target {
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
pub(crate) struct EqualLevelParents {
    op: AnySearchOp,
    targets: Input<u32>,
    parents: AtomicArray,
    /// How many were found, in an array of length one.
    found: Array<Atomic<u32>>,
}

impl WorkKind for EqualLevelParents {
    const REDUCES: bool = false;
}

#[cube]
impl Work for EqualLevelParents {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    fn atom(&mut self, vertex: u32, edge: u32) -> u32 {
        let label = self.op.label(vertex);
        let target = self.targets[edge as usize];
        let wanted = label != NONE
            && label == self.op.label(target)
            && self.parents.get(target) == NONE
            && self.parents.get(vertex) != NONE;
        if wanted && self.op.along(label, edge) == label {
            // Only the first counts: who has a parent keeps it, so that no circle is closed.
            let none = NONE.runtime();
            let old = self.parents.compare_exchange_weak(target, none, vertex);
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
pub(crate) fn find_parents<Op: OnGraph>(
    graph: &GpuGraph,
    labels: &Buffer<u32>,
    source: u32,
) -> Result<Buffer<u32>> {
    let (gpu, rows) = (&graph.gpu, &graph.leaving);
    let tiles = || -> Result<_> { Ok(CsrRows::of(&rows.offsets, rows.edges())?) };
    let parents = gpu.filled(graph.vertices() as usize, NONE)?;
    // SAFETY: the source is a vertex, and there is a parent for each.
    unsafe {
        set_own_parent::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            CubeCount::new_single(),
            CubeDim::new_single(),
            parents.arg(),
            source,
        );
    }
    let plan = Plan::<CsrRows, Descend>::new(gpu, ScheduleName::MergePath.into(), &tiles()?)?;
    let op = || erase_search::<Op>(Op::arg(gpu, rows, labels));
    let work = || DescendLaunch::new(op(), rows.targets.arg(), parents.arg());
    // SAFETY: there is a target and a weight for each edge, a label and a parent for each vertex.
    unsafe { plan.run(&tiles()?, work) };
    if !Op::JOINS_ONCE && !all_have_parents(graph, labels, &parents)? {
        let plan = Plan::<CsrRows, EqualLevelParents>::new(
            gpu,
            ScheduleName::MergePath.into(),
            &tiles()?,
        )?;
        let found = gpu.filled(1, 1)?;
        while gpu.download(&found)? != [0] {
            gpu.fill(&found, 0)?;
            let work = || {
                EqualLevelParentsLaunch::new(
                    op(),
                    rows.targets.arg(),
                    AtomicArray::of(gpu, &parents),
                    found.arg(),
                )
            };
            // SAFETY: as above, and `found` has its one number.
            unsafe { plan.run(&tiles()?, work) };
        }
    }
    Ok(parents)
}

/// Whether each vertex that has a label has a parent.
fn all_have_parents(graph: &GpuGraph, labels: &Buffer<u32>, parents: &Buffer<u32>) -> Result<bool> {
    let gpu = &graph.gpu;
    let missing = gpu.filled(1, 0u32)?;
    // SAFETY: there are a label and a parent for each vertex, and `missing` has its one number.
    unsafe {
        find_missing::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            graph.vertex_cubes(UNITS),
            CubeDim::new_1d(UNITS),
            labels.arg(),
            parents.arg(),
            missing.arg(),
            graph.vertices(),
        );
    }
    Ok(gpu.download(&missing)? == [0])
}

/// Says whether a vertex has a label and no parent.
#[cube(launch_unchecked)]
fn find_missing(
    labels: &Array<u32>,
    parents: &Array<u32>,
    missing: &mut Array<Atomic<u32>>,
    vertices: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        if labels[vertex as usize] != NONE && parents[vertex as usize] == NONE {
            missing[0].store(1u32);
        }
    }
}

/// Makes a vertex its own parent.
#[cube(launch_unchecked)]
fn set_own_parent(parents: &mut Array<u32>, vertex: u32) {
    parents[vertex as usize] = vertex;
}
