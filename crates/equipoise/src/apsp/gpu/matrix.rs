//! The matrix of path lengths in the memory of a GPU.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, Element, Gpu},
    ranges::*,
};
use rayon::prelude::*;

use super::{
    super::length::Length,
    edges::{DeviceEdges, *},
};
use crate::{Error, Result};

/// Units a cube.
pub(super) const UNITS: u32 = 256;
/// The lengths of rows are multiples of it.
pub(super) const MULTIPLE: u32 = 128;
/// The longest rows that the indices of a matrix fit 32 bits with.
const LONGEST: u32 = (1 << 16) - MULTIPLE;

/// A path length that a GPU computes with: `u32` or `f32`.
pub(crate) trait DeviceLength: Length + Numeric + Element {
    /// Its bits, which order as lengths do.
    fn bits(self) -> u32;
    fn of_bits(bits: u32) -> Self;

    /// What a result says of a length that is computed with.
    fn told(self) -> Self {
        if self < Self::FAR { self } else { Self::UNREACHED }
    }
}

impl DeviceLength for u32 {
    fn bits(self) -> u32 {
        self
    }

    fn of_bits(bits: u32) -> Self {
        bits
    }
}

impl DeviceLength for f32 {
    fn bits(self) -> u32 {
        self.to_bits()
    }

    fn of_bits(bits: u32) -> Self {
        f32::from_bits(bits)
    }
}

/// The matrix: `side` rows of as many lengths, of which the first `vertices` count.
pub(super) struct DeviceLengths<'g, T: DeviceLength, R: Runtime> {
    pub gpu: &'g Gpu<R>,
    pub lengths: Buffer<T>,
    pub vertices: u32,
    pub side: u32,
}

impl<'g, T: DeviceLength, R: Runtime> DeviceLengths<'g, T, R> {
    /// The edges of a graph, and each vertex at distance 0 from itself. `beside` are bytes that the
    /// strategy takes for itself, for rows of that length.
    pub fn upload(gpu: &'g Gpu<R>, graph: &Graph, beside: impl Fn(u64) -> u64) -> Result<Self> {
        let vertices = graph.vertices();
        if vertices > LONGEST {
            return Err(Error::Option(format!(
                "all pairs of {vertices} vertices: a GPU does up to {LONGEST}; use `--device cpu`"
            )));
        }
        let side = vertices.next_multiple_of(MULTIPLE);
        let wide = u64::from(side);
        let what = format!("all pairs of {vertices} vertices");
        let edge_bytes = DeviceEdges::<T>::bytes(graph);
        gpu.require(&what, 4 * wide * wide + edge_bytes + beside(wide))?;
        let lengths = gpu.filled(side as usize * side as usize, T::FAR)?;
        let matrix = Self { gpu, lengths, vertices, side };
        let edges = DeviceEdges::<T>::upload(gpu, graph)?;
        // SAFETY: there is a row and a column for each vertex.
        unsafe {
            put_edges::launch_unchecked::<T, R>(
                gpu.client(),
                matrix.cubes(vertices.div_ceil(UNITS)),
                CubeDim::new_1d(UNITS),
                matrix.lengths.arg(),
                edges.arg(),
                vertices,
                side,
            );
        }
        gpu.finish()?;
        Ok(matrix)
    }

    /// A matrix as small as can be, to compile kernels with.
    pub fn smallest(gpu: &'g Gpu<R>) -> Result<Self> {
        let lengths = gpu.filled((MULTIPLE * MULTIPLE) as usize, T::FAR)?;
        Ok(Self { gpu, lengths, vertices: 1, side: MULTIPLE })
    }

    /// Cubes for so many that would be enough, but not more than are at work at the same time.
    pub fn cubes(&self, enough: u32) -> CubeCount {
        self.gpu.cubes(enough.min(self.gpu.properties().cubes_at_work()).into())
    }

    /// The distances of all pairs, row after row.
    pub fn download(&self) -> Result<Vec<T>> {
        let all = self.gpu.download(&self.lengths)?;
        let (vertices, side) = (self.vertices as usize, self.side as usize);
        Ok(all
            .par_chunks(side.max(1))
            .take(vertices)
            .flat_map_iter(|row| row[..vertices].iter().map(|length| length.told()))
            .collect())
    }
}

/// Puts the lengths of edges into the matrix, of parallel ones the least. A unit takes a row.
#[cube(launch_unchecked)]
fn put_edges<L: Numeric>(lengths: &mut Array<L>, edges: &Edges<L>, vertices: u32, side: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let row = vertex * side;
        for edge in edges.offsets[vertex as usize]..edges.offsets[vertex as usize + 1] {
            let place = (row + edges.targets[edge as usize]) as usize;
            let weight = edges.weights[edge as usize];
            if weight < lengths[place] {
                lengths[place] = weight;
            }
        }
        lengths[(row + vertex) as usize] = L::from_int(0);
    }
}
