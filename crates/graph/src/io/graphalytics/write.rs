//! Writes data sets of Graphalytics.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use super::properties::{GraphalyticsProperties, properties_of};
use crate::{
    Graph, Result, VertexId, VertexIds, Weights,
    io::{
        compression::Compression,
        error::{WriteError, unwritten},
        format::Format,
        lines::{edges_once, put_number, write_edges, write_rows},
        output::write_whole,
    },
};

/// The iterations of CDLP and PageRank, and the damping factor, of the data sets that the benchmark generates.
const ITERATIONS: u32 = 10;
const DAMPING: f64 = 0.85;

/// Writes the three files of a data set, of which `path` is one. The properties state the parameters of the benchmark's
/// generated data sets; searches start at the vertex with the most outgoing edges.
///
/// Fails if vertices have names, or the graph has self-loops or parallel edges.
pub(in crate::io) fn write(graph: &Graph, path: &Path) -> Result<()> {
    let failed = |error| unwritten(error, path, Format::Graphalytics);
    check(graph).map_err(failed)?;
    let properties = describe(graph, path);
    graph.while_unchanged(|| {
        write_whole(&properties.vertex_file, |out| write_vertices(graph, out).map_err(failed))?;
        write_whole(&properties.edge_file, |out| {
            let edges = |vertex| edges_once(graph, vertex);
            write_edges(graph, out, (b"", b' '), edges, |text, end| put_id(graph, text, end))
                .map_err(failed)
        })
    })?;
    write_whole(&properties.path, |out| {
        write!(out, "{properties}").map_err(|error| failed(error.into()))
    })
}

fn check(graph: &Graph) -> Result<(), WriteError> {
    if let VertexIds::Names(_) = graph.ids() {
        return Err(WriteError::CannotHold("the names of vertices".into()));
    }
    if graph.is_simple() {
        return Ok(());
    }
    let what = "self-loops and parallel edges; drop them when reading the graph";
    Err(WriteError::CannotHold(what.into()))
}

/// The properties of a graph that is written to the files to which `path` belongs.
fn describe(graph: &Graph, path: &Path) -> GraphalyticsProperties {
    let properties = properties_of(path);
    let packing = Compression::of_path(path);
    let file = |extension: &str| -> PathBuf {
        let extensions = packing.map(|packing| format!("{extension}.{}", packing.extension()));
        properties.with_extension(extensions.unwrap_or_else(|| extension.into()))
    };
    let edges = if graph.is_undirected() { graph.edges() / 2 } else { graph.edges() };
    let by_degree = |&vertex: &u32| (graph.degree(vertex), std::cmp::Reverse(vertex));
    let source = (0..graph.vertices()).max_by_key(by_degree).map(|vertex| id(graph, vertex));
    let kind = graph.weights().map(|weights| match weights {
        Weights::U32(_) => "integer",
        Weights::F32(_) | Weights::F64(_) => "real",
    });
    let is_valid = |weights: &Weights| (0..weights.len()).all(|edge| weights.get(edge) >= 0.0);
    let has_lengths = graph.weights().is_some_and(is_valid);
    let with_lengths = if has_lengths { Some("sssp") } else { None };
    let algorithms = ["bfs", "cdlp", "lcc", "pr", "wcc"].into_iter().chain(with_lengths);
    GraphalyticsProperties {
        name: properties.file_stem().map_or_else(String::new, |name| name.display().to_string()),
        vertex_file: file("v"),
        edge_file: file("e"),
        path: properties,
        directed: !graph.is_undirected(),
        vertices: Some(graph.vertices().into()),
        edges: Some(edges),
        weight: kind.map(|kind| ("weight".into(), kind.into())),
        algorithms: algorithms.map(String::from).collect(),
        bfs_source: source,
        cdlp_iterations: Some(ITERATIONS),
        pr_damping: Some(DAMPING),
        pr_iterations: Some(ITERATIONS),
        sssp_source: source.filter(|_| has_lengths),
    }
}

fn write_vertices(graph: &Graph, out: &mut dyn Write) -> Result<(), WriteError> {
    write_rows(graph.csr(), out, |vertex, text| {
        put_id(graph, text, vertex);
        text.push(b'\n');
    })
}

fn put_id(graph: &Graph, text: &mut Vec<u8>, vertex: u32) {
    put_number(text, id(graph, vertex));
}

/// The id of a vertex of a graph without names.
fn id(graph: &Graph, vertex: u32) -> u64 {
    match graph.ids().id(vertex) {
        VertexId::Number(number) => number,
        VertexId::Name(_) => vertex.into(),
    }
}
