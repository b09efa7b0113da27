//! One search a source, many sources at once.
//!
//! The searches of a batch are one loop of the engine, on as many copies of the graph: each has a row
//! of labels, and the frontiers of all of them are one list. So an iteration is a launch, whatever
//! the searches are, and all of the device has something to do as long as some of them do. A label is
//! the bits of a length, which order as the lengths do.
//!
//! After iteration t no label is more than the length of the shortest path of at most t edges, and
//! only a label that fell puts its vertex into a frontier. So there are at most as many iterations as
//! vertices.

mod hops;
mod relax;

use equipoise_graph::MAX_ON_DEVICE;
use equipoise_schedule::{
    atomics::*,
    device::{Buffer, Gpu},
    engine::*,
};

use super::length::DeviceLength;
use crate::Result;
use hops::Hops;
use relax::*;

/// The most labels of a batch: what is downloaded at once.
const MOST_LABELS: u64 = 1 << 28;
/// The most units that share the edges of a vertex where next hops are found.
const MOST_LANES: u32 = 32;

/// Room for searches that run at the same time.
pub(super) struct Batch<'a, T: DeviceLength> {
    /// A copy for each search.
    graph: &'a DeviceGraph,
    weights: &'a Buffer<T>,
    labels: Buffer<u32>,
    searches: FrontierLoop<'a, Relax<T>>,
    hops: Option<Hops>,
}

/// What a batch is for: searches of a graph of so many vertices and edges.
#[derive(Clone, Copy)]
pub(super) struct BatchShape {
    pub vertices: u32,
    pub edges: u64,
    pub with_hops: bool,
}

impl BatchShape {
    /// The searches that memory of that size has room for, of so many that are wanted: at least one,
    /// whether or not it has.
    pub fn size<T: DeviceLength>(&self, gpu: &Gpu, wanted: usize, available: u64) -> u32 {
        let fits = |searches: u32| {
            self.is_allowed(gpu, searches) && self.bytes::<T>(gpu, searches) <= available
        };
        let most = u32::try_from(wanted).unwrap_or(u32::MAX).max(1);
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
    pub fn bytes<T: DeviceLength>(&self, gpu: &Gpu, searches: u32) -> u64 {
        let (vertices, edges) = self.of_all(searches);
        let held = |words: u64| gpu.held_by(words.max(1).saturating_mul(4));
        // Labels and hops; how many hops were found, the sources, and two numbers of a frontier.
        let tables = if self.with_hops { 2 } else { 1 };
        held(vertices)
            .saturating_mul(tables)
            .saturating_add(FrontierLoop::<Relax<T>>::bytes(gpu, vertices, edges))
            .saturating_add(held(1) + held(searches.into()) + held(2))
    }

    /// Whether 32 bits number what a batch of so many has, and its buffers are none too large.
    fn is_allowed(&self, gpu: &Gpu, searches: u32) -> bool {
        let (vertices, edges) = self.of_all(searches);
        let largest = (gpu.properties().largest_buffer / 4).min(u32::MAX.into());
        vertices <= MOST_LABELS
            && vertices.saturating_add(edges) < MAX_ON_DEVICE
            && parts_words(vertices, edges) <= largest
    }

    /// The vertices and edges of as many copies.
    fn of_all(&self, searches: u32) -> (u64, u64) {
        let searches = u64::from(searches);
        (searches * u64::from(self.vertices), searches.saturating_mul(self.edges))
    }
}

impl<'a, T: DeviceLength> Batch<'a, T> {
    /// Room for as many searches as a graph is [copies](DeviceGraph::copies) of itself. Each edge of
    /// one copy has a weight.
    pub fn new(graph: &'a DeviceGraph, weights: &'a Buffer<T>, with_hops: bool) -> Result<Self> {
        let (gpu, labels) = (graph.gpu(), graph.vertices() as usize);
        Ok(Self {
            graph,
            weights,
            labels: gpu.empty(labels)?,
            searches: FrontierLoop::new(graph)?,
            hops: with_hops.then(|| Hops::new(gpu, labels)).transpose()?,
        })
    }

    /// Searches from as many sources as there are copies, at most, until all labels are final.
    pub fn search(&self, sources: &[u32]) -> Result<()> {
        let gpu = self.graph.gpu();
        gpu.fill(&self.labels, T::FAR.bits())?;
        let vertices = self.graph.copy_vertices();
        let starts: Vec<u32> = (0..).zip(sources).map(|(copy, v)| copy * vertices + v).collect();
        let frontier = Frontier::of(self.graph, &starts)?;
        // SAFETY: there is a label for each vertex of each copy.
        let start =
            unsafe { Operation::<Start>::unchecked(|| StartLaunch::new(self.labels.arg())) };
        for_each(&frontier, &start);
        // SAFETY: there is a label for each vertex of each copy, and a weight for each edge of one.
        let relax = unsafe {
            Operation::<Relax<T>>::unchecked(|| {
                RelaxLaunch::new(AtomicArray::of(gpu, &self.labels), self.weights.arg())
            })
        };
        self.searches.run(&frontier, &relax)?;
        Ok(())
    }

    /// The lengths that so many searches have found, row after row.
    pub fn lengths(&self, searches: usize) -> Result<Vec<u32>> {
        self.rows(&self.labels, searches)
    }

    /// Finds the next hops that the labels tell, where they are wanted.
    pub fn find_hops(&self, sources: &[u32]) -> Result<()> {
        match &self.hops {
            Some(hops) => hops.find(self.graph, self.weights, &self.labels, sources, self.lanes()),
            None => Ok(()),
        }
    }

    /// The hops of so many searches, row after row.
    pub fn hops(&self, searches: usize) -> Result<Option<Vec<u32>>> {
        self.hops.as_ref().map(|hops| self.rows(&hops.hops, searches)).transpose()
    }

    pub fn vertices(&self) -> usize {
        self.graph.copy_vertices() as usize
    }

    fn rows(&self, table: &Buffer<u32>, searches: usize) -> Result<Vec<u32>> {
        let mut all = self.graph.gpu().download(table)?;
        all.truncate(searches * self.vertices());
        Ok(all)
    }

    /// Units that share the edges of a vertex where next hops are found: as many as there are edges,
    /// on average.
    fn lanes(&self) -> u32 {
        let degree = self.graph.leaving().edges() / self.graph.copy_vertices().max(1);
        degree.next_power_of_two().min(MOST_LANES)
    }
}
