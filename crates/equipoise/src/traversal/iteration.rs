//! A search in which the host chooses the strategy of each iteration: its operation, its state, and what a strategy has
//! to implement.

use std::{marker::PhantomData, sync::OnceLock, time::Duration};

use cubecl::prelude::*;
use equipoise_graph::Graph;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{
    options::{Strategy, TraversalSettings},
    vertex_labels::*,
};
use crate::{
    NONE, Result,
    gpu_graph::{GpuGraph, WeightedRows},
    times::{empty_wait, wait_for},
};

/// The units per cube of kernels for which any number is right.
pub(crate) const UNITS: u32 = 256;

/// An operation on the edges of a graph in the memory of a GPU.
pub(crate) trait GraphOp: SearchOp + EdgeOpKind + Sized {
    /// The algorithm of the operation.
    const ALGORITHM: &'static str;
    const READS_WEIGHTS: bool;
    /// Whether the first label of a vertex is its last, so that a search can stop once its target has one.
    const FIRST_LABEL_IS_FINAL: bool;
    /// Whether the label along each edge is larger than the label of its source: edges of weight 0 do not raise it.
    const EDGES_RAISE_LABELS: bool;

    /// The strategies that only this algorithm has.
    fn own_strategies<'g>() -> Vec<Implementation<'g, Self>>;

    /// The kernel argument of the operation along the edges of these rows.
    fn arg(gpu: &Gpu, rows: &WeightedRows, labels: &Buffer<u32>) -> Self::RuntimeArg<GpuRuntime>;

    /// The operation along the edges that leave vertices.
    fn operation<'o>(graph: &'o GpuGraph, labels: &'o Buffer<u32>) -> Result<Operation<'o, Self>> {
        let rows = graph.leaving()?;
        // SAFETY: each vertex has a label, and each edge a weight.
        Ok(unsafe { Operation::unchecked(|| Self::arg(&graph.gpu, rows, labels)) })
    }
}

/// One or several strategies that share their arrays.
pub(crate) trait Iterate<'g, Op: GraphOp> {
    /// The names of its strategies.
    fn names(&self) -> &'static [Strategy];

    /// The words of memory that it takes in addition to the graph, labels and two lists of vertices.
    fn words(&self, _name: Strategy, _sizes: &GraphSizes) -> u64 {
        0
    }

    /// Builds what it needs in addition to labels and lists, once.
    fn prepare(&mut self, _name: Strategy, _search: &SearchState<'g, Op>) -> Result<()> {
        Ok(())
    }

    /// Launches the kernels of an iteration, and returns the number of its steps.
    fn launch(&mut self, name: Strategy, search: &mut SearchState<'g, Op>) -> Result<u32>;

    /// Builds its own list of the frontier, if it has one from which the next iteration can start.
    fn make_list(&mut self, _search: &mut SearchState<'g, Op>) -> Result<()> {
        Ok(())
    }

    /// The state in addition to labels and lists that an iteration changes and the next one reads.
    fn state(&self) -> Option<&Buffer<u32>> {
        None
    }

    /// Its own list of the frontier, if it has one, for [`Listed::Own`].
    fn list(&self) -> Option<&Buffer<u32>> {
        None
    }

    /// Drops the arrays that a failed iteration may have left in any state.
    fn forget(&mut self) {}
}

/// Any implementation of strategies.
pub(crate) type Implementation<'g, Op> = Box<dyn Iterate<'g, Op> + 'g>;

/// The sizes on which the memory of a strategy depends.
pub(crate) struct GraphSizes<'a> {
    pub graph: &'a Graph,
    pub vertices: u64,
    pub edges: u64,
    /// The words of the edges that enter each vertex; 0 where they are the edges that leave it.
    pub entering: u64,
    pub settings: &'a TraversalSettings,
}

impl GraphSizes<'_> {
    /// The words of an array of degrees and of its prefix sums.
    pub fn sums(&self) -> u64 {
        2 * self.vertices + self.vertices / 1024 + 2
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontierSize {
    pub vertices: u32,
    /// The edges that leave those vertices.
    pub edges: u32,
}

/// The content of this iteration's list, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Nothing: the labels tell which vertices are in the frontier.
    Nothing,
    /// The vertices of the frontier.
    Vertices(u32),
    /// The content of a strategy's own list.
    Own(Strategy, u32),
}

pub(crate) struct Lists {
    pub this: Buffer<u32>,
    pub next: Buffer<u32>,
    /// The length of the next one.
    pub count: Buffer<u32>,
}

pub(crate) struct SearchState<'g, Op: GraphOp> {
    pub graph: &'g GpuGraph<'g>,
    /// The edges that leave each vertex.
    pub rows: &'g WeightedRows,
    pub settings: &'g TraversalSettings,
    pub labels: Buffer<u32>,
    /// The last iteration in which each vertex is in the frontier, where labels do not tell it.
    joined: Buffer<u32>,
    pub lists: Lists,
    /// The vertices that a kernel found and the edges that it examined, where it counts them.
    pub found: Buffer<u32>,
    /// An array with the number of edges that a strategy examined, and its index, where it is not in `found`.
    pub examined: Option<(Buffer<u32>, u32)>,
    pub(super) stats: Buffer<u32>,
    pub listed: Listed,
    pub iteration: u32,
    pub frontier: FrontierSize,
    /// A vertex whose label is read after each iteration.
    pub target: u32,
    most_edges: OnceLock<u32>,
    /// Changes with the list of this iteration: arrays parallel to one list are useless for another.
    pub list_version: u32,
    /// The time of this iteration that is not its kernels'.
    pub(super) overhead: Duration,
    /// The time of waits that only separate times, in all iterations.
    pub waited: Duration,
    empty_wait: Duration,
    op: PhantomData<fn() -> Op>,
}

