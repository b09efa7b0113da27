//! A graph in the memory of a GPU.

use std::sync::{
    OnceLock,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use equipoise_graph::{Csr, Graph, MAX_ON_DEVICE};

use cubecl::prelude::*;

use super::LoopMode;
use crate::{
    Error, Result,
    device::{Buffer, Gpu, GpuRuntime},
    input::Input,
};

/// Edges by the vertices that they leave, or enter, in a kernel.
#[derive(CubeType, CubeLaunch)]
pub struct Rows {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Input<u32>,
    /// The vertex at the other end of each edge.
    pub targets: Input<u32>,
}

/// Edges by the vertices that they leave, or enter, in the memory of a GPU.
#[derive(Clone, Debug)]
pub struct DeviceRows {
    /// Where the edges of each vertex start, and where the last one's end.
    pub offsets: Buffer<u32>,
    /// The vertex at the other end of each edge.
    pub targets: Buffer<u32>,
}

impl DeviceRows {
    /// Copies the rows of a graph or a matrix to a GPU.
    ///
    /// Fails where there are more entries than 32 bits count, or there is no memory.
    ///
    /// ```
    /// use equipoise_graph::Csr;
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::DeviceRows};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let csr = Csr::new(3, vec![0, 2, 3], vec![0, 2, 1])?;
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let rows = DeviceRows::upload(&gpu, &csr)?;
    ///     assert_eq!(gpu.download(&rows.offsets)?, [0, 2, 3]);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn upload(gpu: &Gpu, csr: &Csr) -> Result<Self> {
        let (count, limit) = (csr.entries(), u64::from(u32::MAX));
        if count > limit {
            return Err(Error::TooMany { what: "entries of rows".into(), count, limit });
        }
        let wide = csr.offsets();
        let offsets = gpu.upload_with(wide.len(), |start, narrow: &mut [u32]| {
            let from = wide[start..].iter();
            narrow.iter_mut().zip(from).for_each(|(to, &from)| *to = from as u32);
        })?;
        Ok(Self { offsets, targets: gpu.upload(csr.indices())? })
    }

    /// The bytes that the rows take.
    pub fn bytes_of(gpu: &Gpu, csr: &Csr) -> u64 {
        let words = |count: u64| gpu.held_by(4 * count.max(1));
        words(u64::from(csr.rows()) + 1).saturating_add(words(csr.entries()))
    }

    /// How many edges there are.
    pub fn edges(&self) -> u32 {
        self.targets.len() as u32
    }

    /// The argument that binds them.
    pub fn arg(&self) -> RowsLaunch<GpuRuntime> {
        RowsLaunch::new(self.offsets.arg(), self.targets.arg())
    }
}

/// A graph in the memory of a GPU: for each vertex, the edges that leave it.
///
/// ```
/// use equipoise_graph::{Edges, GraphBuilder};
/// use equipoise_schedule::{device::{Device, OpenDevice}, engine::DeviceGraph};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
///     let there = DeviceGraph::upload(&gpu, &graph)?;
///     assert_eq!((there.vertices(), there.edges()), (3, 2));
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct DeviceGraph {
    gpu: Gpu,
    leaving: DeviceRows,
    /// The edges by the vertices that they enter, where they are not those that leave.
    entering: OnceLock<DeviceRows>,
    is_symmetric: bool,
    /// For each vertex, the last iteration that put it into a frontier.
    marks: OnceLock<Buffer<u32>>,
    iterations: AtomicU32,
    /// Whether the cubes of a launch were found not to be on the device at the same time.
    cannot_wait: AtomicBool,
    /// How loops over it are run, where that was said.
    mode: Option<LoopMode>,
}

impl DeviceGraph {
    /// Copies a graph to a GPU.
    ///
    /// Fails where it is not sound or has more vertices and edges than 32 bits number, or there is
    /// no memory.
    pub fn upload(gpu: &Gpu, graph: &Graph) -> Result<Self> {
        graph.check().map_err(|error| Error::Schedule(error.to_string()))?;
        check_size(graph.vertices().into(), graph.edges())?;
        Ok(Self::of(gpu, DeviceRows::upload(gpu, graph.csr())?, graph.is_undirected()))
    }

    /// Copies a graph to a GPU that is given by where the edges of each vertex start, and where the
    /// last one's end, and by where each edge leads.
    ///
    /// Fails where they contradict each other, or there is no memory.
    pub fn from_rows(gpu: &Gpu, offsets: &[u32], targets: &[u32]) -> Result<Self> {
        check_rows(offsets, targets)?;
        let rows = DeviceRows { offsets: gpu.upload(offsets)?, targets: gpu.upload(targets)? };
        Ok(Self::of(gpu, rows, false))
    }

    /// Copies the neighbours of vertices to a GPU: rows in which each vertex is in those of its
    /// neighbours.
    ///
    /// Fails where there are not as many columns as rows, or more than 32 bits number, or there is no
    /// memory.
    ///
    /// # Safety
    ///
    /// The rows are sound, as those of [`Csr::new`] are, and those of a graph that was
    /// [checked](Graph::check).
    pub unsafe fn from_neighbors(gpu: &Gpu, neighbors: &Csr) -> Result<Self> {
        let (rows, columns) = (neighbors.rows(), neighbors.columns());
        if rows != columns {
            let problem = format!("not neighbours: {rows} rows with {columns} columns");
            return Err(Error::Schedule(problem));
        }
        check_size(rows.into(), neighbors.entries())?;
        Ok(Self::of(gpu, DeviceRows::upload(gpu, neighbors)?, true))
    }

