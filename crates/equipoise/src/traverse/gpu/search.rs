//! A search under way on a GPU: its labels, its frontier, and what its strategies share.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu},
    ranges::*,
};

use super::{
    field::*,
    graph::{DeviceGraph, DeviceRows},
    metric::*,
    metric_on::MetricOn,
    strategies::{edge::EdgeLists, split::Split, two_phase::Updating},
};
use crate::{NONE, Result, Step, TraversalSettings, Way};

/// Units a cube, of kernels that do not care.
pub(crate) const UNITS: u32 = 256;

/// How large a frontier is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frontier {
    pub vertices: u32,
    /// The edges that leave those vertices.
    pub edges: u32,
}

/// What the list of this turn holds, and how many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Listed {
    /// Nothing: labels and turns tell who is in the frontier.
    Nothing,
    Vertices(u32),
    Edges(u32),
    Parts(u32),
}

/// Buffers for searches of one graph, one after the other.
pub(crate) struct Search<'g, M: MetricOn, R: Runtime> {
    pub gpu: &'g Gpu<R>,
    pub graph: &'g DeviceGraph<'g, R>,
    pub settings: &'g TraversalSettings,
    pub labels: Buffer<u32>,
    pub turns: Buffer<u32>,
    /// The list of this turn, and that of the next.
    pub this: Buffer<u32>,
    pub next: Buffer<u32>,
    /// How many the next list has.
    pub count: Buffer<u32>,
    /// How many vertices a kernel found, where it counts.
    pub found: Buffer<u32>,
    stats: Buffer<u32>,
    pub listed: Listed,
    pub turn: u32,
    pub frontier: Frontier,
    pub edge_lists: Option<EdgeLists>,
    pub split: Option<Split>,
    pub updating: Option<Updating>,
    /// Who found each vertex, for the strategy that notes it.
    pub finders: Option<Buffer<u32>>,
    most_edges: OnceLock<u32>,
    /// A vertex whose label is looked at after each turn.
    pub target: u32,
    metric: std::marker::PhantomData<fn() -> M>,
}

/// A turn that was done.
pub(crate) struct Turn {
    /// What happened, with the time of its kernels.
    pub step: Step,
    /// The label of the target.
    pub target: u32,
}

/// What was left after a turn.
struct Stats {
    frontier: Frontier,
    listed: u32,
    /// The edges that a kernel looked at, where it counts them.
    looked: u32,
    /// The label of the target.
    target: u32,
}

impl<'g, M: MetricOn, R: Runtime> Search<'g, M, R> {
    pub fn new(graph: &'g DeviceGraph<'g, R>, settings: &'g TraversalSettings) -> Result<Self> {
        let gpu = &graph.gpu;
        let vertices = graph.vertices() as usize;
        let turns = if M::REPEATS { vertices } else { 0 };
        Ok(Self {
            gpu,
            graph,
            settings,
            labels: gpu.empty(vertices)?,
            turns: gpu.empty(turns)?,
            this: gpu.empty(vertices)?,
            next: gpu.empty(vertices)?,
            count: gpu.empty(1)?,
            found: gpu.empty(2)?,
            stats: gpu.empty(5)?,
            listed: Listed::Nothing,
            turn: 0,
            frontier: Frontier::default(),
            edge_lists: None,
            split: None,
            updating: None,
            finders: None,
            most_edges: OnceLock::new(),
            target: 0,
            metric: std::marker::PhantomData,
        })
    }

    /// Makes what strategies need beside labels and lists.
    pub fn prepare(&mut self, ways: impl Iterator<Item = Way>) -> Result<()> {
        let graph = self.graph;
        for way in ways {
            match way {
                Way::Pull => _ = graph.entering()?,
                Way::Edge => {
                    graph.leaving.origins(self.gpu, graph.graph)?;
                    self.prepare_edges()?;
                }
                Way::EdgeTopology => _ = graph.leaving.origins(self.gpu, graph.graph)?,
                Way::EdgeReverse => {
                    let rows = graph.entering()?;
                    rows.make_weights(self.gpu)?;
                    rows.origins(self.gpu, graph.graph.transpose())?;
                }
                Way::Split => self.prepare_parts()?,
                Way::Hierarchy => _ = self.most_edges(),
                _ => {}
            }
        }
        match M::REPEATS {
            true => graph.leaving.make_weights(self.gpu),
            false => Ok(()),
        }
    }

