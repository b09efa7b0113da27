//! Rows of the matrix of path lengths in the memory of a GPU.

use cubecl::prelude::*;
use equipoise_schedule::{
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};

use super::{
    edges::{DeviceEdges, *},
    length::{DeviceLength, UNITS},
    pieces::{self, Layout},
};
use crate::{NONE, Result, apsp::output::Tables, gpu_graph::GpuGraph};

/// The rows of a strip, and their length, are multiples of this.
pub(super) const MULTIPLE: u32 = 128;
/// The most lengths of a strip: an index plus the stride of a whole launch fits 32 bits.
pub(super) const MOST_LENGTHS: u64 = (1 << 32) - (1 << 25);
/// Bytes that are copied to or from the GPU at a time.
const PIECE: u64 = 64 << 20;

/// Some or all rows of the matrix: `rows` of `side` lengths, of which the first `vertices` count.
pub(super) struct Strip<'g, T: DeviceLength> {
    pub gpu: &'g Gpu,
    pub lengths: Buffer<T>,
    /// The next hops of the same paths, if requested.
    pub hops: Option<Buffer<u32>>,
    pub vertices: u32,
    pub rows: u32,
    pub side: u32,
    /// Rows that are copied at a time.
    piece: u32,
}

/// The bytes of a strip and a piece of it.
pub(super) fn strip_bytes(gpu: &Gpu, vertices: u32, rows: u64, with_hops: bool) -> u64 {
    let side = u64::from(vertices.next_multiple_of(MULTIPLE));
    let table = gpu.held_by(4 * rows.saturating_mul(side));
    let piece = gpu.held_by(4 * piece_rows(vertices, rows) * u64::from(vertices));
    table.saturating_mul(if with_hops { 2 } else { 1 }).saturating_add(piece)
}

/// An eighth of the rows at most, so that pieces take little memory.
fn piece_rows(vertices: u32, rows: u64) -> u64 {
    (PIECE / 4 / u64::from(vertices.max(1))).min(rows / 8).max(1)
}

impl<'g, T: DeviceLength> Strip<'g, T> {
    /// A strip of `rows` rows, to be filled by [`put`](Self::put).
    pub fn new(gpu: &'g Gpu, vertices: u32, rows: u32, with_hops: bool) -> Result<Self> {
        let side = vertices.next_multiple_of(MULTIPLE);
        let count = rows as usize * side as usize;
        let hops = with_hops.then(|| gpu.filled(count, NONE)).transpose()?;
        let lengths = gpu.filled(count, T::FAR)?;
        let piece = piece_rows(vertices, rows.into()) as u32;
        Ok(Self { gpu, lengths, hops, vertices, rows, side, piece })
    }

    /// All rows: the lengths of a graph's edges, and 0 from each vertex to itself.
    pub fn from_graph(graph: &'g GpuGraph, with_hops: bool) -> Result<Self> {
        let (gpu, vertices) = (&graph.gpu, graph.vertices());
        let edges = DeviceEdges::<T>::leaving(graph)?;
        let matrix = Self::new(gpu, vertices, vertices.next_multiple_of(MULTIPLE), with_hops)?;
        let cubes = || matrix.cubes(vertices.div_ceil(UNITS));
        // SAFETY: each vertex has a row and a column.
        unsafe {
            put_edges::launch_unchecked::<T, GpuRuntime>(
                gpu.client(),
                cubes(),
                CubeDim::new_1d(UNITS),
                matrix.lengths.arg(),
                edges.arg(),
                vertices,
                matrix.side,
            );
            if let Some(hops) = &matrix.hops {
                put_hops::launch_unchecked::<T, GpuRuntime>(
                    gpu.client(),
                    cubes(),
                    CubeDim::new_1d(UNITS),
                    hops.arg(),
                    edges.arg(),
                    vertices,
                    matrix.side,
                );
            }
        }
        gpu.finish()?;
        Ok(matrix)
    }

    /// `count` cubes, but no more than run at the same time.
    pub fn cubes(&self, count: u32) -> CubeCount {
        self.gpu.cubes(count.min(self.gpu.properties().cubes_at_work()).into())
    }

    /// Fills the strip with rows of the host, beginning with the column of `first`.
    pub fn put(&self, tables: &Tables<T>, rows: std::ops::Range<usize>, first: u32) -> Result<()> {
        let (layout, width) = (self.layout(first), self.vertices as usize);
        if rows.len() < self.rows as usize {
            self.gpu.fill(&self.lengths, T::FAR)?;
        }
        let numbers = rows.start * width..rows.end * width;
        let lengths = &tables.lengths[numbers.clone()];
        pieces::put(self.gpu, &self.lengths, lengths, layout, T::FAR)?;
        match (&self.hops, &tables.hops) {
            (Some(hops), Some(all)) => pieces::put(self.gpu, hops, &all[numbers], layout, NONE),
            _ => Ok(()),
        }
    }

    /// Copies rows back to the host, with each length changed by `convert`.
    pub fn take(
        &self,
        tables: &mut Tables<T>,
        rows: std::ops::Range<usize>,
        first: u32,
        convert: impl Fn(T) -> T + Sync,
    ) -> Result<()> {
        let (layout, width) = (self.layout(first), self.vertices as usize);
        let numbers = rows.start * width..rows.end * width;
        let lengths = &mut tables.lengths[numbers.clone()];
        pieces::take(self.gpu, &self.lengths, lengths, layout, convert)?;
        match (&self.hops, &mut tables.hops) {
            (Some(hops), Some(all)) => {
                pieces::take(self.gpu, hops, &mut all[numbers], layout, |hop| hop)
            }
            _ => Ok(()),
        }
    }

    fn layout(&self, first: u32) -> Layout {
        Layout { vertices: self.vertices, side: self.side, first, piece: self.piece }
    }
}

/// Puts the lengths of edges into the matrix, the least of parallel edges. One unit per row.
#[cube(launch_unchecked)]
fn put_edges<L: Numeric>(lengths: &mut Array<L>, edges: &Edges<L>, vertices: u32, side: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let row = vertex * side;
        for edge in edges.offsets[vertex as usize]..edges.offsets[vertex as usize + 1] {
            let index = (row + edges.targets[edge as usize]) as usize;
            let weight = edges.weights[edge as usize];
            if weight < lengths[index] {
                lengths[index] = weight;
            }
        }
        lengths[(row + vertex) as usize] = L::from_int(0);
    }
}

/// Puts the ends of edges as next hops; a vertex has none to itself. One unit per row.
#[cube(launch_unchecked)]
fn put_hops<L: Numeric>(hops: &mut Array<u32>, edges: &Edges<L>, vertices: u32, side: u32) {
    for vertex in grid_stride_range(0, vertices) {
        for edge in edges.offsets[vertex as usize]..edges.offsets[vertex as usize + 1] {
            let target = edges.targets[edge as usize];
            if target != vertex {
                hops[(vertex * side + target) as usize] = target;
            }
        }
    }
}
