//! Edge lists as SNAP (<https://snap.stanford.edu/data/>) and KONECT (<http://konect.cc/>) ship
//! them, and tables of edges as spreadsheets and NetworkX write them.
//!
//! A line is an edge: two ids of up to 64 bits, then perhaps a weight, then perhaps a time, which
//! is ignored; spaces, tabs or commas stand between. Lines that start with `#` or `%` are
//! comments. Ids that are all the numbers from 0 or from 1 on are kept as they are, any others
//! in a table, in ascending order.
//!
//! Where the first edge is not two numbers, vertices have names: see [`named`]. There may be a
//! header; spaces, tabs, commas, semicolons or bars stand between: see [`layout`].
//!
//! KONECT's first line `% sym …` makes the graph undirected. A first line that Equipoise wrote
//! tells what edges alone do not: see [`claims`].

mod cells;
mod claims;
mod compact;
mod head;
mod layout;
mod named;
mod write;

use super::{
    IdKind, Progress, TableOptions,
    error::ParseError,
    pairs::{self, Counted, Lines, Pairs},
    scan::Scanner,
    weights::WeightType,
};
use crate::{Edges, Graph, GraphBuilder, VertexIds};
use claims::{Claims, Naming, Opening};
use compact::compact;
use layout::{Layout, WeightAt};

pub(super) use head::{Ends, head};
pub(super) use named::number;
pub(super) use write::write;

const COMMENTS: &[u8] = b"#%";

/// Reads a graph.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &TableOptions,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    match Opening::read(bytes)? {
        Opening::Plain => read_table(bytes, builder, options, progress),
        Opening::Undirected => {
            read_table(bytes, &builder.clone().undirected(true), options, progress)
        }
        Opening::Ours(claims) => read_claimed(bytes, &claims, builder, progress),
    }
}

/// Reads a file that says nothing about itself.
fn read_table(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &TableOptions,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let layout = Layout::of(bytes, options)?;
    match layout.is_plain && options.ids != IdKind::Names || options.ids == IdKind::Numbers {
        true => read_plain(bytes, layout.edges_at, builder, progress),
        false => {
            let kind = options.ids;
            let named = named::read(bytes, &layout, kind, WeightType::Any, &[], progress)?;
            let builder = builder.clone().vertices(named.vertices).ids(named.ids);
            Ok(builder.build(named.edges)?)
        }
    }
}

/// Reads edges between numbers.
fn read_plain(
    bytes: &[u8],
    edges_at: usize,
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let weights = first_edge_has_weight(bytes, edges_at).then_some(WeightType::Any);
    let lines = Lines { comments: COMMENTS, weights, times: true };
    let named = read_any_ids(bytes, edges_at, &lines, &[], progress)?;
    let count = named.ids.len() as u64;
    Ok(builder.clone().vertices(count).ids(numbered(named.ids)).build(named.edges)?)
}

/// The ids of vertices that are called by these ascending numbers.
pub(super) fn numbered(numbers: Vec<u64>) -> VertexIds {
    let (ends, count) = (numbers.first().zip(numbers.last()), numbers.len() as u64);
    let dense = |first: u64| ends == Some((&first, &(first + count - 1)));
    match numbers.is_empty() || dense(0) {
        true => VertexIds::Dense { first: 0 },
        false if dense(1) => VertexIds::Dense { first: 1 },
        false => VertexIds::Table(numbers.into()),
    }
}

/// Whether the first edge has more than two columns; all others must then have them too.
fn first_edge_has_weight(bytes: &[u8], edges_at: usize) -> bool {
    let mut scanner = Scanner::new(bytes, edges_at);
    scanner.next_line(COMMENTS)
        && scanner.unsigned().is_some()
        && (scanner.skip_separator(), scanner.unsigned()).1.is_some()
        && (scanner.skip_separator() || !scanner.at_line_end())
}

/// Reads a file that Equipoise wrote, and checks what its first lines claim.
fn read_claimed(
    bytes: &[u8],
    claims: &Claims,
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let lines = Lines { comments: COMMENTS, weights: claims.weights, times: false };
    let (ids, edges) = match &claims.naming {
        &Naming::From(first) => {
            let end = first + u64::from(claims.vertices);
            let text = Counted::new(bytes, claims.edges_at);
            let pairs = pairs::read(&text, &lines, progress, |scanner| {
                scanner.number_in(first..end, "vertex id")
            })?;
            let edges = Edges::new(pairs.sources, pairs.targets, pairs.weights)?;
            (VertexIds::Dense { first }, edges)
        }
        Naming::Table { without_edges } => {
            let named = read_any_ids(bytes, claims.edges_at, &lines, without_edges, progress)?;
            if named.ids.len() as u64 != u64::from(claims.vertices) {
                return Err(claims.wrong_count(named.ids.len()));
            }
            (VertexIds::Table(named.ids.into()), named.edges)
        }
        Naming::Names { without_edges } => {
            let weight = claims.weights.map(|_| WeightAt::Column(2));
            let layout = Layout::written(weight, claims.edges_at);
            let weights = claims.weights.unwrap_or(WeightType::Any);
            let kind = IdKind::Names;
            let named = named::read(bytes, &layout, kind, weights, without_edges, progress)?;
            if named.vertices != u64::from(claims.vertices) {
                return Err(claims.wrong_count(named.vertices as usize));
            }
            (named.ids, named.edges)
        }
    };
    let builder = builder.clone().vertices(claims.vertices.into()).ids(ids);
    let builder = if claims.undirected { builder.undirected(true) } else { builder };
    Ok(builder.build(edges)?)
}

/// Edges between vertices counted from 0, and the ids of those.
struct Named {
    edges: Edges,
    ids: Vec<u64>,
}

/// Reads edges between any ids. Nearly all files have ids of 32 bits, which take half the memory.
fn read_any_ids(
    bytes: &[u8],
    start: usize,
    lines: &Lines,
    without_edges: &[u64],
    progress: Option<&dyn Progress>,
) -> Result<Named, ParseError> {
    let text = Counted::new(bytes, start);
    let narrow = pairs::read(&text, lines, progress, |scanner| {
        let id = id(scanner)?;
        u32::try_from(id).map_err(|_| Misfit::NotU32)
    });
    match narrow {
        Ok(pairs) => name(pairs, without_edges),
        Err(Misfit::Wrong(error)) => Err(error),
        Err(Misfit::NotU32) => name(pairs::read(&text, lines, progress, id)?, without_edges),
    }
}

fn name<I: compact::Id>(pairs: Pairs<I>, without_edges: &[u64]) -> Result<Named, ParseError> {
    let compacted = compact(pairs.sources, pairs.targets, without_edges)?;
    let edges = Edges::new(compacted.sources, compacted.targets, pairs.weights)?;
    Ok(Named { edges, ids: compacted.ids })
}

/// The id that stands here.
#[inline(always)]
pub(super) fn id(scanner: &mut Scanner) -> Result<u64, ParseError> {
    scanner.unsigned().ok_or_else(|| scanner.expected("a vertex id of at most 64 bits"))
}

/// Why an id is not what was tried.
enum Misfit {
    NotU32,
    Wrong(ParseError),
}

impl From<ParseError> for Misfit {
    fn from(error: ParseError) -> Self {
        Misfit::Wrong(error)
    }
}
