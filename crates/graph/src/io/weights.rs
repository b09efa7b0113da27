//! A column of weights whose type is detected while it is read.
//!
//! Whole numbers are never rounded: weights are `u32` if all are whole numbers from 0 to 2³² − 1,
//! and `f64` if some have a point or an exponent, or are negative, and all whole numbers are exact
//! in it. Otherwise the file is rejected at the offending weight. A file's header or the caller may
//! require another type.

use super::{chunks::concatenate, error::ParseError, reals, scan::Scanner};
use crate::{WeightType, Weights};

/// NetworkX's default for a missing weight.
pub(super) const MISSING_WEIGHT: &[u8] = b"1";

/// The note that `edges` edges have no weight, and the weight assumed for them.
pub(super) fn assumed_weights(edges: u64) -> String {
    let (edges, have) =
        if edges == 1 { ("1 edge".into(), "has") } else { (format!("{edges} edges"), "have") };
    format!("{edges} without a weight {have} 1, as in NetworkX")
}

/// The weights of one piece of a text: `u32` while all are whole numbers that fit, then `f64`.
pub(super) struct WeightColumn {
    numbers: Numbers,
    expected: WeightType,
    /// Whether a weight has a point or an exponent.
    has_reals: bool,
    /// The first whole number that is not exact in the type of the others.
    inexact: Option<ParseError>,
    /// The first whole number beyond 32 bits, which is an error unless some weight is real.
    too_large: Option<ParseError>,
}

