//! Levels in which the vertices of the last one push their bits along their edges.

use std::cell::Cell;

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::{Rows, RowsLaunch},
    input::Input,
    ranges::*,
};

use super::{bits::*, counters::*, sums::*};
use crate::{
    Result,
    kernels::{UNITS, concurrent_cubes, cubes_for},
};

/// Edges of a part of a row, which a plane follows.
pub(super) const PART: u32 = 256;

/// The arrays of pushing.
pub(super) struct Pushes {
    /// The searches that reached each listed vertex in the last level.
    fresh: Buffer<u32>,
    /// The searches that reach each vertex in the next level.
    next: Buffer<u32>,
    /// The last stamp with which each vertex was listed.
    stamps: Buffer<u32>,
    /// The vertices of the next level.
    touched: Buffer<u32>,
    /// The parts of the rows of the last level: the vertex and the first edge of each.
    part_vertices: Buffer<u32>,
    part_edges: Buffer<u32>,
    /// The stamp of the next level, over all groups of searches.
    stamp: Cell<u32>,
}

/// The vertices and first edges of listed parts of rows, for a kernel that writes them.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Parts {
    vertices: Array<u32>,
    edges: Array<u32>,
}

/// The same for a kernel that reads them.
#[derive(CubeType, CubeLaunch)]
pub(super) struct ListedParts {
    vertices: Input<u32>,
    edges: Input<u32>,
}

/// What each vertex is pushed.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Next {
    words: AtomicArray,
    stamps: AtomicArray,
    touched: Array<u32>,
}

/// The arguments that all kernels of a level share.
pub(super) struct Level<'l> {
    pub gpu: &'l Gpu,
    pub rows: RowsLaunch<GpuRuntime>,
    pub counters: &'l Counters,
    pub slot: u32,
}

impl Pushes {
    /// The words that they take.
    pub fn words(vertices: u64, edges: u64) -> u64 {
        6 * vertices + 2 * Self::most_parts(vertices, edges)
    }

    fn most_parts(vertices: u64, edges: u64) -> u64 {
        vertices + edges / u64::from(PART)
    }

    pub fn new(gpu: &Gpu, vertices: u32, edges: u32) -> Result<Self> {
        let parts = Self::most_parts(vertices.into(), edges.into()) as usize;
        let words = 2 * vertices as usize;
        Ok(Self {
            fresh: gpu.empty(words)?,
            next: gpu.filled(words, 0)?,
            stamps: gpu.filled(vertices as usize, 0)?,
            touched: gpu.empty(vertices as usize)?,
            part_vertices: gpu.empty(parts)?,
            part_edges: gpu.empty(parts)?,
            stamp: Cell::new(0),
        })
    }

    /// The stamp of another level. Stamps ascend until 32 bits are used up, and then start again.
    fn new_stamp(&self, gpu: &Gpu) -> Result<u32> {
        if self.stamp.get() == u32::MAX {
            gpu.fill(&self.stamps, 0)?;
            self.stamp.set(0);
        }
        self.stamp.set(self.stamp.get() + 1);
        Ok(self.stamp.get())
    }

    fn next(&self, gpu: &Gpu) -> NextLaunch<GpuRuntime> {
        let words = AtomicArray::bind(gpu, &self.next);
        NextLaunch::new(words, AtomicArray::bind(gpu, &self.stamps), self.touched.arg())
    }

    fn parts(&self) -> PartsLaunch<GpuRuntime> {
        PartsLaunch::new(self.part_vertices.arg(), self.part_edges.arg())
    }

