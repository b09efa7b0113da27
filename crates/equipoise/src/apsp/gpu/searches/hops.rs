//! Next hops, found from the labels of backward searches alone.
//!
//! All vertices of a search lead to the same target, and labels are final when no edge lowers one.
//! Then the label of every vertex but the target's is, to the bit, that of some vertex after it plus
//! the edge between: the sum that lowered it last is not undercut by the final label there, which is
//! no larger than it was then, and rounding keeps the order of sums. A vertex takes the end of such
//! an edge with a smaller label: labels fall along the way. Where an edge adds nothing, or less than
//! rounding keeps, labels do not fall: those vertices then take, a round at a time, one that has a
//! hop, so that no circle is closed. Nobody is left: of several with the same label, the one whose
//! label fell first had it from a smaller one or from the target.

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
    ranges::*,
};

use super::super::{
    edges::{DeviceEdges, *},
    length::{DeviceLength, UNITS},
};
use crate::{NONE, Result};

/// The next hops of a batch.
pub(super) struct Hops {
    pub hops: Buffer<u32>,
    /// How many were found in a round.
    found: Buffer<u32>,
}

impl Hops {
    pub fn new(gpu: &Gpu, labels: usize) -> Result<Self> {
        Ok(Self { hops: gpu.empty(labels)?, found: gpu.empty(1)? })
    }

    /// Finds them, for searches that start from these vertices.
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
        // SAFETY: there is a label and a hop for each pair of a search and a vertex, and a source for
        // each search; edges lead to vertices.
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
        let mut found = 1;
        while found > 0 {
            gpu.fill(&self.found, 0)?;
            // SAFETY: as above.
            unsafe {
                equal_labels::launch_unchecked::<T, GpuRuntime>(
                    gpu.client(),
                    cubes(),
                    CubeDim::new_1d(UNITS),
                    edges.arg(),
                    labels.arg(),
                    from.arg(),
                    AtomicArray::of(gpu, &self.hops),
                    self.found.arg(),
                    pairs,
                    edges.vertices,
                    far,
                    lanes,
                );
            }
            found = gpu.download(&self.found)?.iter().sum();
        }
        Ok(())
    }
}

/// Offers each vertex to those before it with larger labels. `lanes` units share its edges.
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
                let there = labels[before];
                if label < there && u32::reinterpret(sum) == there {
                    hops[before] = vertex;
                }
            }
        }
    }
}

/// The same where labels are equal, to those that have no hop from those that have one.
#[cube(launch_unchecked)]
#[allow(clippy::too_many_arguments)]
fn equal_labels<L: Numeric>(
    edges: &Edges<L>,
    labels: &Array<u32>,
    sources: &Array<u32>,
    hops: &mut AtomicArray,
    found: &mut Array<Atomic<u32>>,
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
                let place = row + before;
                let sum = L::reinterpret(label) + edges.weights[edge as usize];
                let wanted = before != target
                    && labels[place as usize] == label
                    && u32::reinterpret(sum) == label
                    && hops.get(place) == NONE;
                if wanted {
                    // Only the first counts: who has a hop keeps it.
                    let none = NONE.runtime();
                    let old = hops.compare_exchange_weak(place, none, vertex);
                    if old == NONE {
                        found[0].fetch_add(1u32);
                    }
                }
            }
        }
    }
}
