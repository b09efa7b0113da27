//! Data sets of LDBC Graphalytics.

use std::fs;

use equipoise_graph::{
    Duplicates, Edges, Error, Graph, GraphBuilder, SelfLoops, VertexIds, Weights,
    io::{
        Format, GraphalyticsProperties, ReadOptions, parse_graph, read_graph, read_matrix,
        write_graph,
    },
    load,
};

const PROPERTIES: &str = "\
# A comment
graph.trips.vertex-file = trips.v
graph.trips.edge-file = trips.e
graph.trips.meta.vertices = 4
graph.trips.meta.edges = 3
graph.trips.directed = true
graph.trips.edge-properties.names = weight
graph.trips.edge-properties.types = real
graph.trips.algorithms = bfs, PR
graph.trips.bfs.source-vertex = 7
graph.trips.pr.damping-factor = 0.5
graph.trips.pr.num-iterations = 3
";
const VERTICES: &str = "7\n40\n41\n18446744073709551615\n";
const EDGES: &str = "7 41 0.5\n40 7 2\n41 7 0.25\n";

struct DataSet(tempfile::TempDir);

impl DataSet {
    fn new(properties: &str, vertices: &str, edges: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let files = [("properties", properties), ("v", vertices), ("e", edges)];
        for (extension, text) in files {
            fs::write(folder.path().join("trips").with_extension(extension), text).unwrap();
        }
        Self(folder)
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn read(&self) -> Result<Graph, Error> {
        read_graph(&self.path("trips.e"), &ReadOptions::default())
    }

    /// The error without the path of the folder.
    fn refusal(&self) -> String {
        let folder = format!("{}/", self.0.path().display());
        self.read().unwrap_err().to_string().replace(&folder, "")
    }
}

#[test]
fn ids_have_gaps_and_64_bits_and_vertices_need_no_edges() {
    let set = DataSet::new(PROPERTIES, VERTICES, EDGES);
    let graph = set.read().unwrap();
    let expected = vec![7, 40, 41, u64::MAX];
    assert_eq!(*graph.ids(), VertexIds::Table(expected.into()));
    assert!(!graph.is_undirected());
    assert_eq!(graph.csr().offsets(), [0, 1, 2, 3, 3]);
    assert_eq!(graph.csr().indices(), [2, 0, 0]);
    // 2 is an integer in the file, but the properties say that weights are real.
    assert_eq!(graph.weights(), Some(&Weights::from(vec![0.5f64, 2.0, 0.25])));
}

#[test]
fn each_of_the_three_files_names_the_data_set() {
    let set = DataSet::new(PROPERTIES, VERTICES, EDGES);
    let expected = set.read().unwrap();
    for name in ["trips.v", "trips.properties"] {
        assert_eq!(read_graph(&set.path(name), &ReadOptions::default()).unwrap(), expected);
    }
    let spec = set.path("trips.properties").display().to_string();
    assert_eq!(load(&spec, &ReadOptions::default()).unwrap(), expected);
    let matrix = read_matrix::<f64>(&set.path("trips.e"), &ReadOptions::default()).unwrap();
    assert_eq!(matrix.row(1), (&[0][..], &[2.0][..]));
}

#[test]
fn undirected_edges_are_listed_once() {
    let properties = PROPERTIES.replace("directed = true", "directed = false");
    let graph = DataSet::new(&properties, VERTICES, "7 40 1\n7 41 2\n40 41 3\n").read().unwrap();
    assert!(graph.is_undirected());
    assert_eq!(graph.neighbors(2), [0, 1]);
    assert_eq!(graph.edges(), 6);
}

#[test]
fn vertices_may_be_listed_in_any_order() {
    let vertices = "41\n18446744073709551615\n7\n40\n";
    let read = DataSet::new(PROPERTIES, vertices, EDGES).read().unwrap();
    assert_eq!(read, DataSet::new(PROPERTIES, VERTICES, EDGES).read().unwrap());
}

#[test]
fn parameters_of_the_algorithms_are_read() {
    let set = DataSet::new(PROPERTIES, VERTICES, EDGES);
    let properties = GraphalyticsProperties::read(set.0.path()).unwrap();
    assert_eq!(properties.algorithms, ["bfs", "pr"]);
    assert_eq!(properties.bfs_source, Some(7));
    assert_eq!((properties.pr_damping, properties.pr_iterations), (Some(0.5), Some(3)));
    assert_eq!((properties.cdlp_iterations, properties.sssp_source), (None, None));
    let printed = properties.to_string();
    fs::write(set.path("trips.properties"), printed).unwrap();
    assert_eq!(GraphalyticsProperties::read(set.0.path()).unwrap(), properties);
}

#[test]
fn malformed_files_are_refused_with_the_line() {
    let [properties, vertices, edges] = [PROPERTIES, VERTICES, EDGES];
    for (set, expected) in [
        (
            DataSet::new(properties, "7\nx\n", edges),
            "trips.v:2: expected a vertex id of at most 64 bits, found \"x\"",
        ),
        (
            DataSet::new(properties, "7\n40\n41\n40\n", edges),
            "trips.v:4: expected each vertex once, found 40 again",
        ),
        (
            DataSet::new(properties, "7\n40\n41\n18446744073709551616\n", edges),
            "trips.v:4: expected a vertex id of at most 64 bits, found \"18446744073709551616\"",
        ),
        (DataSet::new(properties, "7\n40 1\n", edges), "trips.v:2: expected the end of the line"),
        (
            DataSet::new(properties, vertices, "7 41 1\n40 8 1\n41 7 1\n"),
            "trips.e:2: expected a vertex that the file of vertices lists, found \"8\"",
        ),
        (
            DataSet::new(properties, vertices, "7 41 1\n\n40 7\n"),
            "trips.e:3: expected a weight, found",
        ),
        (
            DataSet::new(properties, vertices, "7 41 1\nAnn 7 1\n"),
            "trips.e:2: expected a vertex id of at most 64 bits, found \"Ann\"",
        ),
        (
            DataSet::new(properties, vertices, "7 41 1\n40 7 1\n"),
            "trips.properties: states 3 edges, but 2 are listed",
        ),
        (
            DataSet::new(properties, "7\n40\n41\n42\n43\n", edges),
            "trips.properties: states 4 vertices, but 5 are listed",
        ),
        (
            DataSet::new(&properties.replace("= 7", "= -7"), vertices, edges),
            "trips.properties:10: expected a vertex id of at most 64 bits as `bfs.source-vertex`, found \"-7\"",
        ),
        (
            DataSet::new(&properties.replace("= true", "= yes"), vertices, edges),
            "trips.properties:6: expected `true` or `false` as `directed`, found \"yes\"",
        ),
        (
            DataSet::new(&properties.replace(".directed", ".direct"), vertices, edges),
            "trips.properties: expected a line `graph.trips.directed = …`",
        ),
        (
            DataSet::new(&format!("{properties}\nhello"), vertices, edges),
            "trips.properties:14: expected `KEY = VALUE`, found \"hello\"",
        ),
        (
            DataSet::new(&properties.replace("names = weight", "names = a, b"), vertices, edges),
            "trips.properties: expected one property of edges with its type, found 2 and 1 types",
        ),
        (
            DataSet::new("", vertices, edges),
            "trips.properties: expected a line `graph.NAME.vertex-file = NAME.v`",
        ),
    ] {
        let refusal = set.refusal();
        assert!(refusal.starts_with(expected), "{refusal:?}, not {expected:?}");
    }
}

#[test]
fn missing_files_are_named() {
    for name in ["trips.v", "trips.e", "trips.properties"] {
        let set = DataSet::new(PROPERTIES, VERTICES, EDGES);
        fs::remove_file(set.path(name)).unwrap();
        let path = set.path(if name == "trips.e" { "trips.v" } else { "trips.e" });
        match read_graph(&path, &ReadOptions::default()) {
            Err(Error::Io { path, .. }) => assert_eq!(path, set.path(name)),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn a_folder_must_have_one_data_set() {
    let set = DataSet::new(PROPERTIES, VERTICES, EDGES);
    fs::write(set.path("other.properties"), PROPERTIES).unwrap();
    let error = GraphalyticsProperties::read(set.0.path()).unwrap_err().to_string();
    assert!(error.contains("expected one data set, found 2"), "{error}");
    let empty = tempfile::tempdir().unwrap();
    let error = GraphalyticsProperties::read(empty.path()).unwrap_err().to_string();
    assert!(error.contains("expected a data set with a file NAME.properties"), "{error}");
}

#[test]
fn bytes_alone_are_no_data_set() {
    let error = parse_graph(b"0 1\n", Format::Graphalytics, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("it consists of NAME.v, NAME.e and NAME.properties"));
}

#[test]
fn graphs_read_back_equal() {
    let folder = tempfile::tempdir().unwrap();
    let dense = |first| VertexIds::Dense { first };
    let table = VertexIds::Table((0..40).map(|vertex| vertex << 57 | 3).collect::<Vec<_>>().into());
    for (undirected, ids) in
        [(false, dense(0)), (true, dense(1)), (true, table.clone()), (false, table)]
    {
        for weights in [None, Some(Weights::from(vec![0.1f64; 30])), Some(vec![3u32; 30].into())] {
            let ends = (0..30u32).map(|edge| (edge, edge * 7 % 31 + 3));
            let (sources, targets) = ends.unzip();
            let graph = GraphBuilder::new()
                .vertices(40)
                .undirected(undirected)
                .duplicates(Duplicates::Drop)
                .self_loops(SelfLoops::Drop)
                .ids(ids.clone())
                .build(Edges::new(sources, targets, weights).unwrap())
                .unwrap();
            for name in ["a.b.e", "packed.e.zst", "other.v"] {
                let path = folder.path().join(name);
                write_graph(&graph, &path, None).unwrap();
                assert!(path.exists(), "{name}");
                assert_eq!(read_graph(&path, &ReadOptions::default()).unwrap(), graph, "{name}");
            }
        }
    }
}

#[test]
fn written_properties_run_all_algorithms_that_apply() {
    let folder = tempfile::tempdir().unwrap();
    let properties = |spec: &str| {
        let path = folder.path().join("written.e");
        write_graph(&load(spec, &ReadOptions::default()).unwrap(), &path, None).unwrap();
        GraphalyticsProperties::read(&path).unwrap()
    };
    let star = properties("star:n=5");
    assert_eq!(star.algorithms, ["bfs", "cdlp", "lcc", "pr", "wcc"]);
    assert_eq!((star.vertices, star.edges, star.directed), (Some(5), Some(4), false));
    assert_eq!((star.bfs_source, star.sssp_source), (Some(0), None));
    let weighted = properties("path:n=5,weights=1..9");
    assert_eq!(weighted.algorithms.last().unwrap(), "sssp");
    assert_eq!(weighted.sssp_source, weighted.bfs_source);
}

#[test]
fn graphs_that_the_benchmark_excludes_are_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("written.e");
    for edges in [vec![(0, 0)], vec![(0, 1), (0, 1)]] {
        let graph = GraphBuilder::new().build(Edges::from(edges)).unwrap();
        let error = write_graph(&graph, &path, None).unwrap_err();
        assert!(matches!(&error, Error::Unsupported { format: "graphalytics", .. }), "{error}");
        assert!(!path.exists());
    }
    let named = parse_graph(b"Ulm Bonn\n", Format::EdgeList, &ReadOptions::default()).unwrap();
    let error = write_graph(&named, &path, None).unwrap_err().to_string();
    assert_eq!(error, "graphalytics cannot hold the names of vertices");
}
