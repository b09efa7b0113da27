//! A graph in the memory of a GPU.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use equipoise_graph::{Csr, Graph, MAX_ON_DEVICE};

use super::{
    LoopMode,
    rows::{DeviceRows, RowsLaunch},
};
use crate::{
    Error, Result,
    device::{Buffer, Gpu, GpuRuntime},
};

/// A graph in the memory of a GPU: the edges that leave each vertex, and on demand the edges that enter it.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder};
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::DeviceGraph};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
///     let device_graph = DeviceGraph::upload(&gpu, &graph)?;
///     assert_eq!((device_graph.vertices(), device_graph.edges()), (3, 2));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct DeviceGraph {
    gpu: Gpu,
    leaving: DeviceRows,
    /// The edges that enter each vertex, of a directed graph.
    entering: OnceLock<DeviceRows>,
    is_symmetric: bool,
    /// The last iteration that put each vertex into a frontier.
    marks: OnceLock<Buffer<u32>>,
    /// The iterations of all loops so far.
    iterations: AtomicU32,
    /// Set once the cubes of a launch proved not to be co-resident.
    cannot_wait: AtomicBool,
    mode: Option<LoopMode>,
}

impl DeviceGraph {
    /// Copies a graph to a GPU.
    ///
    /// Fails where it is not sound, where 32 bits do not number its vertices and edges, or where memory does not suffice.
    pub fn upload(gpu: &Gpu, graph: &Graph) -> Result<Self> {
        graph.check().map_err(|error| Error::Schedule(error.to_string()))?;
        check_size(graph.vertices().into(), graph.edges())?;
        Ok(Self::new(gpu, DeviceRows::upload(gpu, graph.csr())?, graph.is_undirected()))
    }

    /// Copies a graph in compressed rows to a GPU: the first edge of each vertex and the number of edges, and the target of
    /// each edge.
    ///
    /// Fails where they contradict each other, or where memory does not suffice.
    pub fn from_rows(gpu: &Gpu, offsets: &[u32], targets: &[u32]) -> Result<Self> {
        check_rows(offsets, targets)?;
        let rows = DeviceRows { offsets: gpu.upload(offsets)?, targets: gpu.upload(targets)? };
        Ok(Self::new(gpu, rows, false))
    }

    /// Copies the neighbours of vertices to a GPU: symmetric rows.
    ///
    /// Fails where the numbers of rows and columns differ, where 32 bits do not number vertices and edges, or where memory
    /// does not suffice.
    ///
    /// # Safety
    ///
    /// The rows are sound, like those of [`Csr::new`] and of a [checked](Graph::check) graph.
    pub unsafe fn from_neighbors(gpu: &Gpu, neighbors: &Csr) -> Result<Self> {
        let (rows, columns) = (neighbors.rows(), neighbors.columns());
        if rows != columns {
            let problem = format!("not neighbours: {rows} rows with {columns} columns");
            return Err(Error::Schedule(problem));
        }
        check_size(rows.into(), neighbors.entries())?;
        Ok(Self::new(gpu, DeviceRows::upload(gpu, neighbors)?, true))
    }

