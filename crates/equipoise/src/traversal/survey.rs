//! Who is in a frontier: counted for the host, and listed.

use cubecl::prelude::*;
use equipoise_schedule::{device::GpuRuntime, engine::*, ranges::*};

use super::{
    field::*,
    graph::OnGraph,
    iteration::{FrontierSize, Listed, Search, UNITS},
};
use crate::{Result, traversal::Strategy};

/// What was left after an iteration.
pub(crate) struct Stats {
    pub frontier: FrontierSize,
    pub listed: u32,
    /// The edges that a kernel looked at, where it counts them.
    pub looked: u32,
    /// The label of the target.
    pub target: u32,
}

impl<Op: OnGraph> Search<'_, Op> {
    /// Who is in the next iteration's frontier.
    pub fn survey(&self) -> Result<Stats> {
        self.gpu().fill(&self.stats, 0)?;
        let vertices = self.graph.vertices();
        // What has a list is not looked for in the whole graph.
        let (of, cubes) = match self.listed {
            Listed::Vertices(_) => (Surveyed::List, self.graph.vertex_cubes(UNITS)),
            Listed::Own(Strategy::Edge, _) => (Surveyed::Counts, CubeCount::new_single()),
            Listed::Own(Strategy::LevelSynchronous, _) => (Surveyed::Flagged, self.cubes(vertices)),
            _ => (Surveyed::Graph, self.cubes(vertices)),
        };
        let (looked, looked_at) = match &self.looked {
            Some((counts, at)) => (counts, *at),
            None => (&self.found, 1),
        };
        // SAFETY: there is a label and an offset for each vertex, a list has as many as it says, the edges that were looked at are
        // counted where it says, and the others have their one and five numbers.
        unsafe {
            survey::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                cubes,
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.field_along(&self.graph.leaving, self.iteration + 1),
                self.lists.this.arg(),
                self.lists.count.arg(),
                self.found.arg(),
                looked.arg(),
                self.stats.arg(),
                vertices,
                self.target,
                looked_at,
                of,
            );
        }
        let stats = self.gpu().download(&self.stats)?;
        Ok(Stats {
            frontier: FrontierSize { vertices: stats[0], edges: stats[1] },
            listed: stats[2],
            looked: stats[3],
            target: stats[4],
        })
    }

    /// Makes a list of the frontier's vertices, unless it is there.
    pub fn list_vertices(&mut self) -> Result<u32> {
        if let Listed::Vertices(count) = self.listed {
            return Ok(count);
        }
        let vertices = self.graph.vertices();
        // SAFETY: there is a label for each vertex, and room for all in the list.
        unsafe {
            list_frontier::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.field(),
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

/// Where a frontier is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Surveyed {
    /// Among all vertices.
    Graph,
    /// Among all vertices, if a flag says that there is one.
    Flagged,
    /// In the list of this iteration.
    List,
    /// Nowhere: those found were counted, and their edges are listed.
    Counts,
}

/// Counts the vertices of an iteration's frontier and their edges, and copies how many are listed.
#[cube(launch_unchecked)]
fn survey(
    rows: &Rows,
    field: &mut Field,
    list: &Array<u32>,
    listed: &Array<u32>,
    counted: &Array<u32>,
    looked: &Array<u32>,
    stats: &mut Array<Atomic<u32>>,
    vertices: u32,
    target: u32,
    looked_at: u32,
    #[comptime] of: Surveyed,
) {
    let sums = SharedMemory::<Atomic<u32>>::new(2usize);
    if UNIT_POS < 2 {
        sums[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut found = 0u32;
    let mut edges = 0u32;
    if comptime!(of == Surveyed::Graph || of == Surveyed::Flagged) {
        let mut end = vertices;
        if comptime!(of == Surveyed::Flagged) {
            end = vertices * counted[0];
        }
        for vertex in grid_stride_range(0, end) {
            if field.is_active(vertex) {
                found += 1;
                edges += rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
            }
        }
    } else if comptime!(of == Surveyed::List) {
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
        stats[3].store(looked[looked_at as usize]);
        stats[4].store(field.label(target));
    }
}

/// Lists the vertices of this iteration's frontier.
#[cube(launch_unchecked)]
fn list_frontier(field: &mut Field, list: &mut NextList, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        if field.is_active(vertex) {
            list.add(vertex);
        }
    }
}