    /// Makes the source the frontier.
    pub fn start(&mut self, source: u32) -> Result<()> {
        self.gpu.fill(&self.labels, NONE)?;
        self.gpu.fill(&self.turns, 0)?;
        // SAFETY: the source is a vertex, and there is a label for each.
        unsafe {
            set_source::launch_unchecked::<M, R>(
                self.gpu.client(),
                CubeCount::new_single(),
                CubeDim::new_single(),
                self.field(),
                source,
            );
        }
        self.turn = 0;
        self.listed = Listed::Nothing;
        let degree = self.graph.graph.degree(source) as u32;
        self.frontier = Frontier { vertices: 1, edges: degree };
        self.gpu.finish()?;
        Ok(())
    }

    /// Does a turn in the given way.
    pub fn advance(&mut self, way: Way) -> Result<Turn> {
        let Frontier { vertices, edges } = self.frontier;
        let (sub_steps, time) = self.timed_launches(way)?;
        let stats = self.measure()?;
        self.turn += 1;
        self.listed = match self.listed {
            Listed::Nothing => Listed::Nothing,
            Listed::Vertices(_) => Listed::Vertices(stats.listed),
            Listed::Edges(_) => Listed::Edges(stats.listed),
            Listed::Parts(_) => Listed::Parts(stats.listed),
        };
        self.frontier = stats.frontier;
        let step = Step {
            frontier: vertices.into(),
            edges: match way {
                Way::Pull => stats.looked.into(),
                Way::EdgeTopology | Way::EdgeReverse => self.graph.edges().into(),
                _ => edges.into(),
            },
            found: stats.frontier.vertices.into(),
            sub_steps,
            time,
            ..Step::new(self.turn - 1, way.name())
        };
        Ok(Turn { step, target: stats.target })
    }

    /// Launches what a way of doing a turn takes, and waits until it is done. Gives the number of
    /// its steps, and the time of all.
    pub fn timed_launches(&mut self, way: Way) -> Result<(u32, Duration)> {
        let start = Instant::now();
        self.gpu.fill(&self.count, 0)?;
        self.gpu.fill(&self.found, 0)?;
        let sub_steps = self.run(way)?;
        self.gpu.finish()?;
        Ok((sub_steps, start.elapsed()))
    }

    /// Launches what a way of doing a turn takes. Gives the number of its steps.
    fn run(&mut self, way: Way) -> Result<u32> {
        match way {
            Way::Node => self.node()?,
            Way::Topology => self.topology(),
            Way::Pull => self.pull()?,
            Way::Edge => self.edge()?,
            Way::EdgeTopology => self.edge_topology()?,
            Way::EdgeReverse => self.edge_reverse()?,
            Way::VirtualWarp => self.virtual_warp(),
            Way::Decompose => self.decompose()?,
            Way::Split => self.split()?,
            Way::Hierarchy => return self.hierarchy(),
            Way::Scan => self.scan()?,
            Way::Group => self.scheduled(ScheduleName::GroupMapped)?,
            Way::Plane => self.scheduled(ScheduleName::PlaneMapped)?,
            Way::Cube => self.scheduled(ScheduleName::CubeMapped)?,
            Way::MergePath => self.scheduled(ScheduleName::MergePath)?,
            Way::Binned => self.scheduled(ScheduleName::Binned)?,
            Way::TwoPhase => self.two_phase()?,
        }
        Ok(1)
    }

    /// Who is in the next turn's frontier.
    fn measure(&self) -> Result<Stats> {
        self.gpu.fill(&self.stats, 0)?;
        let vertices = self.graph.vertices();
        // SAFETY: there is a label and an offset for each vertex, and the others have their one
        // and three numbers.
        unsafe {
            measure::launch_unchecked::<M, R>(
                self.gpu.client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.graph.leaving.arg(),
                self.field_of_turn(self.turn + 1),
                self.count.arg(),
                self.found.arg(),
                self.stats.arg(),
                vertices,
                self.target,
            );
        }
        let stats = self.gpu.download(&self.stats)?;
        Ok(Stats {
            frontier: Frontier { vertices: stats[0], edges: stats[1] },
            listed: stats[2],
            looked: stats[3],
            target: stats[4],
        })
    }

