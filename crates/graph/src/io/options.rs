//! Options of readers, and reporting of their progress.

use std::fmt;

use super::{error::ParseError, format::Format};
use crate::{Duplicates, GraphBuilder, SelfLoops, WeightType};

/// Options for reading a file.
///
/// ```
/// use equipoise_graph::{Duplicates, io::{Format, ReadOptions, parse_graph}};
///
/// let options = ReadOptions { duplicates: Duplicates::Drop, ..Default::default() };
/// let graph = parse_graph(b"0 1\n0 1\n", Format::GapEdges, &options)?;
/// assert_eq!(graph.edges(), 1);
/// # Ok::<(), equipoise_graph::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ReadOptions<'a> {
    /// The format; `None` to detect it.
    pub format: Option<Format>,
    /// Whether each edge stands for both directions, regardless of the file.
    pub undirected: bool,
    /// The handling of parallel edges. When a matrix is read, kept duplicates are summed.
    pub duplicates: Duplicates,
    /// The handling of self-loops.
    pub self_loops: SelfLoops,
    /// The type of a graph's weights, regardless of the file.
    pub weights: WeightType,
    /// The layout of an edge list; for GraphML and GML, the kind of vertex ids and the weight
    /// attribute.
    pub table: TableOptions<'a>,
    /// The receiver of progress reports.
    pub progress: Option<&'a dyn Progress>,
}

/// The layout of an edge list. Unspecified properties are detected from its first lines.
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
/// For GraphML and GML, the third column is the name of the weight attribute:
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
    /// Whether vertices have numbers or names.
    pub ids: IdKind,
    /// Whether the first line names the columns; `None` to detect it.
    pub header: Option<bool>,
    /// The columns of an edge's source and target, and optionally of its weight: names in the
    /// header, or numbers from 1 on. In GraphML and GML the first two are `source` and `target`.
    pub columns: Option<&'a [String]>,
}

impl TableOptions<'_> {
    /// Fails if the options are contradictory, or do not apply to the format.
    pub(super) fn check(&self, format: Format) -> Result<(), ParseError> {
        let refused = |message: String| Err(ParseError::Whole(message));
        if let Some(columns) = self.columns {
            let count = columns.len();
            if !(2..=3).contains(&count) {
                return refused(format!(
                    "expected two columns to read, or three with the weight's, found {count}"
                ));
            }
            let is_twice = |&(index, column): &(usize, &String)| columns[..index].contains(column);
            if let Some((_, column)) = columns.iter().enumerate().find(is_twice) {
                return refused(format!("the column `{column}` is to be read as two things"));
            }
        }
        let is_table = matches!(format, Format::EdgeList | Format::Csv | Format::Tsv);
        let is_listed = matches!(format, Format::GraphMl | Format::Gml);
        let missing = match self.ids {
            _ if self.header.is_some() && !is_table => "has no header",
            _ if self.columns.is_some() && !is_table && !is_listed => "has no columns",
            IdKind::Names if !is_table && !is_listed => "has no names to read",
            IdKind::Numbers if format == Format::Eqp => "says what its vertices are called by",
            _ => return Ok(()),
        };
        refused(format!("was to be read in another way, but the format {format} {missing}"))
    }

    /// Whether everything is left to detection.
    ///
    /// ```
    /// use equipoise_graph::io::TableOptions;
    ///
    /// assert!(TableOptions::default().is_unspecified());
    /// assert!(!TableOptions { header: Some(false), ..TableOptions::default() }.is_unspecified());
    /// ```
    pub fn is_unspecified(&self) -> bool {
        self.ids == IdKind::Auto && self.header.is_none() && self.columns.is_none()
    }

    pub(super) fn names_columns(&self) -> bool {
        let is_name = |column: &String| column.parse::<usize>().is_err();
        self.columns.is_some_and(|columns| columns.iter().any(is_name))
    }
}

crate::named_enum! {
    /// The kind of vertex ids in an edge list, GraphML or GML.
    ///
    /// ```
    /// use equipoise_graph::io::IdKind;
    ///
    /// assert_eq!("names".parse(), Ok(IdKind::Names));
    /// ```
    #[derive(Default)]
    pub enum IdKind("kind of ids") {
        /// Numbers, if the first edge has numbers; in GraphML and GML, if all vertices have.
        #[default]
        Auto = "auto",
        /// Whole numbers from 0 to 2⁶⁴ − 1.
        Numbers = "numbers",
        /// Arbitrary words; 7 and 07 are different.
        Names = "names",
    }
}

impl ReadOptions<'_> {
    pub(super) fn builder(&self) -> GraphBuilder {
        GraphBuilder::new()
            .undirected(self.undirected)
            .duplicates(self.duplicates)
            .self_loops(self.self_loops)
    }
}

/// Receives the progress of a long read, from any thread, and notes on what the reader guessed.
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
    /// A phase of the read begins, such as `reading`, which processes `total` bytes.
    fn start(&self, what: &str, total: u64);
    /// A further `bytes` bytes are processed.
    fn advance(&self, bytes: u64);
    /// The phase is finished.
    fn finish(&self);
    /// A note for users on what the reader guessed, assumed or skipped. Ignored by default.
    fn note(&self, _note: &str) {}
}

impl fmt::Debug for dyn Progress + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