    /// A symmetric graph from neighbours that are on the GPU already.
    ///
    /// Fails where 32 bits do not number vertices and edges.
    ///
    /// # Safety
    ///
    /// Offsets start at 0, do not fall and end at the number of targets, which are vertices; each edge has a reverse one.
    ///
    /// ```
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::{DeviceGraph, DeviceRows}};
    ///
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let rows = DeviceRows { offsets: gpu.upload(&[0, 1, 2])?, targets: gpu.upload(&[1, 0])? };
    ///     // SAFETY: an edge both ways.
    ///     let graph = unsafe { DeviceGraph::from_device_rows(&gpu, rows) }?;
    ///     assert_eq!((graph.vertices(), graph.edges()), (2, 2));
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub unsafe fn from_device_rows(gpu: &Gpu, rows: DeviceRows) -> Result<Self> {
        check_size(rows.offsets.len() as u64 - 1, rows.targets.len() as u64)?;
        Ok(Self::new(gpu, rows, true))
    }

    fn new(gpu: &Gpu, leaving: DeviceRows, is_symmetric: bool) -> Self {
        Self {
            gpu: gpu.clone(),
            leaving,
            entering: OnceLock::new(),
            is_symmetric,
            marks: OnceLock::new(),
            iterations: AtomicU32::new(0),
            cannot_wait: AtomicBool::new(false),
            mode: None,
        }
    }

    /// Sets the mode of its loops, which otherwise depends on the loop and the device.
    ///
    /// ```
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::{DeviceGraph, LoopMode}};
    ///
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 1], &[1])?.in_mode(LoopMode::Launches);
    ///     assert_eq!(graph.vertices(), 2);
    /// }
    /// # Ok::<(), equipoise_schedule::Error>(())
    /// ```
    pub fn in_mode(mut self, mode: LoopMode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// The mode of its loops, if it was set.
    pub(super) fn mode(&self) -> Option<LoopMode> {
        self.mode
    }

    /// Copies the edges that enter each vertex, once; for an undirected graph does nothing. `transpose` is the graph with
    /// each edge reversed.
    ///
    /// Fails where the numbers of vertices or edges differ, or where memory does not suffice.
    pub fn upload_entering(&self, transpose: &Graph) -> Result<&DeviceRows> {
        if !self.is_symmetric && self.entering.get().is_none() {
            let (vertices, edges) = (transpose.vertices(), transpose.edges());
            if (vertices, edges) != (self.vertices(), self.edges().into()) {
                return Err(Error::Schedule(format!(
                    "a transpose of {vertices} vertices and {edges} edges, of a graph that has {} \
                     and {}",
                    self.vertices(),
                    self.edges()
                )));
            }
            let rows = DeviceRows::upload(&self.gpu, transpose.csr())?;
            self.entering.get_or_init(|| rows);
        }
        self.entering()
    }

    /// The graph with each edge reversed, in the same memory.
    ///
    /// Fails where the edges that enter the vertices of a directed graph were not [copied](Self::upload_entering).
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder};
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::DeviceGraph};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2)]))?;
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let device_graph = DeviceGraph::upload(&gpu, &graph)?;
    ///     device_graph.upload_entering(graph.transpose()?)?;
    ///     assert_eq!(gpu.download(device_graph.reversed()?.offsets())?, [0, 0, 1, 2]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reversed(&self) -> Result<Self> {
        let reversed = Self::new(&self.gpu, self.entering()?.clone(), self.is_symmetric);
        let reversed = Self { mode: self.mode, ..reversed };
        reversed.entering.get_or_init(|| self.leaving.clone());
        Ok(reversed)
    }

    /// The edges that leave each vertex.
    pub fn leaving(&self) -> &DeviceRows {
        &self.leaving
    }

    /// The edges that enter each vertex.
    ///
    /// Fails where those of a directed graph were not [copied](Self::upload_entering).
    pub fn entering(&self) -> Result<&DeviceRows> {
        if self.is_symmetric {
            return Ok(&self.leaving);
        }
        self.entering.get().ok_or_else(|| {
            Error::Schedule("the edges that enter vertices were not copied to the device".into())
        })
    }

    /// Whether each edge has a reverse edge, as in an undirected graph.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// The kernel argument of the edges that leave each vertex.
    pub fn rows(&self) -> RowsLaunch<GpuRuntime> {
        self.leaving.arg()
    }

    /// Whether the cubes of a launch may wait for each other: true until proved otherwise.
    pub(super) fn cubes_can_wait(&self) -> bool {
        !self.cannot_wait.load(Ordering::Relaxed)
    }

    /// Records that the cubes of a launch cannot wait for each other.
    pub(super) fn cubes_cannot_wait(&self) {
        self.cannot_wait.store(true, Ordering::Relaxed);
    }

    /// Fails where a vertex is not one of the graph.
    pub(super) fn check_vertex(&self, vertex: u32) -> Result<()> {
        if vertex < self.vertices() {
            return Ok(());
        }
        Err(Error::Schedule(format!(
            "vertex {vertex}: the graph has {} vertices, counted from 0",
            self.vertices()
        )))
    }

    /// The GPU.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// The number of vertices.
    pub fn vertices(&self) -> u32 {
        self.leaving.offsets.len() as u32 - 1
    }

    /// The number of edges.
    pub fn edges(&self) -> u32 {
        self.leaving.edges()
    }

    /// The first edge of each vertex, and the number of edges.
    pub fn offsets(&self) -> &Buffer<u32> {
        &self.leaving.offsets
    }

    /// The target of each edge.
    pub fn targets(&self) -> &Buffer<u32> {
        &self.leaving.targets
    }

    /// The last iteration that put each vertex into a frontier, and the first of `count` iteration numbers that no other loop
    /// uses.
    pub(super) fn marks(&self, count: u32) -> Result<(&Buffer<u32>, u32)> {
        if self.marks.get().is_none() {
            let marks = self.gpu.filled(self.vertices() as usize, 0)?;
            self.marks.get_or_init(|| marks);
        }
        let Some(marks) = self.marks.get() else { unreachable!("allocated above") };
        let first = self.iterations.fetch_add(count, Ordering::Relaxed);
        match first.checked_add(count) {
            Some(_) => Ok((marks, first + 1)),
            None => {
                // The numbers overflow after 4 billion iterations, and start again.
                self.gpu.fill(marks, 0)?;
                self.iterations.store(count, Ordering::Relaxed);
                Ok((marks, 1))
            }
        }
    }
}

