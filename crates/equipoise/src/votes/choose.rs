//! What visited vertices want to join: the label around them with the largest gain.
//!
//! The weights to each label are summed in a table: none for a vertex with few edges, whose unit compares all of them; one in shared
//! memory for others; and for hubs also one in global memory, for labels that find no slot in the former.

use std::sync::OnceLock;

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::DeviceGraph,
    input::Input,
    ranges::*,
};

use super::{
    label_table::*,
    ordered::unordered,
    visits::{DegreeClass, Listed},
};
use crate::{
    NONE, Result,
    kernels::{UNITS, cubes_for},
    once::get_or_try_init,
};

/// Units that choose together for a vertex with some edges.
const GROUP: u32 = 32;
/// Slots of a group's and of a cube's table: twice the edges of a vertex, so that one is always free.
const GROUP_SLOTS: u32 = 2 * DegreeClass::Some.most_edges();
const CUBE_SLOTS: u32 = 2 * DegreeClass::Many.most_edges();
/// Units of a cube for a hub.
const HUB_UNITS: u32 = 1024;

/// What a vertex may join, and what it gains. Labels are numbers of vertices.
// The macro adds functions without documentation.
#[allow(missing_docs)]
#[cube]
pub(crate) trait Rule: LaunchArg {
    /// The label of a vertex.
    fn own(&self, vertex: u32) -> u32;
    /// Whether it may leave its label.
    fn may_leave(&self, vertex: u32) -> bool;
    /// The label of a neighbour, or `NONE` where the vertex must not join it.
    fn around(&self, vertex: u32, neighbour: u32) -> u32;
    /// The gain of joining a label, as [`ordered`](super::ordered::ordered) bits; 0 if that is out of the question.
    fn gain(&self, vertex: u32, to_own: u32, label: u32, to_label: u32) -> u32;
}

/// The edges of a level.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct Edges {
    offsets: Input<u32>,
    targets: Input<u32>,
    weights: Input<u32>,
}

/// What each vertex wants; its own label where it stays, or is not visited.
#[derive(Clone)]
pub(crate) struct Wishes {
    /// The labels at the start of the batch.
    pub from: Buffer<u32>,
    pub wanted: Buffer<u32>,
    pub gains: Buffer<f32>,
}

impl Wishes {
    pub fn new(gpu: &Gpu, vertices: usize) -> Result<Self> {
        let (from, wanted) = (gpu.empty(vertices)?, gpu.empty(vertices)?);
        Ok(Self { from, wanted, gains: gpu.empty(vertices)? })
    }

    pub fn written(&self) -> WrittenWishesLaunch<GpuRuntime> {
        WrittenWishesLaunch::new(self.from.arg(), self.wanted.arg(), self.gains.arg())
    }
}

/// The same in a kernel that writes them.
#[derive(CubeType, CubeLaunch)]
pub(crate) struct WrittenWishes {
    from: Array<u32>,
    wanted: Array<u32>,
    gains: Array<f32>,
}

#[cube]
impl WrittenWishes {
    /// Lets a vertex stay.
    pub fn clear(&mut self, vertex: u32, own: u32) {
        self.from[vertex as usize] = own;
        self.wanted[vertex as usize] = own;
        self.gains[vertex as usize] = 0.0;
    }

    fn write(&mut self, vertex: u32, best: &Best) {
        if best.label != NONE {
            self.wanted[vertex as usize] = best.label;
            self.gains[vertex as usize] = unordered(best.gain);
        }
    }
}

/// The tables in global memory.
struct HubTables {
    keys: Buffer<u32>,
    sums: Buffer<u32>,
}

/// The graph in which vertices choose.
pub(crate) struct Chooser<'g> {
    graph: &'g DeviceGraph,
    weights: &'g Buffer<u32>,
    pub wishes: Wishes,
    /// Made when the first hub chooses.
    hubs: OnceLock<HubTables>,
}

impl<'g> Chooser<'g> {
    pub fn new(graph: &'g DeviceGraph, weights: &'g Buffer<u32>) -> Result<Self> {
        let wishes = Wishes::new(graph.gpu(), graph.vertices() as usize)?;
        Ok(Self { graph, weights, wishes, hubs: OnceLock::new() })
    }

    /// Writes what listed vertices want.
    ///
    /// # Safety
    ///
    /// Given vertices of the graph, and labels that it returned, the rule accesses only its buffers.
    pub unsafe fn choose<R: Rule>(
        &self,
        listed: &Listed,
        rule: R::RuntimeArg<GpuRuntime>,
    ) -> Result<()> {
        let gpu = self.graph.gpu();
        let edges = EdgesLaunch::new(
            self.graph.offsets().arg(),
            self.graph.targets().arg(),
            self.weights.arg(),
        );
        let (wishes, list) = (self.wishes.written(), listed.list.arg());
        let (start, end) = (listed.range.start, listed.range.end);
        let Some(shape) = table_shape(gpu, listed.class) else {
            // SAFETY: listed vertices have rows of the graph, whose edges have targets and weights, and an element in each of the
            // wishes.
            unsafe {
                choose_alone::launch_unchecked::<R, GpuRuntime>(
                    gpu.client(),
                    cubes_for(gpu, end - start),
                    CubeDim::new_1d(UNITS),
                    rule,
                    edges,
                    wishes,
                    list,
                    start,
                    end,
                );
            }
            return Ok(());
        };
        let overflow = match listed.class {
            DegreeClass::Hub => ComptimeOptionArgs::Some(self.overflow()?),
            _ => ComptimeOptionArgs::None,
        };
        // SAFETY: as above. Of the tables of a group, a vertex uses twice as many slots as it has edges; where it would be more than
        // all, labels without a slot get one of those in global memory, which are two per edge.
        unsafe {
            choose_together::launch_unchecked::<R, GpuRuntime>(
                gpu.client(),
                gpu.cubes((end - start).div_ceil(shape.units / shape.group).into()),
                CubeDim::new_1d(shape.units),
                rule,
                edges,
                wishes,
                overflow,
                list,
                start,
                end,
                shape,
            );
        }
        Ok(())
    }