enum Numbers {
    U32(Vec<u32>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Up to here, all whole numbers are exact in `f32`.
const ALL_EXACT_IN_F32: f32 = (1u32 << 24) as f32;
/// Up to here, all whole numbers are exact in `f64`.
const ALL_EXACT_IN_F64: f64 = (1u64 << 53) as f64;

impl WeightColumn {
    /// A column with room for `capacity` weights.
    pub fn with_capacity(expected: WeightType, capacity: usize) -> Self {
        let numbers = match expected {
            WeightType::Auto | WeightType::U32 => Numbers::U32(Vec::with_capacity(capacity)),
            WeightType::F32 => Numbers::F32(Vec::with_capacity(capacity)),
            WeightType::F64 => Numbers::F64(Vec::with_capacity(capacity)),
        };
        let has_reals = matches!(expected, WeightType::F32 | WeightType::F64);
        Self { numbers, expected, has_reals, inexact: None, too_large: None }
    }

    /// Reads a further weight.
    #[inline(always)]
    pub fn read(&mut self, scanner: &mut Scanner) -> Result<(), ParseError> {
        let start = *scanner;
        if let Numbers::U32(weights) = &mut self.numbers {
            if let Some(Ok(weight)) = scanner.unsigned().map(u32::try_from) {
                weights.push(weight);
                return Ok(());
            }
            *scanner = start;
            self.widen(scanner)?;
        }
        match &mut self.numbers {
            Numbers::U32(_) => {}
            Numbers::F32(weights) => {
                let weight = reals::real::<f32>(scanner, "a weight")?;
                weights.push(weight);
                if weight.abs() >= ALL_EXACT_IN_F32 {
                    self.note_kind(weight.into(), start, scanner);
                }
            }
            Numbers::F64(weights) => {
                let weight = reals::real::<f64>(scanner, "a weight")?;
                weights.push(weight);
                if !self.has_reals || weight.abs() >= ALL_EXACT_IN_F64 {
                    self.note_kind(weight, start, scanner);
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn widen(&mut self, scanner: &Scanner) -> Result<(), ParseError> {
        if self.expected == WeightType::U32 {
            return Err(scanner.expected("a whole weight from 0 to 4294967295"));
        }
        if let Numbers::U32(weights) = &self.numbers {
            let mut widened = Vec::with_capacity(weights.capacity());
            widened.extend(weights.iter().map(|&weight| f64::from(weight)));
            self.numbers = Numbers::F64(widened);
        }
        Ok(())
    }

    /// Records the kind of the weight that was read from `start`.
    #[cold]
    fn note_kind(&mut self, weight: f64, start: Scanner, end: &Scanner) {
        let word = start.until(end);
        if !reals::is_whole(word) {
            self.has_reals = true;
            return;
        }
        if !reals::is_exact(word, weight) {
            let refusal =
                if self.expected == WeightType::F32 { not_exact_in_f32 } else { not_exact };
            self.inexact.get_or_insert_with(|| refusal(start));
        }
        let fits = str::from_utf8(word).is_ok_and(|word| word.parse::<u32>().is_ok());
        if weight > 0.0 && !fits {
            let what = "whole weights from 0 to 4294967295";
            self.too_large.get_or_insert_with(|| start.expected(what));
        }
    }

    /// The expected type.
    pub fn expected(&self) -> WeightType {
        self.expected
    }
}

fn not_exact(start: Scanner) -> ParseError {
    start.expected(
        "a whole number that is exact as a 64-bit floating-point number, as others are such weights: \
         one from -9007199254740992 to 9007199254740992 is",
    )
}

fn not_exact_in_f32(start: Scanner) -> ParseError {
    start.expected(
        "a whole number that is exact as a 32-bit floating-point number, as weights are to be such: \
         one from -16777216 to 16777216 is",
    )
}

/// The kinds of weights in some columns, from which their common type follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightKinds {
    /// Whether a weight is not a `u32`.
    pub beyond_u32: bool,
    /// Whether a weight has a point or an exponent.
    pub reals: bool,
}

impl WeightKinds {
    pub(super) fn of_columns(columns: &[WeightColumn]) -> Self {
        let is_wide = |column: &WeightColumn| !matches!(column.numbers, Numbers::U32(_));
        Self {
            beyond_u32: columns.iter().any(is_wide),
            reals: columns.iter().any(|column| column.has_reals),
        }
    }
}

/// Concatenates the columns, in the expected type, or else in `f64` if any is. Fails if that would
/// round a whole number, and if whole numbers have no common type.
pub(super) fn join(
    expected: WeightType,
    columns: Vec<WeightColumn>,
) -> Result<Weights, ParseError> {
    let kinds = WeightKinds::of_columns(&columns);
    join_as(expected, kinds, columns)
}

/// Like [`join`], for some of the columns that together have `kinds`.
pub(super) fn join_as(
    expected: WeightType,
    kinds: WeightKinds,
    mut columns: Vec<WeightColumn>,
) -> Result<Weights, ParseError> {
    if matches!(expected, WeightType::Auto | WeightType::U32) && !kinds.beyond_u32 {
        let as_u32 = |numbers| if let Numbers::U32(all) = numbers { all } else { Vec::new() };
        return Ok(joined(columns, as_u32).into());
    }
    if expected == WeightType::Auto && !kinds.reals {
        let mut too_large = columns.iter_mut().filter_map(|column| column.too_large.take());
        too_large.next().map_or(Ok(()), Err)?;
    }
    let mut inexact = columns.iter_mut().filter_map(|column| column.inexact.take());
    inexact.next().map_or(Ok(()), Err)?;
    if expected == WeightType::F32 {
        let as_f32 = |numbers| if let Numbers::F32(all) = numbers { all } else { Vec::new() };
        return Ok(joined(columns, as_f32).into());
    }
    let as_f64 = |numbers| match numbers {
        Numbers::U32(all) => all.into_iter().map(f64::from).collect(),
        Numbers::F64(all) => all,
        Numbers::F32(_) => Vec::new(),
    };
    Ok(joined(columns, as_f64).into())
}

fn joined<T: Copy + Default + Send + Sync>(
    columns: Vec<WeightColumn>,
    convert: impl Fn(Numbers) -> Vec<T>,
) -> Vec<T> {
    concatenate(columns.into_iter().map(|column| convert(column.numbers)).collect())
}
