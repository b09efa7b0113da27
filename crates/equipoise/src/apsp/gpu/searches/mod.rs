//! One search per source, many sources at once.
//!
//! Each search of a batch has a row of labels and a list of the vertices whose labels fell in the last
//! iteration. A launch is an iteration of all searches: it relaxes the edges that leave the lists and
//! lists the vertices whose labels fall. The device counts the active searches, and the host reads the
//! count every few iterations. A label is the bits of a length, which order as lengths do.
//!
//! After iteration t no label exceeds the length of the shortest path of at most t edges, and only a
//! label that fell puts its vertex into a list. So iterations are at most as many as vertices.

mod hops;
mod kernels;

use cubecl::prelude::*;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu, GpuRuntime},
};

use super::{
    edges::DeviceEdges,
    length::{DeviceLength, UNITS},
};
use crate::{Result, bisect::largest};
use hops::Hops;
use kernels::{SearchesLaunch, begin, iterate};

/// Words per vertex of a search: its label, its last iteration, an element of two lists and, if
/// requested, its next hop.
fn words(with_hops: bool) -> u64 {
    if with_hops { 5 } else { 4 }
}

/// The most labels of a batch, which are downloaded at once.
const MOST_LABELS: u64 = 1 << 28;
/// Iterations between two reads of the number of active searches: a few at first, then doubling.
const FEWEST_ITERATIONS: u32 = 4;
const MOST_ITERATIONS: u32 = 64;
/// The most units that share the edges of a vertex.
const MOST_LANES: u32 = 32;

/// A batch of searches that run at the same time.
pub(super) struct Batch<'a, T: DeviceLength> {
    gpu: &'a Gpu,
    edges: &'a DeviceEdges<T>,
    labels: Buffer<u32>,
    listed: Buffer<u32>,
    lists: [Buffer<u32>; 2],
    hops: Option<Hops>,
    /// The lengths of the lists, and the number of active searches: of this iteration, of the next, and
    /// zeros.
    counts: Buffer<u32>,
    iteration: u32,
}

/// The number of searches of a batch, up to `wanted`, that fit in `available` bytes; at least 1, even
/// if none fits.
pub(super) fn batch_size(
    gpu: &Gpu,
    vertices: u32,
    wanted: usize,
    with_hops: bool,
    available: u64,
) -> u32 {
    let row = u64::from(vertices).max(1);
    let largest_buffer = gpu.properties().largest_buffer / 4;
    let most = (MOST_LABELS.min(largest_buffer) / row).clamp(1, (wanted as u64).max(1));
    let fits = |searches| batch_bytes(gpu, vertices, searches as u32, with_hops) <= available;
    largest(most, fits).max(1) as u32
}

pub(super) fn batch_bytes(gpu: &Gpu, vertices: u32, searches: u32, with_hops: bool) -> u64 {
    let searches = u64::from(searches);
    let rows = words(with_hops) * gpu.held_by(4 * searches * u64::from(vertices).max(1));
    // Three counters per search and for all, the sources, and the counter of hops.
    rows + gpu.held_by(4 * 3 * (searches + 1)) + gpu.held_by(4 * searches) + 4
}

impl<'a, T: DeviceLength> Batch<'a, T> {
    pub fn new(
        gpu: &'a Gpu,
        edges: &'a DeviceEdges<T>,
        searches: u32,
        with_hops: bool,
    ) -> Result<Self> {
        let labels = searches as usize * edges.vertices as usize;
        Ok(Self {
            gpu,
            edges,
            labels: gpu.empty(labels)?,
            listed: gpu.filled(labels, 0)?,
            lists: [gpu.empty(labels)?, gpu.empty(labels)?],
            hops: with_hops.then(|| Hops::new(gpu, labels)).transpose()?,
            counts: gpu.empty(3 * (searches as usize + 1))?,
            iteration: 0,
        })
    }

    /// Searches from the sources, no more than the batch has searches, until all labels are final.
    pub fn search(&mut self, sources: &[u32]) -> Result<()> {
        self.begin(sources)?;
        let mut iterations = FEWEST_ITERATIONS;
        let active = |iteration: u32| iteration as usize % 3 * (sources.len() + 1) + sources.len();
        loop {
            for _ in 0..iterations {
                self.iterate(sources.len() as u32);
            }
            if self.gpu.download(&self.counts)?[active(self.iteration)] == 0 {
                return Ok(());
            }
            iterations = (2 * iterations).min(MOST_ITERATIONS);
        }
    }

    /// The lengths of the first searches, row after row.
    pub fn lengths(&self, searches: usize) -> Result<Vec<u32>> {
        Ok(self.gpu.download_first(&self.labels, searches * self.vertices())?)
    }

    /// Finds the next hops, if requested, from the labels.
    pub fn find_hops(&self, sources: &[u32]) -> Result<()> {
        match &self.hops {
            Some(hops) => hops.find(self.gpu, self.edges, &self.labels, sources, self.lanes()),
            None => Ok(()),
        }
    }

    /// The hops of the first searches, row after row, if requested.
    pub fn hops(&self, searches: usize) -> Result<Option<Vec<u32>>> {
        let Some(hops) = &self.hops else { return Ok(None) };
        let all = self.gpu.download_first(&hops.hops, searches * self.vertices())?;
        Ok(Some(all))
    }

    pub fn vertices(&self) -> usize {
        self.edges.vertices as usize
    }

    /// Units that share the edges of a vertex.
    fn lanes(&self) -> u32 {
        self.edges.mean_degree().next_power_of_two().min(MOST_LANES)
    }

    /// Makes all labels far, and each source the only one in its search's list.
    fn begin(&mut self, sources: &[u32]) -> Result<()> {
        // The count of iterations continues from batch to batch, so that `listed` is never reset.
        self.iteration += 1;
        self.gpu.fill(&self.labels, T::FAR.bits())?;
        self.gpu.fill(&self.counts, 0)?;
        let from = self.gpu.upload(sources)?;
        let searches = sources.len() as u32;
        // SAFETY: each search has a row; the caller checked that sources are vertices.
        unsafe {
            begin::launch_unchecked::<GpuRuntime>(
                self.gpu.client(),
                self.gpu.cubes(u64::from(searches).div_ceil(UNITS.into())),
                CubeDim::new_1d(UNITS),
                from.arg(),
                self.arg(),
                searches,
                self.edges.vertices,
                self.iteration,
            );
        }
        Ok(())
    }

    fn iterate(&mut self, searches: u32) {
        let busy = self.gpu.properties().cubes_at_work();
        let parts = busy.div_ceil(searches);
        // SAFETY: each search has a row of labels and of each list, which has each vertex at most
        // once; edges lead to vertices.
        unsafe {
            iterate::launch_unchecked::<T, GpuRuntime>(
                self.gpu.client(),
                self.gpu.cubes(u64::from(searches) * u64::from(parts)),
                CubeDim::new_1d(UNITS),
                self.edges.arg(),
                self.arg(),
                searches,
                parts,
                self.lanes(),
                self.edges.vertices,
                self.iteration,
            );
        }
        self.iteration += 1;
    }

    fn arg(&self) -> SearchesLaunch<GpuRuntime> {
        let (this, next) = (self.iteration as usize % 2, (self.iteration as usize + 1) % 2);
        SearchesLaunch::new(
            AtomicArray::bind(self.gpu, &self.labels),
            self.listed.arg(),
            self.lists[this].arg(),
            self.lists[next].arg(),
            AtomicArray::bind(self.gpu, &self.counts),
        )
    }
}
