//! Data sets of LDBC Graphalytics (<https://ldbcouncil.org/benchmarks/graphalytics/>): three files that belong together.
//!
//! `NAME.v` lists the ids of all vertices, one per line; `NAME.e` the edges, as two ids and optionally a weight per line,
//! each undirected edge once; `NAME.properties` states the names of both, whether edges are directed, and the parameters
//! of the benchmark's algorithms. Ids have up to 64 bits and may have gaps; vertices are numbered in the order of their
//! ids.

mod properties;
mod write;

use std::path::Path;

use super::{
    chunks::{self, concatenate},
    edge_list::{Digits, Ends, Head},
    error::ParseError,
    format::Format,
    input,
    numeric_ids::numbered,
    options::{Progress, ReadOptions},
    pairs::Lines,
    read::parse_named,
    scan::Scanner,
};
use crate::{
    Edges, Error, Graph, Result,
    memory::{self, bytes_of},
    parallel::*,
};

pub use properties::GraphalyticsProperties;
pub(super) use write::write;

/// Why the bytes of a single file, or a stream, are not a graph in this format.
pub(super) const THREE_FILES: &str =
    "a graph in a single stream: it consists of NAME.v, NAME.e and NAME.properties";

/// Reads the data set to which the file `path` belongs.
///
/// Fails if one of the three files is missing or malformed, if an edge leads to a vertex that is not listed, or if the
/// properties state other numbers of vertices or edges than are listed.
pub(super) fn read(path: &Path, options: &ReadOptions) -> Result<Graph> {
    let properties = GraphalyticsProperties::read(path)?;
    let [vertex_path, edge_path] = [&properties.vertex_file, &properties.edge_file];
    let open = |path: &Path| input::open(path, true, options.progress);
    let (vertex_bytes, edge_bytes) = (open(vertex_path)?, open(edge_path)?);
    vertex_bytes.while_unchanged(|| {
        edge_bytes.while_unchanged(|| {
            let vertices = parse_named(vertex_path, &vertex_bytes, Format::Graphalytics, |text| {
                read_vertices(text, options.progress)
            })?;
            properties.check_count("vertices", properties.vertices, vertices.len() as u64)?;
            let (edges, ids) = parse_named(edge_path, &edge_bytes, Format::Graphalytics, |text| {
                read_edges(text, vertices.clone(), &properties, options)
            })?;
            properties.check_count("edges", properties.edges, edges.sources().len() as u64)?;
            let undirected = !properties.directed || options.undirected;
            let builder = options.builder().undirected(undirected).vertices(ids.len() as u64);
            builder.ids(numbered(ids)).build(edges)?.with_weight_type(options.weights)
        })
    })
}

/// Reads the ids of all vertices, in the order of the file.
fn read_vertices(text: &[u8], progress: Option<&dyn Progress>) -> Result<Vec<u64>, ParseError> {
    let pieces = chunks::count(text, 0, |scanner| scanner.lines());
    let lines = chunks::total(&pieces);
    // The ids by piece, as a whole, and a copy that is sorted.
    memory::check(format_args!("reading {lines} vertices"), bytes_of::<[u64; 3]>(lines))?;
    let parts = chunks::parse(text, pieces, progress, |mut scanner, most| {
        let mut ids = Vec::with_capacity(most);
        while scanner.next_line(b"") {
            ids.push(vertex_id(&mut scanner)?);
            scanner.end_line()?;
        }
        Ok::<_, ParseError>(ids)
    })?;
    let ids = concatenate(parts);
    if !ids.is_sorted_by(|a, b| a < b) {
        let mut sorted = ids.clone();
        sorted.par_sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(listed_twice(text, twice[0]));
        }
    }
    Ok(ids)
}

fn vertex_id(scanner: &mut Scanner) -> Result<u64, ParseError> {
    let start = *scanner;
    scanner.unsigned().ok_or_else(|| start.expected("a vertex id of at most 64 bits"))
}

/// The error for the second line of the vertex `id`.
#[cold]
fn listed_twice(text: &[u8], id: u64) -> ParseError {
    let (mut scanner, mut at) = (Scanner::new(text, 0), 0);
    while scanner.next_line(b"") {
        let start = scanner.position();
        if scanner.unsigned() == Some(id) {
            at = start;
        }
        scanner.take_line();
    }
    ParseError::at_byte(at, format!("expected each vertex once, found {id} again"))
}

/// Reads the edges between `vertices`, and returns the ids of these in ascending order.
fn read_edges(
    text: &[u8],
    vertices: Vec<u64>,
    properties: &GraphalyticsProperties,
    options: &ReadOptions,
) -> Result<(Edges, Vec<u64>), ParseError> {
    let expected = vertices.len();
    let head = Head {
        edges_at: 0,
        undirected: false,
        lines: Lines::new(properties.weight_type().map(|stated| options.weights.or(stated))),
        ends: Ends::Any { without_edges: vertices, stated_count: None, digits: Digits::Any },
    };
    // Ids of this format are always numbers, so that an option for names would not help.
    let (edges, ids) = head.read(text, options.progress).map_err(ParseError::without_remedy)?;
    if ids.len() == expected { Ok((edges, ids)) } else { Err(unlisted(text, &head)) }
}

/// The error for the first end of an edge that is not in the list of vertices.
#[cold]
fn unlisted(text: &[u8], head: &Head) -> ParseError {
    let mut vertices = match &head.ends {
        Ends::Any { without_edges, .. } => without_edges.clone(),
        Ends::From(_) | Ends::Below(_) => Vec::new(),
    };
    vertices.par_sort_unstable();
    let mut scanner = Scanner::new(text, 0);
    while scanner.next_line(b"") {
        for _ in 0..2 {
            scanner.skip_blanks();
            let start = scanner;
            let id = scanner.unsigned();
            if id.is_none_or(|id| vertices.binary_search(&id).is_err()) {
                return start.expected("a vertex that the file of vertices lists");
            }
        }
        scanner.take_line();
    }
    ParseError::Graph(Error::Structure("an edge leads to a vertex that is not listed".into()))
}
