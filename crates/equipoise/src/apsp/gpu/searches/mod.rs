//! One search a source, many sources at once.
//!
//! Each search of a batch has a row of labels and a list of the vertices that are nearer than they
//! were an iteration ago. A launch is an iteration of all of them: it relaxes the edges that leave
//! the lists and lists the vertices it brings nearer. How many searches are not over is counted on
//! the device, and the host reads it once in several iterations. A label is the bits of a length,
//! which order as the lengths do.
//!
//! After iteration t no label is more than the length of the shortest path of at most t edges, and
//! only a label that fell puts its vertex into a list. So there are at most as many iterations as
//! vertices.

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
use crate::Result;
use hops::Hops;
use kernels::{SearchesLaunch, begin, iterate};

/// Words of a vertex in a search: its label, its last iteration, its place in two lists, and, where it is
/// wanted, its next hop.
fn words(with_hops: bool) -> u64 {
    if with_hops { 5 } else { 4 }
}

/// The most labels of a batch: what is downloaded at once.
const MOST_LABELS: u64 = 1 << 28;
/// Iterations that are enqueued before the host reads whether any search goes on: a few at first,
/// and then twice as many each time.
const FEWEST_ITERATIONS: u32 = 4;
const MOST_ITERATIONS: u32 = 64;
/// The most units that share the edges of a vertex.
const MOST_LANES: u32 = 32;

/// Room for searches that run at the same time.
pub(super) struct Batch<'a, T: DeviceLength> {
    gpu: &'a Gpu,
    edges: &'a DeviceEdges<T>,
    labels: Buffer<u32>,
    listed: Buffer<u32>,
    lists: [Buffer<u32>; 2],
    hops: Option<Hops>,
    /// The lengths of the lists, and the searches that are not over: those of this iteration, of the
    /// next, and zeros.
    counts: Buffer<u32>,
    iteration: u32,
}

/// The searches that memory of that size has room for, of so many that are wanted: at least one,
/// whether or not it has.
pub(super) fn batch_size(
    gpu: &Gpu,
    vertices: u32,
    wanted: usize,
    with_hops: bool,
    available: u64,
) -> u32 {
    let row = u64::from(vertices).max(1);
    let largest = gpu.properties().largest_buffer / 4;
    let most = (MOST_LABELS.min(largest) / row).clamp(1, (wanted as u64).max(1)) as u32;
    let fits = |searches: u32| batch_bytes(gpu, vertices, searches, with_hops) <= available;
    if fits(most) {
        return most;
    }
    // The most that fit, by halving what is not known of it.
    let (mut good, mut bad) = (1, most);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        match fits(middle) {
            true => good = middle,
            false => bad = middle,
        }
    }
    good
}

/// The bytes that a batch of so many takes.
pub(super) fn batch_bytes(gpu: &Gpu, vertices: u32, searches: u32, with_hops: bool) -> u64 {
    let searches = u64::from(searches);
    let rows = words(with_hops) * gpu.held_by(4 * searches * u64::from(vertices).max(1));
    // Three counters of each and of all, the sources, and hops found.
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

    /// Searches from as many sources as there is room for, at most, until all labels are final.
    pub fn search(&mut self, sources: &[u32]) -> Result<()> {
        self.begin(sources)?;
        let mut iterations = FEWEST_ITERATIONS;
        let not_over =
            |iteration: u32| iteration as usize % 3 * (sources.len() + 1) + sources.len();
        loop {
            for _ in 0..iterations {
                self.iterate(sources.len() as u32);
            }
            if self.gpu.download(&self.counts)?[not_over(self.iteration)] == 0 {
                return Ok(());
            }
            iterations = (2 * iterations).min(MOST_ITERATIONS);
        }
    }

    /// The lengths that so many searches have found, row after row.
    pub fn lengths(&self, searches: usize) -> Result<Vec<u32>> {
        Ok(self.gpu.download_first(&self.labels, searches * self.vertices())?)
    }

    /// Finds the next hops that the labels tell, where they are wanted.
    pub fn find_hops(&self, sources: &[u32]) -> Result<()> {
        match &self.hops {
            Some(hops) => hops.find(self.gpu, self.edges, &self.labels, sources, self.lanes()),
            None => Ok(()),
        }
    }

    /// The hops of so many searches, row after row.
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
        // Iterations are counted on from batch to batch, so that what is recorded of them is never
        // reset.
        self.iteration += 1;
        self.gpu.fill(&self.labels, T::FAR.bits())?;
        self.gpu.fill(&self.counts, 0)?;
        let from = self.gpu.upload(sources)?;
        let searches = sources.len() as u32;
        // SAFETY: there is a row for each search, and sources are vertices, which the caller checks.
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
        // SAFETY: there is a row of labels for each search, and of each list, in which a vertex is
        // once at most; lists have vertices, whose edges lead to vertices.
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
            AtomicArray::of(self.gpu, &self.labels),
            self.listed.arg(),
            self.lists[this].arg(),
            self.lists[next].arg(),
            AtomicArray::of(self.gpu, &self.counts),
        )
    }
}
