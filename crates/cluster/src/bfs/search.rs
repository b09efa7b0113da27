//! The levels of a search, and the direction of each.

use std::{sync::atomic::AtomicU64, time::Instant};

use equipoise_graph::{
    Error as GraphError,
    memory::{self, bytes_of},
};

use super::{
    BfsDirection, BfsOptions, BfsResult,
    hubs::hubs,
    progress::Progress,
    pull::{Found, Known, Pull},
    push::push,
};
use crate::{
    Comm, DistGraph, Error, Exchange, Reduction, Result, Step, Trace, agree,
    bitmap::{self, words},
};

const UNREACHED: u32 = u32::MAX;

/// Searches one graph from many sources, in the same buffers.
///
/// ```
/// use equipoise_cluster::{Alone, Bfs, BfsOptions, DistGraph, EdgeSlice};
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], undirected: true, ..EdgeSlice::new(3) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// let mut searches = Bfs::new(&Alone, &graph, &BfsOptions::default())?;
/// assert_eq!(searches.search(0)?.levels, [0, 1, 2]);
/// assert_eq!(searches.search(2)?.levels, [2, 1, 0]);
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub struct Bfs<'a> {
    comm: &'a dyn Comm,
    graph: &'a DistGraph,
    /// The graph with its edges reversed, unless the search never pulls.
    entering: Option<&'a DistGraph>,
    options: BfsOptions,
    /// The source of the edge that a pull examines first, per owned vertex.
    hubs: Vec<u32>,
    /// Owned vertices that edges enter.
    enterable: Vec<u64>,
    /// The parents of mirrors that are offered to their owners.
    offered_from: Vec<u32>,
}

impl<'a> Bfs<'a> {
    /// Prepares many searches, which takes as long as a few of them. All ranks call it.
    ///
    /// Fails on all ranks if memory is short.
    pub fn new(comm: &'a dyn Comm, graph: &'a DistGraph, options: &BfsOptions) -> Result<Self> {
        let mut bfs = Self::for_one(comm, graph, options)?;
        if let Some(entering) = bfs.entering {
            bfs.hubs = hubs(comm, entering)?;
        }
        Ok(bfs)
    }

    /// Prepares a single search.
    pub(super) fn for_one(
        comm: &'a dyn Comm,
        graph: &'a DistGraph,
        options: &BfsOptions,
    ) -> Result<Self> {
        let entering = match options.direction {
            BfsDirection::Push => None,
            _ => Some(graph.reversed(comm)?),
        };
        let (vertices, owned) = (graph.local.vertices(), graph.owned());
        let labels = bytes_of::<[u32; 3]>(owned.into());
        let bytes = labels.saturating_add(bytes_of::<[u32; 4]>(vertices.into()));
        agree(
            comm,
            memory::check(format_args!("a search of {owned} vertices"), bytes).map_err(Error::from),
        )?;
        let mut enterable = vec![0; words(owned)];
        if let Some(entering) = entering {
            let is_entered = |vertex: &u32| entering.local.degree(*vertex) > 0;
            (0..owned).filter(is_entered).for_each(|vertex| bitmap::insert(&mut enterable, vertex));
        }
        let offered_from = vec![0; graph.mirrors.len()];
        Ok(Self {
            comm,
            graph,
            entering,
            options: *options,
            hubs: Vec::new(),
            enterable,
            offered_from,
        })
    }

    /// Searches from `source`. All ranks call it, with the same source.
    ///
    /// Fails on all ranks if the source is no vertex.
    pub fn search(&mut self, source: u64) -> Result<BfsResult> {
        let vertices = self.graph.vertices_total();
        if source >= vertices {
            return Err(GraphError::VertexOutOfRange { vertex: source, vertices }.into());
        }
        let mut search = Search::start(self, source);
        while search.progress.goes_on() {
            search.advance();
        }
        let Search { levels, parents, progress, trace, .. } = search;
        let Progress { reached, level: depth, edges, .. } = progress;
        Ok(BfsResult { source, levels, parents, reached, depth, edges, trace })
    }
}

/// A running search.
struct Search<'s, 'a> {
    graph: &'a DistGraph,
    entering: Option<&'a DistGraph>,
    options: BfsOptions,
    hubs: &'s [u32],
    offered_from: &'s mut [u32],
    exchange: Exchange<'a>,
    /// Along the mirrors of `entering`.
    exchange_entering: Exchange<'a>,
    levels: Vec<u32>,
    parents: Vec<u64>,
    /// The local vertices that are reached as far as this rank knows.
    visited: Vec<AtomicU64>,
    /// Unreached owned vertices with entering edges; maintained from the first pull on.
    open: Vec<u64>,
    /// The owned vertices of the frontier, unless the last level was pulled.
    list: Vec<u32>,
    /// The local vertices of the frontier by the numbers of `entering`, if the last level was pulled.
    set: Vec<u64>,
    /// The frontier on this rank.
    here: Found,
    progress: Progress,
    trace: Trace,
}

