//! Sums of weights by label: a hash table per vertex, with two slots per neighbour.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    engine::*,
    input::Input,
};

use super::slots::*;
use crate::{NONE, Result};

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
        let (gpu, slots) = (graph.gpu(), 2 * graph.edges() as usize);
        let best = gpu.empty(graph.vertices() as usize)?;
        Ok(Self { gpu: gpu.clone(), keys: gpu.empty(slots)?, sums: gpu.empty(slots)?, best })
    }

    pub fn clear(&self) -> Result<()> {
        self.gpu.fill(&self.keys, NONE)?;
        Ok(self.gpu.fill(&self.sums, 0)?)
    }

    /// The operation that sums the weights of labels around vertices. `labels` has one entry per vertex, `weights` one per edge.
    pub fn count<'a>(
        &'a self,
        graph: &'a DeviceGraph,
        labels: &'a Buffer<u32>,
        weights: &'a Buffer<u32>,
    ) -> Operation<'a, Count> {
        let count = move || {
            let (labels, weights) = (labels.arg(), weights.arg());
            CountLaunch::new(self.filling(graph), labels, weights, self.best.arg())
        };
        // SAFETY: each vertex has a label and a best sum, each edge a weight, and each table two slots per edge, so that
        // some are free.
        unsafe { Operation::<Count>::unchecked(count) }
    }

    /// The tables for filling.
    pub fn filling(&self, graph: &DeviceGraph) -> FillingLaunch<GpuRuntime> {
        let array = |buffer| AtomicArray::bind(&self.gpu, buffer);
        FillingLaunch::new(graph.offsets().arg(), array(&self.keys), array(&self.sums))
    }

    /// The tables for reading.
    pub fn sums(&self, graph: &DeviceGraph) -> SumsLaunch<GpuRuntime> {
        SumsLaunch::new(graph.offsets().arg(), self.keys.arg(), self.sums.arg())
    }
}

/// The sums of all tables, to which units add.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Filling {
    offsets: Input<u32>,
    keys: AtomicArray,
    sums: AtomicArray,
}

#[cube]
impl Filling {
    /// Adds to the sum of a label, and returns the sum so far. The vertex must have at least as many neighbours as labels.
    pub fn add(&mut self, vertex: u32, label: u32, weight: u32) -> u32 {
        let start = 2 * self.offsets[vertex as usize];
        let end = 2 * self.offsets[vertex as usize + 1];
        let slot = slot_of(&mut self.keys, start, end, label);
        self.sums.fetch_add(slot, weight) + weight
    }
}

/// Sums the weights of labels among the neighbours of a vertex, and finds the largest sum.
#[derive(CubeType, CubeLaunch)]
pub(super) struct Count {
    tables: Filling,
    labels: Input<u32>,
    weights: Input<u32>,
    best: Array<u32>,
}

impl GatherOpKind for Count {}

#[cube]
impl GatherOp for Count {
    type Value = u32;

    fn identity() -> u32 {
        0u32.runtime()
    }

    /// Returns the current sum of the label. The maximum over all edges is the final sum of the most frequent label.
    fn gather(&mut self, vertex: u32, neighbour: u32, edge: u32) -> u32 {
        self.tables.add(vertex, self.labels[neighbour as usize], self.weights[edge as usize])
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

    /// The sum of a label. The vertex must have neighbours.
    pub fn sum_of(&self, vertex: u32, label: u32) -> u32 {
        let start = 2 * self.offsets[vertex as usize];
        let slots = 2 * self.offsets[vertex as usize + 1] - start;
        let mut slot = first_slot(label, slots);
        let mut key = self.keys[(start + slot) as usize];
        while key != label && key != NONE {
            slot = (slot + 1) % slots;
            key = self.keys[(start + slot) as usize];
        }
        // The sum of a free slot is 0.
        self.sums[(start + slot) as usize]
    }
}
