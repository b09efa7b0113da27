//! Breadth-first search with a GPU per rank.
//!
//! Levels and parents stay on the GPU until the search ends. A push is an advance over the frontier's edges: new mirrors are
//! offered to their owners, which accept unreached vertices. A pull is the engine's, after owners sent the frontier to mirrors;
//! it needs the entering edges, which are the leaving ones if the graph is undirected.

use std::time::Instant;

use cubecl::prelude::*;
use equipoise_schedule::{
    Result as DeviceResult,
    atomics::*,
    device::{Buffer, Gpu},
    engine::*,
};

use super::{upload, values::read_at};
use crate::{
    BfsDirection, BfsOptions, BfsResult, Comm, DistGraph, Error, Exchange, Reduction, Result, Step,
    Trace, agree, bfs::progress::Progress, bitmap::ascending,
};

const UNREACHED: u32 = u32::MAX;

/// Searches one graph from many sources, each rank on its GPU.
///
/// ```no_run
/// use equipoise_cluster::{Alone, BfsOptions, DistGraph, EdgeSlice, gpu};
/// use equipoise_cluster::gpu::{Device, OpenDevice};
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], undirected: true, ..EdgeSlice::new(3) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// if let OpenDevice::Gpu(gpu) = gpu::open(Device::Auto, 0)?.device {
///     let searches = gpu::Bfs::new(&Alone, &graph, &gpu, &BfsOptions::default())?;
///     assert_eq!(searches.search(0)?.levels, [0, 1, 2]);
///     assert_eq!(searches.search(2)?.levels, [2, 1, 0]);
/// }
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub struct Bfs<'a> {
    comm: &'a dyn Comm,
    graph: &'a DistGraph,
    options: BfsOptions,
    device_graph: DeviceGraph,
    /// Of all local vertices. The level of a mirror is that of its offer, or its owner's.
    levels: Buffer<u32>,
    /// Of all local vertices, by their local numbers.
    parents: Buffer<u32>,
}

impl<'a> Bfs<'a> {
    /// Copies the graph to the GPUs. All ranks call it.
    ///
    /// Fails on all ranks if it does not fit a GPU, and where a directed graph is to be searched by pulls alone.
    pub fn new(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        gpu: &Gpu,
        options: &BfsOptions,
    ) -> Result<Self> {
        if options.direction == BfsDirection::Pull && !graph.is_undirected() {
            let refused = "a GPU pulls over undirected graphs only: use `auto`, `push`, or the cpu";
            return Err(Error::Option(refused.into()));
        }
        let vertices = graph.local.vertices() as usize;
        let ready = || {
            // Levels, parents, all vertices, marks, and the lists of two frontiers with their parts.
            let device_graph = upload(gpu, graph, 12)?;
            Ok((device_graph, gpu.empty(vertices)?, gpu.empty(vertices)?))
        };
        let (device_graph, levels, parents) = agree(comm, ready())?;
        Ok(Self { comm, graph, options: *options, device_graph, levels, parents })
    }

    /// Searches from `source`. All ranks call it, with the same source.
    ///
    /// Fails on all ranks if the source is no vertex, or a GPU fails.
    pub fn search(&self, source: u64) -> Result<BfsResult> {
        let vertices = self.graph.vertices_total();
        if source >= vertices {
            return Err(
                equipoise_graph::Error::VertexOutOfRange { vertex: source, vertices }.into()
            );
        }
        let mut search = Search::start(self, source)?;
        while search.progress.goes_on() {
            search.advance()?;
        }
        search.finish(source)
    }

    fn gpu(&self) -> &Gpu {
        self.device_graph.gpu()
    }

    fn discover(&self) -> Operation<'_, Discover> {
        Operation::checked(|| {
            let levels = AtomicArray::bind(self.gpu(), &self.levels);
            DiscoverLaunch::new(levels, self.parents.arg())
        })
    }

    /// Sets the level of vertices of a frontier without one.
    fn reach<'g>(&self, reached: &Frontier<'g>, level: u32) -> DeviceResult<Frontier<'g>> {
        let reach = || ReachLaunch::new(AtomicArray::bind(self.gpu(), &self.levels), level);
        filter(reached, &Operation::<Reach>::checked(reach))
    }
}

/// A running search.
struct Search<'s> {
    bfs: &'s Bfs<'s>,
    exchange: Exchange<'s>,
    /// All owned vertices of a level, and possibly mirrors, which have no edges.
    frontier: Frontier<'s>,
    /// The number of its owned vertices.
    owned: u64,
    /// Owned vertices that were reached from another rank, and the global ids of their parents.
    from_others: Vec<(u32, u64)>,
    /// The parents of mirrors that are offered to their owners.
    offered_from: Vec<u32>,
    progress: Progress,
    trace: Trace,
}

/// The result of a push on this rank.
struct Pushed<'g> {
    next: Frontier<'g>,
    /// Its mirrors, ascending, and their parents.
    mirrors: Vec<u32>,
    from: Vec<u32>,
}

