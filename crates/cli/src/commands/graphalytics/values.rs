//! Outputs: a value per vertex, as the benchmark writes and compares it.

use std::{collections::HashMap, path::Path};

use equipoise::graph::{Graph, io::write_file};

use super::job::id;
use crate::failure::Result;

/// What the benchmark writes as the depth of a vertex that BFS does not reach.
pub const UNREACHED: u64 = i64::MAX as u64;
/// By how much of the reference a real value may differ.
const TOLERANCE: f64 = 1e-4;

/// The value of each vertex, by the kind of match that the benchmark demands.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Equal to the reference.
    Exact(Vec<u64>),
    /// Equal for the same vertices as in the reference.
    Classes(Vec<u64>),
    /// Within 0.01 % of the reference.
    Near(Vec<f64>),
}

impl Output {
    /// Writes a line with the id and the value of each vertex.
    pub fn write(&self, graph: &Graph, path: &Path) -> Result<()> {
        Ok(write_file(path, |out| {
            for vertex in 0..graph.vertices() {
                write!(out, "{} ", id(graph, vertex))?;
                match self {
                    Self::Exact(all) | Self::Classes(all) => {
                        writeln!(out, "{}", all[vertex as usize])?
                    }
                    Self::Near(all) if all[vertex as usize] == f64::INFINITY => {
                        writeln!(out, "infinity")?;
                    }
                    Self::Near(all) => writeln!(out, "{:.15e}", all[vertex as usize])?,
                }
            }
            Ok(())
        })?)
    }

    /// The value that a text stands for; `None` if it is malformed.
    pub fn parse(&self, text: &str) -> Option<Reference> {
        match self {
            Self::Exact(_) | Self::Classes(_) => text.parse().ok().map(Reference::Whole),
            // As Java writes it, or as the largest number of 64 bits.
            Self::Near(_) if text == UNREACHED.to_string() => Some(Reference::Real(f64::INFINITY)),
            Self::Near(_) => {
                text.parse().ok().filter(|value: &f64| !value.is_nan()).map(Reference::Real)
            }
        }
    }

    /// The vertices whose values do not match those of the reference, which has one value per vertex: the first one, with both
    /// values, and their number.
    pub fn mismatches(&self, reference: &[Reference]) -> (Option<(u32, String)>, u64) {
        let mut classes = Classes::default();
        let (mut first, mut count) = (None, 0);
        for (vertex, &expected) in (0..).zip(reference) {
            let (matches, found) = match (self, expected) {
                (Self::Exact(all), Reference::Whole(expected)) => {
                    let found = all[vertex as usize];
                    (found == expected, found.to_string())
                }
                (Self::Classes(all), Reference::Whole(expected)) => {
                    let found = all[vertex as usize];
                    (classes.agree(found, expected), found.to_string())
                }
                (Self::Near(all), Reference::Real(expected)) => {
                    let found = all[vertex as usize];
                    (is_near(found, expected), found.to_string())
                }
                (_, expected) => (false, expected.to_string()),
            };
            if !matches {
                count += 1;
                first.get_or_insert_with(|| (vertex, format!("{found}, not {expected}")));
            }
        }
        (first, count)
    }
}

/// A value of a reference output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reference {
    /// A depth or a label.
    Whole(u64),
    /// A rank, a coefficient or a length.
    Real(f64),
}

impl std::fmt::Display for Reference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(value) => value.fmt(f),
            Self::Real(value) => value.fmt(f),
        }
    }
}

/// Two-way mapping between the labels of two outputs.
#[derive(Default)]
struct Classes {
    expected: HashMap<u64, u64>,
    found: HashMap<u64, u64>,
}

impl Classes {
    /// Whether a pair of labels is consistent with all pairs so far.
    fn agree(&mut self, found: u64, expected: u64) -> bool {
        let forward = *self.expected.entry(found).or_insert(expected);
        let backward = *self.found.entry(expected).or_insert(found);
        forward == expected && backward == found
    }
}

/// NaN is near nothing.
fn is_near(found: f64, expected: f64) -> bool {
    found == expected
        || expected.is_finite() && (found - expected).abs() <= TOLERANCE * expected.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(output: &Output, reference: &[&str]) -> u64 {
        let reference: Vec<Reference> =
            reference.iter().map(|text| output.parse(text).unwrap()).collect();
        output.mismatches(&reference).1
    }

    #[test]
    fn exact_outputs_are_equal() {
        let output = Output::Exact(vec![3, UNREACHED]);
        assert_eq!(count(&output, &["3", "9223372036854775807"]), 0);
        assert_eq!(count(&output, &["4", "9223372036854775806"]), 2);
        assert_eq!(output.parse("3.0"), None);
    }

    #[test]
    fn classes_are_equal_up_to_their_names() {
        let output = Output::Classes(vec![8, 8, 3, 1]);
        assert_eq!(count(&output, &["1", "1", "2", "3"]), 0);
        // Two classes of the output are one of the reference, and the other way round.
        assert_eq!(count(&output, &["1", "1", "2", "2"]), 1);
        assert_eq!(count(&output, &["1", "2", "3", "4"]), 1);
    }

    #[test]
    fn real_values_differ_by_a_share_of_the_reference() {
        let output = Output::Near(vec![1.0001, 0.0, f64::INFINITY, -1.0]);
        assert_eq!(count(&output, &["1", "0", "infinity", "-1"]), 0);
        assert_eq!(count(&output, &["1", "0", "9223372036854775807", "-1.0e0"]), 0);
        assert_eq!(count(&output, &["0.9999", "1e-300", "1.7e308", "1"]), 4);
        assert_eq!(output.parse("nan"), None);
        assert_eq!(count(&Output::Near(vec![f64::NAN, 1.0]), &["1", "infinity"]), 2);
    }
}
