//! Strategies that look at the whole graph in every iteration (Verstraaten et al.): at each vertex
//! (`topology`, `virtual-warp`) or at each edge (`edge-topology`, `edge-reverse`).

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, input::Input, ranges::*};

use super::{
    super::{
        field::*,
        graph::{OnGraph, ends_arg},
        iteration::{Listed, Search, UNITS},
        tally::Tally,
    },
    Iterate, Sizes,
};
use crate::{
    NONE, Result,
    traversal::{Count, Strategy},
};

/// `topology`: a unit for each vertex; those of the frontier relax their edges.
#[cube(launch_unchecked)]
pub(crate) fn push_vertices(
    rows: &Rows,
    field: &mut Field,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    for vertex in grid_stride_range(0, vertices) {
        if field.is_active(vertex) {
            let label = field.label(vertex);
            let (begin, end) = (rows.offsets[vertex as usize], rows.offsets[(vertex + 1) as usize]);
            for edge in begin..end {
                if field.relax(label, edge, rows.targets[edge as usize]) {
                    tally.count(total, count);
                }
            }
        }
    }
    tally.finish(total, count);
}

/// `virtual-warp`: groups of `group` units have as many vertices, and relax the edges of one after
/// the other together.
#[cube(launch_unchecked)]
pub(crate) fn push_in_groups(
    rows: &Rows,
    field: &mut Field,
    total: &mut Array<Atomic<u32>>,
    vertices: u32,
    #[comptime] group: u32,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    let lane = UNIT_POS % group;
    for own in grid_stride_range(0, vertices.div_ceil(group) * group) {
        let first = own - lane;
        for vertex in first..min(first + group, vertices) {
            if field.is_active(vertex) {
                let label = field.label(vertex);
                let begin = rows.offsets[vertex as usize] + lane;
                for edge in step_range(begin, rows.offsets[(vertex + 1) as usize], group) {
                    if field.relax(label, edge, rows.targets[edge as usize]) {
                        tally.count(total, count);
                    }
                }
            }
        }
    }
    tally.finish(total, count);
}

/// Edges in coordinate form.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Ends {
    /// Where each starts.
    pub origins: Input<u32>,
    /// Where each leads.
    pub targets: Input<u32>,
    /// How many there are.
    pub count: u32,
}

/// `edge-topology`, with the edges in the order of where they start, and `edge-reverse`, of where
/// they lead: a unit for each edge; those that start in the frontier are relaxed.
///
/// With `unreached_only`, which edge-reverse has unless it is asked not to, an edge first looks whether it leads to a vertex
/// that has no label yet.
#[cube(launch_unchecked)]
pub(crate) fn push_edges(
    ends: &Ends,
    field: &mut Field,
    total: &mut Array<Atomic<u32>>,
    #[comptime] unreached_only: bool,
    #[comptime] count: Count,
) {
    let mut tally = Tally::new();
    for edge in grid_stride_range(0, ends.count) {
        let target = ends.targets[edge as usize];
        let mut wanted = true;
        if comptime!(unreached_only) {
            wanted = field.label(target) == NONE;
        }
        if wanted {
            let origin = ends.origins[edge as usize];
            if field.is_active(origin) {
                let label = field.label(origin);
                if field.relax(label, edge, target) {
                    tally.count(total, count);
                }
            }
        }
    }
    tally.finish(total, count);
}

/// The strategies over the whole graph.
pub(super) struct WholeGraph;

impl<'g, Op: OnGraph> Iterate<'g, Op> for WholeGraph {
    fn names(&self) -> &'static [Strategy] {
        use Strategy::{EdgeReverse, EdgeTopology, Topology, VirtualWarp};
        &[Topology, EdgeTopology, EdgeReverse, VirtualWarp]
    }

    fn words(&self, name: Strategy, graph: &Sizes) -> u64 {
        match name {
            Strategy::EdgeTopology => graph.edges,
            Strategy::EdgeReverse => graph.entering + graph.edges,
            _ => 0,
        }
    }

    fn prepare(&mut self, name: Strategy, search: &Search<'g, Op>) -> Result<()> {
        let (graph, gpu) = (search.graph, search.gpu());
        match name {
            Strategy::EdgeTopology => _ = graph.leaving.origins(gpu, graph.graph)?,
            Strategy::EdgeReverse => {
                let rows = match Op::JOINS_ONCE {
                    true => graph.entering()?,
                    false => graph.entering_with_weights()?,
                };
                rows.origins(gpu, graph.graph.transpose()?)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn launch(&mut self, name: Strategy, search: &mut Search<'g, Op>) -> Result<u32> {
        match name {
            Strategy::EdgeTopology | Strategy::EdgeReverse => push_all_edges(search, name)?,
            _ => push_all_vertices(search, name),
        }
        search.listed = Listed::Nothing;
        Ok(1)
    }
}

fn push_all_vertices<Op: OnGraph>(search: &Search<Op>, name: Strategy) {
    let (vertices, settings) = (search.graph.vertices(), search.settings);
    let (cubes, units) = (search.cubes(vertices), CubeDim::new_1d(UNITS));
    // SAFETY: there is a label and an offset for each vertex.
    unsafe {
        match name {
            Strategy::VirtualWarp => push_in_groups::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                cubes,
                units,
                search.graph.leaving.arg(),
                search.field(),
                search.found.arg(),
                vertices,
                settings.warp_size,
                settings.count,
            ),
            _ => push_vertices::launch_unchecked::<GpuRuntime>(
                search.gpu().client(),
                cubes,
                units,
                search.graph.leaving.arg(),
                search.field(),
                search.found.arg(),
                vertices,
                settings.count,
            ),
        }
    }
}

fn push_all_edges<Op: OnGraph>(search: &Search<Op>, name: Strategy) -> Result<()> {
    let (graph, gpu) = (search.graph, search.gpu());
    let is_reverse = name == Strategy::EdgeReverse;
    let (rows, ends) = match is_reverse {
        true => {
            let rows = graph.entering()?;
            let entered = rows.origins(gpu, graph.graph.transpose()?)?;
            (rows, ends_arg(&rows.targets, entered))
        }
        false => {
            let rows = &graph.leaving;
            (rows, ends_arg(rows.origins(gpu, graph.graph)?, &rows.targets))
        }
    };
    // SAFETY: both ends of each edge are vertices, and there is a label for each.
    unsafe {
        push_edges::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            search.cubes(rows.edges()),
            CubeDim::new_1d(UNITS),
            ends,
            search.field_along(rows, search.iteration),
            search.found.arg(),
            is_reverse && Op::JOINS_ONCE && !search.settings.no_early_exit,
            search.settings.count,
        );
    }
    Ok(())
}
