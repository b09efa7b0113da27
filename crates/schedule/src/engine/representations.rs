//! A frontier as a bitmap, and as parts of vertices.

use cubecl::prelude::*;

use super::{DeviceGraph, Frontier, pull_level::WORD, worklists::PART};
use crate::{
    Error, Result,
    device::{Buffer, GpuRuntime},
    ranges::grid_stride_range,
};

const UNITS: u32 = 256;

/// The edges of a frontier in parts of at most 256 edges of one vertex, so that equal numbers of parts are about equal
/// work. A vertex without edges has one empty part.
///
/// ```
/// use equipoise_schedule::{
///     device::{Device, OpenDevice},
///     engine::{DeviceGraph, Frontier},
/// };
///
/// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
/// // A vertex with 300 edges, and one without.
/// let graph = DeviceGraph::from_rows(&gpu, &[0, 300, 300], &[1; 300])?;
/// let parts = Frontier::all(&graph)?.parts()?;
/// assert_eq!(parts.len(), 3);
/// let mut lengths = gpu.download(&parts.lengths)?;
/// lengths.sort();
/// assert_eq!(lengths, [0, 44, 256]);
/// assert_eq!(Frontier::from_parts(&graph, &parts)?.len(), 2);
/// # Ok::<(), equipoise_schedule::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct FrontierParts {
    /// The vertex of each part.
    pub vertices: Buffer<u32>,
    /// The first edge of each part.
    pub begins: Buffer<u32>,
    /// The number of edges of each part.
    pub lengths: Buffer<u32>,
}

impl FrontierParts {
    /// The number of parts.
    pub fn len(&self) -> usize {
        self.vertices.len()
    }

    /// Whether it has no parts.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<'g> Frontier<'g> {
    /// The frontier as a bitmap: bit `v % 32` of word `v / 32` is 1 for its vertices `v`.
    ///
    /// ```
    /// use equipoise_schedule::{
    ///     device::{Device, OpenDevice},
    ///     engine::{DeviceGraph, Frontier},
    /// };
    ///
    /// let OpenDevice::Gpu(gpu) = Device::Auto.open()? else { return Ok(()) };
    /// let graph = DeviceGraph::from_rows(&gpu, &[0; 41], &[])?;
    /// let bitmap = Frontier::from_vertices(&graph, &[0, 2, 33])?.bitmap()?;
    /// assert_eq!(gpu.download(&bitmap)?, [0b101, 0b10]);
    /// assert_eq!(Frontier::from_bitmap(&graph, &bitmap)?.vertices()?, [0, 2, 33]);
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn bitmap(&self) -> Result<Buffer<u32>> {
        let graph = self.graph();
        let bitmap = graph.gpu().filled(words(graph), 0)?;
        if !self.is_empty() {
            // SAFETY: the list has `len` vertices, each of which has a bit.
            unsafe {
                set_bits::launch_unchecked::<GpuRuntime>(
                    graph.gpu().client(),
                    cubes(graph, self.len()),
                    CubeDim::new_1d(UNITS),
                    self.list.arg(),
                    bitmap.arg(),
                    self.len(),
                );
            }
        }
        Ok(bitmap)
    }

    /// The vertices whose bit is set, ascending. Bits beyond the last vertex are ignored.
    ///
    /// Fails unless `bitmap` has one word per 32 vertices.
    pub fn from_bitmap(graph: &'g DeviceGraph, bitmap: &Buffer<u32>) -> Result<Self> {
        if bitmap.len() != words(graph) {
            return Err(Error::Schedule(format!(
                "a bitmap of {} words for a graph of {} vertices: {} are needed",
                bitmap.len(),
                graph.vertices(),
                words(graph)
            )));
        }
        let flags = graph.gpu().filled(graph.vertices() as usize, 0u32)?;
        if graph.vertices() > 0 {
            // SAFETY: each vertex has a bit and a flag.
            unsafe {
                read_bits::launch_unchecked::<GpuRuntime>(
                    graph.gpu().client(),
                    cubes(graph, graph.vertices()),
                    CubeDim::new_1d(UNITS),
                    bitmap.arg(),
                    flags.arg(),
                    graph.vertices(),
                );
            }
        }
        Self::from_flags(graph, &flags)
    }

