//! A graph over several ranks.

mod build;
mod mirrors;
mod route;

use std::{ops::Range, sync::OnceLock};

use equipoise_graph::Graph;

use self::mirrors::{Lists, MirrorIndex};
use crate::Partition;

/// The part of a graph on one rank: the vertices that it owns, all edges that leave them, and mirrors of the targets that
/// other ranks own.
///
/// Local numbers count from 0: first the owned vertices, then the mirrors, both in the order of their global ids.
///
/// ```
/// use equipoise_cluster::{Comm, DistGraph, EdgeSlice, run_threads};
///
/// let degrees = run_threads(2, 64, |comm| {
///     let edges = match comm.rank() {
///         0 => (vec![0, 3], vec![3, 1]),
///         _ => (vec![2], vec![0]),
///     };
///     let slice = EdgeSlice { sources: edges.0, targets: edges.1, ..EdgeSlice::new(4) };
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
    /// The owned vertices with their edges, then mirrors without edges. It is always directed: the edges that lead back from
    /// mirrors belong to their owners.
    pub local: Graph,
    /// The owners of vertices.
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
    /// The number of this rank.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The number of vertices that this rank owns: their local numbers are below it.
    #[inline]
    pub fn owned(&self) -> u32 {
        self.local.vertices() - self.mirrors.len() as u32
    }

    /// The number of vertices of the whole graph.
    pub fn vertices_total(&self) -> u64 {
        self.partition.vertices()
    }

    /// The number of directed edges of the whole graph.
    pub fn edges_total(&self) -> u64 {
        self.edges_total
    }

    /// Whether the graph was built as an undirected one: each edge exists in both directions.
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
        if owned.contains(&global) {
            Some((global - owned.start) as u32)
        } else {
            self.index.find(&self.mirrors, global).map(|mirror| self.owned() + mirror)
        }
    }

    /// The local numbers of mirrors of vertices that `rank` owns.
    #[inline]
    pub fn mirrors_of(&self, rank: usize) -> Range<u32> {
        self.lists.mirrors_of[rank].clone()
    }

    /// The owned vertices with mirrors on `rank`, ascending: in the order of its
    /// [`mirrors_of`](Self::mirrors_of) this rank.
    #[inline]
    pub fn mirrored_by(&self, rank: usize) -> &[u32] {
        &self.lists.mirrored_by[rank]
    }
}
