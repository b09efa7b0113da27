//! Next hops from the labels of backward searches alone.
//!
//! All vertices of a search lead to the same target, and labels are final when no edge lowers one.
//! Then the label of every vertex except the target is, to the bit, that of some successor plus the
//! edge between: its final label is no larger than the one that lowered it last, and rounding
//! keeps the order of sums. A vertex takes the end of such an edge with a smaller label, so labels fall
//! along the path. Where an edge adds nothing, or less than rounding keeps, labels do not fall: those
//! vertices then take, a round at a time, a vertex that has a hop, so that hops close no cycle. Every
//! vertex gets a hop: of several with the same label, the one whose label fell first had it from a
//! smaller label or from the target.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};

use crate::{
    NONE, Result,
    apsp::gpu::{
        edges::{DeviceEdges, *},
        length::{DeviceLength, UNITS},
    },
};

/// The next hops of a batch.
pub(super) struct Hops {
    pub hops: Buffer<u32>,
    /// The number of hops found in a round.
    new_hops: Buffer<u32>,
}

impl Hops {
    pub fn new(gpu: &Gpu, labels: usize) -> Result<Self> {
        Ok(Self { hops: gpu.empty(labels)?, new_hops: gpu.empty(1)? })
    }

    /// Finds the hops of searches from these vertices.
    pub fn find<T: DeviceLength>(
        &self,
        gpu: &Gpu,
        edges: &DeviceEdges<T>,
        labels: &Buffer<u32>,
        sources: &[u32],
        lanes: u32,
    ) -> Result<()> {
        gpu.fill(&self.hops, NONE)?;
        let from = gpu.upload(sources)?;
        let pairs = sources.len() as u32 * edges.vertices;
        let busy = u64::from(gpu.properties().cubes_at_work());
        let cubes = || gpu.cubes(busy.min(u64::from(pairs).div_ceil((UNITS / lanes).into())));
        let far = T::FAR.bits();
        // SAFETY: each search has a label and a hop per vertex, and a source; edges lead to
        // vertices.
        unsafe {
            descend::launch_unchecked::<T, GpuRuntime>(
                gpu.client(),
                cubes(),
                CubeDim::new_1d(UNITS),
                edges.arg(),
                labels.arg(),
                self.hops.arg(),
                pairs,
                edges.vertices,
                far,
                lanes,
            );
        }
        let mut new_hops = 1;
        while new_hops > 0 {
            gpu.fill(&self.new_hops, 0)?;
            // SAFETY: as above.
            unsafe {
                equal_labels::launch_unchecked::<T, GpuRuntime>(
                    gpu.client(),
                    cubes(),
                    CubeDim::new_1d(UNITS),
                    edges.arg(),
                    labels.arg(),
                    from.arg(),
                    AtomicArray::bind(gpu, &self.hops),
                    self.new_hops.arg(),
                    pairs,
                    edges.vertices,
                    far,
                    lanes,
                );
            }
            new_hops = gpu.download(&self.new_hops)?.iter().sum();
        }
        Ok(())
    }
}

/// Makes each vertex the hop of its predecessors with larger labels. `lanes` units share its edges.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn descend<L: Numeric>(
    edges: &Edges<L>,
    labels: &Array<u32>,
    hops: &mut Array<u32>,
    pairs: u32,
    vertices: u32,
    far: u32,
    lanes: u32,
) {
    let (lane, groups) = (UNIT_POS % lanes, CUBE_DIM / lanes);
    let first = CUBE_POS as u32 * groups + UNIT_POS / lanes;
    for pair in step_range(first, pairs, CUBE_COUNT as u32 * groups) {
        let label = labels[pair as usize];
        if label < far {
            let vertex = pair % vertices;
            let row = pair - vertex;
            let end = edges.offsets[vertex as usize + 1];
            for edge in step_range(edges.offsets[vertex as usize] + lane, end, lanes) {
                let before = (row + edges.targets[edge as usize]) as usize;
                let sum = L::reinterpret(label) + edges.weights[edge as usize];
                let label_before = labels[before];
                if label < label_before && u32::reinterpret(sum) == label_before {
                    hops[before] = vertex;
                }
            }
        }
    }
}

/// As [`descend`] for equal labels, from vertices with a hop to those without.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn equal_labels<L: Numeric>(
    edges: &Edges<L>,
    labels: &Array<u32>,
    sources: &Array<u32>,
    hops: &mut AtomicArray,
    new_hops: &mut Array<Atomic<u32>>,
    pairs: u32,
    vertices: u32,
    far: u32,
    lanes: u32,
) {
    let (lane, groups) = (UNIT_POS % lanes, CUBE_DIM / lanes);
    let first = CUBE_POS as u32 * groups + UNIT_POS / lanes;
    for pair in step_range(first, pairs, CUBE_COUNT as u32 * groups) {
        let label = labels[pair as usize];
        let vertex = pair % vertices;
        let row = pair - vertex;
        let target = sources[(pair / vertices) as usize];
        if label < far && (vertex == target || hops.get(pair) != NONE) {
            let end = edges.offsets[vertex as usize + 1];
            for edge in step_range(edges.offsets[vertex as usize] + lane, end, lanes) {
                let before = edges.targets[edge as usize];
                let index = row + before;
                let sum = L::reinterpret(label) + edges.weights[edge as usize];
                let needs_hop = before != target
                    && labels[index as usize] == label
                    && u32::reinterpret(sum) == label
                    && hops.get(index) == NONE;
                if needs_hop {
                    // The first hop wins.
                    let none = NONE.runtime();
                    let old = hops.compare_exchange_weak(index, none, vertex);
                    if old == NONE {
                        new_hops[0].fetch_add(1u32);
                    }
                }
            }
        }
    }
}
