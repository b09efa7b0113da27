//! What a user wishes of a read, and how a long one reports on itself.

use std::fmt;

use super::Format;
use crate::{Duplicates, GraphBuilder, SelfLoops};

/// How to read a file.
///
/// ```
/// use equipoise_graph::{Duplicates, io::{Format, ReadOptions, parse_graph}};
///
/// let options = ReadOptions { duplicates: Duplicates::Drop, ..Default::default() };
/// let graph = parse_graph(b"0 1\n0 1\n", Format::GapEdges, &options)?;
/// assert_eq!(graph.edges(), 1);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The format; without it, the one that the file's name tells.
    pub format: Option<Format>,
    /// Whether each edge of the file stands for both directions, whatever the file says.
    pub undirected: bool,
    /// What to do with several edges between the same two vertices. Those kept are summed where
    /// a matrix is read.
    pub duplicates: Duplicates,
    /// What to do with edges from a vertex to itself.
    pub self_loops: SelfLoops,
    /// Who to tell how far a long read has come.
    pub progress: Option<&'a dyn Progress>,
}

impl ReadOptions<'_> {
    /// The builder that does what is wished.
    pub(super) fn builder(&self) -> GraphBuilder {
        GraphBuilder::new()
            .undirected(self.undirected)
            .duplicates(self.duplicates)
            .self_loops(self.self_loops)
    }
}

impl fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadOptions")
            .field("format", &self.format)
            .field("undirected", &self.undirected)
            .field("duplicates", &self.duplicates)
            .field("self_loops", &self.self_loops)
            .finish_non_exhaustive()
    }
}

/// Hears how far a long read has come, from any thread.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering};
/// use equipoise_graph::io::{Format, Progress, ReadOptions, parse_graph};
///
/// #[derive(Default)]
/// struct Counter(AtomicU64);
///
/// impl Progress for Counter {
///     fn start(&self, _what: &str, _total: u64) {}
///     fn advance(&self, bytes: u64) {
///         self.0.fetch_add(bytes, Ordering::Relaxed);
///     }
///     fn finish(&self) {}
/// }
///
/// let counter = Counter::default();
/// let options = ReadOptions { progress: Some(&counter), ..Default::default() };
/// parse_graph(b"0 1\n1 2\n", Format::GapEdges, &options)?;
/// assert_eq!(counter.0.into_inner(), 8);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
pub trait Progress: Sync {
    /// A part of the read begins, such as `reading`, that goes through `total` bytes.
    fn start(&self, what: &str, total: u64);
    /// So many more bytes are done.
    fn advance(&self, bytes: u64);
    /// The part is done.
    fn finish(&self);
}
