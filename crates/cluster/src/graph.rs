//! A graph over several ranks.

mod build;
mod mirrors;
mod route;

use std::{ops::Range, sync::OnceLock};

use equipoise_graph::Graph;

use self::mirrors::{Lists, MirrorIndex};
use crate::{Comm, EdgeSlice, Partition, Result};

/// A rank's part of a graph: the vertices that it owns with all edges that leave them, and the mirrors of those vertices of
/// other ranks that these edges lead to.
///
/// Within the rank, vertices are numbered from 0 on, the owned ones first and the mirrors behind them, both in the order of
/// their global ids.
///
/// ```
/// use equipoise_cluster::{Comm, DistGraph, EdgeSlice, run_threads};
///
/// let degrees = run_threads(2, 64, |comm| {
///     let edges = match comm.rank() {
///         0 => (vec![0, 3], vec![3, 1]),
///         _ => (vec![2], vec![0]),
///     };
///     let slice = EdgeSlice { sources: edges.0, targets: edges.1, ..EdgeSlice::of(4) };
///     let graph = DistGraph::build(comm, slice)?;
///     let owned = 0..graph.owned();
///     Ok(owned.map(|vertex| (graph.global(vertex), graph.local.degree(vertex))).collect())
/// });
/// let degrees: Vec<Vec<_>> = degrees.into_iter().collect::<equipoise_cluster::Result<_>>()?;
/// assert_eq!(degrees.concat(), [(0, 1), (1, 0), (2, 1), (3, 1)]);
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
#[derive(Debug)]
pub struct DistGraph {
    /// The owned vertices with their edges, then mirrors with none. It is directed, also where the whole graph is not: the
    /// edges that lead back from mirrors are at their owners.
    pub local: Graph,
    /// Who owns which vertices.
    pub partition: Partition,
    /// The global ids of the mirrors, ascending.
    pub mirrors: Vec<u64>,
    rank: usize,
    undirected: bool,
    edges_total: u64,
    index: MirrorIndex,
    lists: Lists,
    reversed: OnceLock<Box<DistGraph>>,
}

impl DistGraph {
    /// Builds the graph from the slices of all ranks, together: it has the edges that
    /// [`GraphBuilder`](equipoise_graph::GraphBuilder) would make of all slices one after the other.
    ///
    /// Vertices are shared out in ranges, so that ranks have about equally many edges.
    ///
    /// Fails on all ranks where the slices do not fit together, an edge names a vertex that is not there, a rank has more
    /// vertices and mirrors than 32 bits can number, or memory is short.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, EdgeSlice};
    ///
    /// let slice = EdgeSlice { sources: vec![0], targets: vec![1], undirected: true, ..EdgeSlice::of(2) };
    /// let graph = DistGraph::build(&Alone, slice)?;
    /// assert_eq!((graph.owned(), graph.edges_total()), (2, 2));
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn build(comm: &dyn Comm, slice: EdgeSlice) -> Result<Self> {
        build::from_slice(comm, slice)
    }

    /// Which rank this is.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// How many vertices this rank owns: those below this number, locally.
    #[inline]
    pub fn owned(&self) -> u32 {
        self.local.vertices() - self.mirrors.len() as u32
    }

    /// How many vertices the whole graph has.
    pub fn vertices_total(&self) -> u64 {
        self.partition.vertices()
    }

    /// How many directed edges the whole graph has.
    pub fn edges_total(&self) -> u64 {
        self.edges_total
    }

    /// Whether each edge is there in both directions because the graph was built so.
    pub fn is_undirected(&self) -> bool {
        self.undirected
    }

    /// The global id of a local vertex.
    #[inline]
    pub fn global(&self, local: u32) -> u64 {
        match local.checked_sub(self.owned()) {
            None => self.partition.starts[self.rank] + u64::from(local),
            Some(mirror) => self.mirrors[mirror as usize],
        }
    }

    /// The local number of a vertex, if this rank owns it or has a mirror of it.
    #[inline]
    pub fn local(&self, global: u64) -> Option<u32> {
        let owned = self.partition.range(self.rank);
        match owned.contains(&global) {
            true => Some((global - owned.start) as u32),
            false => self.index.find(&self.mirrors, global).map(|mirror| self.owned() + mirror),
        }
    }

    /// The mirrors here of vertices that `rank` owns, by their local numbers.
    #[inline]
    pub fn mirrors_of(&self, rank: usize) -> Range<u32> {
        self.lists.mirrors_of[rank].clone()
    }

    /// The owned vertices here that `rank` has mirrors of, ascending: in the order in which its
    /// [`mirrors_of`](Self::mirrors_of) this rank are.
    #[inline]
    pub fn mirrored_by(&self, rank: usize) -> &[u32] {
        &self.lists.mirrored_by[rank]
    }

    /// The graph with every edge reversed, over the same owners: itself where it is undirected, otherwise made at the first
    /// call and kept. Its mirrors are others: the vertices that edges to the owned ones come from.
    ///
    /// All ranks call it together. Fails on all of them where memory is short.
    ///
    /// ```
    /// use equipoise_cluster::{Alone, DistGraph, EdgeSlice};
    ///
    /// let slice = EdgeSlice { sources: vec![0], targets: vec![1], ..EdgeSlice::of(2) };
    /// let graph = DistGraph::build(&Alone, slice)?;
    /// assert_eq!(graph.reversed(&Alone)?.local.neighbors(1), [0]);
    /// # Ok::<(), equipoise_cluster::Error>(())
    /// ```
    pub fn reversed(&self, comm: &dyn Comm) -> Result<&DistGraph> {
        if self.undirected {
            return Ok(self);
        }
        if let Some(made) = self.reversed.get() {
            return Ok(made);
        }
        let made = build::reversed(comm, self)?;
        Ok(self.reversed.get_or_init(|| Box::new(made)))
    }
}
