//! A column of weights whose type shows as it is read.
//!
//! Whole numbers are never rounded: weights are `u32` if all are whole numbers from 0 to 2³² − 1, and
//! `f32` if some have a point or an exponent, or are negative, and those that have none are exact in
//! it. Otherwise the file is refused, at the weight that is at fault. Weights are `f64` only where a file
//! says so.

use super::{chunks::concatenate, error::ParseError, numbers, scan::Scanner};
use crate::Weights;

/// What is known of the type of weights before they are read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WeightType {
    /// Nothing.
    Any,
    U32,
    F32,
    F64,
}

/// Weights of one piece of a text: `u32` for as long as all are whole numbers that fit, then `f32`.
pub(super) struct WeightColumn {
    numbers: Numbers,
    expected: WeightType,
    /// Whether a weight has a point or an exponent.
    has_reals: bool,
    /// The first whole number that is not exact as `f32`, which matters if the others are.
    inexact: Option<ParseError>,
    /// The first whole number above those of 32 bits, which matters if there are no reals.
    too_large: Option<ParseError>,
}

enum Numbers {
    U32(Vec<u32>),
    F32(Vec<f32>),
    F64(Vec<f64>),
}

/// Up to here all whole numbers are exact as `f32`.
const ALL_EXACT: u32 = 1 << 24;
/// The same of `f64`.
const ALL_EXACT_IN_F64: f64 = (1u64 << 53) as f64;

impl WeightColumn {
    /// A column with room for `capacity` weights.
    pub fn with_capacity(expected: WeightType, capacity: usize) -> Self {
        let numbers = match expected {
            WeightType::Any | WeightType::U32 => Numbers::U32(Vec::with_capacity(capacity)),
            WeightType::F32 => Numbers::F32(Vec::with_capacity(capacity)),
            WeightType::F64 => Numbers::F64(Vec::with_capacity(capacity)),
        };
        let has_reals = matches!(expected, WeightType::F32 | WeightType::F64);
        Self { numbers, expected, has_reals, inexact: None, too_large: None }
    }

    /// Reads one more weight.
    #[inline(always)]
    pub fn read(&mut self, scanner: &mut Scanner) -> Result<(), ParseError> {
        let start = *scanner;
        if let Numbers::U32(weights) = &mut self.numbers {
            if let Some(Ok(weight)) = scanner.unsigned().map(u32::try_from) {
                weights.push(weight);
                if weight > ALL_EXACT && self.inexact.is_none() {
                    self.note_inexact(weight, start);
                }
                return Ok(());
            }
            *scanner = start;
            self.widen(scanner)?;
        }
        match &mut self.numbers {
            Numbers::U32(_) => {}
            Numbers::F32(weights) => {
                let weight = numbers::real::<f32>(scanner, "a weight")?;
                weights.push(weight);
                if !self.has_reals || weight.abs() >= ALL_EXACT as f32 {
                    self.note_kind(weight.into(), start, scanner);
                }
            }
            Numbers::F64(weights) => {
                let weight = numbers::real::<f64>(scanner, "a weight")?;
                weights.push(weight);
                if weight.abs() >= ALL_EXACT_IN_F64 {
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
            widened.extend(weights.iter().map(|&weight| weight as f32));
            self.numbers = Numbers::F32(widened);
        }
        Ok(())
    }

    #[cold]
    fn note_inexact(&mut self, weight: u32, start: Scanner) {
        if weight as f32 as u64 != u64::from(weight) {
            self.inexact = Some(not_exact(start));
        }
    }

    /// Notes what a weight that was read from `start` on is, other than a number.
    #[cold]
    fn note_kind(&mut self, weight: f64, start: Scanner, end: &Scanner) {
        let word = start.until(end);
        if !numbers::is_whole(word) {
            self.has_reals = true;
            return;
        }
        if !numbers::is_exact(word, weight) {
            let refusal =
                if self.expected == WeightType::F64 { not_exact_in_f64 } else { not_exact };
            self.inexact.get_or_insert_with(|| refusal(start));
        }
        let fits = str::from_utf8(word).is_ok_and(|word| word.parse::<u32>().is_ok());
        if weight > 0.0 && !fits {
            let what = "whole weights from 0 to 4294967295";
            self.too_large.get_or_insert_with(|| start.expected(what));
        }
    }

    fn into_u32(self) -> Option<Vec<u32>> {
        match self.numbers {
            Numbers::U32(weights) => Some(weights),
            Numbers::F32(_) | Numbers::F64(_) => None,
        }
    }

    fn into_f32(self) -> Option<Vec<f32>> {
        match self.numbers {
            Numbers::U32(weights) => Some(weights.iter().map(|&weight| weight as f32).collect()),
            Numbers::F32(weights) => Some(weights),
            Numbers::F64(_) => None,
        }
    }

    fn into_f64(self) -> Option<Vec<f64>> {
        match self.numbers {
            Numbers::F64(weights) => Some(weights),
            Numbers::U32(_) | Numbers::F32(_) => None,
        }
    }
}

fn not_exact_in_f64(start: Scanner) -> ParseError {
    start.expected("a whole number that is exact as a 64-bit floating-point number")
}

fn not_exact(start: Scanner) -> ParseError {
    start.expected(
        "a whole number that is exact as a 32-bit floating-point number, as others are such \
         weights: one from -16777216 to 16777216 is",
    )
}

/// What columns of weights have among them: all of them together have one type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightKinds {
    /// Whether some weight is no `u32`.
    pub beyond_u32: bool,
    /// Whether some weight has a point or an exponent.
    pub reals: bool,
}

impl WeightKinds {
    /// Those of all `columns`.
    pub(super) fn of(columns: &[WeightColumn]) -> Self {
        let is_wide = |column: &WeightColumn| matches!(column.numbers, Numbers::F32(_));
        Self {
            beyond_u32: columns.iter().any(is_wide),
            reals: columns.iter().any(|column| column.has_reals),
        }
    }
}

/// All columns as one, of `f32` where any is or it was expected. Fails where that would round a whole
/// number, and where whole numbers have no type.
pub(super) fn join(
    expected: WeightType,
    columns: Vec<WeightColumn>,
) -> Result<Weights, ParseError> {
    let kinds = WeightKinds::of(&columns);
    join_as(expected, kinds, columns)
}

/// The same for columns that are a part of those which have `kinds`.
pub(super) fn join_as(
    expected: WeightType,
    kinds: WeightKinds,
    mut columns: Vec<WeightColumn>,
) -> Result<Weights, ParseError> {
    if matches!(expected, WeightType::Any | WeightType::U32) && !kinds.beyond_u32 {
        let columns = columns.into_iter().filter_map(WeightColumn::into_u32);
        return Ok(concatenate(columns.collect()).into());
    }
    if expected == WeightType::Any && !kinds.reals {
        let mut too_large = columns.iter_mut().filter_map(|column| column.too_large.take());
        too_large.next().map_or(Ok(()), Err)?;
    }
    let mut inexact = columns.iter_mut().filter_map(|column| column.inexact.take());
    inexact.next().map_or(Ok(()), Err)?;
    let columns = columns.into_iter();
    Ok(match expected {
        WeightType::F64 => concatenate(columns.filter_map(WeightColumn::into_f64).collect()).into(),
        _ => concatenate(columns.filter_map(WeightColumn::into_f32).collect()).into(),
    })
}