impl<'s> Search<'s> {
    fn start(bfs: &'s Bfs<'s>, source: u64) -> Result<Self> {
        let (comm, graph) = (bfs.comm, bfs.graph);
        let ready = || {
            bfs.gpu().fill(&bfs.levels, UNREACHED)?;
            bfs.gpu().fill(&bfs.parents, UNREACHED)?;
            let here: Vec<u32> = graph.local(source).into_iter().collect();
            Ok(bfs.reach(&Frontier::from_vertices(&bfs.device_graph, &here)?, 0)?)
        };
        let frontier = agree(comm, ready())?;
        let is_here = graph.local(source).is_some_and(|local| local < graph.owned());
        let mut search = Self {
            bfs,
            exchange: Exchange::new(comm, graph),
            frontier,
            owned: is_here.into(),
            from_others: Vec::new(),
            offered_from: vec![0; graph.mirrors.len()],
            progress: Progress::new(graph, bfs.options, [0, 0]),
            trace: Trace::default(),
        };
        let source = search.found();
        search.progress = Progress::new(graph, bfs.options, source);
        Ok(search)
    }

    /// The numbers of new vertices and their edges on all ranks.
    fn found(&mut self) -> [u64; 2] {
        let mut counts = [self.owned, self.frontier.edges().into()];
        self.exchange.all_reduce(&mut counts, Reduction::Sum);
        counts
    }

    /// Finds the next level.
    fn advance(&mut self) -> Result<()> {
        let start = Instant::now();
        let active = self.owned;
        let pulls = self.bfs.graph.is_undirected() && self.progress.pulls();
        // A GPU does not count the edges that a pull examines.
        let (name, edges) =
            if pulls { ("pull", 0) } else { ("push", self.frontier.edges().into()) };
        if pulls {
            self.pull()?
        } else {
            self.push()?
        }
        self.progress.pulled = pulls;
        let found = self.found();
        self.progress.found(found);
        let traffic = self.exchange.take_traffic();
        self.trace.steps.push(Step {
            active,
            edges,
            bytes: traffic.bytes,
            waited: traffic.waited,
            time: start.elapsed(),
            ..Step::new(name)
        });
        Ok(())
    }

    fn push(&mut self) -> Result<()> {
        let (graph, comm) = (self.bfs.graph, self.bfs.comm);
        let Pushed { next, mirrors, from } = agree(comm, self.push_here())?;
        self.owned = u64::from(next.len()) - mirrors.len() as u64;
        for (&mirror, from) in mirrors.iter().zip(from) {
            self.offered_from[(mirror - graph.owned()) as usize] = from;
        }
        let (offered_from, mut offers) = (&self.offered_from, Vec::new());
        self.exchange.reduce_from(
            &mirrors,
            |mirror| offered_from[(mirror - graph.owned()) as usize],
            |rank, vertex, from: u32| {
                offers.push((vertex, graph.partition.starts[rank] + u64::from(from)));
            },
        );
        offers.sort_unstable();
        offers.dedup_by_key(|offer| offer.0);
        let accepted = self.accept(next, &offers);
        self.frontier = agree(comm, accepted)?;
        Ok(())
    }

