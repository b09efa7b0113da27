//! Weights added up by what they are for, a table for each vertex: labels, communities.
//!
//! A table has twice as many places as its vertex has neighbours.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
};

use crate::{NONE, Result};

/// The most edges: places are numbered by 32 bits.
pub(super) const MOST_EDGES: u64 = u32::MAX as u64 / 2;

/// The tables of all vertices.
pub(super) struct Table {
    gpu: Gpu,
    keys: Buffer<u32>,
    sums: Buffer<u32>,
    /// The largest sum of each vertex.
    pub best: Buffer<u32>,
}

impl Table {
    pub fn new(graph: &DeviceGraph) -> Result<Self> {
        let (gpu, places) = (graph.gpu(), 2 * graph.edges() as usize);
        let best = gpu.empty(graph.vertices() as usize)?;
        Ok(Self { gpu: gpu.clone(), keys: gpu.empty(places)?, sums: gpu.empty(places)?, best })
    }

    pub fn clear(&self) -> Result<()> {
        self.gpu.fill(&self.keys, NONE)?;
        Ok(self.gpu.fill(&self.sums, 0)?)
    }

    /// Adds up what the labels of the neighbours of vertices weigh. There is a label for each vertex, and a weight for each
    /// edge.
    pub fn count<'a>(
        &'a self,
        graph: &'a DeviceGraph,
        labels: &'a Buffer<u32>,
        weights: &'a Buffer<u32>,
    ) -> Operation<'a, Count> {
        let array = |buffer| AtomicArray::of(&self.gpu, buffer);
        let count = move || {
            CountLaunch::new(
                graph.offsets().arg(),
                labels.arg(),
                weights.arg(),
                array(&self.keys),
                array(&self.sums),
                self.best.arg(),
            )
        };
        // SAFETY: there are a label and a best sum for each vertex, a weight for each edge, and twice as many places as
        // edges, of which those of a vertex are not all taken by the labels of its neighbours.
        unsafe { Operation::<Count>::unchecked(count) }
    }

    /// What was added up.
    pub fn sums(&self, graph: &DeviceGraph) -> SumsLaunch<GpuRuntime> {
        SumsLaunch::new(graph.offsets().arg(), self.keys.arg(), self.sums.arg())
    }
}

/// Where the search for a label starts in a table of so many places.
#[cube]
fn first_place(label: u32, places: u32) -> u32 {
    (label * 0x9e37_79b9u32) % places
}

/// Adds up the weights of labels among the neighbours of a vertex, and finds the largest sum.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Count {
    offsets: Input<u32>,
    labels: Input<u32>,
    weights: Input<u32>,
    keys: AtomicArray,
    sums: AtomicArray,
    best: Array<u32>,
}

impl GatherOpKind for Count {}

#[cube]
impl GatherOp for Count {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    /// The sum so far of the label: the largest that any edge sees is that of the most frequent one.
    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        let label = self.labels[neighbour as usize];
        let start = 2 * self.offsets[vertex as usize];
        let places = 2 * self.offsets[vertex as usize + 1] - start;
        let mut place = first_place(label, places);
        let mut is_found = false;
        while !is_found {
            let mut there = self.keys.get(start + place);
            if there == NONE {
                there = self.keys.compare_exchange_weak(start + place, NONE.runtime(), label);
            }
            is_found = there == label;
            // Where it was free it is looked at once more: the exchange may have failed for no reason.
            if there != label && there != NONE {
                place = (place + 1) % places;
            }
        }
        let weight = self.weights[edge as usize];
        self.sums.fetch_add(start + place, weight) + weight
    }

    fn combine(a: u32, b: u32) -> u32 {
        max(a, b)
    }

    fn apply(&mut self, vertex: u32, total: u32) {
        self.best[vertex as usize] = total;
    }
}

/// The sums of all tables.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Sums {
    offsets: Input<u32>,
    keys: Input<u32>,
    sums: Input<u32>,
}

#[cube]
impl Sums {
    /// Whether a vertex has neighbours.
    pub fn has_any(&self, vertex: u32) -> bool {
        self.offsets[vertex as usize + 1] > self.offsets[vertex as usize]
    }

    /// The weight of a label among the neighbours of a vertex that has some.
    pub fn of(&self, vertex: u32, label: u32) -> u32 {
        let start = 2 * self.offsets[vertex as usize];
        let places = 2 * self.offsets[vertex as usize + 1] - start;
        let mut place = first_place(label, places);
        let mut there = self.keys[(start + place) as usize];
        while there != label && there != NONE {
            place = (place + 1) % places;
            there = self.keys[(start + place) as usize];
        }
        // Free places have a sum of zero.
        self.sums[(start + place) as usize]
    }
}
