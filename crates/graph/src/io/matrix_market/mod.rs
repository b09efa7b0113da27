//! Matrix Market coordinate files (<https://math.nist.gov/MatrixMarket/formats.html>).
//!
//! A banner names the type of the values and the symmetry, a line gives the numbers of rows,
//! columns and entries, and each further line is an entry `row column [value]`, counted from 1.
//! Lines that start with `%` are comments.
//!
//! In a graph, an entry is an edge. Pattern files have no weights, integer files `u32` (`f64` if an
//! integer is negative) and real files `f64`, or `f32` if requested. Whole numbers are never
//! rounded: a file with one that the type does not represent exactly is rejected. Symmetric files
//! are undirected graphs.

mod entries;
mod header;
mod write;

use super::{
    error::{Misfit, ParseError},
    options::ReadOptions,
    reals::exact_real,
    scan::Scanner,
};
use crate::{Edges, Graph, GraphBuilder, Matrix, Value, VertexIds, WeightType, Weights};
use entries::{Mirror, Triples};
use header::{Field, Symmetry};

pub(super) use header::Header;
pub(super) use write::{write, write_matrix};

pub(super) fn read(
    bytes: &[u8],
    builder: &GraphBuilder,
    options: &ReadOptions,
) -> Result<Graph, ParseError> {
    let header = graph_header(bytes)?;
    let building = memory_of_graph(&header, builder, options.weights);
    let lines = Lines { bytes, start: header.entries_at, header: &header, building, options };
    let edges = lines.edges()?;
    header.check_count(edges.len() as u64 / header.edges_per_entry())?;
    let builder = builder.clone().vertices(header.rows.into()).ids(VertexIds::Dense { first: 1 });
    let builder = match header.symmetry {
        Symmetry::Symmetric => builder.undirected(true),
        Symmetry::General | Symmetry::SkewSymmetric => builder,
    };
    Ok(builder.build(edges)?)
}

/// The header of a file that is read as a graph.
pub(super) fn graph_header(bytes: &[u8]) -> Result<Header, ParseError> {
    let header = Header::read(bytes)?;
    header.check_square("a graph")?;
    Ok(header)
}

/// Reads the edges from byte `start` on. Integer weights are `u32` if all of this part fit.
pub(super) fn read_part(
    bytes: &[u8],
    start: usize,
    header: &Header,
    weights: WeightType,
) -> Result<Edges, ParseError> {
    let options = &ReadOptions { weights, ..ReadOptions::default() };
    Lines { bytes, start, header, building: 0, options }.edges()
}

/// The integers from byte `start` on, as `f64`.
pub(super) fn exact_values(
    bytes: &[u8],
    start: usize,
    header: &Header,
) -> Result<Weights, ParseError> {
    let options = &ReadOptions::default();
    let lines = Lines { bytes, start, header, building: 0, options };
    Ok(lines.read(exact_integer)?.values.into())
}

/// The entry lines of a graph, from a position on.
struct Lines<'a> {
    bytes: &'a [u8],
    start: usize,
    header: &'a Header,
    /// The bytes needed in addition to the entries.
    building: u64,
    options: &'a ReadOptions<'a>,
}

impl Lines<'_> {
    fn edges(&self) -> Result<Edges, ParseError> {
        match self.header.field {
            Field::Pattern => {
                let edges = self.read(|_| Ok::<_, ParseError>(()))?;
                Ok(Edges::new(edges.rows, edges.columns, None)?)
            }
            Field::Integer => {
                // Half of the entries of a skew-symmetric matrix are negative.
                if self.header.symmetry != Symmetry::SkewSymmetric {
                    match self.read(small_integer) {
                        Ok(edges) => {
                            let weights = Some(edges.values.into());
                            return Ok(Edges::new(edges.rows, edges.columns, weights)?);
                        }
                        Err(Misfit::Wrong(error)) => return Err(error),
                        Err(Misfit::NotU32) => {}
                    }
                }
                self.weighted(exact_integer)
            }
            // Going through f64 could round twice.
            Field::Real if self.options.weights == WeightType::F32 => self.weighted(real::<f32>),
            Field::Real => self.weighted(real::<f64>),
        }
    }

    fn read<V, E>(
        &self,
        value: impl Fn(&mut Scanner) -> Result<V, E> + Sync,
    ) -> Result<Triples<V>, E>
    where
        V: Copy + Default + Send + Sync,
        E: From<ParseError> + Send,
    {
        let Self { bytes, start, header, building, options } = *self;
        entries::read_lines(bytes, start, header, building, options.progress, value)
    }

    /// Edges with a weight, and with their reverse if the matrix is skew-symmetric.
    fn weighted<V: Value>(
        &self,
        value: impl Fn(&mut Scanner) -> Result<V, ParseError> + Sync,
    ) -> Result<Edges, ParseError> {
        let Triples { rows, columns, values } = self.read(value)?;
        if self.header.symmetry != Symmetry::SkewSymmetric {
            return Ok(Edges::new(rows, columns, Some(V::weights(values.into())))?);
        }
        let negated = values.iter().map(|value| V::from_f64(-value.to_f64()));
        let weights: Vec<V> = values.iter().copied().chain(negated).collect();
        let (sources, targets) = ([&rows[..], &columns].concat(), [&columns[..], &rows].concat());
        Ok(Edges::new(sources, targets, Some(V::weights(weights.into())))?)
    }
}

