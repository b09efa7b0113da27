//! A graph on a device: one way to run every algorithm.

use std::sync::OnceLock;

use equipoise_graph::Graph;
use equipoise_schedule::device::OpenDevice;
use equipoise_select::features::GraphShape;

use crate::{
    Error, Result,
    apsp::{Apsp, ApspOptions, ApspOutput},
    bfs::{Bfs, BfsOptions, BfsSearch, LevelStepper},
    color::{ColorDegrees, ColorOptions, Coloring},
    gpu_graph::{GraphOnGpu, made},
    neighbors::Neighbors,
    pagerank::KeptFlows,
    sssp::{SsspCandidate, SsspOptions, SsspSearch},
    traversal::{TraversalSettings, graph_shape},
    tree::check_vertex,
    triangles::KeptRanked,
};

/// A graph on a device, on which every algorithm is a method.
///
/// On a GPU, an algorithm copies what it reads of the graph when it first needs it: the edges, their
/// weights, the edges by the vertices that they enter. What is there stays there and serves all
/// algorithms. On the cpu there is nothing to copy.
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
    /// Nothing on the cpu, where the graph is already.
    pub(crate) there: Option<Box<GraphOnGpu<'a>>>,
    pub(crate) neighbors: Neighbors,
    pub(crate) ranked: KeptRanked,
    pub(crate) flows: KeptFlows,
    degrees: OnceLock<ColorDegrees>,
    /// The features of the graph, once they were asked for.
    shape: OnceLock<GraphShape>,
}

impl<'a> LoadedGraph<'a> {
    /// How many searches of [`bfs_batch`](Self::bfs_batch) a GPU does in one pass: the bits of a
    /// word.
    pub const BATCH: usize = crate::bfs::BATCH;

    /// A graph on a device.
    ///
    /// Fails where the graph is not sound.
    pub fn new(device: &OpenDevice, graph: &'a Graph) -> Result<Self> {
        graph.check()?;
        let there = match device {
            OpenDevice::Cpu => None,
            OpenDevice::Gpu(gpu) => Some(Box::new(GraphOnGpu::new(gpu, graph))),
        };
        let (neighbors, ranked, flows, degrees, shape) = Default::default();
        Ok(Self { graph, there, neighbors, ranked, flows, degrees, shape })
    }

    /// The graph.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Whether it is on a GPU, not on the cpu.
    pub fn is_on_gpu(&self) -> bool {
        self.there.is_some()
    }

