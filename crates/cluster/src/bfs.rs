//! Breadth-first search: levels and parents, in the direction that examines fewer edges.
//!
//! A push relaxes the edges that leave the frontier; mirrors that are visited first are offered to their owners, each with
//! the vertex it was visited from. In a pull, every owner searches for a parent among the edges that enter its vertices;
//! before that, mirrors receive one bit each that says whether they are in the frontier. The choice of the direction is that
//! of S. Beamer, K. Asanović and D. Patterson in "Direction-Optimizing Breadth-First Search" (2012).

mod hubs;
pub(crate) mod progress;
mod pull;
mod push;
mod search;
mod verify;

pub use self::search::Bfs;
use crate::{Comm, DistGraph, Result, Trace};

/// The direction of a search.
///
/// ```
/// assert_eq!(equipoise_cluster::BfsDirection::default(), equipoise_cluster::BfsDirection::Auto);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BfsDirection {
    /// The one that examines fewer edges, level by level.
    #[default]
    Auto,
    /// Always from the frontier.
    Push,
    /// Always from unreached vertices.
    Pull,
}

/// The options of a search.
///
/// ```
/// assert_eq!(equipoise_cluster::BfsOptions::default().max_depth, None);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct BfsOptions {
    /// The direction.
    pub direction: BfsDirection,
    /// The last level.
    pub max_depth: Option<u32>,
}

/// The result of a search for the vertices that this rank owns.
///
/// ```
/// use equipoise_cluster::{Alone, BfsOptions, DistGraph, EdgeSlice, bfs};
///
/// let slice = EdgeSlice { sources: vec![0, 1], targets: vec![1, 2], ..EdgeSlice::new(4) };
/// let graph = DistGraph::build(&Alone, slice)?;
/// let found = bfs(&Alone, &graph, 0, &BfsOptions::default())?;
/// assert_eq!(found.levels, [0, 1, 2, u32::MAX]);
/// assert_eq!(found.parents, [0, 0, 1, u64::MAX]);
/// assert_eq!((found.reached, found.depth, found.edges), (3, 2, 2));
/// found.verify(&Alone, &graph, &BfsOptions::default())?;
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct BfsResult {
    /// The source.
    pub source: u64,
    /// The level of each owned vertex; `u32::MAX` if it was not reached.
    pub levels: Vec<u32>,
    /// The global id of its parent; the source is its own parent, and unreached vertices have `u64::MAX`.
    pub parents: Vec<u64>,
    /// The number of reached vertices, on all ranks.
    pub reached: u64,
    /// The largest level on all ranks.
    pub depth: u32,
    /// The edges that leave reached vertices, on all ranks.
    pub edges: u64,
    /// The levels of the search, each with its direction.
    pub trace: Trace,
}

/// Searches from `source`, on all ranks together. [`Bfs`] searches from many.
///
/// Levels are equal on any number of ranks; a parent is any of several.
///
/// Fails on all ranks if the source does not exist or memory is short.
///
/// ```
/// use equipoise_cluster::{BfsOptions, Comm, DistGraph, EdgeSlice, bfs, run_threads};
///
/// let levels = run_threads(2, 64, |comm| {
///     let all = EdgeSlice { sources: vec![0, 1, 2], targets: vec![1, 2, 3], ..EdgeSlice::new(4) };
///     let slice = if Comm::rank(comm) == 0 { all } else { EdgeSlice::new(4) };
///     let graph = DistGraph::build(comm, slice)?;
///     Ok(bfs(comm, &graph, 1, &BfsOptions::default())?.levels)
/// });
/// let levels: Vec<Vec<u32>> = levels.into_iter().collect::<equipoise_cluster::Result<_>>()?;
/// assert_eq!(levels.concat(), [u32::MAX, 0, 1, 2]);
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
pub fn bfs(
    comm: &dyn Comm,
    graph: &DistGraph,
    source: u64,
    options: &BfsOptions,
) -> Result<BfsResult> {
    Bfs::for_one(comm, graph, options)?.search(source)
}
