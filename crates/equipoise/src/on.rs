//! Searches of a graph on whichever device.

use std::sync::OnceLock;

use equipoise_graph::Graph;
use equipoise_schedule::device::OpenDevice;
use equipoise_select::features::GraphShape;

use crate::{
    Bfs, BfsOptions, Error, LevelStepper, Result, Sssp, SsspCandidate, SsspOptions,
    TraversalSettings, bfs, bfs_many, graph_shape, search::GpuGraph, sssp, tree::check_vertex,
};

/// A graph on a device, to be searched there.
///
/// ```
/// use equipoise::{BfsOptions, GraphOn, device::Device, graph::{Edges, GraphBuilder}};
///
/// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
/// let there = GraphOn::upload(&Device::Auto.open()?, &graph)?;
/// let search = there.bfs(0, &BfsOptions::default())?;
/// assert_eq!(search.levels, [0, 1, 2]);
/// # Ok::<(), equipoise::Error>(())
/// ```
pub struct GraphOn<'a> {
    graph: &'a Graph,
    /// Nothing on the cpu, where the graph is already.
    there: Option<Box<GpuGraph<'a>>>,
    /// The features of the graph, once they were asked for.
    shape: OnceLock<GraphShape>,
}

impl<'a> GraphOn<'a> {
    /// How many searches of [`bfs_batch`](Self::bfs_batch) a GPU does in one pass: the bits of a
    /// word.
    pub const BATCH: usize = crate::bfs::BATCH;

    /// Copies a graph to a device; for the cpu there is nothing to do.
    ///
    /// Fails where the graph is not sound, or does not fit the device.
    pub fn upload(device: &OpenDevice, graph: &'a Graph) -> Result<Self> {
        let there = match device {
            OpenDevice::Cpu => None,
            OpenDevice::Gpu(gpu) => Some(Box::new(GpuGraph::upload(gpu, graph)?)),
        };
        Ok(Self { graph, there, shape: OnceLock::new() })
    }

    /// Finds the fewest edges from `source` to every vertex, as [`bfs`](crate::bfs()) does.
    ///
    /// Fails where the device does not have the strategy or no memory for it, and as that does.
    pub fn bfs(&self, source: u32, options: &BfsOptions) -> Result<Bfs> {
        match &self.there {
            Some(there) => crate::bfs::on_gpu(there, source, options),
            None => bfs(self.graph, source, options),
        }
    }

    /// A breadth-first search from each of `sources`. A GPU does 32 of them in one pass, whatever
    /// the strategy: the times of each are those of all 32. The cpu does one after the other, as
    /// [`bfs_many`](crate::bfs_many()) does.
    ///
    /// Fails where the device has no memory for the levels of all, and on a GPU where the options
    /// have a target or a plan.
    ///
    /// ```
    /// use equipoise::{BfsOptions, GraphOn, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (1, 2)]))?;
    /// let there = GraphOn::upload(&Device::Auto.open()?, &graph)?;
    /// let searches = there.bfs_batch(&[0, 1], &BfsOptions::default())?;
    /// assert_eq!((searches[0].depth, searches[1].depth), (2, 1));
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn bfs_batch(&self, sources: &[u32], options: &BfsOptions) -> Result<Vec<Bfs>> {
        match &self.there {
            Some(there) => crate::bfs::batch_on_gpu(there, sources, options),
            None => bfs_many(self.graph, sources, options),
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
            Some(there) => LevelStepper::new(there, source, settings),
            None => Err(Error::Option("a search led level by level needs a GPU".into())),
        }
    }

    /// Finds shortest paths from `source` to every vertex, as [`sssp`](crate::sssp()) does.
    ///
    /// Fails where the device does not have the strategy or no memory for it, a distance needs
    /// more than the 32 bits that a GPU has for it, and as that does.
    pub fn sssp(&self, source: u32, options: &SsspOptions) -> Result<Sssp> {
        match &self.there {
            Some(there) => crate::sssp::on_gpu(there, source, options),
            None => sssp(self.graph, source, &self.chosen_on_cpu(source, options)?),
        }
    }

    /// The options, with what a model chooses where one does.
    fn chosen_on_cpu(&self, source: u32, options: &SsspOptions) -> Result<SsspOptions> {
        let Some(model) = options.policy("cpu")? else { return Ok(options.clone()) };
        check_vertex(self.graph, source)?;
        let search = (self.graph, self.shape()?, source);
        options.chosen_by(model, search, &SsspCandidate::of_cpu(), |_| true)
    }

    /// The graph.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Whether it is on a GPU, not on the cpu.
    pub fn is_on_gpu(&self) -> bool {
        self.there.is_some()
    }

    /// The features of the graph, as [`graph_shape`](crate::graph_shape()) has them: found once.
    ///
    /// ```
    /// use equipoise::{GraphOn, device::Device, graph::{Edges, GraphBuilder}};
    ///
    /// let graph = GraphBuilder::new().build(Edges::from(vec![(0, 1), (0, 2)]))?;
    /// let there = GraphOn::upload(&Device::Cpu.open()?, &graph)?;
    /// assert_eq!(there.shape()?.out_degrees.max, 2.0);
    /// assert!(!there.is_on_gpu() && there.graph().edges() == 2);
    /// # Ok::<(), equipoise::Error>(())
    /// ```
    pub fn shape(&self) -> Result<&GraphShape> {
        if let Some(shape) = self.shape.get() {
            return Ok(shape);
        }
        let shape = graph_shape(self.graph)?;
        Ok(self.shape.get_or_init(|| shape))
    }
}
