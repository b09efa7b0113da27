//! Frontiers: the vertices of an iteration.

use cubecl::prelude::*;

use super::DeviceGraph;
use crate::{
    Error, Result,
    device::{Buffer, GpuRuntime},
    input::Input,
    primitives,
    ranges::grid_stride_range,
    tiles::VertexList,
};

const UNITS: u32 = 256;

/// A worklist: distinct vertices of a graph on its device, and their number.
///
/// ```
/// use equipoise_schedule::{
///     device::{Device, OpenDevice},
///     engine::{DeviceGraph, Frontier},
/// };
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 2, 2, 3], &[1, 2, 0])?;
/// let frontier = Frontier::from_vertices(&graph, &[2, 0])?;
/// assert_eq!((frontier.len(), frontier.edges()), (2, 3));
/// assert_eq!(frontier.vertices()?, [2, 0]);
/// assert_eq!(gpu.download(&frontier.flags()?)?, [1, 0, 1]);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Frontier<'g> {
    pub(super) graph: &'g DeviceGraph,
    pub(super) list: Buffer<u32>,
    /// The number of its vertices, and of the edges that leave them.
    pub(super) counts: Buffer<u32>,
    len: u32,
    edges: u32,
}

impl<'g> Frontier<'g> {
    /// These vertices. Fails if the graph does not have one of them, or one is listed twice.
    pub fn from_vertices(graph: &'g DeviceGraph, vertices: &[u32]) -> Result<Self> {
        let mut sorted = vertices.to_vec();
        sorted.sort_unstable();
        if let Some(vertex) = sorted.last().filter(|&&vertex| vertex >= graph.vertices()) {
            let problem = format!(
                "a frontier with vertex {vertex}: the graph has {} vertices, counted from 0",
                graph.vertices()
            );
            return Err(Error::Schedule(problem));
        }
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = format!("a frontier in which vertex {} is twice", twice[0]);
            return Err(Error::Schedule(problem));
        }
        let len = graph.gpu().upload(&[vertices.len() as u32])?;
        Self::counted(graph, graph.gpu().upload(vertices)?, &len)
    }

    /// All vertices of a graph.
    pub fn all(graph: &'g DeviceGraph) -> Result<Self> {
        let (gpu, len, edges) = (graph.gpu(), graph.vertices(), graph.edges());
        let (list, counts) = (gpu.empty(len as usize)?, gpu.upload(&[len, edges])?);
        if len > 0 {
            let enough = len.div_ceil(UNITS).min(gpu.properties().cubes_at_work());
            // SAFETY: the list has an element per vertex.
            unsafe {
                list_all::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    gpu.cubes(enough.into()),
                    CubeDim::new_1d(UNITS),
                    list.arg(),
                    len,
                );
            }
        }
        Ok(Self::known(graph, list, counts, len, edges))
    }

    /// The vertices whose flag is not zero. Fails unless `flags` has one element per vertex.
    pub fn from_flags(graph: &'g DeviceGraph, flags: &Buffer<u32>) -> Result<Self> {
        if flags.len() != graph.vertices() as usize {
            return Err(Error::Schedule(format!(
                "{} flags for a graph of {} vertices",
                flags.len(),
                graph.vertices()
            )));
        }
        let flagged = primitives::compact(graph.gpu(), flags)?;
        Self::counted(graph, flagged.indices, &flagged.count)
    }

    /// The first `len` vertices of a list, with their edges counted.
    fn counted(graph: &'g DeviceGraph, list: Buffer<u32>, len: &Buffer<u32>) -> Result<Self> {
        let gpu = graph.gpu();
        let counts = gpu.filled(2, 0)?;
        let enough = (list.len() as u32).div_ceil(UNITS).min(gpu.properties().cubes_at_work());
        // SAFETY: the list has at least `len` vertices, all of the graph, and `counts` has two elements.
        unsafe {
            count_edges::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(enough.into()),
                CubeDim::new_1d(UNITS),
                graph.offsets().arg(),
                list.arg(),
                len.arg(),
                counts.arg(),
            );
        }
        Self::read(graph, list, counts)
    }

    /// A frontier of this size, on a device that runs nothing.
    #[cfg(feature = "lower")]
    #[doc(hidden)]
    pub fn assumed(graph: &'g DeviceGraph, len: u32, edges: u32) -> Result<Self> {
        let (list, counts) = (graph.gpu().empty(len as usize)?, graph.gpu().upload(&[len, edges])?);
        Ok(Self::known(graph, list, counts, len, edges))
    }

    /// A list of known size, with its counts.
    pub(super) fn known(
        graph: &'g DeviceGraph,
        list: Buffer<u32>,
        counts: Buffer<u32>,
        len: u32,
        edges: u32,
    ) -> Self {
        Self { graph, list, counts, len, edges }
    }

    /// A list that an operator made, with its counts, for which the host waits.
    pub(super) fn read(
        graph: &'g DeviceGraph,
        list: Buffer<u32>,
        counts: Buffer<u32>,
    ) -> Result<Self> {
        let read = graph.gpu().download(&counts)?;
        Ok(Self::known(graph, list, counts, read[0], read[1]))
    }

    /// Its vertices as tiles of the model, with their edges as atoms.
    pub(super) fn as_rows(&self) -> Result<VertexList> {
        let (list, counts) = (self.list.clone(), self.counts.clone());
        let graph = self.graph;
        VertexList::with_room(graph.gpu(), graph.offsets(), list, counts, self.len as usize)
    }

    /// The graph of the vertices.
    pub fn graph(&self) -> &'g DeviceGraph {
        self.graph
    }

    /// The number of vertices.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of edges that leave its vertices.
    pub fn edges(&self) -> u32 {
        self.edges
    }

    /// Its vertices, in no particular order.
    pub fn vertices(&self) -> Result<Vec<u32>> {
        self.graph.gpu().download_first(&self.list, self.len as usize)
    }

    /// One flag per vertex of the graph: 1 for those of the frontier, 0 for others.
    pub fn flags(&self) -> Result<Buffer<u32>> {
        let gpu = self.graph.gpu();
        let flags = gpu.filled(self.graph.vertices() as usize, 0)?;
        // SAFETY: the list has at least `len` vertices, and each has a flag.
        unsafe {
            set_flags::launch_unchecked::<GpuRuntime>(
                gpu.client(),
                gpu.cubes(u64::from(self.len).div_ceil(UNITS.into())),
                CubeDim::new_1d(UNITS),
                self.list.arg(),
                flags.arg(),
                self.len,
            );
        }
        Ok(flags)
    }
}