    /// Reaches the sources.
    pub fn begin(&self, level: &Level, sources: &[u32]) -> Result<()> {
        let (gpu, stamp) = (level.gpu, self.new_stamp(level.gpu)?);
        let from = gpu.upload(sources)?;
        // SAFETY: sources are vertices, which have two words, a stamp and room in the list.
        unsafe {
            begin::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_1d(UNITS),
                from.arg(),
                self.next(gpu),
                level.counters.arg(),
                sources.len() as u32,
                stamp,
            );
        }
        Ok(())
    }

    /// Pushes the bits of the last level along the edges of its vertices.
    pub fn push(&self, level: Level, reached: &Buffer<u32>) -> Result<()> {
        let (gpu, stamp) = (level.gpu, self.new_stamp(level.gpu)?);
        // SAFETY: parts are of rows, whose targets are vertices; these have two words, a stamp and room in the list.
        unsafe {
            push::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                level.rows,
                ListedPartsLaunch::new(self.part_vertices.arg(), self.part_edges.arg()),
                self.fresh.vector_arg(2),
                reached.vector_arg(2),
                self.next(gpu),
                level.counters.arg(),
                level.slot,
                stamp,
            );
        }
        Ok(())
    }

    /// Lets the vertices that were pushed to become those of the level at a distance, 0 for the sources.
    pub fn arrive(&self, level: Level, hops: u32, reached: &Buffer<u32>, sums: &Buffer<u32>) {
        let gpu = level.gpu;
        // SAFETY: listed vertices have words, sums and a row, whose parts have room in their list.
        unsafe {
            arrive::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                concurrent_cubes(gpu),
                CubeDim::new_1d(UNITS),
                level.rows,
                self.touched.arg(),
                self.next.vector_arg(2),
                reached.vector_arg(2),
                self.fresh.vector_arg(2),
                sums.arg(),
                self.parts(),
                level.counters.arg(),
                distance_arg(hops),
                level.slot,
            );
        }
    }

    /// Lists the vertices that the last level reached, from the searches that reached each before and after it.
    pub fn list(&self, level: Level, before: &Buffer<u32>, reached: &Buffer<u32>) {
        let (gpu, vertices) = (level.gpu, self.stamps.len() as u32);
        // SAFETY: as above.
        unsafe {
            list_reached::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                cubes_for(gpu, vertices),
                CubeDim::new_1d(UNITS),
                level.rows,
                before.vector_arg(2),
                reached.vector_arg(2),
                self.fresh.vector_arg(2),
                self.parts(),
                level.counters.arg(),
                level.slot,
                vertices,
            );
        }
    }
}

#[cube(launch_unchecked)]
fn begin(
    sources: &Array<u32>,
    next: &mut Next,
    counters: &mut AtomicArray,
    count: u32,
    stamp: u32,
) {
    if UNIT_POS < count {
        let vertex = sources[UNIT_POS as usize];
        next.words.fetch_or(2 * vertex + UNIT_POS / 32, 1u32 << (UNIT_POS % 32));
        if next.stamps.fetch_max(vertex, stamp) < stamp {
            let position = counters.fetch_add(counter_of(0u32, TOUCHED), 1u32);
            next.touched[position as usize] = vertex;
        }
    }
}

#[cube]
impl Next {
    /// Sets bits of a vertex. Returns 1 if it is to be listed, and otherwise 0.
    fn push(&mut self, vertex: u32, low: u32, high: u32, stamp: u32) -> u32 {
        // Load first: a contended `fetch_or` is expensive.
        if low & !self.words.get(2 * vertex) != 0 {
            self.words.fetch_or(2 * vertex, low);
        }
        if high & !self.words.get(2 * vertex + 1) != 0 {
            self.words.fetch_or(2 * vertex + 1, high);
        }
        let mut is_first = 0u32;
        if self.stamps.get(vertex) < stamp {
            is_first = u32::cast_from(self.stamps.fetch_max(vertex, stamp) < stamp);
        }
        is_first
    }
}

