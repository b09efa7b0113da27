//! Counts of a frontier for the host, and lists of its vertices.

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, ranges::*};

use super::{
    iteration::{FrontierSize, GraphOp, Listed, SearchState, UNITS},
    options::Strategy,
    vertex_labels::*,
};
use crate::Result;

/// The counts after an iteration.
pub(crate) struct FrontierStats {
    pub frontier: FrontierSize,
    pub listed: u32,
    /// The edges that a kernel examined, if it counts them.
    pub examined: u32,
    pub target: u32,
}

impl<Op: GraphOp> SearchState<'_, Op> {
    /// Counts the next iteration's frontier.
    pub fn survey(&self) -> Result<FrontierStats> {
        self.gpu().fill(&self.stats, 0)?;
        let vertices = self.graph.vertices();
        // Only without a list, a pass over the whole graph.
        let (mode, cubes) = match self.listed {
            Listed::Vertices(_) => (SurveyMode::List, self.graph.vertex_cubes(UNITS)),
            Listed::Own(Strategy::Edge, _) => (SurveyMode::Counts, CubeCount::new_single()),
            Listed::Own(Strategy::LevelSynchronous, _) => {
                (SurveyMode::Flagged, self.cubes(vertices))
            }
            _ => (SurveyMode::Graph, self.cubes(vertices)),
        };
        let (examined, examined_at) = match &self.examined {
            Some((counts, at)) => (counts, *at),
            None => (&self.found, 1),
        };
        // SAFETY: each vertex has a label and an offset; `count` is the length of the list; `examined_at` is inside
        // `examined`, and the other arrays have one and five numbers.
        unsafe {
            survey::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                cubes,
                CubeDim::new_1d(UNITS),
                self.rows.arg(),
                self.labels_arg_along(self.rows, self.iteration + 1),
                self.lists.this.arg(),
                self.lists.count.arg(),
                self.found.arg(),
                examined.arg(),
                self.stats.arg(),
                vertices,
                self.target,
                examined_at,
                mode,
            );
        }
        let stats = self.gpu().download(&self.stats)?;
        Ok(FrontierStats {
            frontier: FrontierSize { vertices: stats[0], edges: stats[1] },
            listed: stats[2],
            examined: stats[3],
            target: stats[4],
        })
    }

    /// Lists the frontier's vertices, unless they are listed. Returns their number.
    pub fn list_vertices(&mut self) -> Result<u32> {
        if let Listed::Vertices(count) = self.listed {
            return Ok(count);
        }
        let vertices = self.graph.vertices();
        // SAFETY: each vertex has a label, and the list has room for all vertices.
        unsafe {
            list_frontier::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.labels_arg(),
                NextListLaunch::new(self.lists.this.arg(), self.lists.count.arg()),
                vertices,
            );
        }
        self.gpu().fill(&self.lists.count, 0)?;
        self.listed = Listed::Vertices(self.frontier.vertices);
        self.list_version += 1;
        Ok(self.frontier.vertices)
    }
}

/// Where the vertices of a frontier are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SurveyMode {
    /// Among all vertices.
    Graph,
    /// Among all vertices, if a flag is set.
    Flagged,
    /// In the list of this iteration.
    List,
    /// Nowhere: the iteration counted them, and listed their edges.
    Counts,
}

/// Counts the vertices of an iteration's frontier and their edges, and copies the length of the list.
#[cube(launch_unchecked)]
fn survey(
    rows: &Rows,
    labels: &mut VertexLabels,
    list: &Array<u32>,
    listed: &Array<u32>,
    counted: &Array<u32>,
    examined: &Array<u32>,
    stats: &mut Array<Atomic<u32>>,
    vertices: u32,
    target: u32,
    examined_at: u32,
    #[comptime] mode: SurveyMode,
) {
    let sums = SharedMemory::<Atomic<u32>>::new(2usize);
    if UNIT_POS < 2 {
        sums[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut found = 0u32;
    let mut edges = 0u32;
    if comptime!(mode == SurveyMode::Graph || mode == SurveyMode::Flagged) {
        let mut end = vertices;
        if comptime!(mode == SurveyMode::Flagged) {
            end = vertices * counted[0];
        }
        for vertex in grid_stride_range(0, end) {
            if labels.is_active(vertex) {
                found += 1;
                edges += rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
            }
        }
    } else if comptime!(mode == SurveyMode::List) {
        for index in grid_stride_range(0, listed[0]) {
            let vertex = list[index as usize];
            found += 1;
            edges += rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
        }
    } else if ABSOLUTE_POS == 0 {
        found = counted[0];
        edges = listed[0];
    }
    if found > 0 {
        sums[0].fetch_add(found);
        sums[1].fetch_add(edges);
    }
    sync_cube();
    if UNIT_POS < 2 {
        let sum = sums[UNIT_POS as usize].load();
        if sum > 0 {
            stats[UNIT_POS as usize].fetch_add(sum);
        }
    }
    if ABSOLUTE_POS == 0 {
        stats[2].store(listed[0]);
        stats[3].store(examined[examined_at as usize]);
        stats[4].store(labels.label(target));
    }
}

/// Lists the vertices of this iteration's frontier.
#[cube(launch_unchecked)]
fn list_frontier(labels: &mut VertexLabels, list: &mut NextList, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        if labels.is_active(vertex) {
            list.add(vertex);
        }
    }
}
