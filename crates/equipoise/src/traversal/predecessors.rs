//! Trees of shortest paths, found from the labels alone after a search.
//!
//! The parent of a vertex is any vertex with a smaller label and a tight edge to it: one along which the label of the
//! parent becomes its own. Labels fall along the path of parents, which therefore ends at the source. Along edges of
//! weight 0 labels do not fall: vertices without a parent for that reason take, round by round, a vertex with the same
//! label that has a parent.

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

use super::iteration::{GraphOp, UNITS};
use crate::{NONE, Result, gpu_graph::GpuGraph};

/// Makes the source of each tight edge the parent of its target, where the source has the smaller label.
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

/// Makes the source of each tight edge the parent of its target, where labels are equal and only the source has a parent.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct EqualLevelParents {
    op: AnySearchOp,
    targets: Input<u32>,
    parents: AtomicArray,
    /// The number of parents found, in an array of length one.
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
            // A vertex keeps its first parent, so that no cycle is closed.
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

/// The parent of each vertex that has a label; the source is its own parent.
pub(crate) fn find_parents<Op: GraphOp>(
    graph: &GpuGraph,
    labels: &Buffer<u32>,
    source: u32,
) -> Result<Buffer<u32>> {
    let (gpu, rows) = (&graph.gpu, graph.leaving()?);
    let tiles = || -> Result<_> { Ok(CsrRows::from_offsets(&rows.offsets, rows.edges())?) };
    let parents = gpu.filled(graph.vertices() as usize, NONE)?;
    // SAFETY: the source is a vertex, and each vertex has a parent.
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
    // SAFETY: each edge has a target and a weight, and each vertex a label and a parent.
    unsafe { plan.run(&tiles()?, work) };
    if !Op::EDGES_RAISE_LABELS && !all_have_parents(graph, labels, &parents)? {
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
                    AtomicArray::bind(gpu, &parents),
                    found.arg(),
                )
            };
            // SAFETY: as above, and `found` has one number.
            unsafe { plan.run(&tiles()?, work) };
        }
    }
    Ok(parents)
}

/// Whether each vertex that has a label has a parent.
fn all_have_parents(graph: &GpuGraph, labels: &Buffer<u32>, parents: &Buffer<u32>) -> Result<bool> {
    let gpu = &graph.gpu;
    let missing = gpu.filled(1, 0u32)?;
    // SAFETY: each vertex has a label and a parent, and `missing` has one number.
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

/// Sets `missing` if a vertex has a label and no parent.
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

#[cube(launch_unchecked)]
fn set_own_parent(parents: &mut Array<u32>, vertex: u32) {
    parents[vertex as usize] = vertex;
}