/// A plane follows the edges of a part of a row.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn push(
    rows: &Rows,
    parts: &ListedParts,
    fresh: &Array<Bits>,
    reached: &Array<Bits>,
    next: &mut Next,
    counters: &mut AtomicArray,
    slot: u32,
    stamp: u32,
) {
    let count = counters.get(counter_of(slot - 1, PARTS));
    for part in plane_grid_stride_range(0u32, count) {
        let vertex = parts.vertices[part as usize];
        let begin = parts.edges[part as usize];
        let end = min(begin + PART, rows.offsets[vertex as usize + 1]);
        let searches = fresh[vertex as usize];
        // The same number of iterations for all units of a plane, which reserve room together.
        for first in step_range(begin, end, PLANE_DIM) {
            let edge = first + UNIT_POS_PLANE;
            let mut target = 0u32;
            let mut is_first = 0u32;
            if edge < end {
                target = rows.targets[edge as usize];
                let before = reached[target as usize];
                let low = searches[0] & !before[0];
                let high = searches[1] & !before[1];
                if (low | high) != 0 {
                    is_first = next.push(target, low, high, stamp);
                }
            }
            let position = reserve_together(counters, counter_of(slot, TOUCHED), is_first);
            if is_first == 1 {
                next.touched[position as usize] = target;
            }
        }
    }
}

/// Lists the parts of the row of a vertex of each unit; those of a vertex without new searches have no edges. All units of a
/// plane call it together.
#[cube]
fn list_parts(
    parts: &mut Parts,
    counters: &mut AtomicArray,
    slot: u32,
    vertex: u32,
    begin: u32,
    end: u32,
) {
    let count = (end - begin).div_ceil(PART);
    let position = reserve_together(counters, counter_of(slot, PARTS), count);
    for part in 0..count {
        parts.vertices[(position + part) as usize] = vertex;
        parts.edges[(position + part) as usize] = begin + part * PART;
    }
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn arrive(
    rows: &Rows,
    touched: &Array<u32>,
    next: &mut Array<Bits>,
    reached: &mut Array<Bits>,
    fresh: &mut Array<Bits>,
    sums: &mut Array<u32>,
    parts: &mut Parts,
    counters: &mut AtomicArray,
    distance: Distance,
    slot: u32,
) {
    let mut tally = Tally::new();
    let count = counters.get(counter_of(slot, TOUCHED));
    // The same number of iterations for all units of a cube, which reserve room together.
    for first in step_range(CUBE_POS as u32 * CUBE_DIM, count, CUBE_COUNT as u32 * CUBE_DIM) {
        let index = first + UNIT_POS;
        let mut vertex = 0u32;
        let mut begin = 0u32;
        let mut end = 0u32;
        if index < count {
            vertex = touched[index as usize];
            let new = next[vertex as usize];
            let before = reached[vertex as usize];
            begin = rows.offsets[vertex as usize];
            end = rows.offsets[vertex as usize + 1];
            next[vertex as usize] = Bits::new(0u32);
            fresh[vertex as usize] = new;
            reached[vertex as usize] = bits(before[0] | new[0], before[1] | new[1]);
            let searches = tally.add(vertex, new[0], new[1], end - begin);
            if distance.hops > 0 {
                add_distance(sums, vertex, searches, distance);
            }
        }
        list_parts(parts, counters, slot, vertex, begin, end);
    }
    tally.store(counters, slot);
}

#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn list_reached(
    rows: &Rows,
    before: &Array<Bits>,
    reached: &Array<Bits>,
    fresh: &mut Array<Bits>,
    parts: &mut Parts,
    counters: &mut AtomicArray,
    slot: u32,
    vertices: u32,
) {
    for first in step_range(CUBE_POS as u32 * CUBE_DIM, vertices, CUBE_COUNT as u32 * CUBE_DIM) {
        let vertex = first + UNIT_POS;
        let mut begin = 0u32;
        let mut end = 0u32;
        if vertex < vertices {
            let old = before[vertex as usize];
            let new = reached[vertex as usize];
            let low = new[0] & !old[0];
            let high = new[1] & !old[1];
            if (low | high) != 0 {
                fresh[vertex as usize] = bits(low, high);
                begin = rows.offsets[vertex as usize];
                end = rows.offsets[vertex as usize + 1];
            }
        }
        list_parts(parts, counters, slot, vertex, begin, end);
    }
}