fn check_size(vertices: u64, edges: u64) -> Result<()> {
    let count = vertices.saturating_add(edges);
    if count < MAX_ON_DEVICE {
        return Ok(());
    }
    let what = "a graph's vertices and edges".into();
    Err(Error::TooMany { what, count, limit: MAX_ON_DEVICE })
}

fn check_rows(offsets: &[u32], targets: &[u32]) -> Result<()> {
    let wrong = |problem: String| Err(Error::Schedule(format!("not a graph: {problem}")));
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
        return wrong("no offsets: one for each vertex and one more are needed".into());
    };
    if first != 0 || last as usize != targets.len() {
        return wrong(format!(
            "the offsets go from {first} to {last}: 0 to {} are needed for as many edges",
            targets.len()
        ));
    }
    if let Some(vertex) = offsets.windows(2).position(|ends| ends[0] > ends[1]) {
        return wrong(format!("the edges of vertex {vertex} end before they start"));
    }
    let vertices = offsets.len() - 1;
    if let Some(target) = targets.iter().find(|&&target| target as usize >= vertices) {
        return wrong(format!(
            "an edge leads to vertex {target}, but the graph has {vertices}, from 0 on"
        ));
    }
    check_size(vertices as u64, targets.len() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_contradict_themselves_are_refused() {
        assert_eq!(check_rows(&[0], &[]), Ok(()));
        assert_eq!(check_rows(&[0, 0, 2], &[1, 0]), Ok(()));
        let wrong = [
            (&[][..], &[][..], "no offsets"),
            (&[1, 2], &[0], "the offsets go from 1 to 2"),
            (&[0, 1], &[0, 0], "the offsets go from 0 to 1: 0 to 2 are needed"),
            (&[0, 2, 1, 2], &[0, 0], "the edges of vertex 1 end before they start"),
            (&[0, 1], &[1], "an edge leads to vertex 1, but the graph has 1"),
        ];
        for (offsets, targets, problem) in wrong {
            let error = check_rows(offsets, targets).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        assert!(check_size(1 << 31, 1 << 31).is_err());
        assert!(check_size(1 << 31, 1 << 30).is_ok());
    }
}
