//! The vertices of a graph in classes by their degrees.

use cubecl::prelude::*;

use crate::engine::DeviceGraph;
use crate::{
    Result,
    device::{Buffer, GpuRuntime},
    primitives,
    ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// The vertices of a graph in classes: those of class `c` have at least `2^c` edges and fewer than `2^(c + 1)`;
/// vertices without edges are in class 0.
///
/// ```
/// use equipoise_schedule::{
///     device::{Device, OpenDevice},
///     engine::{DegreeClasses, DeviceGraph},
/// };
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 3, 3], &[1, 2, 2])?;
/// let classes = DegreeClasses::new(&graph)?;
/// assert_eq!(gpu.download(&classes.of_vertices)?, [1, 0, 0]);
/// assert_eq!(gpu.download(&classes.order)?, [1, 2, 0]);
/// assert_eq!(gpu.download(&classes.starts)?[..3], [0, 2, 3]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct DegreeClasses {
    /// The class of each vertex.
    pub of_vertices: Buffer<u32>,
    /// The vertices in the order of their classes.
    pub order: Buffer<u32>,
    /// Where each of the 32 classes starts in the order, and where the last one ends.
    pub starts: Buffer<u32>,
}

impl DegreeClasses {
    /// The number of classes.
    pub const COUNT: u32 = u32::BITS;

    /// The classes of a graph's vertices.
    pub fn new(graph: &DeviceGraph) -> Result<Self> {
        let (gpu, vertices) = (graph.gpu(), graph.vertices());
        let of_vertices = gpu.empty(vertices as usize)?;
        if vertices > 0 {
            // SAFETY: each vertex has a class and offsets.
            unsafe {
                find_classes::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    gpu.cubes(u64::from(vertices).div_ceil(UNITS.into())),
                    CubeDim::new_1d(UNITS),
                    graph.offsets().arg(),
                    of_vertices.arg(),
                    vertices,
                );
            }
        }
        let sorted = primitives::sort_by_class(gpu, &of_vertices, Self::COUNT)?;
        Ok(Self { of_vertices, order: sorted.order, starts: sorted.offsets })
    }
}

#[cube(launch_unchecked)]
fn find_classes(offsets: &Array<u32>, classes: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        let degree = offsets[vertex as usize + 1] - offsets[vertex as usize];
        classes[vertex as usize] = 31 - (degree | 1).leading_zeros();
    }
}
