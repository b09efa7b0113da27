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
    /// How an edge list is laid out, where it does not tell itself; what GraphML and GML call
    /// vertices by, and which attribute is the weight.
    pub table: TableOptions<'a>,
    /// Who to tell how far a long read has come.
    pub progress: Option<&'a dyn Progress>,
}

/// How an edge list is laid out. What is not said here is found out from its first lines.
///
/// ```
/// use equipoise_graph::io::{Format, ReadOptions, TableOptions, parse_graph};
///
/// let columns = ["to".to_owned(), "from".to_owned(), "km".to_owned()];
/// let table = TableOptions { columns: Some(&columns), ..Default::default() };
/// let options = ReadOptions { table, ..Default::default() };
/// let text = b"id;from;to;km\n1;Ulm;Bonn;431\n2;Bonn;Kiel;502\n";
/// let graph = parse_graph(text, Format::EdgeList, &options)?;
/// let [bonn, kiel] = ["Bonn", "Kiel"].map(|name| graph.vertex(name).unwrap());
/// assert_eq!(graph.neighbors(kiel), [bonn]);
/// assert_eq!(graph.weights().unwrap().get(1), 502.0);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
///
/// GraphML and GML name what their edges have, of which a third column chooses the weight:
///
/// ```
/// use equipoise_graph::io::{Format, ReadOptions, TableOptions, parse_graph};
///
/// let columns = ["source".to_owned(), "target".to_owned(), "km".to_owned()];
/// let table = TableOptions { columns: Some(&columns), ..Default::default() };
/// let options = ReadOptions { table, ..Default::default() };
/// let text = br#"graph [
///   node [ id 0 label "Ulm" ]
///   node [ id 1 label "Bonn" ]
///   edge [ source 0 target 1 km 431 ]
/// ]"#;
/// let graph = parse_graph(text, Format::Gml, &options)?;
/// assert!(graph.is_undirected());
/// assert_eq!(graph.ids().id(0), "Bonn");
/// assert_eq!(graph.weights().unwrap().get(0), 431.0);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct TableOptions<'a> {
    /// Whether vertices are called by numbers or by names.
    pub ids: IdKind,
    /// Whether the first line names the columns.
    pub header: Option<bool>,
    /// The columns of an edge's source and target, and perhaps of its weight: by their names in the
    /// header, or by numbers from 1 on. In GraphML and GML the first two are `source` and `target`.
    pub columns: Option<&'a [String]>,
}

impl TableOptions<'_> {
    /// Whether a column is asked for by name.
    pub(super) fn names_columns(&self) -> bool {
        let is_name = |column: &String| column.parse::<usize>().is_err();
        self.columns.is_some_and(|columns| columns.iter().any(is_name))
    }
}

crate::named_enum! {
    /// What an edge list, GraphML or GML calls its vertices by.
    ///
    /// ```
    /// use equipoise_graph::io::IdKind;
    ///
    /// assert_eq!("names".parse(), Ok(IdKind::Names));
    /// ```
    #[derive(Default)]
    pub enum IdKind("kind of ids") {
        /// Numbers, if those of the first edge are; in GraphML and GML, if all are.
        #[default]
        Auto = "auto",
        /// Whole numbers from 0 to 2⁶⁴ − 1.
        Numbers = "numbers",
        /// Any words, of which 7 and 07 are two.
        Names = "names",
    }
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
            .field("table", &self.table)
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
