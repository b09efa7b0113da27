//! Matrix Market coordinate files (<https://math.nist.gov/MatrixMarket/formats.html>).
//!
//! A banner names the type of the values and the symmetry, a line gives the numbers of rows,
//! columns and entries, and each further line is an entry `row column [value]`, counted from 1.
//! Lines that start with `%` are comments.
//!
//! As a graph, an entry is an edge; pattern files give no weights, integer files `u32` (`f32`
//! where an integer is negative, if all are exact in it) and real files `f32`. Whole numbers are not
//! rounded: a file with one that its type does not hold exactly is refused.
//! Symmetric files give undirected graphs.

mod entries;
mod header;
mod write;

use super::{Progress, ReadOptions, error::ParseError, numbers::exact_real, scan::Scanner};
use crate::{Edges, Graph, GraphBuilder, Matrix, Value, VertexIds, Weights};
use entries::{Mirror, Triples};
use header::{Field, Symmetry};

pub(super) use header::Header;
pub(super) use write::{write, write_matrix};

/// Reads a graph.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let header = graph_header(bytes)?;
    let building = memory_of_graph(&header, builder);
    let (sources, targets, weights) = match (header.field, header.symmetry) {
        (Field::Pattern, _) => {
            let edges =
                entries::read(bytes, &header, building, progress, |_| Ok::<_, ParseError>(()))?;
            (edges.rows, edges.columns, None)
        }
        (_, Symmetry::SkewSymmetric) => {
            let edges = match header.field {
                Field::Integer => entries::read(bytes, &header, building, progress, exact_integer)?,
                _ => entries::read(bytes, &header, building, progress, real)?,
            };
            both_ways(edges)
        }
        (Field::Integer, _) => {
            match entries::read(bytes, &header, building, progress, small_integer) {
                Ok(edges) => (edges.rows, edges.columns, Some(edges.values.into())),
                Err(Misfit::Wrong(error)) => return Err(error),
                Err(Misfit::NotU32) => {
                    let edges = entries::read(bytes, &header, building, progress, exact_integer)?;
                    (edges.rows, edges.columns, Some(edges.values.into()))
                }
            }
        }
        (Field::Real, _) => {
            let edges = entries::read(bytes, &header, building, progress, real::<f32>)?;
            (edges.rows, edges.columns, Some(edges.values.into()))
        }
    };
    let builder = builder.clone().vertices(header.rows.into()).ids(VertexIds::Dense { first: 1 });
    let builder = match header.symmetry {
        Symmetry::Symmetric => builder.undirected(true),
        Symmetry::General | Symmetry::SkewSymmetric => builder,
    };
    Ok(builder.build(Edges::new(sources, targets, weights)?)?)
}

/// The header of a file that is read as a graph.
pub(super) fn graph_header(bytes: &[u8]) -> Result<Header, ParseError> {
    let header = Header::read(bytes)?;
    header.check_square("a graph")?;
    Ok(header)
}

/// Reads the edges from place `start` on. Weights of integers are `u32` if all here are.
pub(super) fn read_part(bytes: &[u8], start: usize, header: &Header) -> Result<Edges, ParseError> {
    let values = match (header.field, header.symmetry) {
        (Field::Pattern, _) => {
            let edges =
                entries::read_lines(bytes, start, header, 0, None, |_| Ok::<_, ParseError>(()))?;
            return Ok(Edges::new(edges.rows, edges.columns, None)?);
        }
        (Field::Integer, Symmetry::General | Symmetry::Symmetric) => {
            match entries::read_lines(bytes, start, header, 0, None, small_integer) {
                Ok(edges) => {
                    let values = Some(edges.values.into());
                    return Ok(Edges::new(edges.rows, edges.columns, values)?);
                }
                Err(Misfit::Wrong(error)) => return Err(error),
                Err(Misfit::NotU32) => exact_integer,
            }
        }
        (Field::Integer, Symmetry::SkewSymmetric) => exact_integer,
        (Field::Real, _) => real::<f32>,
    };
    let edges = entries::read_lines(bytes, start, header, 0, None, values)?;
    let (sources, targets, weights) = match header.symmetry {
        Symmetry::SkewSymmetric => both_ways(edges),
        _ => (edges.rows, edges.columns, Some(edges.values.into())),
    };
    Ok(Edges::new(sources, targets, weights)?)
}

/// The integers from place `start` on, as `f32`.
pub(super) fn exact_values(
    bytes: &[u8],
    start: usize,
    header: &Header,
) -> Result<Weights, ParseError> {
    let edges = entries::read_lines(bytes, start, header, 0, None, exact_integer)?;
    Ok(edges.values.into())
}

