//! A graph on a device: one way to run every algorithm.

use std::sync::{Arc, OnceLock};

use equipoise_graph::Graph;
use equipoise_schedule::device::OpenDevice;
use equipoise_select::features::GraphShape;

use crate::{
    Error, Result, algorithm::Verdict, cache::Cache, gpu_graph::GpuGraph, neighbors::Neighbors,
    once::get_or_try_init, shape::graph_shape,
};

/// The edges from which on a graph is large.
const EDGES_OF_LARGE: u64 = 1 << 22;

/// A graph on a device, on which every algorithm is a method.
///
/// On a GPU, each part of the graph is copied when an algorithm first reads it, and stays for all algorithms: the
/// edges, their weights, the reverse edges. On the cpu nothing is copied.
///
/// Where the graph lies in a memory-mapped file, methods fail if the file is written in place.
///
/// ```
/// use equipoise::prelude::*;
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (1, 2, 2), (0, 2, 9)]))?;
/// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
/// assert_eq!(loaded.bfs(0, &BfsOptions::default())?.level(2)?, Some(1));
/// assert_eq!(loaded.sssp(0, &SsspOptions::default())?.distance(2)?, Some(7.0));
/// assert_eq!(loaded.color(&ColorOptions::default())?.count, 3);
/// assert_eq!(loaded.apsp(&ApspOptions::default())?.distance(1, 2), Some(2.0));
/// # Ok::<(), Error>(())
/// ```
pub struct LoadedGraph<'a> {
    pub(crate) graph: &'a Graph,
    /// `None` on the cpu.
    gpu_graph: Option<Box<GpuGraph<'a>>>,
    pub(crate) neighbors: Arc<Neighbors>,
    pub(crate) cache: Cache,
    shape: OnceLock<GraphShape>,
}

impl<'a> LoadedGraph<'a> {
    /// A graph on a device.
    ///
    /// Fails where the graph is not sound.
    pub fn new(device: &OpenDevice, graph: &'a Graph) -> Result<Self> {
        graph.check()?;
        let gpu_graph = match device {
            OpenDevice::Cpu => None,
            OpenDevice::Gpu(gpu) => Some(Box::new(GpuGraph::new(gpu, graph))),
        };
        let neighbors = gpu_graph.as_ref().map(|graph| Arc::clone(&graph.neighbors));
        let neighbors = neighbors.unwrap_or_default();
        let (cache, shape) = Default::default();
        Ok(Self { graph, gpu_graph, neighbors, cache, shape })
    }

    /// The graph.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Whether it is on a GPU, not on the cpu.
    pub fn is_on_gpu(&self) -> bool {
        self.gpu_graph.is_some()
    }

    /// The bytes of the graph in the memory of the GPU so far; 0 on the cpu, and before an algorithm ran.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// assert_eq!(loaded.bytes_on_device(), 0);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn bytes_on_device(&self) -> u64 {
        self.gpu_graph.as_ref().map_or(0, |gpu_graph| gpu_graph.bytes_uploaded(true))
    }

    /// Runs an algorithm on the device of the graph. Fails where the graph's file is written meanwhile.
    pub(crate) fn run<'s, R>(
        &'s self,
        on_gpu: impl FnOnce(&'s GpuGraph<'a>) -> Result<R>,
        on_cpu: impl FnOnce() -> Result<R>,
    ) -> Result<R> {
        self.graph.while_unchanged(|| match &self.gpu_graph {
            Some(gpu_graph) => on_gpu(gpu_graph),
            None => on_cpu(),
        })
    }

    /// Whether [`Algorithm::run`](crate::algorithm::Algorithm::run) verifies results on the device: on a GPU, if the graph
    /// is large. For smaller graphs, the cpu is faster than the initialization of the kernels.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1)]))?;
    /// assert!(!LoadedGraph::new(&Device::Auto.open()?, &graph)?.checks_in_place());
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn checks_in_place(&self) -> bool {
        self.is_on_gpu() && self.graph.edges() >= EDGES_OF_LARGE
    }

    /// Checks a result on a GPU, or on the host where the GPU cannot decide. Where the GPU refuses a result, the message of
    /// the host is preferred, as it has more details. `rules` says what a passed check proves.
    pub(crate) fn check_in_place(
        &self,
        rules: &str,
        on_gpu: impl FnOnce(&GpuGraph<'a>) -> Result<Option<bool>>,
        on_host: impl FnOnce() -> Result<Verdict>,
    ) -> Result<Verdict> {
        match self.run(on_gpu, || Ok(None))? {
            None => on_host(),
            Some(true) => Ok(Verdict::proved(format!("{rules}, checked on the device"))),
            Some(false) => {
                on_host()?;
                Err(Error::Wrong("the device found a vertex that breaks a rule".into()))
            }
        }
    }

    /// The features of the graph, computed on first use by [`graph_shape`](crate::traversal::graph_shape()).
    ///
    /// ```
    /// use equipoise::{LoadedGraph, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Cpu.open()?, &graph)?;
    /// assert_eq!(loaded.shape()?.out_degrees.max, 2.0);
    /// assert!(!loaded.is_on_gpu() && loaded.graph().edges() == 2);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn shape(&self) -> Result<&GraphShape> {
        self.graph.while_unchanged(|| get_or_try_init(&self.shape, || graph_shape(self.graph)))
    }
}