    fn overflow(&self) -> Result<OverflowLaunch<GpuRuntime>> {
        let (gpu, slots) = (self.graph.gpu(), 2 * self.graph.edges() as usize);
        let hubs = get_or_try_init(&self.hubs, || {
            Ok(HubTables { keys: gpu.filled(slots, NONE)?, sums: gpu.filled(slots, 0)? })
        })?;
        let array = |buffer| AtomicArray::bind(gpu, buffer);
        Ok(OverflowLaunch::new(array(&hubs.keys), array(&hubs.sums)))
    }
}

/// The tables of a class, if it has any.
fn table_shape(gpu: &Gpu, class: DegreeClass) -> Option<TableShape> {
    let (units, group, slots) = match class {
        DegreeClass::Few => return None,
        DegreeClass::Some => (UNITS, GROUP, GROUP_SLOTS),
        DegreeClass::Many => (UNITS, UNITS, CUBE_SLOTS),
        DegreeClass::Hub => {
            let units = HUB_UNITS.min(gpu.properties().max_units);
            (units, units, CUBE_SLOTS)
        }
    };
    Some(TableShape { units, group, slots })
}

/// One unit per vertex, which compares all labels around it.
#[cube(launch_unchecked)]
fn choose_alone<R: Rule>(
    rule: &R,
    edges: &Edges,
    wishes: &mut WrittenWishes,
    list: &Array<u32>,
    start: u32,
    end: u32,
) {
    for index in grid_stride_range(start, end) {
        let vertex = list[index as usize];
        let own = rule.own(vertex);
        let mut best = Best::new();
        if rule.may_leave(vertex) {
            let begin = edges.offsets[vertex as usize];
            let end = edges.offsets[vertex as usize + 1];
            let to_own = weight_to::<R>(rule, edges, vertex, own, begin, end);
            for edge in begin..end {
                let label = rule.around(vertex, edges.targets[edge as usize]);
                if label != NONE && label != own {
                    let weight = weight_to::<R>(rule, edges, vertex, label, begin, end);
                    best.offer(label, rule.gain(vertex, to_own, label, weight));
                }
            }
        }
        wishes.write(vertex, &best);
    }
}

/// The weight of the edges of a vertex to a label.
#[cube]
fn weight_to<R: Rule>(
    rule: &R,
    edges: &Edges,
    vertex: u32,
    label: u32,
    begin: u32,
    end: u32,
) -> u32 {
    let mut sum = 0u32;
    for edge in begin..end {
        if rule.around(vertex, edges.targets[edge as usize]) == label {
            sum += edges.weights[edge as usize];
        }
    }
    sum
}

/// A group of units per vertex. All units of a cube take the same number of turns.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn choose_together<R: Rule>(
    rule: &R,
    edges: &Edges,
    wishes: &mut WrittenWishes,
    overflow: &mut ComptimeOption<Overflow>,
    list: &Array<u32>,
    start: u32,
    end: u32,
    #[comptime] shape: TableShape,
) {
    let groups = comptime!(shape.units / shape.group);
    let lane = UNIT_POS % shape.group;
    let spilled = SharedMemory::<Atomic<u32>>::new(1usize);
    let mut table = LabelTable::new(shape);
    let mut election = Election::new(shape);
    let first = start + CUBE_POS as u32 * groups;
    for turn in step_range(first, end, CUBE_COUNT as u32 * groups) {
        let index = turn + UNIT_POS / shape.group;
        let vertex = list[min(index, end - 1) as usize];
        let begin = edges.offsets[vertex as usize];
        let mut row_end = begin;
        if index < end && rule.may_leave(vertex) {
            row_end = edges.offsets[vertex as usize + 1];
        }
        election.clear();
        table.clear(row_end - begin);
        if UNIT_POS == 0 {
            spilled[0].store(0u32);
        }
        sync_cube();
        let own = rule.own(vertex);
        let mut to_own = 0u32;
        for edge in step_range(begin + lane, row_end, shape.group.runtime()) {
            let label = rule.around(vertex, edges.targets[edge as usize]);
            let weight = edges.weights[edge as usize];
            if label == own {
                to_own += weight;
            } else if label != NONE {
                #[comptime]
                match &mut *overflow {
                    ComptimeOption::Some(overflow) => {
                        if table.add_or_spill(label, weight, overflow, begin, row_end) {
                            spilled[0].store(1u32);
                        }
                    }
                    ComptimeOption::None => table.add(label, weight),
                }
            }
        }
        election.add(to_own);
        sync_cube();
        sync_storage();
        let to_own = election.total();
        let mut best = Best::new();
        for slot in table.own_slots() {
            let label = table.label(slot);
            if label != NONE {
                best.offer(label, rule.gain(vertex, to_own, label, table.sum(slot)));
            }
        }
        #[comptime]
        match &mut *overflow {
            ComptimeOption::Some(overflow) => {
                if spilled[0].load() == 1 {
                    for slot in overflow.slots(begin, row_end) {
                        let label = overflow.keys.get(slot);
                        if label != NONE {
                            let weight = overflow.take(slot);
                            best.offer(label, rule.gain(vertex, to_own, label, weight));
                        }
                    }
                }
            }
            ComptimeOption::None => {}
        }
        let best = election.elect(best);
        if lane == 0 && index < end {
            wishes.write(vertex, &best);
        }
    }
}