    fn push_here(&self) -> Result<Pushed<'s>> {
        let owned = self.bfs.graph.owned();
        let next = advance(&self.frontier, Spread::Parts, &self.bfs.discover())?;
        let mut mirrors = Vec::new();
        if owned < self.bfs.graph.local.vertices() {
            let is_mirror = Operation::<IsMirror>::checked(|| IsMirrorLaunch::new(owned));
            mirrors =
                ascending(filter(&next, &is_mirror)?.vertices()?, self.bfs.device_graph.vertices());
        }
        let from = read_at(self.bfs.gpu(), &self.bfs.parents, &mirrors)?;
        Ok(Pushed { next, mirrors, from })
    }

    /// Adds unreached offered vertices with their parents to the next frontier.
    fn accept(&mut self, next: Frontier<'s>, offers: &[(u32, u64)]) -> Result<Frontier<'s>> {
        if offers.is_empty() {
            return Ok(next);
        }
        let (bfs, level) = (self.bfs, self.progress.level + 1);
        let offered: Vec<u32> = offers.iter().map(|offer| offer.0).collect();
        let mut taken =
            bfs.reach(&Frontier::from_vertices(&bfs.device_graph, &offered)?, level)?.vertices()?;
        if taken.is_empty() {
            return Ok(next);
        }
        taken.sort_unstable();
        let is_taken = |offer: &&(u32, u64)| taken.binary_search(&offer.0).is_ok();
        self.from_others.extend(offers.iter().filter(is_taken));
        self.owned += taken.len() as u64;
        let is_at = || IsAtLaunch::new(AtomicArray::bind(bfs.gpu(), &bfs.levels), level);
        Ok(filter(&Frontier::all(&bfs.device_graph)?, &Operation::<IsAt>::checked(is_at))?)
    }

    fn pull(&mut self) -> Result<()> {
        let (bfs, owned) = (self.bfs, self.bfs.graph.owned());
        let mut here = agree(bfs.comm, self.frontier.vertices().map_err(Error::from))?;
        here.retain(|&vertex| vertex < owned);
        let here = ascending(here, owned);
        let mut sent = Vec::new();
        self.exchange.broadcast(&here, |_| (), |mirror, ()| sent.push(mirror));
        let next = self.pull_level(here, &sent);
        self.frontier = agree(bfs.comm, next)?;
        self.owned = self.frontier.len().into();
        Ok(())
    }

    /// Pulls a level; `owned` and `mirrors` are the frontier.
    fn pull_level(&self, mut owned: Vec<u32>, mirrors: &[u32]) -> Result<Frontier<'s>> {
        let (bfs, level) = (self.bfs, self.progress.level);
        if !mirrors.is_empty() {
            bfs.reach(&Frontier::from_vertices(&bfs.device_graph, mirrors)?, level)?;
        }
        owned.extend(mirrors);
        Ok(pull(&Frontier::from_vertices(&bfs.device_graph, &owned)?, level, &bfs.discover())?)
    }

    fn finish(self, source: u64) -> Result<BfsResult> {
        let (bfs, owned) = (self.bfs, self.bfs.graph.owned() as usize);
        let labels = || {
            let levels = bfs.gpu().download_first(&bfs.levels, owned)?;
            Ok((levels, bfs.gpu().download_first(&bfs.parents, owned)?))
        };
        let (levels, parents) = agree(bfs.comm, labels())?;
        let global = |parent: u32| match parent {
            UNREACHED => u64::MAX,
            parent => bfs.graph.global(parent),
        };
        let mut parents: Vec<u64> = parents.into_iter().map(global).collect();
        self.from_others.iter().for_each(|&(vertex, parent)| parents[vertex as usize] = parent);
        if let Some(local) = bfs.graph.local(source).filter(|&local| (local as usize) < owned) {
            parents[local as usize] = source;
        }
        let Progress { reached, level: depth, edges, .. } = self.progress;
        Ok(BfsResult { source, levels, parents, reached, depth, edges, trace: self.trace })
    }
}

/// Sets the level of an edge's target to the one after its source's, and its parent to the source.
#[derive(CubeType, CubeLaunch)]
struct Discover {
    levels: AtomicArray,
    parents: Array<u32>,
}

impl EdgeOpKind for Discover {
    // All sources of a frontier have the same level, so that one offer alone lowers a target's.
    const JOINS_ONCE: bool = true;
}

#[cube]
impl EdgeOp for Discover {
    fn label(&self, source: u32) -> u32 {
        self.levels.get(source)
    }

    fn along(&self, label: u32, _edge: u32) -> u32 {
        label + 1
    }

    fn improves(&self, target: u32, label: u32) -> bool {
        label < self.levels.get(target)
    }

    fn relax(&mut self, target: u32, label: u32, source: u32) -> bool {
        let first = label < self.levels.fetch_min(target, label);
        if first {
            self.parents[target as usize] = source;
        }
        first
    }
}

#[cube]
impl SearchOp for Discover {
    fn reset(&mut self, vertex: u32, is_source: bool) {
        self.levels.set(vertex, select(is_source, 0u32.runtime(), u32::MAX.runtime()));
    }

    fn is_at(&self, vertex: u32, iteration: u32) -> bool {
        self.levels.get(vertex) == iteration
    }
}

#[cube]
impl PullOp for Discover {
    fn is_open(&self, vertex: u32) -> bool {
        self.levels.get(vertex) == u32::MAX
    }

    fn pull(&mut self, vertex: u32, level: u32, parent: u32) {
        self.levels.set(vertex, level + 1);
        self.parents[vertex as usize] = parent;
    }
}

/// Sets the level of a vertex without one, and keeps the vertex.
#[derive(CubeType, CubeLaunch)]
struct Reach {
    levels: AtomicArray,
    level: u32,
}

#[cube]
impl VertexOp for Reach {
    fn apply(&mut self, vertex: u32) -> bool {
        let open = self.levels.get(vertex) == u32::MAX;
        if open {
            self.levels.set(vertex, self.level);
        }
        open
    }
}

/// Keeps the vertices of one level.
#[derive(CubeType, CubeLaunch)]
struct IsAt {
    levels: AtomicArray,
    level: u32,
}

#[cube]
impl VertexOp for IsAt {
    fn apply(&mut self, vertex: u32) -> bool {
        self.levels.get(vertex) == self.level
    }
}

/// Keeps mirrors.
#[derive(CubeType, CubeLaunch)]
struct IsMirror {
    owned: u32,
}

#[cube]
impl VertexOp for IsMirror {
    fn apply(&mut self, vertex: u32) -> bool {
        vertex >= self.owned
    }
}
