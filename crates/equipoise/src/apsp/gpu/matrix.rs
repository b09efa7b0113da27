//! The matrix of path lengths in the memory of a GPU.

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    device::{Buffer, Element, Gpu},
    ranges::*,
};
use rayon::prelude::*;

use super::super::length::Length;
use crate::{Error, Result};

/// Units a cube.
pub(super) const UNITS: u32 = 256;
/// The lengths of rows are multiples of it.
pub(super) const MULTIPLE: u32 = 128;
/// The longest rows that the indices of a matrix fit 32 bits with.
const LONGEST: u32 = (1 << 16) - MULTIPLE;

/// A path length that a GPU computes with: `u32` or `f32`.
pub(crate) trait DeviceLength: Length + Numeric + Element {}

impl DeviceLength for u32 {}
impl DeviceLength for f32 {}

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
    pub fn upload(
        gpu: &'g Gpu<R>,
        graph: &Graph,
        weight: impl Fn(usize) -> T + Sync,
        beside: impl Fn(u64) -> u64,
    ) -> Result<Self> {
        let vertices = graph.vertices();
        if vertices > LONGEST {
            return Err(Error::Option(format!(
                "all pairs of {vertices} vertices: a GPU does up to {LONGEST}; use `--device cpu`"
            )));
        }
        let side = vertices.next_multiple_of(MULTIPLE);
        let wide = u64::from(side);
        let edges = 4 * (u64::from(vertices) + 1 + 2 * graph.edges());
        let what = format!("all pairs of {vertices} vertices");
        gpu.require(&what, 4 * wide * wide + edges + beside(wide))?;
        let lengths = gpu.filled(side as usize * side as usize, T::FAR)?;
        let offsets: Vec<u32> = graph.csr().offsets().iter().map(|&offset| offset as u32).collect();
        let weights: Vec<T> = (0..graph.edges() as usize).into_par_iter().map(&weight).collect();
        let matrix = Self { gpu, lengths, vertices, side };
        let (offsets, targets) = (gpu.upload(&offsets)?, gpu.upload(graph.csr().indices())?);
        let weights = gpu.upload(&weights)?;
        // SAFETY: there is an offset for each vertex and one more, a target and a weight for each
        // edge, and a row and a column for each vertex.
        unsafe {
            put_edges::launch_unchecked::<T, R>(
                gpu.client(),
                matrix.cubes(vertices.div_ceil(UNITS)),
                CubeDim::new_1d(UNITS),
                matrix.lengths.arg(),
                offsets.arg(),
                targets.arg(),
                weights.arg(),
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
        let told = |&length: &T| if length < T::FAR { length } else { T::UNREACHED };
        Ok(all
            .par_chunks(side.max(1))
            .take(vertices)
            .flat_map_iter(|row| row[..vertices].iter().map(told))
            .collect())
    }
}

/// Puts the lengths of edges into the matrix, of parallel ones the least. A unit takes a row.
#[cube(launch_unchecked)]
fn put_edges<L: Numeric>(
    lengths: &mut Array<L>,
    offsets: &Array<u32>,
    targets: &Array<u32>,
    weights: &Array<L>,
    vertices: u32,
    side: u32,
) {
    for vertex in grid_stride_range(0, vertices) {
        let row = vertex * side;
        for edge in offsets[vertex as usize]..offsets[vertex as usize + 1] {
            let place = (row + targets[edge as usize]) as usize;
            let weight = weights[edge as usize];
            if weight < lengths[place] {
                lengths[place] = weight;
            }
        }
        lengths[(row + vertex) as usize] = L::from_int(0);
    }
}
