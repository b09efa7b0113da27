//! Matrix Market coordinate files (<https://math.nist.gov/MatrixMarket/formats.html>).
//!
//! A banner names the type of the values and the symmetry, a line gives the numbers of rows,
//! columns and entries, and each further line is an entry `row column [value]`, counted from 1.
//! Lines that start with `%` are comments.
//!
//! As a graph, an entry is an edge; pattern files give no weights, integer files `u32` (`f32`
//! where an integer is negative or too large, if all are exact in it) and real files `f32`.
//! Symmetric files give undirected graphs.

mod entries;
mod header;
mod write;

use super::{Progress, ReadOptions, error::ParseError, scan::Scanner};
use crate::{Edges, Graph, GraphBuilder, Matrix, Value, VertexIds, Weights};
use entries::{Mirror, Triples};
use header::{Field, Header, Symmetry};

pub(super) use write::{write, write_matrix};

/// Reads a graph.
pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    progress: Option<&dyn Progress>,
) -> Result<Graph, ParseError> {
    let header = Header::read(bytes)?;
    header.check_square("a graph")?;
    let (sources, targets, weights) = match (header.field, header.symmetry) {
        (Field::Pattern, _) => {
            let edges = entries::read(bytes, &header, progress, |_| Ok::<_, ParseError>(()))?;
            (edges.rows, edges.columns, None)
        }
        (_, Symmetry::SkewSymmetric) => {
            let edges = match header.field {
                Field::Integer => entries::read(bytes, &header, progress, exact_integer)?,
                _ => entries::read(bytes, &header, progress, real)?,
            };
            both_ways(edges)
        }
        (Field::Integer, _) => match entries::read(bytes, &header, progress, small_integer) {
            Ok(edges) => (edges.rows, edges.columns, Some(edges.values.into())),
            Err(Misfit::Wrong(error)) => return Err(error),
            Err(Misfit::NotU32) => {
                let edges = entries::read(bytes, &header, progress, exact_integer)?;
                (edges.rows, edges.columns, Some(edges.values.into()))
            }
        },
        (Field::Real, _) => {
            let edges = entries::read(bytes, &header, progress, real::<f32>)?;
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
    match header.field {
        Field::Pattern => {
            let read = entries::read(bytes, &header, progress, |_| Ok::<_, ParseError>(()))?;
            entries::assemble_matrix(&header, &read, |()| T::from_f64(1.0), mirror, options)
        }
        Field::Integer => {
            let read = entries::read(bytes, &header, progress, integer)?;
            entries::assemble_matrix(&header, &read, |value| value, mirror, options)
        }
        Field::Real => {
            let read = entries::read(bytes, &header, progress, real)?;
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
    match (value as f32) as i128 == i128::from(value) {
        true => Ok(value as f32),
        false => Err(start.expected(
            "integers that are all from 0 to 4294967295, or all exact as 32-bit floating-point \
             numbers, as they are from -16777216 to 16777216",
        )),
    }
}

fn integer<T: Value>(scanner: &mut Scanner) -> Result<T, ParseError> {
    let value = scanner.signed().ok_or_else(|| scanner.expected("an integer"))?;
    Ok(T::from_f64(value as f64))
}

fn real<T: Value>(scanner: &mut Scanner) -> Result<T, ParseError> {
    // Reading by way of f64 could round twice.
    let value = match size_of::<T>() == size_of::<f32>() {
        true => scanner.real::<f32>().map(f64::from),
        false => scanner.real::<f64>(),
    };
    value.map(T::from_f64).ok_or_else(|| scanner.expected("a real number"))
}

/// Each edge, and its reverse with the negated weight.
fn both_ways(edges: Triples<f32>) -> (Vec<u32>, Vec<u32>, Option<Weights>) {
    let negated = edges.values.iter().map(|value| -value);
    let values: Vec<f32> = edges.values.iter().copied().chain(negated).collect();
    let sources = [&edges.rows[..], &edges.columns].concat();
    let targets = [&edges.columns[..], &edges.rows].concat();
    (sources, targets, Some(values.into()))
}
