//! A search under way in which the host chooses how each iteration is done: its labels, its frontier,
//! and what strategies share.

use std::{sync::OnceLock, time::Duration};

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
};

use super::{
    field::*,
    graph::OnGraph,
    strategies::{self, Implementation},
};
use crate::{
    Error, NONE, Result, Step,
    gpu_graph::{DeviceRows, GpuGraph},
    times::{empty_wait, wait_for},
    traversal::{Strategy, TraversalSettings},
};

/// Units a cube, of kernels that do not care.
pub(crate) const UNITS: u32 = 256;

/// How large a frontier is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FrontierSize {
    pub vertices: u32,
    /// The edges that leave those vertices.
    pub edges: u32,
}

/// What the list of this iteration holds, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Nothing: labels say who is in the frontier.
    Nothing,
    /// The vertices of the frontier.
    Vertices(u32),
    /// What a strategy has in a list of its own.
    Own(Strategy, u32),
}

/// Lists of vertices.
pub(crate) struct Lists {
    /// That of this iteration.
    pub this: Buffer<u32>,
    /// That of the next.
    pub next: Buffer<u32>,
    /// How many the next one has.
    pub count: Buffer<u32>,
}

/// A search of a graph.
pub(crate) struct Search<'g, Op: OnGraph> {
    pub graph: &'g GpuGraph<'g>,
    pub settings: &'g TraversalSettings,
    pub labels: Buffer<u32>,
    /// The last iteration in which each vertex is in the frontier, where labels do not say so.
    joined: Buffer<u32>,
    pub lists: Lists,
    /// How many vertices a kernel found, and how many edges it looked at, where it counts.
    pub found: Buffer<u32>,
    /// Where a strategy counted the edges that it looked at, where it is not `found`.
    pub looked: Option<(Buffer<u32>, u32)>,
    pub(super) stats: Buffer<u32>,
    pub listed: Listed,
    pub iteration: u32,
    pub frontier: FrontierSize,
    /// A vertex whose label is read after each iteration.
    pub target: u32,
    most_edges: OnceLock<u32>,
    /// Changes with the list of this iteration: what is kept beside one is of no use to another.
    pub list_version: u32,
    /// The time of this iteration that is not its kernels'.
    aside: Duration,
    /// The time of waits that are there to take times apart, in all iterations.
    pub waited: Duration,
    empty_wait: Duration,
    op: std::marker::PhantomData<fn() -> Op>,
}

/// An iteration that was done.
pub(crate) struct Iterated {
    /// What happened, with the time of its kernels.
    pub step: Step,
    /// The label of the target.
    pub target: u32,
}

impl<'g, Op: OnGraph> Search<'g, Op> {
    pub fn new(graph: &'g GpuGraph<'g>, settings: &'g TraversalSettings) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices() as usize;
        let joined = if Op::JOINS_ONCE { 0 } else { vertices };
        Ok(Self {
            graph,
            settings,
            labels: gpu.empty(vertices)?,
            joined: gpu.empty(joined)?,
            lists: Lists {
                this: gpu.empty(vertices)?,
                next: gpu.empty(vertices)?,
                count: gpu.empty(1)?,
            },
            found: gpu.empty(2)?,
            looked: None,
            stats: gpu.empty(5)?,
            listed: Listed::Nothing,
            iteration: 0,
            frontier: FrontierSize::default(),
            target: 0,
            most_edges: OnceLock::new(),
            list_version: 0,
            aside: Duration::ZERO,
            waited: Duration::ZERO,
            empty_wait: empty_wait(gpu)?,
            op: std::marker::PhantomData,
        })
    }