    /// The frontier as parts of its vertices. The host waits for their number.
    pub fn parts(&self) -> Result<FrontierParts> {
        let graph = self.graph();
        let gpu = graph.gpu();
        let count = gpu.filled(1, 0u32)?;
        let launch = |parts: &FrontierParts, writes: bool| {
            // SAFETY: the list has `len` vertices of the graph. Parts are written only where the counted number of them
            // is allocated.
            unsafe {
                list_parts::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    cubes(graph, self.len()),
                    CubeDim::new_1d(UNITS),
                    graph.offsets().arg(),
                    self.list.arg(),
                    count.arg(),
                    PartArraysLaunch::new(
                        parts.vertices.arg(),
                        parts.begins.arg(),
                        parts.lengths.arg(),
                    ),
                    self.len(),
                    writes,
                );
            }
        };
        let room = |parts: usize| -> Result<FrontierParts> {
            let (vertices, begins) = (gpu.empty(parts)?, gpu.empty(parts)?);
            Ok(FrontierParts { vertices, begins, lengths: gpu.empty(parts)? })
        };
        if self.is_empty() {
            return room(0);
        }
        launch(&room(1)?, false);
        let parts = room(gpu.download(&count)?.iter().sum::<u32>() as usize)?;
        gpu.fill(&count, 0)?;
        launch(&parts, true);
        Ok(parts)
    }

    /// The vertices of parts, ascending. Fails if one is not a vertex of the graph.
    pub fn from_parts(graph: &'g DeviceGraph, parts: &FrontierParts) -> Result<Self> {
        let gpu = graph.gpu();
        let flags = gpu.filled(graph.vertices() as usize, 0u32)?;
        let others = gpu.filled(1, 0u32)?;
        if !parts.is_empty() {
            // SAFETY: each vertex has a flag, and all others share one.
            unsafe {
                flag_vertices::launch_unchecked::<GpuRuntime>(
                    gpu.client(),
                    cubes(graph, parts.len() as u32),
                    CubeDim::new_1d(UNITS),
                    parts.vertices.arg(),
                    flags.arg(),
                    others.arg(),
                    parts.len() as u32,
                    graph.vertices(),
                );
            }
        }
        match gpu.download(&others)?[..] {
            [0] => Self::from_flags(graph, &flags),
            _ => Err(Error::Schedule(format!(
                "parts of a vertex that the graph of {} vertices does not have",
                graph.vertices()
            ))),
        }
    }
}

fn words(graph: &DeviceGraph) -> usize {
    graph.vertices().div_ceil(WORD) as usize
}

fn cubes(graph: &DeviceGraph, units: u32) -> CubeCount {
    graph.gpu().cubes(u64::from(units).div_ceil(UNITS.into()))
}

#[cube(launch_unchecked)]
fn set_bits(list: &Array<u32>, bitmap: &mut Array<Atomic<u32>>, len: u32) {
    for index in grid_stride_range(0, len) {
        let vertex = list[index as usize];
        bitmap[(vertex / WORD) as usize].fetch_or(1u32 << (vertex % WORD));
    }
}

#[cube(launch_unchecked)]
fn read_bits(bitmap: &Array<u32>, flags: &mut Array<u32>, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        flags[vertex as usize] = (bitmap[(vertex / WORD) as usize] >> (vertex % WORD)) & 1u32;
    }
}

#[derive(CubeType, CubeLaunch)]
struct PartArrays {
    vertices: Array<u32>,
    begins: Array<u32>,
    lengths: Array<u32>,
}

/// Counts the parts of listed vertices, and `writes` them. One unit per vertex.
#[cube(launch_unchecked)]
fn list_parts(
    offsets: &Array<u32>,
    list: &Array<u32>,
    count: &mut Array<Atomic<u32>>,
    parts: &mut PartArrays,
    len: u32,
    #[comptime] writes: bool,
) {
    for index in grid_stride_range(0, len) {
        let vertex = list[index as usize];
        let begin = offsets[vertex as usize];
        let degree = offsets[vertex as usize + 1] - begin;
        let own = max(degree.div_ceil(PART), 1u32);
        let start = count[0].fetch_add(own);
        if comptime!(writes) {
            for part in 0..own {
                let slot = (start + part) as usize;
                parts.vertices[slot] = vertex;
                parts.begins[slot] = begin + part * PART;
                parts.lengths[slot] = min(degree - part * PART, PART.runtime());
            }
        }
    }
}

/// Flags the vertices of a list, and whether it contains other numbers.
#[cube(launch_unchecked)]
fn flag_vertices(
    list: &Array<u32>,
    flags: &mut Array<u32>,
    others: &mut Array<u32>,
    len: u32,
    vertices: u32,
) {
    for index in grid_stride_range(0, len) {
        let vertex = list[index as usize];
        if vertex < vertices {
            flags[vertex as usize] = 1u32;
        } else {
            others[0] = 1u32;
        }
    }
}
