//! A search under way on a GPU: its labels, its frontier, and what its strategies share.

use std::{sync::OnceLock, time::Duration};

use cubecl::prelude::*;
use equipoise_schedule::{
    ScheduleName,
    device::{Buffer, Gpu, GpuRuntime},
};

use super::{
    field::*,
    fused::Fused,
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
    /// The parts that the ways of direction-optimising list; the number of their next launch.
    Fused(u32),
}

/// Buffers for searches of one graph, one after the other.
pub(crate) struct Search<'g, M: MetricOn> {
    pub gpu: &'g Gpu,
    pub graph: &'g DeviceGraph<'g>,
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
    pub stats: Buffer<u32>,
    pub listed: Listed,
    pub turn: u32,
    pub frontier: Frontier,
    pub edge_lists: Option<EdgeLists>,
    pub split: Option<Split>,
    pub fused: Option<Fused<'g>>,
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

impl<'g, M: MetricOn> Search<'g, M> {
    pub fn new(graph: &'g DeviceGraph<'g>, settings: &'g TraversalSettings) -> Result<Self> {
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
            fused: None,
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
                Way::FusedPush | Way::FusedPull => _ = self.prepare_fused()?,
                Way::Pull => _ = graph.entering()?,
                Way::Edge => {
                    graph.leaving.origins(self.gpu, graph.graph)?;
                    self.prepare_edges()?;
                }
                Way::EdgeTopology => _ = graph.leaving.origins(self.gpu, graph.graph)?,
                Way::EdgeReverse => {
                    let rows = graph.entering()?;
                    rows.make_weights(self.gpu)?;
                    rows.origins(self.gpu, graph.graph.transpose()?)?;
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
            set_source::launch_unchecked::<M, GpuRuntime>(
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
        let stats = self.survey()?;
        self.turn += 1;
        self.listed = match self.listed {
            Listed::Nothing => Listed::Nothing,
            Listed::Vertices(_) => Listed::Vertices(stats.listed),
            Listed::Edges(_) => Listed::Edges(stats.listed),
            Listed::Parts(_) => Listed::Parts(stats.listed),
            Listed::Fused(launch) => Listed::Fused(launch),
        };
        self.frontier = stats.frontier;
        let step = Step {
            frontier: vertices.into(),
            edges: match way {
                Way::Pull | Way::FusedPull => stats.looked.into(),
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
        let start = self.gpu.stopwatch();
        if !way.is_fused() {
            self.gpu.fill(&self.count, 0)?;
            self.gpu.fill(&self.found, 0)?;
        }
        let sub_steps = self.run(way)?;
        self.gpu.finish()?;
        Ok((sub_steps, start.elapsed()))
    }

    /// Launches what a way of doing a turn takes. Gives the number of its steps.
    fn run(&mut self, way: Way) -> Result<u32> {
        match way {
            Way::FusedPush | Way::FusedPull => self.fused_level(way)?,
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

    pub fn field(&self) -> FieldLaunch<M, GpuRuntime> {
        self.field_of_turn(self.turn)
    }

    pub fn field_of_turn(&self, turn: u32) -> FieldLaunch<M, GpuRuntime> {
        self.field_along(&self.graph.leaving, turn)
    }

    /// The field, with the weights of edges in the order of these rows.
    pub fn field_along(&self, rows: &DeviceRows, turn: u32) -> FieldLaunch<M, GpuRuntime> {
        field_arg(rows, &self.labels, &self.turns, turn)
    }

    pub fn this_arg(&self, count: u32) -> ThisListLaunch<GpuRuntime> {
        ThisListLaunch::new(self.this.arg(), count)
    }

    pub fn next_arg(&self) -> NextListLaunch<GpuRuntime> {
        NextListLaunch::new(self.next.arg(), self.count.arg())
    }
}

/// The labels and turns of vertices, with the weights of edges in the order of these rows, for a
/// kernel.
pub(crate) fn field_arg<M: MetricOn>(
    rows: &DeviceRows,
    labels: &Buffer<u32>,
    turns: &Buffer<u32>,
    turn: u32,
) -> FieldLaunch<M, GpuRuntime> {
    FieldLaunch::new(M::arg(rows), labels.arg(), labels.arg(), turns.arg(), turns.arg(), turn)
}

#[cube(launch_unchecked)]
fn set_source<M: Metric>(field: &mut Field<M>, source: u32) {
    field.seen[source as usize] = 0u32;
    if comptime!(M::REPEATS) {
        field.turns_seen[source as usize] = 1u32;
    }
}
