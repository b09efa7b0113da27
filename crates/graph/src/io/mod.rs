//! Readers and writers, one file a format.
//!
//! A format is chosen by the file's extension or by name; `.gz`, `.zst`, `.xz` and `.bz2` are
//! seen through.
//!
//! ```no_run
//! use equipoise_graph::io::{ReadOptions, read_graph, write_graph};
//!
//! let graph = read_graph("roads.mtx.xz".as_ref(), &ReadOptions::default())?;
//! write_graph(&graph, "roads.eqp".as_ref(), None)?;
//! # Ok::<(), equipoise_graph::Error>(())
//! ```

mod error;

crate::named_enum! {
    /// A file format, by the name that `--format` takes.
    ///
    /// ```
    /// use equipoise_graph::io::Format;
    ///
    /// assert_eq!(Format::of_path("roads.mtx.xz".as_ref()), Some(Format::MatrixMarket));
    /// assert_eq!(Format::MatrixMarket.to_string(), "mtx");
    /// ```
    pub enum Format("format") {
        /// Matrix Market coordinate (.mtx).
        MatrixMarket = "mtx",
        /// Edge lists as SNAP and KONECT ship them (.txt, .tsv, .csv, .edges).
        EdgeList = "edges",
        /// DIMACS shortest-path graphs (.gr).
        Dimacs = "gr",
        /// METIS adjacency lists (.graph, .metis).
        Metis = "metis",
        /// Edge lists of the GAP Benchmark Suite (.el).
        GapEdges = "el",
        /// Weighted edge lists of the GAP Benchmark Suite (.wel).
        GapWeightedEdges = "wel",
        /// Serialized graphs of the GAP Benchmark Suite (.sg).
        GapGraph = "sg",
        /// Serialized weighted graphs of the GAP Benchmark Suite (.wsg).
        GapWeightedGraph = "wsg",
        /// Equipoise's own memory-mapped binary (.eqp).
        Eqp = "eqp",
    }
}