    /// Makes a list of the frontier's vertices, unless it is there.
    pub fn list_vertices(&mut self) -> Result<u32> {
        if let Listed::Vertices(count) = self.listed {
            return Ok(count);
        }
        let vertices = self.graph.vertices();
        // SAFETY: there is a label for each vertex, and room for all in the list.
        unsafe {
            list_frontier::launch_unchecked::<M, R>(
                self.gpu.client(),
                self.cubes(vertices),
                CubeDim::new_1d(UNITS),
                self.field(),
                NextListLaunch::new(self.this.arg(), self.count.arg()),
                vertices,
            );
        }
        self.gpu.fill(&self.count, 0)?;
        self.listed = Listed::Vertices(self.frontier.vertices);
        Ok(self.frontier.vertices)
    }

    /// The most edges a unit takes at a time, for strategies that have such a number.
    pub fn most_edges(&self) -> u32 {
        *self.most_edges.get_or_init(|| self.settings.most_edges(self.graph.graph))
    }

    /// The next list becomes this turn's.
    pub fn turn_lists(&mut self) {
        std::mem::swap(&mut self.this, &mut self.next);
    }

    /// Cubes for so many units, if a launch may have them; kernels loop over the rest.
    pub fn cubes(&self, units: u32) -> CubeCount {
        self.gpu.cubes(u64::from(units).div_ceil(u64::from(UNITS)))
    }

    pub fn field(&self) -> FieldLaunch<M, R> {
        self.field_of_turn(self.turn)
    }

    fn field_of_turn(&self, turn: u32) -> FieldLaunch<M, R> {
        self.field_along(&self.graph.leaving, turn)
    }

    /// The field, with the weights of edges in the order of these rows.
    pub fn field_along(&self, rows: &DeviceRows, turn: u32) -> FieldLaunch<M, R> {
        field_arg(rows, &self.labels, &self.turns, turn)
    }

    pub fn this_arg(&self, count: u32) -> ThisListLaunch<R> {
        ThisListLaunch::new(self.this.arg(), count)
    }

    pub fn next_arg(&self) -> NextListLaunch<R> {
        NextListLaunch::new(self.next.arg(), self.count.arg())
    }
}

/// The labels and turns of vertices, with the weights of edges in the order of these rows, for a
/// kernel.
pub(crate) fn field_arg<M: MetricOn, R: Runtime>(
    rows: &DeviceRows,
    labels: &Buffer<u32>,
    turns: &Buffer<u32>,
    turn: u32,
) -> FieldLaunch<M, R> {
    FieldLaunch::new(M::arg(rows), labels.arg(), labels.arg(), turns.arg(), turns.arg(), turn)
}

#[cube(launch_unchecked)]
fn set_source<M: Metric>(field: &mut Field<M>, source: u32) {
    field.seen[source as usize] = 0u32;
    if comptime!(M::REPEATS) {
        field.turns_seen[source as usize] = 1u32;
    }
}

/// Counts the vertices of a turn's frontier and their edges, and copies how many are listed.
#[cube(launch_unchecked)]
fn measure<M: Metric>(
    rows: &Rows,
    field: &mut Field<M>,
    listed: &Array<u32>,
    looked: &Array<u32>,
    stats: &mut Array<Atomic<u32>>,
    vertices: u32,
    target: u32,
) {
    let sums = SharedMemory::<Atomic<u32>>::new(2usize);
    if UNIT_POS < 2 {
        sums[UNIT_POS as usize].store(0u32);
    }
    sync_cube();
    let mut found = 0u32;
    let mut edges = 0u32;
    for vertex in grid_stride_range(0, vertices) {
        if field.is_active(vertex) {
            found += 1;
            edges += rows.offsets[(vertex + 1) as usize] - rows.offsets[vertex as usize];
        }
    }
    if found > 0 {
        sums[0].fetch_add(found);
        sums[1].fetch_add(edges);
    }
    sync_cube();
    if UNIT_POS < 2 {
        let sum = sums[UNIT_POS as usize].load();
        if sum > 0 {
            stats[UNIT_POS as usize].fetch_add(sum);
        }
    }
    if ABSOLUTE_POS == 0 {
        stats[2].store(listed[0]);
        stats[3].store(looked[1]);
        stats[4].store(field.label(target));
    }
}

/// Lists the vertices of this turn's frontier.
#[cube(launch_unchecked)]
fn list_frontier<M: Metric>(field: &mut Field<M>, list: &mut NextList, vertices: u32) {
    for vertex in grid_stride_range(0, vertices) {
        if field.is_active(vertex) {
            list.add(vertex);
        }
    }
}
