//! Strategies that pass over the whole graph in every iteration (Verstraaten et al.): over the vertices (`topology`,
//! `virtual-warp`) or the edges (`edge-topology`, `edge-reverse`).

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::*,
    input::Input,
    ranges::*,
};

use crate::{
    NONE, Result,
    traversal::{
        iteration::{GraphOp, GraphSizes, Iterate, Listed, SearchState, UNITS},
        options::{Count, Strategy},
        tally::Tally,
        vertex_labels::*,
    },
};

/// `topology`: one unit per vertex; vertices of the frontier relax their edges.
#[cube(launch_unchecked)]
pub(crate) fn push_vertices(
    rows: &Rows,
    labels: &mut VertexLabels,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    for vertex in grid_stride_range(0, vertices) {
        if labels.is_active(vertex) {
            let label = labels.label(vertex);
            let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
            for edge in begin..end {
                if labels.relax(label, edge, rows.targets[edge as usize]) {
                    tally.count(total, count);
                }
            }
        }
    }
    tally.finish(total, count);
}

/// `virtual-warp`: each group of `group` units has `group` vertices, and relaxes the edges of one after the other together.
#[cube(launch_unchecked)]
pub(crate) fn push_in_groups(
    rows: &Rows,
    labels: &mut VertexLabels,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    #[comptime] group: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    let lane = UNIT_POS % group;
    for unit in grid_stride_range(0, vertices.div_ceil(group) * group) {
        let first = unit - lane;
        for vertex in first..min(first + group, vertices) {
            if labels.is_active(vertex) {
                let label = labels.label(vertex);
                let begin = rows.offsets[vertex as usize] + lane;
                for edge in step_range(begin, rows.offsets[(vertex + 1) as usize], group) {
                    if labels.relax(label, edge, rows.targets[edge as usize]) {
                        tally.count(total, count);
                    }
                }
            }
        }
    }
    tally.finish(total, count);
}

/// Edges in coordinate form (COO).
#[derive(CubeType, CubeLaunch)]
pub(crate) struct CooEdges {
    /// The source of each.
    pub origins: Input<u32>,
    /// The target of each.
    pub targets: Input<u32>,
    pub count: u32,
}

pub(super) fn coo_arg(origins: &Buffer<u32>, targets: &Buffer<u32>) -> CooEdgesLaunch<GpuRuntime> {
    CooEdgesLaunch::new(origins.arg(), targets.arg(), targets.len() as u32)
}

/// `edge-topology`, with the edges ordered by source, and `edge-reverse`, ordered by target: one unit per edge; edges from
/// the frontier are relaxed.
///
/// With `unreached_only`, the early exit of edge-reverse, edges to vertices that have a label are skipped.
#[cube(launch_unchecked)]
pub(crate) fn push_edges(
    coo: &CooEdges,
    labels: &mut VertexLabels,
    total: &mut Array<Atomic<u32>>,
    #[comptime] unreached_only: bool,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    for edge in grid_stride_range(0, coo.count) {
        let target = coo.targets[edge as usize];
        let mut wanted = true;
        if comptime!(unreached_only) {
            wanted = labels.label(target) == NONE;
        }
        if wanted {
            let origin = coo.origins[edge as usize];
            if labels.is_active(origin) {
                let label = labels.label(origin);
                if labels.relax(label, edge, target) {
                    tally.count(total, count);
                }
            }
        }
    }
    tally.finish(total, count);
}

/// The strategies over the whole graph.
pub(super) struct WholeGraph;

impl<'g, Op: GraphOp> Iterate<'g, Op> for WholeGraph {
    fn names(&self) -> &'static [Strategy] {
        use Strategy::{EdgeReverse, EdgeTopology, Topology, VirtualWarp};
        &[Topology, EdgeTopology, EdgeReverse, VirtualWarp]
    }

    fn words(&self, name: Strategy, sizes: &GraphSizes) -> u64 {
        match name {
            Strategy::EdgeTopology => sizes.edges,
            Strategy::EdgeReverse => sizes.entering + sizes.edges,
            _ => 0,
        }
    }

    fn prepare(&mut self, name: Strategy, search: &SearchState<'g, Op>) -> Result<()> {
        let (graph, gpu) = (search.graph, search.gpu());
        match name {
            Strategy::EdgeTopology => _ = search.rows.origins(gpu, graph.graph)?,
            Strategy::EdgeReverse => {
                let rows = if Op::READS_WEIGHTS {
                    graph.entering_with_weights()?
                } else {
                    graph.entering()?
                };
                rows.origins(gpu, graph.graph.transpose()?)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn launch(&mut self, name: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32> {
        match name {
            Strategy::EdgeTopology | Strategy::EdgeReverse => push_all_edges(search, name)?,
            _ => push_all_vertices(search, name),
        }
        search.listed = Listed::Nothing;
        Ok(1)
    }
}

fn push_all_vertices<Op: GraphOp>(search: &SearchState<Op>, name: Strategy) {
    let (vertices, settings) = (search.graph.vertices(), search.settings);
    let (cubes, units) = (search.cubes(vertices), CubeDim::new_1d(UNITS));
    // SAFETY: each vertex has a label and an offset.
    unsafe {
        match name {
            Strategy::VirtualWarp => push_in_groups::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                cubes,
                units,
                search.rows.arg(),
                search.labels_arg(),
                search.found.arg(),
                vertices,
                settings.warp_size,
                settings.count,
            ),
            _ => push_vertices::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                cubes,
                units,
                search.rows.arg(),
                search.labels_arg(),
                search.found.arg(),
                vertices,
                settings.count,
            ),
        }
    }
}

fn push_all_edges<Op: GraphOp>(search: &SearchState<Op>, name: Strategy) -> Result<()> {
    let (graph, gpu) = (search.graph, search.gpu());
    let is_reverse = name == Strategy::EdgeReverse;
    let (rows, coo) = if is_reverse {
        let rows = graph.entering()?;
        // The vertex of an edge that enters it is its target.
        let targets = rows.origins(gpu, graph.graph.transpose()?)?;
        (rows, coo_arg(&rows.targets, targets))
    } else {
        let rows = search.rows;
        (rows, coo_arg(rows.origins(gpu, graph.graph)?, &rows.targets))
    };
    // SAFETY: both ends of each edge are vertices, and each vertex has a label.
    unsafe {
        push_edges::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            search.cubes(rows.edges()),
            CubeDim::new_1d(UNITS),
            coo,
            search.labels_arg_along(rows, search.iteration),
            search.found.arg(),
            is_reverse && Op::FIRST_LABEL_IS_FINAL && !search.settings.no_early_exit,
            search.settings.count,
        );
    }
    Ok(())
}
