//! Edge lists as distributed by SNAP (<https://snap.stanford.edu/data/>) and KONECT
//! (<http://konect.cc/>), and tables of edges as written by spreadsheets and NetworkX.
//!
//! A line is an edge: two ids of up to 64 bits, then optionally a weight and a time, which is
//! ignored, separated by spaces, tabs or commas. Lines before the first edge that start with `#` or
//! `%` are comments; tables (`csv`, `tsv`) have none. All lines have the columns of the first. Ids
//! that are all the numbers from 0 or from 1 on are kept as they are; others are kept in a table,
//! in ascending order.
//!
//! If the first edge is not two numbers, vertices have names: see [`named`]. A header is optional,
//! and cells may be separated by spaces, tabs, commas, semicolons or bars: see [`layout`].
//!
//! KONECT's first line `% sym …` makes the graph undirected. A first line written by Equipoise
//! states what edges alone do not show: see [`claims`].

mod attributes;
mod cells;
mod claims;
mod compact;
mod head;
mod header;
mod interner;
mod interners;
mod layout;
mod named;
mod piece;
mod ranks;
mod records;
mod row;
mod word_hash;
mod write;

use super::{
    error::ParseError,
    format::Format,
    limits::check_stated,
    numeric_ids::numbered,
    options::{IdKind, Progress, ReadOptions},
    pairs::Lines,
};
use crate::{Edges, Graph, GraphBuilder, Remedy, VertexIds};
use claims::{Claims, Naming, Opening};
use layout::{Layout, PlainColumns, WeightAt};

pub(super) use head::{Digits, Ends, Head, id, vertex};
pub(super) use write::{check_names, touched, write};

/// The note on a file that KONECT marks as symmetric.
const UNDIRECTED: &str = "undirected, as its first line says `% sym`";

pub(super) fn read(
    bytes: &[u8],
    format: Format,
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    match Opening::read(bytes, format, &options.table)? {
        Opening::Plain => read_table(bytes, format, builder, options),
        Opening::Undirected => {
            note(options.progress, UNDIRECTED);
            read_table(bytes, format, &builder.clone().undirected(true), options)
        }
        Opening::Ours(claims) => read_claimed(bytes, claims, builder, options),
    }
}

/// Reads the lines before the edges; `None` if vertices have names.
pub(super) fn head(
    bytes: &[u8],
    format: Format,
    options: &ReadOptions,
) -> Result<Option<Head>, ParseError> {
    let undirected = match Opening::read(bytes, format, &options.table)? {
        Opening::Ours(claims) => {
            let lines = Lines::new(claims.weights_as(options.weights));
            let Claims { edges_at, undirected, .. } = claims;
            return Ok(match claims.naming {
                Naming::Numbers(ends) => Some(Head { edges_at, undirected, lines, ends }),
                Naming::Names { .. } => None,
            });
        }
        Opening::Plain => false,
        Opening::Undirected => {
            note(options.progress, UNDIRECTED);
            true
        }
    };
    let layout = Layout::detect(bytes, format, &options.table)?;
    let head = head_of_layout(&layout, undirected, options);
    if head.is_some() && layout.is_guess(bytes) {
        note(options.progress, &layout.describe());
    }
    Ok(head)
}

fn note(progress: Option<&dyn Progress>, note: &str) {
    if let Some(progress) = progress {
        progress.note(note);
    }
}

/// The description of a table of numbers; `None` if vertices have names.
fn head_of_layout(layout: &Layout, undirected: bool, options: &ReadOptions) -> Option<Head> {
    let kind = options.table.ids;
    let PlainColumns { weights, times, separator } =
        layout.plain.filter(|_| kind != IdKind::Names)?;
    let lines = Lines { weights: weights.then_some(options.weights), times, separator };
    let digits = Digits::of_kind(kind);
    let ends = Ends::Any { without_edges: Vec::new(), stated_count: None, digits };
    Some(Head { edges_at: layout.edges_at, undirected, lines, ends })
}

/// Reads a file without an Equipoise header.
fn read_table(
    bytes: &[u8],
    format: Format,
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    let progress = options.progress;
    let mut layout = Layout::detect(bytes, format, &options.table)?;
    let has_guess = layout.is_guess(bytes);
    let describe = |layout: &Layout| {
        if has_guess {
            note(progress, &layout.describe());
        }
    };
    if let Some(head) = head_of_layout(&layout, false, options) {
        let (edges, ids) = head.read(bytes, progress)?;
        if options.table.header.is_none() {
            check_no_counts(&layout, &edges, &ids)?;
        }
        describe(&layout);
        return Ok(builder.clone().vertices(ids.len() as u64).ids(numbered(ids)).build(edges)?);
    }
    let named = named::read(bytes, &layout, options.table.ids, options.weights, &[], progress)?;
    // Attributes may contain a weight, but no edge's do.
    layout.weight = layout.weight.filter(|_| named.edges.weights().is_some());
    describe(&layout);
    named.build(builder, false, progress)
}

/// Fails if the first line may be an edge or, as some programs write it, the numbers of vertices
/// and edges that follow.
fn check_no_counts(layout: &Layout, edges: &Edges, ids: &[u64]) -> Result<(), ParseError> {
    let ends = (edges.sources().split_first(), edges.targets().split_first());
    let (Some((&source, sources)), Some((&target, targets))) = ends else { return Ok(()) };
    let [vertices, lines] = [source, target].map(|end| ids[end as usize]);
    let has_two_cells = layout.width == 2 && !layout.header.is_present();
    if !has_two_cells || lines != sources.len() as u64 {
        return Ok(());
    }
    let others = || sources.iter().chain(targets);
    let [least, most] =
        [others().min(), others().max()].map(|end| end.map(|&end| ids[end as usize]));
    let (Some(least), Some(most)) = (least, most) else { return Ok(()) };
    let fewest_vertices = if least == 0 { most + 1 } else { most };
    if lines <= most || vertices < fewest_vertices {
        return Ok(());
    }
    let message = format!(
        "expected an edge, found what may be the numbers of vertices and edges: {lines} lines follow"
    );
    Err(ParseError::at_byte(layout.edges_at, message).with_remedy(Remedy::Header))
}

/// Reads a file that Equipoise wrote, and checks the statements of its first lines.
fn read_claimed(
    bytes: &[u8],
    claims: Claims,
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    let (vertices, undirected, progress) =
        (u64::from(claims.vertices), claims.undirected, options.progress);
    let check_count = |found: u64| check_stated("vertices", vertices, found, 0);
    let weights = claims.weights_as(options.weights);
    let (edges, ids) = match claims.naming {
        Naming::Numbers(ends) => {
            let lines = Lines::new(weights);
            let head = Head { edges_at: claims.edges_at, undirected, lines, ends };
            let (edges, ids) = head.read(bytes, progress)?;
            if let Ends::From(range) = head.ends {
                (edges, VertexIds::Dense { first: range.start })
            } else {
                check_count(ids.len() as u64)?;
                (edges, VertexIds::Table(ids.into()))
            }
        }
        Naming::Names { without_edges } => {
            let layout = Layout::written(weights.map(|_| WeightAt::Column(2)), claims.edges_at);
            let (weights, kind) = (weights.unwrap_or_default(), IdKind::Names);
            let named = named::read(bytes, &layout, kind, weights, &without_edges, progress)?;
            check_count(named.vertices)?;
            (named.edges, named.ids)
        }
    };
    let builder = builder.clone().vertices(vertices).ids(ids);
    Ok(if undirected { builder.undirected(true) } else { builder }.build(edges)?)
}
