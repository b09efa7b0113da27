//! The file formats, and their detection by name.

use std::path::Path;

use super::compression::Compression;

crate::named_enum! {
    /// A file format; its text form is the value of `--format`.
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
        /// Edge lists as SNAP and KONECT ship them (.txt, .edges, .snap, .konect).
        EdgeList = "edges",
        /// Tables of edges with commas, as spreadsheets and pandas write them (.csv).
        Csv = "csv",
        /// Tables of edges with tabs (.tsv).
        Tsv = "tsv",
        /// DIMACS shortest-path graphs (.gr).
        Dimacs = "gr",
        /// METIS adjacency lists (.graph, .metis).
        Metis = "metis",
        /// GraphML, as NetworkX and others write it (.graphml).
        GraphMl = "graphml",
        /// GML, as NetworkX and others write it (.gml).
        Gml = "gml",
        /// Edge lists of the GAP Benchmark Suite (.el).
        GapEdges = "el",
        /// Weighted edge lists of the GAP Benchmark Suite (.wel).
        GapWeightedEdges = "wel",
        /// Serialized graphs of the GAP Benchmark Suite (.sg).
        GapGraph = "sg",
        /// Serialized weighted graphs of the GAP Benchmark Suite (.wsg).
        GapWeightedGraph = "wsg",
        /// Data sets of LDBC Graphalytics: three files, each of which names all (.e, .v, .properties).
        Graphalytics = "graphalytics",
        /// Equipoise's own memory-mapped binary (.eqp).
        Eqp = "eqp",
    }
}

impl Format {
    pub(super) fn is_text(self) -> bool {
        !matches!(self, Self::GapGraph | Self::GapWeightedGraph | Self::Eqp)
    }

    /// The format that the extension of `path` indicates, before `.gz`, `.zst`, `.xz` or `.bz2`.
    /// Files named `out.NAME`, as distributed by KONECT, are edge lists.
    ///
    /// ```
    /// use equipoise_graph::io::Format;
    ///
    /// assert_eq!(Format::of_path("soc/out.epinions.bz2".as_ref()), Some(Format::EdgeList));
    /// assert_eq!(Format::of_path("roads.GR".as_ref()), Some(Format::Dimacs));
    /// assert_eq!(Format::of_path("friends.graphml.gz".as_ref()), Some(Format::GraphMl));
    /// assert_eq!(Format::of_path("roads.tsv".as_ref()), Some(Format::Tsv));
    /// assert_eq!(Format::of_path("graph500-22.e".as_ref()), Some(Format::Graphalytics));
    /// assert_eq!(Format::of_path("roads".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_string_lossy().to_ascii_lowercase();
        let name = Compression::ALL
            .iter()
            .find_map(|packed| name.strip_suffix(packed.extension())?.strip_suffix('.'))
            .unwrap_or(&name);
        let by_extension = name.rsplit_once('.').and_then(|(_, extension)| match extension {
            "mtx" => Some(Self::MatrixMarket),
            "txt" | "edges" | "snap" | "konect" => Some(Self::EdgeList),
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "gr" => Some(Self::Dimacs),
            "graph" | "metis" => Some(Self::Metis),
            "graphml" => Some(Self::GraphMl),
            "gml" => Some(Self::Gml),
            "el" => Some(Self::GapEdges),
            "wel" => Some(Self::GapWeightedEdges),
            "sg" => Some(Self::GapGraph),
            "wsg" => Some(Self::GapWeightedGraph),
            "e" | "v" | "properties" => Some(Self::Graphalytics),
            "eqp" => Some(Self::Eqp),
            _ => None,
        });
        by_extension.or_else(|| name.starts_with("out.").then_some(Self::EdgeList))
    }
}