impl<'s, 'a> Search<'s, 'a> {
    fn start(bfs: &'s mut Bfs<'a>, source: u64) -> Self {
        let (comm, graph) = (bfs.comm, bfs.graph);
        let owned = graph.owned();
        let exchange_entering = Exchange::new(comm, bfs.entering.unwrap_or(graph));
        let mut search = Self {
            graph,
            entering: bfs.entering,
            options: bfs.options,
            hubs: &bfs.hubs,
            offered_from: &mut bfs.offered_from,
            exchange: Exchange::new(comm, graph),
            exchange_entering,
            levels: vec![UNREACHED; owned as usize],
            parents: vec![u64::MAX; owned as usize],
            visited: (0..words(graph.local.vertices())).map(|_| AtomicU64::new(0)).collect(),
            open: bfs.enterable.clone(),
            list: Vec::new(),
            set: Vec::new(),
            here: Found::default(),
            progress: Progress::new(graph, bfs.options, [0, 0]),
            trace: Trace::default(),
        };
        if let Some(local) = graph.local(source) {
            *search.visited[local as usize / 64].get_mut() |= 1 << (local % 64);
            if local < owned {
                search.reach(local, source, 0);
            }
        }
        let source = search.found();
        search.progress = Progress::new(graph, search.options, source);
        search
    }

    /// Records that an owned vertex is reached for the first time.
    #[inline]
    fn reach(&mut self, vertex: u32, parent: u64, level: u32) {
        self.levels[vertex as usize] = level;
        self.parents[vertex as usize] = parent;
        self.list.push(vertex);
        self.here.vertices += 1;
        self.here.edges += self.graph.local.degree(vertex) as u64;
    }

    /// The numbers of new vertices and their edges on all ranks.
    fn found(&mut self) -> [u64; 2] {
        let mut counts = [self.here.vertices, self.here.edges];
        self.exchange.all_reduce(&mut counts, Reduction::Sum);
        counts
    }

    /// Finds the next level.
    fn advance(&mut self) {
        let start = Instant::now();
        let active = self.here.vertices;
        let (name, looked) = match self.entering {
            Some(entering) if self.progress.pulls() => ("pull", self.pull(entering)),
            _ => ("push", self.push()),
        };
        let found = self.found();
        self.progress.found(found);
        let traffic = [self.exchange.take_traffic(), self.exchange_entering.take_traffic()];
        self.trace.steps.push(Step {
            active,
            edges: looked,
            bytes: traffic[0].bytes + traffic[1].bytes,
            waited: traffic[0].waited + traffic[1].waited,
            time: start.elapsed(),
            ..Step::new(name)
        });
    }

    fn push(&mut self) -> u64 {
        if self.progress.pulled {
            self.list.clear();
            let owned = &self.set[..words(self.graph.owned())];
            bitmap::for_each(owned, |vertex| self.list.push(vertex));
            self.progress.pulled = false;
        }
        let edges = self.here.edges;
        let frontier = std::mem::take(&mut self.list);
        let visits = push(&self.graph.local, &frontier, edges, &mut self.visited);
        self.here = Found::default();
        let (owned, level) = (self.graph.owned(), self.progress.level + 1);
        let mut offered = Vec::new();
        for (vertex, from) in visits {
            match vertex.checked_sub(owned) {
                None => self.reach(vertex, self.graph.global(from), level),
                Some(mirror) => {
                    self.offered_from[mirror as usize] = from;
                    offered.push(vertex);
                }
            }
        }
        self.offer(offered);
        edges
    }

    /// Offers mirrors to their owners, and accepts unreached vertices that are offered to this rank.
    fn offer(&mut self, offered: Vec<u32>) {
        let offered = bitmap::ascending(offered, self.graph.local.vertices());
        let (graph, level) = (self.graph, self.progress.level + 1);
        let from = std::mem::take(&mut self.offered_from);
        let mut received = Vec::new();
        self.exchange.reduce_from(
            &offered,
            |mirror| from[(mirror - graph.owned()) as usize],
            |rank, vertex, from: u32| {
                received.push((vertex, graph.partition.starts[rank] + u64::from(from)))
            },
        );
        self.offered_from = from;
        for (vertex, parent) in received {
            let (word, bit) = (self.visited[vertex as usize / 64].get_mut(), 1 << (vertex % 64));
            if *word & bit == 0 {
                *word |= bit;
                self.reach(vertex, parent, level);
            }
        }
    }

    fn pull(&mut self, entering: &DistGraph) -> u64 {
        let owned = words(self.graph.owned());
        if !self.progress.pulled {
            self.set.clear();
            self.set.resize(words(entering.local.vertices()), 0);
            self.list.iter().for_each(|&vertex| bitmap::insert(&mut self.set, vertex));
            self.list.clear();
            let visited = self.visited.iter_mut().map(|word| *word.get_mut());
            self.open.iter_mut().zip(visited).for_each(|(open, visited)| *open &= !visited);
            self.progress.pulled = true;
        }
        self.exchange_entering.broadcast_bits(&mut self.set);
        if self.graph.is_undirected() {
            // Mirrors are equal in both directions: known levels save offers.
            let visited = self.visited.iter_mut().zip(&self.set);
            visited.for_each(|(visited, set)| *visited.get_mut() |= set);
        }
        let mut found = vec![0; self.set.len()];
        let pull = Pull {
            leaving: self.graph,
            entering,
            frontier: &self.set,
            hubs: self.hubs,
            level: self.progress.level + 1,
        };
        self.here = pull.run(Known {
            levels: &mut self.levels,
            parents: &mut self.parents,
            open: &mut self.open,
            found: &mut found[..owned],
        });
        let visited = self.visited.iter_mut().zip(&found);
        visited.for_each(|(visited, found)| *visited.get_mut() |= found);
        self.set = found;
        self.here.looked
    }
}
