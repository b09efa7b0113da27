//! The parents of a breadth-first search, from its levels: the first neighbour of each vertex, over the edges that enter
//! it, that is one level up.
//!
//! Most vertices find one after a few edges. A unit examines a few edges, then its plane helps; a vertex without a parent
//! among many edges is left to a whole cube.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, GpuRuntime},
    engine::Rows,
    ranges::*,
};

use crate::{NONE, Result, gpu_graph::GpuGraph, traversal::UNITS};

/// Edges that a unit loads at a time, so that it waits for memory once.
const EDGES_EACH: usize = 4;
/// Edges that a unit examines before its plane helps.
const FEW: u32 = 16;
/// Edges that a plane examines before a cube does.
const MANY: u32 = 2048;

/// The parent of each vertex that has a level; the source is its own parent.
pub(super) fn find_parents(
    graph: &GpuGraph,
    levels: &Buffer<u32>,
    _source: u32,
) -> Result<Buffer<u32>> {
    let (gpu, rows) = (&graph.gpu, graph.entering()?);
    let vertices = graph.vertices();
    let parents = gpu.empty(vertices as usize)?;
    // The vertices with more edges than a plane examines.
    let left = gpu.empty::<u32>((rows.edges() / MANY + 1) as usize)?;
    let count = gpu.filled(1, 0u32)?;
    let busy = gpu.properties().cubes_at_work();
    // SAFETY: each vertex has a level, a parent and offsets, and each edge a target; each vertex in `left` has
    // at least `MANY` edges, so that `left` has room for all of them.
    unsafe {
        pull_parents::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            graph.vertex_cubes(UNITS),
            CubeDim::new_1d(UNITS),
            rows.arg(),
            levels.arg(),
            parents.arg(),
            left.arg(),
            count.arg(),
            vertices,
        );
        pull_by_cubes::launch_unchecked::<GpuRuntime>(
            gpu.client(),
            gpu.cubes(busy.into()),
            CubeDim::new_1d(UNITS),
            rows.arg(),
            levels.arg(),
            parents.arg(),
            left.arg(),
            count.arg(),
        );
    }
    Ok(parents)
}

/// The source of an edge, if it has this level.
#[cube]
fn candidate(rows: &Rows, levels: &Array<u32>, edge: u32, end: u32, level: u32) -> u32 {
    let mut candidate = NONE.runtime();
    if edge < end {
        let other = rows.targets[edge as usize];
        if levels[other as usize] == level {
            candidate = other;
        }
    }
    candidate
}

/// Finds the parents of all vertices, except those that are left to cubes.
#[cube(launch_unchecked)]
fn pull_parents(
    rows: &Rows,
    levels: &Array<u32>,
    parents: &mut Array<u32>,
    left: &mut Array<u32>,
    count: &mut Array<Atomic<u32>>,
    vertices: u32,
) {
    let units = CUBE_COUNT as u32 * CUBE_DIM;
    // The same number of rounds for all units, since planes work together.
    for round in 0..vertices.div_ceil(units) {
        let vertex = round * units + ABSOLUTE_POS as u32;
        let mut parent = NONE.runtime();
        let mut edge = 0u32;
        let mut end = 0u32;
        let mut before = NONE.runtime();
        if vertex < vertices {
            let level = levels[vertex as usize];
            if level == 0 {
                parent = vertex;
            } else if level != NONE {
                before = level - 1;
                edge = rows.offsets[vertex as usize];
                end = rows.offsets[vertex as usize + 1];
            }
        }
        let alone = min(edge + FEW, end);
        while parent == NONE && edge < alone {
            let mut found = Array::<u32>::new(EDGES_EACH);
            #[unroll]
            for item in 0..EDGES_EACH {
                found[item] = candidate(rows, levels, edge + comptime!(item as u32), end, before);
            }
            #[unroll]
            for item in 0..EDGES_EACH {
                parent = min(parent, found[item]);
            }
            edge += comptime!(EDGES_EACH as u32);
        }
        let mut waits = parent == NONE && edge < end;
        while plane_any(waits) {
            let mut lane = u32::MAX.runtime();
            if waits {
                lane = UNIT_POS_PLANE;
            }
            let chosen = plane_min(lane);
            let last = plane_shuffle(end, chosen);
            let level = plane_shuffle(before, chosen);
            let mut start = plane_shuffle(edge, chosen);
            let limit = min(last, start + MANY);
            let mut found = NONE.runtime();
            while start < limit && found == NONE {
                let of_unit = candidate(rows, levels, start + UNIT_POS_PLANE, limit, level);
                found = plane_min(of_unit);
                start += PLANE_DIM;
            }
            if UNIT_POS_PLANE == chosen {
                parent = found;
                waits = false;
                if found == NONE {
                    let index = count[0].fetch_add(1u32);
                    left[index as usize] = vertex;
                }
            }
        }
        if vertex < vertices {
            parents[vertex as usize] = parent;
        }
    }
}

/// Finds the parents of the vertices in `left`: one cube examines all edges of a vertex.
#[cube(launch_unchecked)]
fn pull_by_cubes(
    rows: &Rows,
    levels: &Array<u32>,
    parents: &mut Array<u32>,
    left: &Array<u32>,
    count: &Array<u32>,
) {
    for index in step_range(CUBE_POS as u32, count[0], CUBE_COUNT as u32) {
        let vertex = left[index as usize];
        let before = levels[vertex as usize] - 1;
        let begin = rows.offsets[vertex as usize];
        let end = rows.offsets[vertex as usize + 1];
        for edge in cube_stride_range(begin, end) {
            let found = candidate(rows, levels, edge, end, before);
            if found != NONE {
                // Any of several parents is right.
                parents[vertex as usize] = found;
            }
        }
    }
}