    /// The bytes of the graph in the memory of the GPU, so far: nothing on the cpu, and before an
    /// algorithm was run.
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
        self.there.as_ref().map_or(0, |there| there.bytes())
    }

    /// Finds the fewest edges from `source` to every vertex, as [`bfs`](crate::bfs::bfs()) does.
    ///
    /// Fails where the device does not have the strategy or no memory for it or the graph, and as
    /// that does.
    pub fn bfs(&self, source: u32, options: &BfsOptions) -> Result<BfsSearch<'_>> {
        match &self.there {
            Some(there) => crate::bfs::on_gpu(there.get()?, source, options),
            None => {
                let search = crate::bfs::bfs(self.graph, source, options)?;
                Ok(BfsSearch::on_host(self.graph, search))
            }
        }
    }

    /// A breadth-first search from each of `sources`, on the host. A GPU does 32 of them in one pass,
    /// whatever the strategy: each search reports the batch's time. The cpu does one after the other,
    /// as [`bfs_many`](crate::bfs::bfs_many()) does.
    ///
    /// Fails where the device has no memory for the levels of all, and on a GPU where the options
    /// have a target or a plan.
    ///
    /// ```
    /// use equipoise::{LoadedGraph, bfs::BfsOptions, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let searches = loaded.bfs_batch(&[0, 1], &BfsOptions::default())?;
    /// assert_eq!((searches[0].depth, searches[1].depth), (2, 1));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn bfs_batch(&self, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
        match &self.there {
            Some(there) => crate::bfs::batch_on_gpu(there.get()?, sources, options),
            None => crate::bfs::bfs_many(self.graph, sources, options),
        }
    }

    /// A breadth-first search on a GPU that stands at its first level, to be led by hand.
    /// Strategies are prepared with these settings.
    ///
    /// Fails on the cpu, where the device has no memory for it, and as [`bfs`](Self::bfs) does.
    pub fn bfs_stepper<'s>(
        &'s self,
        source: u32,
        settings: &'s TraversalSettings,
    ) -> Result<LevelStepper<'s>> {
        match &self.there {
            Some(there) => LevelStepper::new(there.get()?, source, settings),
            None => Err(Error::Option("a search led level by level needs a GPU".into())),
        }
    }

    /// Finds shortest paths from `source` to every vertex, as [`sssp`](crate::sssp::sssp()) does.
    ///
    /// Fails where the device does not have the strategy or no memory for it or the graph, where a
    /// distance needs more than the 32 bits that a GPU has for it, and as that does.
    pub fn sssp(&self, source: u32, options: &SsspOptions) -> Result<SsspSearch<'_>> {
        match &self.there {
            Some(there) => crate::sssp::on_gpu(there.get()?, source, options),
            None => {
                let options = self.chosen_on_cpu(source, options)?;
                let search = crate::sssp::sssp(self.graph, source, &options)?;
                Ok(SsspSearch::on_host(self.graph, search))
            }
        }
    }

    /// The options, with what a model chooses where one does.
    fn chosen_on_cpu(&self, source: u32, options: &SsspOptions) -> Result<SsspOptions> {
        let Some(model) = options.policy("cpu")? else { return Ok(options.clone()) };
        check_vertex(self.graph, source)?;
        let search = (self.graph, self.shape()?, source);
        options.chosen_by(model, search, &SsspCandidate::of_cpu(), |_| true)
    }

    /// Colors the vertices so that no edge joins two of one color, as [`color`](crate::color::color()) does
    /// on the cpu, and with the same colors.
    ///
    /// A GPU has all strategies but `largest-degree-first` and `greedy`; `auto` is `speculative`
    /// there, unless time is preferred or a model chooses.
    ///
    /// Fails as that does; on a GPU also where the graph does not fit its memory.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::color::ColorOptions;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let triangle = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2), (2, 0)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &triangle)?;
    /// assert_eq!(loaded.color(&ColorOptions::default())?.count, 3);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn color(&self, options: &ColorOptions) -> Result<Coloring> {
        match &self.there {
            Some(there) => crate::color::on_gpu(there, &self.neighbors, &self.degrees, options),
            None => crate::color::on_cpu(self.graph, &self.neighbors, options),
        }
    }

    /// How many neighbours vertices have, over edges of either direction.
    ///
    /// Fails where there is no memory to find out.
    pub fn neighbor_degrees(&self) -> Result<ColorDegrees> {
        let (neighbors, _) = self.neighbors.of(self.graph)?;
        Ok(*self.degrees.get_or_init(|| ColorDegrees::of(neighbors)))
    }

    /// Finds the length of the shortest path from every vertex to every other, as
    /// [`apsp`](crate::apsp::apsp()) does on the cpu.
    ///
    /// On a GPU, `blocked` and `naive` take 4 bytes of its memory a pair of vertices, rounded up to a
    /// multiple of 128 vertices, and as many for next hops. Where the matrix does not fit, or is not
    /// to take so much ([`ApspOptions::memory_limit`]), `blocked` leaves it with the host, and strips
    /// of its rows take turns on the device. `sssp` takes 16 bytes a vertex for each search, or 20
    /// with next hops, and runs as many at once as there is memory for.
    ///
    /// Fails as that does; on a GPU also where a path may be longer than 31 bits tell, where not even
    /// a strip of 128 rows or one search fits its memory, or, by `naive`, where the matrix does not.
    ///
    /// ```
    /// use equipoise::LoadedGraph;
    /// use equipoise::apsp::ApspOptions;
    /// use equipoise::device::Device;
    /// use equipoise::graph::{Edges, GraphBuilder};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1, 5u32), (1, 2, 2)]))?;
    /// let loaded = LoadedGraph::new(&Device::Auto.open()?, &graph)?;
    /// let result = loaded.apsp(&ApspOptions::default())?;
    /// assert_eq!(result.distance(0, 2), Some(7.0));
    /// result.verify(&graph)?;
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn apsp(&self, options: &ApspOptions) -> Result<Apsp> {
        self.apsp_to(options, &ApspOutput::default())
    }

    /// As [`apsp`](Self::apsp), with files for the results or a listener that receives how far a long
    /// run has come.
    ///
    /// Fails as that does, and where a file cannot be made.
    pub fn apsp_to(&self, options: &ApspOptions, output: &ApspOutput) -> Result<Apsp> {
        match &self.there {
            Some(there) => crate::apsp::on_gpu(there, options, output),
            None => crate::apsp::on_cpu(self.graph, options, output),
        }
    }

    /// The features of the graph, as [`graph_shape`](crate::traversal::graph_shape()) has them: found once.
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
        made(&self.shape, || graph_shape(self.graph))
    }
}