/// Counts listed vertices, and adds up their degrees.
#[cube(launch_unchecked)]
fn list_all(list: &mut Array<u32>, len: u32) {
    for vertex in grid_stride_range(0, len) {
        list[vertex as usize] = vertex;
    }
}

#[cube(launch_unchecked)]
fn count_edges(
    offsets: &Array<u32>,
    list: &Array<u32>,
    len: &Array<u32>,
    counts: &mut Array<Atomic<u32>>,
) {
    let mut edges = 0u32;
    for index in grid_stride_range(0, len[0]) {
        let vertex = list[index as usize] as usize;
        edges += offsets[vertex + 1] - offsets[vertex];
    }
    let all = plane_sum(edges);
    if UNIT_POS_PLANE == 0 && all > 0 {
        counts[1].fetch_add(all);
    }
    if ABSOLUTE_POS == 0 {
        counts[0].store(len[0]);
    }
}

#[cube(launch_unchecked)]
fn set_flags(list: &Array<u32>, flags: &mut Array<u32>, len: u32) {
    for index in grid_stride_range(0, len) {
        let vertex = list[index as usize];
        flags[vertex as usize] = 1u32;
    }
}

/// A frontier under construction: each vertex is listed once per iteration.
#[derive(CubeType, CubeLaunch)]
pub(super) struct NextFrontier {
    list: Array<u32>,
    /// The number of listed vertices, and of the edges that leave them.
    counts: Array<Atomic<u32>>,
    /// For each vertex, the last iteration that listed it.
    marks: Array<Atomic<u32>>,
    offsets: Input<u32>,
}

#[cube]
impl NextFrontier {
    /// Lists a vertex unless it is listed.
    pub fn add(&mut self, vertex: u32, iteration: u32) {
        if self.marks[vertex as usize].fetch_max(iteration) < iteration {
            let degree = self.offsets[vertex as usize + 1] - self.offsets[vertex as usize];
            let index = self.counts[0].fetch_add(1u32);
            self.counts[1].fetch_add(degree);
            self.list[index as usize] = vertex;
        }
    }
}

/// The buffers of a frontier under construction.
pub(super) struct NextBuffers<'g> {
    graph: &'g DeviceGraph,
    pub list: Buffer<u32>,
    pub counts: Buffer<u32>,
}

impl<'g> NextBuffers<'g> {
    pub fn new(graph: &'g DeviceGraph) -> Result<Self> {
        let gpu = graph.gpu();
        let list = gpu.empty(graph.vertices() as usize)?;
        Ok(Self { graph, list, counts: gpu.filled(2, 0)? })
    }

    pub fn arg(&self, marks: &Buffer<u32>) -> NextFrontierLaunch<GpuRuntime> {
        NextFrontierLaunch::new(
            self.list.arg(),
            self.counts.arg(),
            marks.arg(),
            self.graph.offsets().arg(),
        )
    }

    pub fn read(self) -> Result<Frontier<'g>> {
        Frontier::read(self.graph, self.list, self.counts)
    }
}
