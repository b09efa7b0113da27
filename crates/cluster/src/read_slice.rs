//! The part of a graph that a rank reads.

use equipoise_graph::io::ReadOptions;

use crate::{EdgeSlice, SliceIds};

/// The options of reading a graph on several ranks.
///
/// ```
/// let options = equipoise_cluster::SliceOptions::default();
/// assert_eq!(options.ranks_on_node, 1);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SliceOptions<'a> {
    /// The options of reading on one machine.
    pub read: ReadOptions<'a>,
    /// The number of ranks that share the memory of this machine.
    pub ranks_on_node: usize,
}

impl Default for SliceOptions<'_> {
    fn default() -> Self {
        Self { read: ReadOptions::default(), ranks_on_node: 1 }
    }
}

/// The part of a graph's edges and ids on one rank.
///
/// ```
/// use equipoise_cluster::{Alone, SliceIds, SliceOptions, read_slice};
///
/// let read = read_slice(&Alone, "path:n=3", &SliceOptions::default())?;
/// assert_eq!(read.edges.targets, [1, 2]);
/// assert_eq!(read.ids, SliceIds::Dense { first: 0 });
/// # Ok::<(), equipoise_cluster::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReadSlice {
    /// The edges.
    pub edges: EdgeSlice,
    /// The ids of vertices.
    pub ids: SliceIds,
}