    pub fn gpu(&self) -> &'g Gpu {
        &self.graph.gpu
    }

    /// Makes the source the frontier.
    pub fn start(&mut self, source: u32) -> Result<()> {
        self.gpu().fill(&self.labels, NONE)?;
        self.gpu().fill(&self.joined, 0)?;
        // SAFETY: the source is a vertex, and there is a label for each.
        unsafe {
            set_source::launch_unchecked::<GpuRuntime>(
                self.gpu().client(),
                CubeCount::new_single(),
                CubeDim::new_single(),
                self.field(),
                source,
            );
        }
        self.iteration = 0;
        self.listed = Listed::Nothing;
        let degree = self.graph.graph.degree(source) as u32;
        self.frontier = FrontierSize { vertices: 1, edges: degree };
        Ok(self.gpu().wait()?)
    }

    /// Does an iteration by a strategy.
    pub fn advance(
        &mut self,
        strategies: &mut Strategies<'g, Op>,
        name: Strategy,
    ) -> Result<Iterated> {
        let FrontierSize { vertices, edges } = self.frontier;
        let Timed { sub_steps, time, aside } = strategies.timed(name, self)?;
        let stats = self.survey()?;
        self.iteration += 1;
        self.listed = match self.listed {
            Listed::Vertices(_) => Listed::Vertices(stats.listed),
            // What decides on the device counts there.
            Listed::Own(name, launch) if name.is_fused() => Listed::Own(name, launch),
            Listed::Own(name, _) => Listed::Own(name, stats.listed),
            Listed::Nothing => Listed::Nothing,
        };
        self.frontier = stats.frontier;
        let step = Step {
            frontier: vertices.into(),
            edges: match name {
                Strategy::Pull | Strategy::FusedPull => stats.looked.into(),
                Strategy::EdgeTopology | Strategy::EdgeReverse => self.graph.edges().into(),
                _ => edges.into(),
            },
            found: stats.frontier.vertices.into(),
            sub_steps,
            time: time.saturating_sub(aside),
            ..Step::new(self.iteration - 1, name.name())
        };
        Ok(Iterated { step, target: stats.target })
    }

    /// The most edges a unit takes at a time, for strategies that have such a number.
    pub fn most_edges(&self) -> u32 {
        *self.most_edges.get_or_init(|| self.settings.most_edges(self.graph.graph))
    }

    /// The next list becomes this iteration's.
    pub fn swap_lists(&mut self) {
        std::mem::swap(&mut self.lists.this, &mut self.lists.next);
        self.list_version += 1;
    }

    /// Does what the papers count as overhead: adding up, finding offsets, condensing, telling parts of
    /// vertices. Its time is apart from that of kernels that relax edges, and the two waits that it takes
    /// to tell are in neither.
    pub fn aside<V>(&mut self, work: impl FnOnce(&mut Self) -> Result<V>) -> Result<V> {
        let gpu = self.gpu();
        let before = wait_for(gpu, self.empty_wait)?;
        let start = gpu.stopwatch();
        let done = work(self)?;
        let after = wait_for(gpu, self.empty_wait)?;
        self.aside += start.elapsed().saturating_sub(after);
        self.waited += before + after;
        Ok(done)
    }

    /// Cubes for so many units, if a launch may have them; kernels loop over the rest.
    pub fn cubes(&self, units: u32) -> CubeCount {
        self.gpu().cubes(u64::from(units).div_ceil(u64::from(UNITS)))
    }

    pub fn field(&self) -> FieldLaunch<GpuRuntime> {
        self.field_along(&self.graph.leaving, self.iteration)
    }

    /// The field of an iteration, with the weights of edges in the order of these rows.
    pub fn field_along(&self, rows: &DeviceRows, iteration: u32) -> FieldLaunch<GpuRuntime> {
        let gpu = self.gpu();
        let op = Op::arg(gpu, rows, &self.labels);
        let joined = AtomicArray::of(gpu, &self.joined);
        FieldLaunch::new(erase_search::<Op>(op), joined, iteration, Op::JOINS_ONCE)
    }

    /// When vertices are in the frontier, for a strategy that keeps it itself.
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

/// How long an iteration took.
pub(crate) struct Timed {
    /// The number of its steps.
    pub sub_steps: u32,
    /// All of it.
    pub time: Duration,
    /// The part of that which the papers count as overhead.
    pub aside: Duration,
}

/// The strategies of a search, with what each has for itself.
pub(crate) struct Strategies<'g, Op: OnGraph> {
    all: Vec<Implementation<'g, Op>>,
}

impl<'g, Op: OnGraph> Strategies<'g, Op> {
    pub fn new() -> Self {
        Self { all: strategies::all() }
    }

    /// The one of that name.
    ///
    /// Fails where the algorithm has none of it.
    pub fn get(&mut self, name: Strategy) -> Result<&mut Implementation<'g, Op>> {
        let found = self.all.iter_mut().find(|strategy| strategy.names().contains(&name));
        found.ok_or_else(|| {
            Error::Option(match name.is_step() {
                true => format!("the strategy `{name}` is not for {}", Op::ALGORITHM),
                false => format!("the strategy `{name}` is for the cpu only"),
            })
        })
    }

    /// Makes what strategies need beside labels and lists.
    pub fn prepare(&mut self, name: Strategy, search: &Search<'g, Op>) -> Result<()> {
        self.get(name)?.prepare(name, search)
    }

    /// Launches what an iteration takes, and waits until it is done.
    pub fn timed(&mut self, name: Strategy, search: &mut Search<'g, Op>) -> Result<Timed> {
        let gpu = search.gpu();
        let waited = search.waited;
        (search.looked, search.aside) = (None, Duration::ZERO);
        let start = gpu.stopwatch();
        if !name.is_fused() {
            gpu.fill(&search.lists.count, 0)?;
            gpu.fill(&search.found, 0)?;
        }
        let sub_steps = self.get(name)?.launch(name, search)?;
        gpu.wait()?;
        let time = start.elapsed().saturating_sub(search.waited - waited);
        Ok(Timed { sub_steps, time, aside: search.aside })
    }
}

#[cube(launch_unchecked)]
fn set_source(field: &mut Field, source: u32) {
    field.op.reset(source, true.runtime());
    if comptime!(!field.joins_once) {
        field.joined.set(source, 1u32);
    }
}