/// The most bytes that the graph takes, beside the entries and while it is built.
fn memory_of_graph(header: &Header, builder: &GraphBuilder) -> u64 {
    let weights = header.field != Field::Pattern;
    let both_ways = header.entries.saturating_mul(2);
    match header.symmetry {
        Symmetry::General => builder.memory_of(header.rows.into(), header.entries, weights),
        Symmetry::Symmetric => {
            let builder = builder.clone().undirected(true);
            builder.memory_of(header.rows.into(), header.entries, weights)
        }
        // The edges back are written beside those there.
        Symmetry::SkewSymmetric => Edges::memory_of(both_ways, weights)
            .saturating_add(builder.memory_of(header.rows.into(), both_ways, weights)),
    }
}

/// Reads a matrix.
pub(super) fn read_matrix<T: Value>(
    bytes: &[u8],
    options: &ReadOptions,
) -> Result<Matrix<T>, ParseError> {
    let header = Header::read(bytes)?;
    let mirror = match (header.symmetry, options.undirected) {
        (Symmetry::SkewSymmetric, _) => Mirror::Negated,
        (Symmetry::Symmetric, _) => Mirror::Same,
        (Symmetry::General, true) => {
            header.check_square("reading entries as undirected")?;
            Mirror::Same
        }
        (Symmetry::General, false) => Mirror::None,
    };
    let progress = options.progress;
    let building = entries::memory_of_matrix::<T>(&header, mirror);
    match header.field {
        Field::Pattern => {
            let read =
                entries::read(bytes, &header, building, progress, |_| Ok::<_, ParseError>(()))?;
            entries::assemble_matrix(&header, &read, |()| T::from_f64(1.0), mirror, options)
        }
        Field::Integer => {
            let read = entries::read(bytes, &header, building, progress, integer)?;
            entries::assemble_matrix(&header, &read, |value| value, mirror, options)
        }
        Field::Real => {
            let read = entries::read(bytes, &header, building, progress, real)?;
            entries::assemble_matrix(&header, &read, |value| value, mirror, options)
        }
    }
}

/// Why an entry's value is not what was tried.
enum Misfit {
    /// It is an integer, but needs another type than `u32`.
    NotU32,
    /// It is no integer, or something else is wrong.
    Wrong(ParseError),
}

impl From<ParseError> for Misfit {
    fn from(error: ParseError) -> Self {
        Misfit::Wrong(error)
    }
}

fn small_integer(scanner: &mut Scanner) -> Result<u32, Misfit> {
    let mut start = *scanner;
    match scanner.unsigned().map(u32::try_from) {
        Some(Ok(value)) => Ok(value),
        _ if start.signed().is_some() => Err(Misfit::NotU32),
        _ => Err(start.expected("an integer").into()),
    }
}

fn exact_integer(scanner: &mut Scanner) -> Result<f32, ParseError> {
    let start = *scanner;
    let value = scanner.signed().ok_or_else(|| start.expected("an integer"))?;
    let exact = (value as f32) as i128 == i128::from(value);
    match exact && value <= u32::MAX.into() {
        true => Ok(value as f32),
        false => Err(start.expected(
            "integers that are all from 0 to 4294967295, or all exact as 32-bit floating-point \
             numbers, as they are from -16777216 to 16777216",
        )),
    }
}

fn integer<T: Value>(scanner: &mut Scanner) -> Result<T, ParseError> {
    let start = *scanner;
    let value = scanner.signed().ok_or_else(|| start.expected("an integer"))?;
    let number = T::from_f64(value as f64);
    match number.to_f64() as i128 == i128::from(value) {
        true => Ok(number),
        false => Err(start.expected(format_args!("an integer that is exact as {}", T::NAME))),
    }
}

fn real<T: Value>(scanner: &mut Scanner) -> Result<T, ParseError> {
    // Reading by way of f64 could round twice.
    let value = match size_of::<T>() == size_of::<f32>() {
        true => exact_real::<f32>(scanner, "a real number")?.into(),
        false => exact_real::<f64>(scanner, "a real number")?,
    };
    Ok(T::from_f64(value))
}

/// Each edge, and its reverse with the negated weight.
fn both_ways(edges: Triples<f32>) -> (Vec<u32>, Vec<u32>, Option<Weights>) {
    let negated = edges.values.iter().map(|value| -value);
    let values: Vec<f32> = edges.values.iter().copied().chain(negated).collect();
    let sources = [&edges.rows[..], &edges.columns].concat();
    let targets = [&edges.columns[..], &edges.rows].concat();
    (sources, targets, Some(values.into()))
}