/// The peak number of bytes for building the graph, without the entries.
fn memory_of_graph(header: &Header, builder: &GraphBuilder, weights: WeightType) -> u64 {
    let weights = match (header.field, header.symmetry) {
        (Field::Pattern, _) => 0,
        // Values of other types are reported later, and the builder checks its own memory.
        (Field::Integer, Symmetry::General | Symmetry::Symmetric) => {
            weights.or(WeightType::U32).most_bytes()
        }
        _ => weights.most_bytes(),
    };
    let both_ways = header.entries.saturating_mul(2);
    match header.symmetry {
        Symmetry::General => builder.memory_of(header.rows.into(), header.entries, weights),
        Symmetry::Symmetric => {
            let builder = builder.clone().undirected(true);
            builder.memory_of(header.rows.into(), header.entries, weights)
        }
        // Reverse edges are appended to the forward ones.
        Symmetry::SkewSymmetric => Edges::memory_of(both_ways, weights)
            .saturating_add(builder.memory_of(header.rows.into(), both_ways, weights)),
    }
}

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
    match header.field {
        Field::Pattern => {
            let one = |()| T::from_f64(1.0);
            entries::read_matrix(bytes, &header, mirror, options, |_| Ok(()), one)
        }
        Field::Integer => {
            entries::read_matrix(bytes, &header, mirror, options, integer, |value| value)
        }
        Field::Real => entries::read_matrix(bytes, &header, mirror, options, real, |value| value),
    }
}

/// Integers from here to 0 are exact in `f64`.
const LEAST_INTEGER: i64 = -(1 << 53);

fn small_integer(scanner: &mut Scanner) -> Result<u32, Misfit> {
    let mut start = *scanner;
    match scanner.unsigned().map(u32::try_from) {
        Some(Ok(value)) => Ok(value),
        _ if start.signed().is_some() => Err(Misfit::NotU32),
        _ => Err(start.expected("an integer").into()),
    }
}

fn exact_integer(scanner: &mut Scanner) -> Result<f64, ParseError> {
    let start = *scanner;
    let value = scanner.signed().ok_or_else(|| start.expected("an integer"))?;
    if (LEAST_INTEGER..=u32::MAX.into()).contains(&value) {
        Ok(value as f64)
    } else {
        let most = u32::MAX;
        Err(start.expected(format_args!("an integer from {LEAST_INTEGER} to {most}")))
    }
}

fn integer<T: Value>(scanner: &mut Scanner) -> Result<T, ParseError> {
    let start = *scanner;
    let value = scanner.signed().ok_or_else(|| start.expected("an integer"))?;
    let number = T::from_f64(value as f64);
    if number.to_f64() as i128 == i128::from(value) {
        Ok(number)
    } else {
        Err(start.expected(format_args!("an integer that is exact as {}", T::NAME)))
    }
}

fn real<T: Value>(scanner: &mut Scanner) -> Result<T, ParseError> {
    // Going through f64 could round twice.
    let value = if size_of::<T>() == size_of::<f32>() {
        exact_real::<f32>(scanner, "a real number")?.into()
    } else {
        exact_real::<f64>(scanner, "a real number")?
    };
    Ok(T::from_f64(value))
}