    fn of(gpu: &Gpu, leaving: DeviceRows, is_symmetric: bool) -> Self {
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

    /// The same, with loops over it run in another way than the one that suits them and the device.
    ///
    /// ```
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::{DeviceGraph, LoopMode}};
    ///
    /// # fn main() -> equipoise_schedule::Result<()> {
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let graph = DeviceGraph::from_rows(&gpu, &[0, 1, 1], &[1])?.in_mode(LoopMode::Launches);
    ///     assert_eq!(graph.vertices(), 2);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn in_mode(mut self, mode: LoopMode) -> Self {
        self.mode = Some(mode);
        self
    }

    /// How loops over it are run, where that was said.
    pub(super) fn mode(&self) -> Option<LoopMode> {
        self.mode
    }

    /// Copies the edges of a graph by the vertices that they enter, unless they are there:
    /// `transpose` is the graph with each edge turned around. For an undirected graph there is
    /// nothing to do.
    ///
    /// Fails where it does not have as many vertices and edges, or there is no memory.
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

    /// The graph with each edge turned around, in the same memory.
    ///
    /// Fails where the edges that enter the vertices of a directed graph were not [copied](Self::upload_entering).
    ///
    /// ```
    /// use equipoise_graph::{Edges, GraphBuilder};
    /// use equipoise_schedule::{device::{Device, OpenDevice}, engine::DeviceGraph};
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2)]))?;
    /// if let OpenDevice::Gpu(gpu) = Device::Auto.open()? {
    ///     let there = DeviceGraph::upload(&gpu, &graph)?;
    ///     there.upload_entering(graph.transpose()?)?;
    ///     assert_eq!(gpu.download(there.reversed()?.offsets())?, [0, 0, 1, 2]);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn reversed(&self) -> Result<Self> {
        let reversed = Self::of(&self.gpu, self.entering()?.clone(), self.is_symmetric);
        let reversed = Self { mode: self.mode, ..reversed };
        reversed.entering.get_or_init(|| self.leaving.clone());
        Ok(reversed)
    }

    /// The edges by the vertices that they leave.
    pub fn leaving(&self) -> &DeviceRows {
        &self.leaving
    }

    /// The edges by the vertices that they enter.
    ///
    /// Fails where a directed graph's were not [copied](Self::upload_entering).
    pub fn entering(&self) -> Result<&DeviceRows> {
        match self.is_symmetric {
            true => Ok(&self.leaving),
            false => self.entering.get().ok_or_else(|| {
                Error::Schedule(
                    "the edges that enter vertices were not copied to the device".into(),
                )
            }),
        }
    }

    /// Whether each edge leads both ways: those that enter a vertex are those that leave it.
    pub fn is_symmetric(&self) -> bool {
        self.is_symmetric
    }

    /// The argument that binds the edges by the vertices that they leave.
    pub fn rows(&self) -> RowsLaunch<GpuRuntime> {
        self.leaving.arg()
    }

    /// Whether the cubes of a launch can wait for each other, as far as is known.
    pub(super) fn cubes_can_wait(&self) -> bool {
        !self.cannot_wait.load(Ordering::Relaxed)
    }

    /// Records that they cannot.
    pub(super) fn cubes_cannot_wait(&self) {
        self.cannot_wait.store(true, Ordering::Relaxed);
    }

    /// Fails where a vertex is not one of the graph.
    pub(super) fn check_vertex(&self, vertex: u32) -> Result<()> {
        match vertex < self.vertices() {
            true => Ok(()),
            false => Err(Error::Schedule(format!(
                "vertex {vertex}: the graph has {} vertices, counted from 0",
                self.vertices()
            ))),
        }
    }

    /// The GPU that it is on.
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

    /// Where the edges of each vertex start, and where the last one's end.
    pub fn offsets(&self) -> &Buffer<u32> {
        &self.leaving.offsets
    }

    /// The vertex that each edge leads to.
    pub fn targets(&self) -> &Buffer<u32> {
        &self.leaving.targets
    }

    /// For each vertex, the last iteration that put it into a frontier; and the number of the first
    /// of `count` iterations that no other loop has.
    pub(super) fn marks(&self, count: u32) -> Result<(&Buffer<u32>, u32)> {
        if self.marks.get().is_none() {
            let marks = self.gpu.filled(self.vertices() as usize, 0)?;
            self.marks.get_or_init(|| marks);
        }
        let Some(marks) = self.marks.get() else { unreachable!("they were made above") };
        let first = self.iterations.fetch_add(count, Ordering::Relaxed);
        match first.checked_add(count) {
            Some(_) => Ok((marks, first + 1)),
            None => {
                // After four thousand million iterations they are counted anew.
                self.gpu.fill(marks, 0)?;
                self.iterations.store(count, Ordering::Relaxed);
                Ok((marks, 1))
            }
        }
    }
}

fn check_size(vertices: u64, edges: u64) -> Result<()> {
    let count = vertices.saturating_add(edges);
    match count < MAX_ON_DEVICE {
        true => Ok(()),
        false => {
            let what = "a graph's vertices and edges".into();
            Err(Error::TooMany { what, count, limit: MAX_ON_DEVICE })
        }
    }
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
        return wrong(format!("an edge leads to vertex {target}: there are {vertices}, from 0 on"));
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
            (&[0, 1], &[1], "an edge leads to vertex 1: there are 1"),
        ];
        for (offsets, targets, problem) in wrong {
            let error = check_rows(offsets, targets).unwrap_err().to_string();
            assert!(error.contains(problem), "{error}");
        }
        assert!(check_size(1 << 31, 1 << 31).is_err());
        assert!(check_size(1 << 31, 1 << 30).is_ok());
    }
}
