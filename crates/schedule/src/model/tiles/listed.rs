//! Listed vertices of a graph: tiles are vertices of a list, atoms their edges.

use cubecl::prelude::*;

use super::{TileSet, TileSetExpand, TileSetKind, Tiles, tiles_between};
use crate::{
    Error, Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
    primitives,
    ranges::grid_stride_range,
};

/// Units per cube of the launch that looks up degrees.
const UNITS: u32 = 256;

/// The vertices of a list with their edges; created from a [`VertexList`].
///
/// The length of the list is read on the device, so that a launch can be enqueued before the host knows it. A work
/// receives the vertex, and the edge in the numbering of the graph.
///
/// ```no_run
/// use equipoise_schedule::{
///     Result,
///     device::{Buffer, Gpu, GpuRuntime},
///     plan::{Plan, ScheduleOptions},
///     tiles::{ListedRows, VertexList},
///     work::Work,
/// };
///
/// /// Runs a work on the edges of the vertices in a list.
/// unsafe fn advance<W: Work>(
///     gpu: &Gpu,
///     list: &VertexList,
///     edges: u32,
///     options: ScheduleOptions,
///     work: impl Fn() -> W::RuntimeArg<GpuRuntime>,
/// ) -> Result<()> {
///     let frontier = list.tiles(edges)?;
///     let plan = Plan::<ListedRows, W>::new(gpu, options, &frontier)?;
///     // SAFETY: it is up to the caller that the work fits the graph.
///     unsafe { plan.run(&frontier, work) };
///     Ok(())
/// }
/// ```
#[derive(CubeType, CubeLaunch)]
pub struct ListedRows {
    /// The vertices.
    pub vertices: Input<u32>,
    /// The number of vertices, in an array of length one.
    pub count: Input<u32>,
    /// The number of edges of all vertices before each one, and the total.
    pub sums: Input<u32>,
    /// Where the edges of each vertex start in the graph, and where the last ones end.
    pub offsets: Input<u32>,
}

impl TileSetKind for ListedRows {
    const ATOM_NEEDS_TILE: bool = true;
}

#[cube]
impl TileSet for ListedRows {
    fn tiles(&self) -> u32 {
        // The count of a list that overflowed exceeds its capacity.
        min(self.count[0], self.sums.len() as u32 - 1)
    }

    fn start(&self, tile: u32) -> u32 {
        self.sums[tile as usize]
    }

    fn tile(&self, tile: u32) -> u32 {
        self.vertices[tile as usize]
    }

    fn atom(&self, tile: u32, atom: u32) -> u32 {
        self.offsets[self.vertices[tile as usize] as usize] + atom - self.sums[tile as usize]
    }
}

/// A list of vertices of a graph on a GPU, with the running sum of their degrees.
///
/// ```no_run
/// use equipoise_schedule::{Result, device::Gpu, tiles::VertexList};
///
/// fn example(gpu: &Gpu) -> Result<()> {
///     // Vertices 2 and 0 of a graph whose vertices have 2, 0 and 3 edges.
///     let offsets = gpu.upload(&[0, 2, 2, 5])?;
///     let frontier = VertexList::upload(gpu, &offsets, &[2, 0])?;
///     assert_eq!(gpu.download(frontier.sums())?, [0, 3, 5]);
///     assert_eq!(frontier.tiles(5)?.tiles(), 2);
///     Ok(())
/// }
/// ```
pub struct VertexList {
    vertices: Buffer<u32>,
    count: Buffer<u32>,
    sums: Buffer<u32>,
    offsets: Buffer<u32>,
}

impl VertexList {
    /// The first `count[0]` vertices of a list on the device, of a graph whose edges start at `offsets`. Reads nothing
    /// back. Vertices beyond those of the graph count as vertices without edges.
    pub fn new(
        gpu: &Gpu,
        offsets: &Buffer<u32>,
        vertices: Buffer<u32>,
        count: Buffer<u32>,
    ) -> Result<Self> {
        let most = vertices.len();
        Self::with_room(gpu, offsets, vertices, count, most)
    }

    /// Like [`new`](Self::new), for a list of at most `most` vertices in a larger buffer: a launch ignores the rest.
    pub fn with_room(
        gpu: &Gpu,
        offsets: &Buffer<u32>,
        vertices: Buffer<u32>,
        count: Buffer<u32>,
        most: usize,
    ) -> Result<Self> {
        let most = most.min(vertices.len());
        if count.is_empty() {
            return Err(Error::Schedule("a list without its count: a buffer of 0 numbers".into()));
        }
        let degrees = gpu.empty(most)?;
        if most > 0 {
            // SAFETY: the kernel accesses `offsets` and `degrees` below their lengths; `vertices` is at least as long
            // as `degrees`, and `count` has an element.
            unsafe {
                look_up_degrees::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    gpu.cubes((most as u64).div_ceil(u64::from(UNITS))),
                    CubeDim::new_1d(UNITS),
                    offsets.arg(),
                    vertices.arg(),
                    count.arg(),
                    degrees.arg(),
                );
            }
        }
        let sums = primitives::offsets(gpu, &degrees)?;
        Ok(Self { vertices, count, sums, offsets: offsets.clone() })
    }

    /// Copies a list of vertices to the device. Fails if the graph does not have one of them.
    pub fn upload(gpu: &Gpu, offsets: &Buffer<u32>, vertices: &[u32]) -> Result<Self> {
        let in_graph = tiles_between(offsets)?;
        if let Some(vertex) = vertices.iter().find(|&&vertex| vertex >= in_graph) {
            return Err(Error::Schedule(format!(
                "a list with vertex {vertex}: the graph has {in_graph} vertices, counted from 0"
            )));
        }
        let count = gpu.upload(&[vertices.len() as u32])?;
        Self::new(gpu, offsets, gpu.upload(vertices)?, count)
    }

    /// The vertices, and beyond [`count`](Self::count) undefined elements.
    pub fn vertices(&self) -> &Buffer<u32> {
        &self.vertices
    }

    /// The number of vertices, in a buffer of length one.
    pub fn count(&self) -> &Buffer<u32> {
        &self.count
    }

    /// The number of edges of all vertices before each one, and the total.
    pub fn sums(&self) -> &Buffer<u32> {
        &self.sums
    }

    /// The list as tiles, with at most `edges` edges: those of the graph suffice if no vertex is listed twice.
    ///
    /// Fails if 32 bits do not count the vertices.
    pub fn tiles(&self, edges: u32) -> Result<Tiles<'_, ListedRows>> {
        let most = tiles_between(&self.sums)?;
        Ok(Tiles::new(most, edges, || {
            ListedRowsLaunch::new(
                self.vertices.arg(),
                self.count.arg(),
                self.sums.arg(),
                self.offsets.arg(),
            )
        }))
    }
}

/// The degree of each vertex of a list; zero beyond its end.
#[cube(launch_unchecked)]
fn look_up_degrees(
    offsets: &Array<u32>,
    vertices: &Array<u32>,
    count: &Array<u32>,
    degrees: &mut Array<u32>,
) {
    let listed = count[0];
    let in_graph = offsets.len() as u32 - 1;
    for index in grid_stride_range(0, degrees.len() as u32) {
        let mut degree = 0u32;
        if index < listed {
            let vertex = vertices[index as usize];
            if vertex < in_graph {
                degree = offsets[(vertex + 1) as usize] - offsets[vertex as usize];
            }
        }
        degrees[index as usize] = degree;
    }
}