impl<'g, Op: GraphOp> SearchState<'g, Op> {
    pub fn new(graph: &'g GpuGraph<'g>, settings: &'g TraversalSettings) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices() as usize;
        let joined = if Op::JOINS_ONCE { 0 } else { vertices };
        Ok(Self {
            graph,
            rows: graph.leaving()?,
            settings,
            labels: gpu.empty(vertices)?,
            joined: gpu.empty(joined)?,
            lists: Lists {
                this: gpu.empty(vertices)?,
                next: gpu.empty(vertices)?,
                count: gpu.empty(1)?,
            },
            found: gpu.empty(2)?,
            examined: None,
            stats: gpu.empty(5)?,
            listed: Listed::Nothing,
            iteration: 0,
            frontier: FrontierSize::default(),
            target: 0,
            most_edges: OnceLock::new(),
            list_version: 0,
            overhead: Duration::ZERO,
            waited: Duration::ZERO,
            empty_wait: empty_wait(gpu)?,
            op: PhantomData,
        })
    }

    pub fn gpu(&self) -> &'g Gpu {
        &self.graph.gpu
    }

    /// Makes the source the frontier.
    pub fn start(&mut self, source: u32) -> Result<()> {
        self.gpu().fill(&self.labels, NONE)?;
        self.gpu().fill(&self.joined, 0)?;
        // SAFETY: the source is a vertex, and each vertex has a label.
        unsafe {
            set_source::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                CubeCount::new_single(),
                CubeDim::new_single(),
                self.labels_arg(),
                source,
            );
        }
        self.iteration = 0;
        self.listed = Listed::Nothing;
        let degree = self.graph.graph.degree(source) as u32;
        self.frontier = FrontierSize { vertices: 1, edges: degree };
        Ok(self.gpu().wait()?)
    }

    /// The most edges that a unit takes at a time, in strategies with such a limit.
    pub fn most_edges(&self) -> u32 {
        *self.most_edges.get_or_init(|| self.settings.most_edges(self.graph.graph))
    }

    /// Makes the next list this iteration's.
    pub fn swap_lists(&mut self) {
        std::mem::swap(&mut self.lists.this, &mut self.lists.next);
        self.list_version += 1;
    }

    /// Does work that the papers count as overhead: prefix sums, offsets, condensing, labels of the parts of vertices. Its
    /// time is apart from that of kernels that relax edges, and the two waits that separate them are in neither.
    pub fn as_overhead<V>(&mut self, work: impl FnOnce(&mut Self) -> Result<V>) -> Result<V> {
        let gpu = self.gpu();
        let before = wait_for(gpu, self.empty_wait)?;
        let start = gpu.stopwatch();
        let done = work(self)?;
        let after = wait_for(gpu, self.empty_wait)?;
        self.overhead += start.elapsed().saturating_sub(after);
        self.waited += before + after;
        Ok(done)
    }

    /// Cubes for this number of units, or the most that a launch may have; kernels loop over the rest.
    pub fn cubes(&self, units: u32) -> CubeCount {
        self.gpu().cubes(u64::from(units).div_ceil(u64::from(UNITS)))
    }

    pub fn labels_arg(&self) -> VertexLabelsLaunch<GpuRuntime> {
        self.labels_arg_along(self.rows, self.iteration)
    }

    /// The labels in an iteration, with the weights of edges in the order of these rows.
    pub fn labels_arg_along(
        &self,
        rows: &WeightedRows,
        iteration: u32,
    ) -> VertexLabelsLaunch<GpuRuntime> {
        let gpu = self.gpu();
        let op = Op::arg(gpu, rows, &self.labels);
        let joined = AtomicArray::bind(gpu, &self.joined);
        VertexLabelsLaunch::new(erase_search::<Op>(op), joined, iteration, Op::JOINS_ONCE)
    }

    /// The last iteration in which each vertex is in the frontier, for a strategy that maintains it itself.
    pub fn joined(&self) -> &Buffer<u32> {
        &self.joined
    }

    pub fn this_arg(&self, count: u32) -> ThisListLaunch<GpuRuntime> {
        ThisListLaunch::new(self.lists.this.arg(), count)
    }

    pub fn next_arg(&self) -> NextListLaunch<GpuRuntime> {
        NextListLaunch::new(self.lists.next.arg(), self.lists.count.arg())
    }
}

#[cube(launch_unchecked)]
fn set_source(labels: &mut VertexLabels, source: u32) {
    labels.op.reset(source, true.runtime());
    if comptime!(!labels.joins_once) {
        labels.joined.set(source, 1u32);
    }
}
